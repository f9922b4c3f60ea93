/* The reshard plan with the fewest bytes on the wire.
 *
 * Upstream's order (slice, permute, all_to_all, gather) is optimal for most changes. It sends too much if an all_to_all can replace
 * a permute, and for axis sizes that do not divide each other. So upstream's plan and the gather-and-slice plan are tried; if the
 * cheaper one sends more than a lower bound, all orders of axes are searched for a cheaper plan.
 *
 *	mesh <["x"=2, "y"=2]>, [{"x", "y"}, {}] to [{"y"}, {"x"}], shards of r bytes
 *	upstream: collective_permute to [{"y", "x"}, {}], all_to_all "x": 0 -> 1                   r + r/2
 *	here:     all_to_all "x", "y": 0 -> 1, to [{}, {"x", "y"}], all_to_all "y": 1 -> 0        3r/4 + r/2
 *
 * Dijkstra's algorithm: a state is the ordered list of axes of each dimension, a move is one collective. Axes are split where
 * input and output differ, and into prime factors if there are few of them. The number of states is bounded, and states more
 * expensive than the best known plan are dropped. A dimension whose extent is not divisible by its shards is only gathered and
 * sliced completely (10 over 4 is 3,3,3,1; over 2 it is 5,5).
 *
 * Requires: in and out of one rank. Leaves: a plan no more expensive than upstream's, unless padding makes upstream's invalid. */
#include "partition/reshard/reshard_plan.h"
#include <math.h>
#include <string.h>

enum { MAX_ATOMS = 8, MAX_DIMS = 15, MAX_NODES = 8000, MAX_EXPANDED = 500, MAX_PERMUTES = 1000, ABSENT = 0xff };

struct transition {
	enum sr_op_code code;
	int dim, tgt; /* dimension that is sliced or gathered, or source of an all_to_all to dimension `tgt` */
	int n;        /* number of moved atoms (indivisible axes) */
};

struct node {
	uint64_t key; /* encoded state: one byte per atom, with its dimension (high half) and position in it, or ABSENT */
	double bytes; /* bytes on the wire from the input sharding to this state */
	int n_collectives;     /* number of collectives so far, not counting slices */
	int parent;   /* index of the state from which this one was reached; -1: this is the input */
	struct transition move;
	bool is_expanded;
};

struct state { /* State of the search, decoded from its key: the axes of each dimension. */
	int atoms[MAX_DIMS][MAX_ATOMS], n[MAX_DIMS];
	int64_t shards[MAX_DIMS];
	bool present[MAX_ATOMS];
};

struct search {
	struct sr_arena *arena;
	const struct sr_reshard_plan *plan;
	struct sr_axis_ref atoms[MAX_ATOMS];
	bool used_by_output[MAX_ATOMS]; /* true for atoms that the output sharding uses */
	int n_atoms;
	int dims[MAX_DIMS], n_dims;    /* dimensions of the value whose axes the reshard changes */
	struct sr_axes base[MAX_DIMS]; /* axes that stay at the front of each of those dimensions */
	double other_dims_bytes;                   /* bytes per device if only the other dimensions were sharded */
	SR_VEC(struct node) nodes;
	struct sr_map index_by_key; /* map from a state's key to 1 + its index in `nodes` */
	uint64_t start, goal;
	double bound; /* cost of the best plan found so far; states that cost as much are dropped */
	int goal_node;    /* index of the state of the output sharding; -1: not reached */
};

/* ---------------------------------------------------------------- setup */

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
			if (sr_axis_overlaps(s->atoms[k], list->data[i]) || !sr_axis_can_coexist(s->atoms[k], list->data[i]))
				return false;
		if (s->n_atoms == MAX_ATOMS)
			return false;
		s->atoms[s->n_atoms++] = list->data[i];
	}
	return true;
}

static uint64_t key_with_atom(uint64_t key, int atom, int position)
{
	return (key & ~((uint64_t)0xff << 8 * atom)) | (uint64_t)position << 8 * atom;
}

static uint64_t key_of(const struct search *s, const struct sr_axis_list *lists)
{
	uint64_t key = UINT64_MAX;
	for (int k = 0; k < s->n_dims; k++)
		for (size_t i = 0; i < lists[s->dims[k]].n; i++)
			key = key_with_atom(key, find_atom(s, lists[s->dims[k]].data[i]), k << 4 | (int)i);
	return key;
}

