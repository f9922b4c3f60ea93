/* The route with the fewest bytes on the wire.
 *
 * Upstream's order (slice, permute, all_to_all, gather) is best for most changes; it pays too much where a permute could have
 * been an all_to_all, and for sizes that do not divide each other. So: its route and the straight one are costed; where the
 * cheaper of the two sends more than any route must, a search over all orders of the axes looks for less.
 *
 *	mesh <["x"=2, "y"=2]>, [{"x", "y"}, {}] to [{"y"}, {"x"}], parts of r bytes
 *	upstream: collective_permute to [{"y", "x"}, {}], all_to_all "x": 0 -> 1                   r + r/2
 *	here:     all_to_all "x", "y": 0 -> 1, to [{}, {"x", "y"}], all_to_all "y": 1 -> 0        3r/4 + r/2
 *
 * The search is Dijkstra's: a state says which axes each dimension has, in which order; a move is one collective. Axes are cut
 * where input and output differ, and into prime parts where there are few of them. It is bounded in states, and a state dearer
 * than the best route known is never looked at. Of a dimension whose extent its shards do not divide only the whole is
 * gathered and sliced (10 over 4 is 3,3,3,1; over 2 it is 5,5).
 *
 * Requires: in and out of one rank. Leaves: steps no dearer than upstream's, unless upstream's cut what padding does not let
 * be cut. */
#include "partition/reshard/reshard_plan.h"
#include <math.h>
#include <string.h>

enum { MAX_ATOMS = 8, MAX_DIMS = 15, MAX_NODES = 8000, MAX_EXPANDED = 500, MAX_PERMUTES = 1000, ABSENT = 0xff };

struct move {
	enum sr_op_code code;
	int dim, tgt; /* dim: sliced, gathered or the source of an all_to_all, whose target is tgt */
	int n;        /* how many atoms */
};

struct node {
	uint64_t key; /* a byte per atom: dimension (high half) and place in it, or ABSENT */
	double bytes; /* from the input to here */
	int hops;     /* collectives but slices */
	int parent;   /* -1: the input */
	struct move move;
	bool expanded;
};

struct state { /* a key taken apart */
	int at[MAX_DIMS][MAX_ATOMS], n[MAX_DIMS];
	int64_t shards[MAX_DIMS];
	bool present[MAX_ATOMS];
};

struct search {
	struct sr_arena *arena;
	const struct sr_reshard_plan *route;
	struct sr_axis_ref atoms[MAX_ATOMS];
	bool wanted[MAX_ATOMS]; /* in the output */
	int n_atoms;
	int dims[MAX_DIMS], n_dims; /* dimensions that change */
	struct sr_axes base[MAX_DIMS]; /* what stays at their front */
	double rest;                /* bytes of one device's part, but for these dimensions */
	SR_VEC(struct node) nodes;
	struct sr_map by_key; /* key -> node + 1 */
	uint64_t start, goal;
	double bound; /* only what is cheaper than this is worth looking at */
	int found;    /* -1 */
};

/* ---------------------------------------------------------------- setting up */

static void split_into_primes(struct sr_arena *arena, struct sr_axis_list *list)
{
	struct sr_axis_list out = {0};
	for (size_t i = 0; i < list->n; i++) {
		struct sr_axis_ref ref = list->data[i];
		for (int64_t p = 2; p * p <= ref.size; p++)
			while (ref.size % p == 0 && ref.size > p) {
				sr_push(arena, &out, (struct sr_axis_ref){ref.axis, ref.pre, p});
				ref = (struct sr_axis_ref){ref.axis, ref.pre * p, ref.size / p};
			}
		sr_push(arena, &out, ref);
	}
	*list = out;
}

static int find_atom(const struct search *s, struct sr_axis_ref ref)
{
	for (int i = 0; i < s->n_atoms; i++)
		if (sr_axis_ref_equal(s->atoms[i], ref))
			return i;
	return -1;
}

static bool add_atoms(struct search *s, const struct sr_axis_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (find_atom(s, list->data[i]) >= 0)
			continue;
		for (int k = 0; k < s->n_atoms; k++)
			if (sr_axis_overlaps(s->atoms[k], list->data[i]))
				return false;
		if (s->n_atoms == MAX_ATOMS)
			return false;
		s->atoms[s->n_atoms++] = list->data[i];
	}
	return true;
}

