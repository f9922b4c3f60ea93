/* Clients: what the ranks agree on when they are taken, and worlds and groups, which are made when first asked for. */
#include "run/client.h"
#include "support/checked.h"
#include <string.h>

struct sr_known_group {
	const void *key; /* bytes that say which devices are together */
	size_t n;
	struct sr_group **groups; /* [devices here]: NULL: it is in none */
	struct sr_known_group *next;
};

struct stage {
	struct sr_arena *arena;
	enum sr_status (*part)(void *data);
	void *data;
};

static enum sr_status guard_again(void *data)
{
	const struct stage *s = data;
	return sr_arena_guarded(s->arena, s->part, s->data);
}

static enum sr_status say_no_memory(void *data)
{
	return sr_error(data, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory");
}

enum sr_status sr_client_stage(struct sr_client *c, enum sr_status (*part)(void *data), void *data, struct sr_diags *diags)
{
	struct stage s = {diags->arena, part, data};
	enum sr_status status = sr_arena_guarded(c->arena, guard_again, &s);
	if (status == SR_NO_MEMORY && !diags->first)
		status = sr_arena_guarded(diags->arena, say_no_memory, diags);
	return sr_launch_agree(&c->launch, status, diags);
}

void sr_client_reserve(struct sr_client *c)
{
	enum { BYTES = 1 << 20 };
	sr_arena_reserve(c->arena, BYTES);
}

static uint64_t least(struct sr_client *c, uint64_t mine)
{
	uint64_t all, most;
	sr_launch_min_max(&c->launch, mine, &all, &most);
	return all;
}

static bool plays(const struct sr_device_set *w, int64_t rank)
{
	for (int d = 0; w && d < w->n_devices; d++)
		if (w->rank_of_device[d] == rank)
			return true;
	return !w;
}

/* This rank's node, seen by it beside those that play devices of the world (NULL: all). */
static void share(const struct sr_client *c, const struct sr_device_set *w, struct sr_arena *arena, struct sr_machine_query *q,
		  struct sr_machine_node *node)
{
	struct sr_memory_cgroups *groups = SR_NEWS(arena, struct sr_memory_cgroups, c->n_neighbours);
	struct sr_processors *masks = SR_NEWS(arena, struct sr_processors, c->n_neighbours);
	int n = 0;
	for (int i = 0; i < c->n_neighbours; i++) {
		if (!plays(w, c->neighbours[i].rank))
			continue;
		masks[n] = c->neighbours[i].mask;
		groups[n++] = c->neighbours[i].groups;
	}
	*q = (struct sr_machine_query){.ranks_per_node = n ? n : 1, .root = c->options.root};
	*node = c->node;
	q->sharers = sr_processors_count_sharers(&node->mask, masks, n);
	sr_memory_cgroups_count_sharers(&node->groups, groups, n);
}

static void look(struct sr_client *c)
{
	struct sr_machine_query q = {.root = c->options.root};
	struct sr_node_rank mine = {.rank = c->launch.rank};
	const void *all;
	c->knows_machine = !sr_machine_detect(&q, &c->node);
	mine.groups = c->node.groups;
	mine.mask = c->node.mask;
	c->n_neighbours = sr_launch_gather_node(&c->launch, c->arena, &mine, sizeof mine, &all);
	c->neighbours = c->n_neighbours > 1 ? all : sr_dup(c->arena, &mine, 1, sizeof mine);
}

struct opening {
	struct sr_client *c;
	const struct sr_client_options *options;
	struct sr_diags *diags;
};

static enum sr_status read_options(void *data)
{
	const struct opening *o = data;
	const char *message = NULL;
	sr_client_reserve(o->c);
	if (sr_selection_parse(o->c->arena, o->options->selection, &o->c->selection, &message))
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0}, "--collectives: %s", message);
	return SR_OK;
}