/* Remove the common prefix of dimension d from both lists and return it. Returns an empty list if padding does not allow the
 * dimension to be partly gathered. */
static struct sr_axes remove_common_prefix(struct sr_arena *arena, const struct sr_reshard_plan *plan, int d, struct sr_axis_list *in,
					   struct sr_axis_list *out)
{
	struct sr_axis_list base = {0};
	int64_t shards_before = sr_axis_list_size(in), shards_after = sr_axis_list_size(out);
	if (shards_before != shards_after && (plan->shape[d] % shards_before || plan->shape[d] % shards_after))
		return (struct sr_axes){0};
	while (in->n && out->n && sr_axis_ref_equal(in->data[0], out->data[0])) {
		sr_axis_list_merge(arena, &base, in->data[0]);
		sr_axis_list_erase(in, 0);
		sr_axis_list_erase(out, 0);
	}
	return sr_axis_list_axes(arena, &base);
}

/* Set up the search. Returns false if there are too many axes, or axes that cannot coexist. */
static bool set_up(struct search *s, const struct sr_reshard_plan *plan, int64_t element_bytes, bool primes)
{
	struct sr_arena *arena = plan->arena;
	struct sr_axis_list *in = sr_axis_lists_of(arena, plan->in), *out = sr_axis_lists_of(arena, plan->out),
			    *aligned_in = sr_axis_lists_of(arena, plan->in);
	*s = (struct search){.arena = arena, .plan = plan, .other_dims_bytes = (double)element_bytes, .goal_node = -1};
	sr_axis_lists_align(arena, in, plan->rank, out, plan->rank);
	sr_axis_lists_align(arena, out, plan->rank, aligned_in, plan->rank);
	for (int d = 0; d < plan->rank; d++) {
		if (primes) {
			split_into_primes(arena, &in[d]);
			split_into_primes(arena, &out[d]);
		}
		struct sr_axes base = remove_common_prefix(arena, plan, d, &in[d], &out[d]);
		if (!in[d].n && !out[d].n) {
			s->other_dims_bytes *= ceil((double)plan->shape[d] / (double)sr_axes_size(base));
			continue;
		}
		if (s->n_dims == MAX_DIMS || !add_atoms(s, &in[d]) || !add_atoms(s, &out[d]))
			return false;
		s->base[s->n_dims] = base;
		s->dims[s->n_dims++] = d;
	}
	for (int d = 0; d < plan->rank; d++)
		for (size_t i = 0; i < out[d].n; i++)
			s->used_by_output[find_atom(s, out[d].data[i])] = true;
	s->start = key_of(s, in);
	s->goal = key_of(s, out);
	sr_map_init(&s->index_by_key, arena);
	return true;
}

/* ---------------------------------------------------------------- states */

static struct state state_of(const struct search *s, uint64_t key)
{
	struct state state = {0};
	for (int k = 0; k < s->n_dims; k++)
		state.shards[k] = sr_axes_size(s->base[k]);
	for (int a = 0; a < s->n_atoms; a++) {
		int position = (int)(key >> 8 * a & 0xff);
		if (position == ABSENT)
			continue;
		state.present[a] = true;
		state.atoms[position >> 4][position & 15] = a;
		state.n[position >> 4]++;
		state.shards[position >> 4] *= s->atoms[a].size;
	}
	return state;
}

static double local_bytes(const struct search *s, const int64_t *shards)
{
	double bytes = s->other_dims_bytes;
	for (int k = 0; k < s->n_dims; k++)
		bytes *= ceil((double)s->plan->shape[s->dims[k]] / (double)shards[k]);
	return bytes;
}

static bool is_valid(const struct search *s, int k, int64_t shards_before, int64_t shards_after)
{
	return sr_shard_counts_are_compatible(s->plan->shape[s->dims[k]], shards_before, shards_after);
}