static uint64_t with_atom(uint64_t key, int atom, int place)
{
	return (key & ~((uint64_t)0xff << 8 * atom)) | (uint64_t)place << 8 * atom;
}

static uint64_t key_of(const struct search *s, const struct sr_axis_list *lists)
{
	uint64_t key = UINT64_MAX;
	for (int k = 0; k < s->n_dims; k++)
		for (size_t i = 0; i < lists[s->dims[k]].n; i++)
			key = with_atom(key, find_atom(s, lists[s->dims[k]].data[i]), k << 4 | (int)i);
	return key;
}

/* What stays at the front of dimension d, off both lists. Where parts cannot be cut further nothing stays. */
static struct sr_axes take_base(struct sr_arena *arena, const struct sr_reshard_plan *route, int d, struct sr_axis_list *in,
				struct sr_axis_list *out)
{
	struct sr_axis_list base = {0};
	int64_t before = sr_axis_list_size(in), after = sr_axis_list_size(out);
	if (before != after && (route->shape[d] % before || route->shape[d] % after))
		return (struct sr_axes){0};
	while (in->n && out->n && sr_axis_ref_equal(in->data[0], out->data[0])) {
		sr_axis_list_merge(arena, &base, in->data[0]);
		sr_axis_list_erase(in, 0);
		sr_axis_list_erase(out, 0);
	}
	return sr_axis_list_axes(arena, &base);
}

/* False where the axes are too many or cannot coexist. */
static bool set_up(struct search *s, const struct sr_reshard_plan *route, int64_t element_bytes, bool primes)
{
	struct sr_arena *arena = route->arena;
	struct sr_axis_list *in = sr_axis_lists_of(arena, route->in), *out = sr_axis_lists_of(arena, route->out),
			    *whole = sr_axis_lists_of(arena, route->in);
	*s = (struct search){.arena = arena, .route = route, .rest = (double)element_bytes, .found = -1};
	sr_axis_lists_align(arena, in, route->rank, out, route->rank);
	sr_axis_lists_align(arena, out, route->rank, whole, route->rank);
	for (int d = 0; d < route->rank; d++) {
		if (primes) {
			split_into_primes(arena, &in[d]);
			split_into_primes(arena, &out[d]);
		}
		struct sr_axes base = take_base(arena, route, d, &in[d], &out[d]);
		if (!in[d].n && !out[d].n) {
			s->rest *= ceil((double)route->shape[d] / (double)sr_axes_size(base));
			continue;
		}
		if (s->n_dims == MAX_DIMS || !add_atoms(s, &in[d]) || !add_atoms(s, &out[d]))
			return false;
		s->base[s->n_dims] = base;
		s->dims[s->n_dims++] = d;
	}
	for (int d = 0; d < route->rank; d++)
		for (size_t i = 0; i < out[d].n; i++)
			s->wanted[find_atom(s, out[d].data[i])] = true;
	s->start = key_of(s, in);
	s->goal = key_of(s, out);
	sr_map_init(&s->by_key, arena);
	return true;
}

/* ---------------------------------------------------------------- states */

static struct state state_of(const struct search *s, uint64_t key)
{
	struct state state = {0};
	for (int k = 0; k < s->n_dims; k++)
		state.shards[k] = sr_axes_size(s->base[k]);
	for (int a = 0; a < s->n_atoms; a++) {
		int place = (int)(key >> 8 * a & 0xff);
		if (place == ABSENT)
			continue;
		state.present[a] = true;
		state.at[place >> 4][place & 15] = a;
		state.n[place >> 4]++;
		state.shards[place >> 4] *= s->atoms[a].size;
	}
	return state;
}

static double local_bytes(const struct search *s, const int64_t *shards)
{
	double bytes = s->rest;
	for (int k = 0; k < s->n_dims; k++)
		bytes *= ceil((double)s->route->shape[s->dims[k]] / (double)shards[k]);
	return bytes;
}