/* Replicated values must be equal bit by bit on all devices, since loops branch on them: the same kernels everywhere. */
static enum sr_status agree(void *data)
{
	const struct opening *opening = data;
	struct sr_client *c = opening->c;
	const struct sr_client_options *o = opening->options;
	enum sr_isa here = sr_isa_detect();
	struct sr_machine_query q;
	struct sr_machine_node node;
	struct sr_machine machine = {0};
	look(c);
	share(c, NULL, c->arena, &q, &node);
	if (c->knows_machine)
		sr_machine_fill(&q, &node, &machine);
	c->isa = (enum sr_isa)least(c, (uint64_t)(o->isa < here ? o->isa : here));
	c->threads = o->threads > 0 ? o->threads : sr_machine_threads(&machine);
	const char *message = sr_blas_open(c->isa);
	if (message)
		return sr_error(opening->diags, SR_UNSUPPORTED, (struct sr_src_loc){0}, "OpenBLAS cannot be used: %s", message);
	sr_blas_begin_single_thread(); /* steps are cut by their shapes, so that bits do not depend on how many threads there are */
	c->holds_threads = true;
	return SR_OK;
}

enum sr_status sr_client_open(struct sr_client *c, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags)
{
	struct opening o = {c, options, diags};
	c->arena = arena;
	c->options = *options;
	enum sr_status status = sr_client_stage(c, read_options, &o, diags);
	if (!status)
		status = sr_client_stage(c, agree, &o, diags);
	sr_kernels_init(&c->kernels);
	sr_kernels_fast_init_isa(&c->kernels, c->isa);
	return status;
}

static bool computes(const struct sr_program *p, enum sr_kernel k)
{
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *step = sr_program_instrs(p) + i;
		if (step->kind == SR_INSTR_KERNEL && step->kernel == k)
			return true;
	}
	return false;
}

void sr_client_open_dnnl(struct sr_client *c, const struct sr_program *p)
{
	uint64_t least_number, most;
	if (c->asked_dnnl || !(computes(p, SR_KERNEL_PRODUCT) || computes(p, SR_KERNEL_CONVOLUTION)))
		return;
	c->asked_dnnl = true;
	sr_launch_min_max(&c->launch, sr_dnnl_open(c->isa, &c->without_dnnl), &least_number, &most);
	sr_dnnl_limit(least_number, most);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(&c->kernels);
}

static void close_world(struct sr_device_set *w)
{
	sr_device_threads_close(w->crew);
	for (int k = 0; w->workers && k < w->n; k++)
		sr_workers_close(w->workers[k]);
	sr_transport_close(w->transport);
}

void sr_client_close(struct sr_client *c)
{
	for (struct sr_device_set *w = c->worlds; w; w = w->next)
		close_world(w);
	c->worlds = NULL;
	if (c->holds_threads)
		sr_blas_end_single_thread();
	c->holds_threads = false;
}

struct sr_memory_share sr_client_memory(const struct sr_client *c, const struct sr_device_set *w, struct sr_arena *arena)
{
	struct sr_machine_query q;
	struct sr_machine_node node;
	if (!c->knows_machine)
		return (struct sr_memory_share){0};
	share(c, w, arena, &q, &node);
	struct sr_memory_share s = sr_machine_memory_per_rank(&q, &node);
	if (s.group)
		s.group = sr_dup(arena, s.group, 1, sizeof *s.group);
	return s;
}