/* Add a state reached from `parent`, unless a cheaper way to it is known. */
static void add_state(struct search *s, uint64_t key, int parent, struct transition move, double bytes)
{
	const struct node *parent_node = parent < 0 ? NULL : &s->nodes.data[parent];
	struct node node = {.key = key, .parent = parent, .move = move};
	if (parent_node) {
		node.bytes = parent_node->bytes + bytes;
		node.n_collectives = parent_node->n_collectives + (move.code != SR_OP_sdy_all_slice);
	}
	if (node.bytes >= s->bound || s->nodes.n >= MAX_NODES)
		return;
	/* the key is never 0, since no two atoms are at one position */
	void **at = sr_map_at(&s->index_by_key, (const void *)(uintptr_t)key);
	struct node *known_node = *at ? &s->nodes.data[(uintptr_t)*at - 1] : NULL;
	if (known_node && (known_node->bytes < node.bytes ||
			   (known_node->bytes == node.bytes && known_node->n_collectives <= node.n_collectives)))
		return;
	if (known_node) {
		*known_node = node;
	} else {
		sr_push(s->arena, &s->nodes, node);
		*at = (void *)(uintptr_t)s->nodes.n;
	}
	if (key == s->goal)
		s->goal_node = (int)(known_node ? known_node - s->nodes.data : (ptrdiff_t)s->nodes.n - 1);
}

/* ---------------------------------------------------------------- moves */

static void try_slices(struct search *s, int parent, uint64_t key, const struct state *state)
{
	for (int a = 0; a < s->n_atoms; a++)
		for (int k = 0; k < s->n_dims && s->used_by_output[a] && !state->present[a]; k++)
			if (is_valid(s, k, state->shards[k], state->shards[k] * s->atoms[a].size))
				add_state(s, key_with_atom(key, a, k << 4 | state->n[k]), parent,
					  (struct transition){SR_OP_sdy_all_slice, k, k, 1}, 0);
}

/* Try to slice a dimension without atoms to its complete target at once, since padding may not allow intermediate numbers of
 * shards. */
static void try_complete_slices(struct search *s, int parent, uint64_t key, const struct state *state, const struct state *goal)
{
	for (int k = 0; k < s->n_dims; k++) {
		uint64_t to = key;
		bool can_complete = goal->n[k] > 1 && state->n[k] == 0 && is_valid(s, k, state->shards[k], goal->shards[k]);
		for (int i = 0; can_complete && i < goal->n[k]; i++) {
			can_complete = !state->present[goal->atoms[k][i]];
			to = key_with_atom(to, goal->atoms[k][i], k << 4 | i);
		}
		if (can_complete)
			add_state(s, to, parent, (struct transition){SR_OP_sdy_all_slice, k, k, goal->n[k]}, 0);
	}
}

/* Try to remove the last n atoms of dimension k: gather them, or move them after those of another dimension (all_to_all). */
static void try_suffixes(struct search *s, int parent, uint64_t key, const struct state *state, int k)
{
	int64_t size = 1, shards[MAX_DIMS];
	uint64_t gathered_key = key;
	for (int n = 1; n <= state->n[k]; n++) {
		int atom = state->atoms[k][state->n[k] - n];
		size *= s->atoms[atom].size;
		gathered_key = key_with_atom(gathered_key, atom, ABSENT);
		memcpy(shards, state->shards, sizeof shards);
		shards[k] /= size;
		if (!is_valid(s, k, state->shards[k], shards[k]))
			continue;
		add_state(s, gathered_key, parent, (struct transition){SR_OP_sdy_all_gather, k, k, n},
			  sr_reshard_step_bytes(SR_OP_sdy_all_gather, local_bytes(s, shards), (double)size));
		for (int to = 0; to < s->n_dims; to++) {
			uint64_t moved_state = gathered_key;
			if (to == k || !is_valid(s, to, state->shards[to], state->shards[to] * size))
				continue;
			for (int i = 0; i < n; i++)
				moved_state = key_with_atom(moved_state, state->atoms[k][state->n[k] - n + i],
							    to << 4 | (state->n[to] + i));
			shards[to] = state->shards[to] * size;
			add_state(s, moved_state, parent, (struct transition){SR_OP_sdy_all_to_all, k, to, n},
				  sr_reshard_step_bytes(SR_OP_sdy_all_to_all, local_bytes(s, shards), (double)size));
			shards[to] = state->shards[to];
		}
	}
}

struct permutation_search {
	struct search *s;
	const struct state *state;
	int state_number, n_remaining; /* number of the state, and number of permutations that may still be tried */
	double bytes;
};

/* Enumerate permutations: fill dimension k from position i with unused atoms of total size `open`, then the following
 * dimensions. */