static bool sound(const struct search *s, int k, int64_t before, int64_t after)
{
	return sr_shard_counts_are_compatible(s->route->shape[s->dims[k]], before, after);
}

/* A state reached from `parent`, if that is cheaper than any way known. */
static void reach(struct search *s, uint64_t key, int parent, struct move move, double bytes)
{
	const struct node *from = parent < 0 ? NULL : &s->nodes.data[parent];
	struct node node = {.key = key, .parent = parent, .move = move};
	if (from) {
		node.bytes = from->bytes + bytes;
		node.hops = from->hops + (move.code != SR_OP_sdy_all_slice);
	}
	if (node.bytes >= s->bound || s->nodes.n >= MAX_NODES)
		return;
	void **at = sr_map_at(&s->by_key, (const void *)(uintptr_t)key); /* never 0: no two atoms have one place */
	struct node *known = *at ? &s->nodes.data[(uintptr_t)*at - 1] : NULL;
	if (known && (known->bytes < node.bytes || (known->bytes == node.bytes && known->hops <= node.hops)))
		return;
	if (known) {
		*known = node;
	} else {
		sr_push(s->arena, &s->nodes, node);
		*at = (void *)(uintptr_t)s->nodes.n;
	}
	if (key == s->goal)
		s->found = (int)(known ? known - s->nodes.data : (ptrdiff_t)s->nodes.n - 1);
}

/* ---------------------------------------------------------------- moves */

static void try_slices(struct search *s, int from, uint64_t key, const struct state *state)
{
	for (int a = 0; a < s->n_atoms; a++)
		for (int k = 0; k < s->n_dims && s->wanted[a] && !state->present[a]; k++)
			if (sound(s, k, state->shards[k], state->shards[k] * s->atoms[a].size))
				reach(s, with_atom(key, a, k << 4 | state->n[k]), from, (struct move){SR_OP_sdy_all_slice, k, k, 1},
				      0);
}

/* All that an empty dimension should have, at once: the only way where parts of parts do not exist. */
static void try_whole_slices(struct search *s, int from, uint64_t key, const struct state *state, const struct state *goal)
{
	for (int k = 0; k < s->n_dims; k++) {
		uint64_t to = key;
		bool free = goal->n[k] > 1 && state->n[k] == 0 && sound(s, k, state->shards[k], goal->shards[k]);
		for (int i = 0; free && i < goal->n[k]; i++) {
			free = !state->present[goal->at[k][i]];
			to = with_atom(to, goal->at[k][i], k << 4 | i);
		}
		if (free)
			reach(s, to, from, (struct move){SR_OP_sdy_all_slice, k, k, goal->n[k]}, 0);
	}
}

/* The last n atoms of dimension k go: to nowhere (a gather) or behind those of another dimension (an all_to_all). */
static void try_suffixes(struct search *s, int from, uint64_t key, const struct state *state, int k)
{
	int64_t size = 1, shards[MAX_DIMS];
	uint64_t gathered = key;
	for (int n = 1; n <= state->n[k]; n++) {
		int atom = state->at[k][state->n[k] - n];
		size *= s->atoms[atom].size;
		gathered = with_atom(gathered, atom, ABSENT);
		memcpy(shards, state->shards, sizeof shards);
		shards[k] /= size;
		if (!sound(s, k, state->shards[k], shards[k]))
			continue;
		reach(s, gathered, from, (struct move){SR_OP_sdy_all_gather, k, k, n},
		      sr_reshard_step_bytes(SR_OP_sdy_all_gather, local_bytes(s, shards), (double)size));
		for (int to = 0; to < s->n_dims; to++) {
			uint64_t moved = gathered;
			if (to == k || !sound(s, to, state->shards[to], state->shards[to] * size))
				continue;
			for (int i = 0; i < n; i++)
				moved = with_atom(moved, state->at[k][state->n[k] - n + i], to << 4 | (state->n[to] + i));
			shards[to] = state->shards[to] * size;
			reach(s, moved, from, (struct move){SR_OP_sdy_all_to_all, k, to, n},
			      sr_reshard_step_bytes(SR_OP_sdy_all_to_all, local_bytes(s, shards), (double)size));
			shards[to] = state->shards[to];
		}
	}
}