void sr_client_print(const struct sr_client *c, const struct sr_device_set *w, struct sr_arena *arena, struct sr_buf *out)
{
	struct sr_machine_query q;
	struct sr_machine_node node;
	struct sr_machine machine = {0};
	share(c, w, arena, &q, &node);
	if (c->knows_machine) {
		sr_machine_fill(&q, &node, &machine);
		sr_machine_print(&q, &node, &machine, out);
	}
	int threads = w ? w->threads : c->threads;
	sr_buf_printf(out, "\n  kernels: %s; %d thread%s", sr_isa_names[c->isa], threads, threads == 1 ? "" : "s");
	if (w && w->most > 1)
		sr_buf_printf(out, " for each of the %d device%s of this rank", w->n, w->n == 1 ? "" : "s");
	if (w && w->transport && sr_transport_has_segment(w->transport))
		sr_buf_printf(out, "\n  window: the %d devices of this node read each other's memory",
			      sr_transport_node_devices(w->transport));
	else if (w && w->transport && *sr_transport_no_segment_reason(w->transport))
		sr_buf_printf(out, "\n  no window: messages within the node (%s)", sr_transport_no_segment_reason(w->transport));
	sr_buf_printf(out, "\n  products: %s; kernels for %s", sr_blas_version(), sr_blas_core());
	if (sr_dnnl_is_open())
		sr_buf_puts(out, "\n  convolutions, narrow products: "), sr_dnnl_describe(out);
	else if (c->without_dnnl)
		sr_buf_printf(out, "\n  without oneDNN: %s", c->without_dnnl);
}

/* ---- worlds ---- */

int sr_client_devices_per_rank(const struct sr_client *c, int n)
{
	int given = c->options.devices_per_rank, size = c->launch.size;
	if (given == SR_DEVICES_ALL || (given == SR_DEVICES_AUTO && !c->launch.mpi))
		return n;
	if (given == SR_DEVICES_AUTO)
		return n % size || n < size ? 1 : n / size;
	return given > 0 ? given : 1;
}

/* Which rank plays which device: as listed, or so many neighbours each. */
static const int *choose_ranks(struct sr_client *c, int n)
{
	const struct sr_client_options *o = &c->options;
	int each = sr_client_devices_per_rank(c, n);
	if (o->rank_of_device)
		return sr_dup(c->arena, o->rank_of_device, (size_t)n, sizeof(int));
	int *ranks = SR_NEWS(c->arena, int, n);
	for (int d = 0; d < n; d++)
		ranks[d] = (o->placement == SR_PLACEMENT_REVERSED ? n - 1 - d : d) / each;
	return ranks;
}

/* Who plays what, from the list of ranks. */
static enum sr_status place_devices(struct sr_client *c, struct sr_device_set *w, struct sr_diags *diags)
{
	struct sr_src_loc nowhere = {0};
	int each = sr_client_devices_per_rank(c, w->n_devices), *place = SR_NEWS(c->arena, int, w->n_devices),
	    *count = SR_NEWS(c->arena, int, c->launch.size);
	int64_t *mine = SR_NEWS(c->arena, int64_t, w->n_devices);
	for (int d = 0; d < w->n_devices; d++) {
		int r = w->rank_of_device[d];
		if (r < 0 || r >= c->launch.size)
			return sr_error(diags, SR_USAGE, nowhere, "the ranks listed for devices are no different ranks");
		if (r == c->launch.rank)
			mine[w->n++] = d;
		place[d] = count[r]++;
		w->most = count[r] > w->most ? count[r] : w->most;
	}
	w->place_of_device = place;
	w->devices = mine;
	if (w->most <= each)
		return SR_OK;
	if (each == 1)
		return sr_error(diags, SR_USAGE, nowhere, "the ranks listed for devices are no different ranks");
	return sr_error(diags, SR_USAGE, nowhere, "a rank is listed for %d devices, but plays at most %d (--devices-per-rank)",
	    w->most, each);
}

struct world_opening {
	struct sr_client *c;
	int n_devices;
	struct sr_device_set *w;
	struct sr_diags *diags;
};

/* Threads of each device, and for several devices a thread for each. */
static enum sr_status start_threads(void *data)
{
	const struct world_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w;
	int each = c->options.threads > 0 || w->n < 2 ? c->threads : c->threads / w->n;
	w->threads = 1;
	w->workers = SR_NEWS(c->arena, struct sr_workers *, w->n + 1);
	for (int k = 0; each > 1 && k < w->n; k++) {
		w->workers[k] = sr_workers_open(each);
		w->threads = k && w->threads < sr_workers_count(w->workers[k]) ? w->threads : sr_workers_count(w->workers[k]);
	}
	if (!w->transport || !sr_transport_is_multi_device(w->transport) || (w->crew = sr_device_threads_open(w->n)))
		return SR_OK;
	return sr_error(o->diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "no threads can be started for %d devices", w->n);
}