static void fill_permutations(struct permutation_search *p, int k, int i, int64_t open, uint64_t key)
{
	struct search *s = p->s;
	if (p->n_remaining <= 0)
		return;
	if (open == 1 && i >= 0) {
		k++;
		i = 0;
		if (k == s->n_dims) {
			p->n_remaining--;
			add_state(s, key, p->state_number, (struct transition){SR_OP_sdy_collective_permute, 0, 0, 0}, p->bytes);
			return;
		}
		open = p->state->shards[k] / sr_axes_size(s->base[k]);
		if (open == 1) {
			fill_permutations(p, k, 0, 1, key);
			return;
		}
	}
	for (int a = 0; a < s->n_atoms; a++)
		if ((key >> 8 * a & 0xff) == ABSENT && s->atoms[a].size > 1 && open % s->atoms[a].size == 0)
			fill_permutations(p, k, i + 1, open / s->atoms[a].size, key_with_atom(key, a, k << 4 | i));
}

static void expand_node(struct search *s, int parent, const struct state *goal)
{
	uint64_t key = s->nodes.data[parent].key;
	struct state state = state_of(s, key);
	try_slices(s, parent, key, &state);
	try_complete_slices(s, parent, key, &state, goal);
	for (int k = 0; k < s->n_dims; k++)
		try_suffixes(s, parent, key, &state, k);
	struct permutation_search p = {s, &state, parent, MAX_PERMUTES,
				 sr_reshard_step_bytes(SR_OP_sdy_collective_permute, local_bytes(s, state.shards), 0)};
	if (s->nodes.data[parent].bytes + p.bytes < s->bound)
		fill_permutations(&p, -1, 0, 1, UINT64_MAX);
}

/* Return the cheapest state that is not expanded yet; -1: there is none. */
static int next_node(const struct search *s)
{
	int best_node = -1;
	for (int i = 0; i < (int)s->nodes.n; i++) {
		const struct node *n = &s->nodes.data[i], *b = best_node < 0 ? NULL : &s->nodes.data[best_node];
		if (!n->is_expanded && (!b || n->bytes < b->bytes || (n->bytes == b->bytes && n->n_collectives < b->n_collectives)))
			best_node = i;
	}
	return best_node;
}

static bool run(struct search *s)
{
	struct state goal = state_of(s, s->goal);
	add_state(s, s->start, -1, (struct transition){0}, 0);
	for (int i = 0, at; i < MAX_EXPANDED && (at = next_node(s)) >= 0; i++) {
		if (s->nodes.data[at].key == s->goal)
			return true;
		s->nodes.data[at].is_expanded = true;
		expand_node(s, at, &goal);
	}
	return s->goal_node >= 0;
}

/* ---------------------------------------------------------------- the plan found */

static struct sr_axes dim_axes(const struct search *s, const struct state *state, int k)
{
	struct sr_axis_list list = {0};
	sr_axis_list_extend(s->arena, &list, s->base[k]);
	for (int i = 0; i < state->n[k]; i++)
		sr_axis_list_merge(s->arena, &list, s->atoms[state->atoms[k][i]]);
	return sr_axis_list_axes(s->arena, &list);
}

/* Return atoms [first, first + n) of dimension k as axes. */
static struct sr_axes atoms_of(const struct search *s, const struct state *state, int k, int first, int n)
{
	struct sr_axis_list list = {0};
	for (int i = first; i < first + n; i++)
		sr_axis_list_merge(s->arena, &list, s->atoms[state->atoms[k][i]]);
	return sr_axis_list_axes(s->arena, &list);
}