struct permuting {
	struct search *s;
	const struct state *state;
	int from, left; /* how many more to try */
	double bytes;
};

/* Fill dimension k from place i on with unused atoms whose sizes multiply to what is open; then the next dimension. */
static void fill(struct permuting *p, int k, int i, int64_t open, uint64_t key)
{
	struct search *s = p->s;
	if (p->left <= 0)
		return;
	if (open == 1 && i >= 0) {
		k++;
		i = 0;
		if (k == s->n_dims) {
			p->left--;
			reach(s, key, p->from, (struct move){SR_OP_sdy_collective_permute, 0, 0, 0}, p->bytes);
			return;
		}
		open = p->state->shards[k] / sr_axes_size(s->base[k]);
		if (open == 1) {
			fill(p, k, 0, 1, key);
			return;
		}
	}
	for (int a = 0; a < s->n_atoms; a++)
		if ((key >> 8 * a & 0xff) == ABSENT && s->atoms[a].size > 1 && open % s->atoms[a].size == 0)
			fill(p, k, i + 1, open / s->atoms[a].size, with_atom(key, a, k << 4 | i));
}

static void expand(struct search *s, int from, const struct state *goal)
{
	uint64_t key = s->nodes.data[from].key;
	struct state state = state_of(s, key);
	try_slices(s, from, key, &state);
	try_whole_slices(s, from, key, &state, goal);
	for (int k = 0; k < s->n_dims; k++)
		try_suffixes(s, from, key, &state, k);
	struct permuting p = {s, &state, from, MAX_PERMUTES,
				 sr_reshard_step_bytes(SR_OP_sdy_collective_permute, local_bytes(s, state.shards), 0)};
	if (s->nodes.data[from].bytes + p.bytes < s->bound)
		fill(&p, -1, 0, 1, UINT64_MAX);
}

/* The cheapest node that was not expanded; -1: none. */
static int next_node(const struct search *s)
{
	int best = -1;
	for (int i = 0; i < (int)s->nodes.n; i++) {
		const struct node *n = &s->nodes.data[i], *b = best < 0 ? NULL : &s->nodes.data[best];
		if (!n->expanded && (!b || n->bytes < b->bytes || (n->bytes == b->bytes && n->hops < b->hops)))
			best = i;
	}
	return best;
}

static bool run(struct search *s)
{
	struct state goal = state_of(s, s->goal);
	reach(s, s->start, -1, (struct move){0}, 0);
	for (int i = 0, at; i < MAX_EXPANDED && (at = next_node(s)) >= 0; i++) {
		if (s->nodes.data[at].key == s->goal)
			return true;
		s->nodes.data[at].expanded = true;
		expand(s, at, &goal);
	}
	return s->found >= 0;
}

/* ---------------------------------------------------------------- the way found */

static struct sr_axes dim_axes(const struct search *s, const struct state *state, int k)
{
	struct sr_axis_list list = {0};
	sr_axis_list_extend(s->arena, &list, s->base[k]);
	for (int i = 0; i < state->n[k]; i++)
		sr_axis_list_merge(s->arena, &list, s->atoms[state->at[k][i]]);
	return sr_axis_list_axes(s->arena, &list);
}

/* Atoms first..first+n of dimension k, as axes. */
static struct sr_axes atoms_of(const struct search *s, const struct state *state, int k, int first, int n)
{
	struct sr_axis_list list = {0};
	for (int i = first; i < first + n; i++)
		sr_axis_list_merge(s->arena, &list, s->atoms[state->at[k][i]]);
	return sr_axis_list_axes(s->arena, &list);
}