/* Collective on all ranks. */
static enum sr_status open_transport(void *data)
{
	const struct world_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w;
	const void *comm = sr_launch_comm(&c->launch);
	if (!comm && w->n_devices == 1)
		return SR_OK;
	sr_relaxed_store(c->launch.waits, true); /* all ranks come here */
	const struct sr_transport_options options = {c->selection, c->options.no_segment, c->options.ranks_per_node};
	struct sr_transport *opened = NULL;
	enum sr_status status = sr_transport_open(c->arena, comm, w->rank_of_device, w->n_devices, &options, &opened);
	w->transport = opened; /* the pulse may look */
	sr_relaxed_store(c->launch.waits, false);
	return status ? sr_error(o->diags, status, (struct sr_src_loc){0}, "the transport cannot be opened") : SR_OK;
}

static enum sr_status make_world(void *data)
{
	struct world_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w = SR_NEW(c->arena, struct sr_device_set);
	w->n_devices = o->n_devices;
	sr_client_reserve(c);
	if (c->options.rank_of_device && c->options.n_listed != w->n_devices)
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0},
				"ranks are listed for %d devices, but the program has %d", c->options.n_listed, w->n_devices);
	w->rank_of_device = choose_ranks(c, w->n_devices);
	enum sr_status status = place_devices(c, w, o->diags);
	if (!status && w->most > 1 && sr_selection_uses_native(c->selection))
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0},
				"--collectives: MPI's own calls (mpi) are between ranks, and a rank plays %d devices here "
				"(--devices-per-rank)",
				w->most);
	return status;
}

/* One whose devices fell out of step is of no use. */
static bool is_broken(const struct sr_device_set *w)
{
	return w->transport && sr_transport_failed_device(w->transport) >= 0;
}

enum sr_status sr_client_device_set(struct sr_client *c, int n_devices, struct sr_device_set **out, struct sr_diags *diags)
{
	for (*out = c->worlds; *out; *out = (*out)->next)
		if ((*out)->n_devices == n_devices && !is_broken(*out))
			return SR_OK;
	static enum sr_status (*const parts[])(void *data) = {make_world, open_transport, start_threads};
	struct world_opening o = {c, n_devices, NULL, diags};
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < sizeof parts / sizeof *parts; i++)
		status = sr_client_stage(c, parts[i], &o, diags);
	if (status) {
		if (o.w)
			close_world(o.w);
		return status;
	}
	o.w->next = c->worlds;
	*out = c->worlds = o.w;
	return SR_OK;
}

/* ---- groups ---- */

enum sr_status sr_client_group(struct sr_client *c, struct sr_device_set *w, const struct sr_program *p,
			       const struct sr_group_list *list,
			       struct sr_group **out)
{
	int64_t *group = SR_NEWS(c->arena, int64_t, w->n), *index = SR_NEWS(c->arena, int64_t, w->n);
	struct sr_buf key;
	sr_buf_init(&key, c->arena);
	if (list)
		sr_program_group_key(p, list, &key);
	for (struct sr_known_group *k = w->groups; k; k = k->next)
		if (k->n == key.n && (!k->n || !memcmp(k->key, key.data, k->n))) {
			memcpy(out, k->groups, (size_t)w->n * sizeof *out);
			return SR_OK;
		}
	for (int k = 0; k < w->n; k++) {
		index[k] = w->devices[k];
		if (list && !sr_program_group_of(p, list, w->devices[k], &group[k], &index[k]))
			group[k] = -1;
	}
	enum sr_status status = sr_group_join(w->transport, group, index, out);
	if (status)
		return status;
	struct sr_known_group *k = SR_NEW(c->arena, struct sr_known_group);
	*k = (struct sr_known_group){key.data, key.n, sr_dup(c->arena, out, (size_t)w->n, sizeof *out), w->groups};
	w->groups = k;
	return SR_OK;
}