static void add_step(struct search *s, struct sr_reshard_plan *plan, const struct node *node)
{
	struct state state_before = state_of(s, s->nodes.data[node->parent].key), state_after = state_of(s, node->key);
	struct sr_reshard_step *last = plan->steps.n ? &plan->steps.data[plan->steps.n - 1] : NULL,
			     step = {.code = node->move.code};
	struct sr_axes *dims = SR_NEW_ARRAY(s->arena, struct sr_axes, plan->rank), *axes;
	int k = node->move.dim, n = node->move.n;
	bool slices = step.code == SR_OP_sdy_all_slice, gathers = step.code == SR_OP_sdy_all_gather;
	for (int d = 0; d < plan->rank; d++)
		dims[d] = plan->in->dims[d].axes;
	for (int i = 0; i < s->n_dims; i++)
		dims[s->dims[i]] = dim_axes(s, &state_after, i);
	if (slices || gathers) {
		struct sr_axes moved_axes = slices ? atoms_of(s, &state_after, k, state_before.n[k], n)
						   : atoms_of(s, &state_before, k, state_after.n[k], n);
		bool is_same_step = last && last->code == step.code; /* slices, or gathers, of several dimensions become one step */
		axes = is_same_step ? sr_dup(s->arena, last->axes, (size_t)plan->rank, sizeof *axes)
			     : SR_NEW_ARRAY(s->arena, struct sr_axes, plan->rank);
		axes[s->dims[k]] = slices ? sr_axes_concat(s->arena, axes[s->dims[k]], moved_axes)
					  : sr_axes_concat(s->arena, moved_axes, axes[s->dims[k]]);
		if (is_same_step)
			plan->steps.n--;
		step.axes = axes;
	} else if (step.code == SR_OP_sdy_all_to_all) {
		axes = SR_NEW_ARRAY(s->arena, struct sr_axes, 1);
		*axes = atoms_of(s, &state_before, k, state_after.n[k], n);
		step.axes = axes;
		step.src = s->dims[k];
		step.tgt = s->dims[node->move.tgt];
	}
	step.dims = dims;
	sr_push(s->arena, &plan->steps, step);
}

static void add_steps(struct search *s, struct sr_reshard_plan *plan)
{
	int n = 0, *path = SR_NEW_ARRAY(s->arena, int, s->nodes.n);
	for (int at = s->goal_node; s->nodes.data[at].parent >= 0; at = s->nodes.data[at].parent)
		path[n++] = at;
	plan->steps.n = 0;
	while (n--)
		add_step(s, plan, &s->nodes.data[path[n]]);
}

/* Return a lower bound on the bytes that some device must receive: the size of its output shard without the elements that it
 * already has. */
static double lower_bound_bytes(const struct sr_reshard_plan *plan, int64_t element_bytes)
{
	double max_bytes = 0;
	int64_t devices = sr_mesh_devices(plan->mesh);
	if (devices > 4096 || plan->rank > SR_MAX_RANK)
		return 0;
	for (int64_t i = 0; i < devices; i++) {
		struct sr_device_slice slice_before = sr_sharding_slice(plan->in, plan->mesh, plan->shape, i),
				      slice_after = sr_sharding_slice(plan->out, plan->mesh, plan->shape, i);
		double common = (double)element_bytes, shard_bytes = common;
		for (int d = 0; d < plan->rank; d++) {
			double low = fmax((double)slice_before.start[d], (double)slice_after.start[d]);
			double high = fmin((double)(slice_before.start[d] + slice_before.size[d]),
					   (double)(slice_after.start[d] + slice_after.size[d]));
			common *= fmax(0, high - low);
			shard_bytes *= (double)slice_after.size[d];
		}
		max_bytes = fmax(max_bytes, shard_bytes - common);
	}
	return max_bytes;
}

/* Return slightly less than `bytes`, so that a difference by rounding does not count as an improvement. */
static double slightly_less(double bytes)
{
	return bytes * (1 - 1e-9);
}

void sr_reshard_plan_simple(struct sr_reshard_plan *plan, int64_t element_bytes)
{
	struct sr_reshard_plan simple_plan = *plan;
	sr_reshard_plan_upstream(plan);
	if (!plan->is_same_mesh && sr_reshard_plan_is_valid(plan))
		return;
	sr_reshard_plan_gather_and_slice(&simple_plan, NULL, true);
	if (!sr_reshard_plan_is_valid(plan) ||
	    sr_reshard_plan_bytes(&simple_plan, element_bytes) < slightly_less(sr_reshard_plan_bytes(plan, element_bytes)))
		*plan = simple_plan;
}

void sr_reshard_plan_cheapest(struct sr_reshard_plan *plan, int64_t element_bytes)
{
	sr_reshard_plan_simple(plan, element_bytes);
	if (!plan->is_same_mesh)
		return;
	double bytes = sr_reshard_plan_bytes(plan, element_bytes);
	if (slightly_less(bytes) <= lower_bound_bytes(plan, element_bytes))
		return;
	struct search *s = SR_NEW(plan->arena, struct search);
	if (!set_up(s, plan, element_bytes, true) && !set_up(s, plan, element_bytes, false))
		return;
	s->bound = slightly_less(bytes);
	if (run(s))
		add_steps(s, plan);
}