static void add_step(struct search *s, struct sr_reshard_plan *route, const struct node *node)
{
	struct state before = state_of(s, s->nodes.data[node->parent].key), after = state_of(s, node->key);
	struct sr_reshard_step *last = route->steps.n ? &route->steps.data[route->steps.n - 1] : NULL,
			     step = {.code = node->move.code};
	struct sr_axes *dims = SR_NEWS(s->arena, struct sr_axes, route->rank), *axes;
	int k = node->move.dim, n = node->move.n;
	bool slices = step.code == SR_OP_sdy_all_slice, gathers = step.code == SR_OP_sdy_all_gather;
	for (int d = 0; d < route->rank; d++)
		dims[d] = route->in->dims[d].axes;
	for (int i = 0; i < s->n_dims; i++)
		dims[s->dims[i]] = dim_axes(s, &after, i);
	if (slices || gathers) {
		struct sr_axes moved = slices ? atoms_of(s, &after, k, before.n[k], n) : atoms_of(s, &before, k, after.n[k], n);
		bool joins = last && last->code == step.code; /* one op does all dimensions */
		axes = joins ? sr_dup(s->arena, last->axes, (size_t)route->rank, sizeof *axes)
			     : SR_NEWS(s->arena, struct sr_axes, route->rank);
		axes[s->dims[k]] = slices ? sr_axes_concat(s->arena, axes[s->dims[k]], moved)
					  : sr_axes_concat(s->arena, moved, axes[s->dims[k]]);
		if (joins)
			route->steps.n--;
		step.axes = axes;
	} else if (step.code == SR_OP_sdy_all_to_all) {
		axes = SR_NEWS(s->arena, struct sr_axes, 1);
		*axes = atoms_of(s, &before, k, after.n[k], n);
		step.axes = axes;
		step.src = s->dims[k];
		step.tgt = s->dims[node->move.tgt];
	}
	step.dims = dims;
	sr_push(s->arena, &route->steps, step);
}

static void take_steps(struct search *s, struct sr_reshard_plan *route)
{
	int n = 0, *path = SR_NEWS(s->arena, int, s->nodes.n);
	for (int at = s->found; s->nodes.data[at].parent >= 0; at = s->nodes.data[at].parent)
		path[n++] = at;
	route->steps.n = 0;
	while (n--)
		add_step(s, route, &s->nodes.data[path[n]]);
}

/* What some device must get in any case: the part it should hold less what it holds of it. */
static double must_send(const struct sr_reshard_plan *route, int64_t element_bytes)
{
	double most = 0;
	int64_t devices = sr_mesh_devices(route->mesh);
	if (devices > 4096 || route->rank > SR_MAX_RANK)
		return 0;
	for (int64_t i = 0; i < devices; i++) {
		struct sr_device_slice has = sr_sharding_slice(route->in, route->mesh, route->shape, i),
				      wants = sr_sharding_slice(route->out, route->mesh, route->shape, i);
		double common = (double)element_bytes, all = common;
		for (int d = 0; d < route->rank; d++) {
			double low = fmax((double)has.start[d], (double)wants.start[d]);
			double high = fmin((double)(has.start[d] + has.size[d]), (double)(wants.start[d] + wants.size[d]));
			common *= fmax(0, high - low);
			all *= (double)wants.size[d];
		}
		most = fmax(most, all - common);
	}
	return most;
}

/* So much cheaper that it is not rounding. */
static double less(double bytes)
{
	return bytes * (1 - 1e-9);
}

void sr_reshard_plan_quick(struct sr_reshard_plan *route, int64_t element_bytes)
{
	struct sr_reshard_plan straight = *route;
	sr_reshard_plan_upstream(route);
	if (!route->same_mesh)
		return;
	sr_reshard_plan_gather_and_slice(&straight, NULL, true);
	if (!sr_reshard_plan_is_valid(route) || sr_reshard_plan_bytes(&straight, element_bytes) < less(sr_reshard_plan_bytes(route, element_bytes)))
		*route = straight;
}

void sr_reshard_plan_cheapest(struct sr_reshard_plan *route, int64_t element_bytes)
{
	sr_reshard_plan_quick(route, element_bytes);
	if (!route->same_mesh)
		return;
	double bytes = sr_reshard_plan_bytes(route, element_bytes);
	if (less(bytes) <= must_send(route, element_bytes))
		return;
	struct search *s = SR_NEW(route->arena, struct search);
	if (!set_up(s, route, element_bytes, true) && !set_up(s, route, element_bytes, false))
		return;
	s->bound = less(bytes);
	if (run(s))
		take_steps(s, route);
}
