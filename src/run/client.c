/* Opening of clients: agreement of the ranks on common settings, and creation of device sets and groups on first use. */
#include "run/client.h"
#include "run/backend.h"
#include "support/checked.h"
#include "support/map.h"
#include <string.h>

struct sr_known_group {
	const void *key; /* serialized list of groups, by which the groups are found */
	size_t n;
	struct sr_group **groups; /* group of each local device; NULL: the device is in no group */
	struct sr_known_group *next;
};

struct stage {
	struct sr_arena *arena;
	enum sr_status (*function)(void *data);
	void *data;
};

static enum sr_status guard_client_arena(void *data)
{
	const struct stage *s = data;
	return sr_arena_guarded(s->arena, s->function, s->data);
}

static enum sr_status report_no_memory(void *data)
{
	return sr_error(data, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory");
}

enum sr_status sr_client_stage(struct sr_client *c, enum sr_status (*stage)(void *data), void *data, struct sr_diags *diags)
{
	struct stage s = {diags->arena, stage, data};
	bool locks = c->has_lock; /* the lock protects the client's arena; it does not exist before the client is open */
	if (locks)
		pthread_mutex_lock(&c->lock);
	jmp_buf *unwind = sr_arena_guard(diags->arena, NULL);
	sr_arena_guard(diags->arena, unwind);
	enum sr_status status = sr_arena_guarded(c->arena, guard_client_arena, &s);
	sr_arena_guard(diags->arena, unwind); /* restore the guard, since guard_client_arena does not if c->arena unwinds */
	if (locks)
		pthread_mutex_unlock(&c->lock);
	if (status == SR_NO_MEMORY && !diags->first)
		status = sr_arena_guarded(diags->arena, report_no_memory, diags);
	return sr_launch_agree(&c->launch, status, diags);
}

void sr_client_reserve(struct sr_client *c)
{
	enum { BYTES = 1 << 20 };
	sr_arena_reserve(c->arena, BYTES);
}

/* Collective: return the processor features that all ranks have, and set c->has_funneled. One exchange serves both. */
static uint64_t common_features(struct sr_client *c, uint64_t own_features)
{
	uint64_t lacks_feature[SR_FEATURE_COUNT + 1], all = 0;
	for (int f = 0; f < SR_FEATURE_COUNT; f++)
		lacks_feature[f] = !(own_features >> f & 1);
	lacks_feature[SR_FEATURE_COUNT] = c->launch.is_funneled;
	sr_launch_max(&c->launch, lacks_feature, SR_FEATURE_COUNT + 1);
	c->has_funneled = lacks_feature[SR_FEATURE_COUNT];
	for (int f = 0; f < SR_FEATURE_COUNT; f++)
		all |= (uint64_t)!lacks_feature[f] << f;
	return all;
}

static bool has_device(const struct sr_device_set *w, int64_t rank)
{
	for (int d = 0; w && d < w->n_devices; d++)
		if (w->rank_of_device[d] == rank)
			return true;
	return !w;
}

/* Describe how this rank shares its node with the ranks that have devices of the set (NULL: with all ranks). */
static void describe_node(const struct sr_client *c, const struct sr_device_set *w, struct sr_arena *arena,
			  struct sr_machine_query *q,
			  struct sr_machine_node *node)
{
	struct sr_memory_cgroups *groups = SR_NEW_ARRAY(arena, struct sr_memory_cgroups, c->n_node_ranks);
	struct sr_processors *masks = SR_NEW_ARRAY(arena, struct sr_processors, c->n_node_ranks);
	int n = 0;
	for (int i = 0; i < c->n_node_ranks; i++) {
		if (!has_device(w, c->node_ranks[i].rank))
			continue;
		masks[n] = c->node_ranks[i].mask;
		groups[n++] = c->node_ranks[i].groups;
	}
	*q = (struct sr_machine_query){.ranks_per_node = n ? n : 1, .root = c->options.root};
	*node = c->node;
	q->sharers = sr_processors_count_sharers(&node->mask, masks, n);
	sr_memory_cgroups_count_sharers(&node->cgroups, groups, n);
}

static void detect_machine(struct sr_client *c)
{
	struct sr_machine_query q = {.root = c->options.root};
	struct sr_node_rank own_record = {.rank = c->launch.rank};
	const void *all;
	c->has_machine = !sr_machine_detect(&q, &c->node);
	own_record.groups = c->node.cgroups;
	own_record.mask = c->node.mask;
	c->n_node_ranks = sr_launch_gather_node(&c->launch, c->arena, &own_record, sizeof own_record, &all);
	c->node_ranks = c->n_node_ranks > 1 ? all : sr_dup(c->arena, &own_record, 1, sizeof own_record);
}

struct opening {
	struct sr_client *c;
	const struct sr_client_options *options;
	struct sr_diags *diags;
};

/* Open the parts of the client that need no other rank. oneDNN is loaded here, before connections to other ranks use up the file
 * descriptors that a process may open. */
static enum sr_status open_locally(void *data)
{
	const struct opening *o = data;
	const char *message = sr_blas_open();
	if (message)
		return sr_error(o->diags, SR_UNSUPPORTED, (struct sr_src_loc){0}, "OpenBLAS cannot be used: %s", message);
	sr_client_reserve(o->c);
	if (sr_selection_parse(o->c->arena, o->options->selection, &o->c->selection, &message))
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0}, "--collectives: %s", message);
	return SR_OK;
}

/* Agree with all ranks on instruction set and settings: replicated values must be bit-equal on all devices, since loops branch on
 * them, so all ranks must use the same kernels. */
static enum sr_status agree_on_settings(void *data)
{
	const struct opening *opening = data;
	struct sr_client *c = opening->c;
	const struct sr_client_options *o = opening->options;
	struct sr_machine_query q;
	struct sr_machine_node node;
	struct sr_machine machine = {0};
	detect_machine(c);
	describe_node(c, NULL, c->arena, &q, &node);
	if (c->has_machine)
		sr_machine_fill(&q, &node, &machine);
	c->features = common_features(c, sr_cpu_features() & o->features);
	c->isa = sr_isa_select(c->features);
	c->threads = o->threads > 0 ? o->threads : sr_machine_threads(&machine);
	/* one BLAS thread per worker: instructions are split by shape, so results do not depend on the number of threads */
	sr_blas_begin_single_thread();
	c->limits_blas_threads = true;
	const char *core = sr_blas_core();
	if (!sr_launch_all_equal(&c->launch, sr_hash_bytes(core, strlen(core), 0)))
		sr_blas_disable();
	return SR_OK;
}

enum sr_status sr_client_open(struct sr_client *c, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags)
{
	struct opening o = {c, options, diags};
	c->arena = arena;
	c->options = *options;
	c->backend = &sr_cpu_backend;
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&c->lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
	c->has_lock = true;
	sr_constants_list_open(&c->constants);
	enum sr_status status = sr_client_stage(c, open_locally, &o, diags);
	if (!status)
		status = sr_client_stage(c, agree_on_settings, &o, diags);
	c->background_jit = sr_background_jit_new();
	sr_kernels_init(&c->kernels);
	sr_kernels_fast_init_isa(&c->kernels, c->isa);
	return status;
}

static bool uses_kernel(const struct sr_program *p, enum sr_kernel k)
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
	uint64_t least_number, max_local;
	if (c->has_tried_dnnl || !(uses_kernel(p, SR_KERNEL_PRODUCT) || uses_kernel(p, SR_KERNEL_CONVOLUTION)))
		return;
	c->has_tried_dnnl = true;
	sr_launch_min_max(&c->launch, sr_dnnl_open(c->features, &c->without_dnnl), &least_number, &max_local);
	sr_dnnl_limit(least_number, max_local);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(&c->kernels);
}

/* Close a device set. After an abort its message memory is not freed, since MPI may still read and write it. */
static void close_device_set(struct sr_client *c, struct sr_device_set *w)
{
	sr_execution_queue_close(w->queue);
	for (int k = 0; w->workers && k < w->n; k++)
		sr_workers_close(w->workers[k]);
	if (atomic_load(&c->launch.abort.has_pending))
		return;
	sr_device_set_memory_close(w->memory);
	sr_transport_close(w->transport);
}

void sr_client_drain(struct sr_client *c)
{
	for (struct sr_device_set *w = c->device_sets; w; w = w->next)
		if (w->queue)
			sr_execution_queue_drain(w->queue);
}

void sr_client_close(struct sr_client *c)
{
	for (struct sr_device_set *w = c->device_sets; w; w = w->next)
		close_device_set(c, w);
	c->device_sets = NULL;
	if (c->has_lock) {
		pthread_mutex_destroy(&c->lock);
		sr_constants_list_close(&c->constants);
	}
	c->has_lock = false;
	sr_background_jit_free(c->background_jit);
	c->background_jit = NULL;
	if (c->limits_blas_threads)
		sr_blas_end_single_thread();
	c->limits_blas_threads = false;
}

struct sr_memory_share sr_client_memory(const struct sr_client *c, const struct sr_device_set *w, struct sr_arena *arena)
{
	struct sr_machine_query q;
	struct sr_machine_node node;
	if (!c->has_machine)
		return (struct sr_memory_share){0};
	describe_node(c, w, arena, &q, &node);
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
	describe_node(c, w, arena, &q, &node);
	if (c->has_machine) {
		sr_machine_fill(&q, &node, &machine);
		sr_machine_print(&q, &node, &machine, out);
	}
	int threads = w ? w->threads : c->threads;
	bool takes_turns = w && w->team_threads && w->team_threads < w->n;
	threads = takes_turns ? w->team_threads : threads;
	sr_buf_printf(out, "\n  kernels: %s; %d thread%s", sr_isa_names[c->isa], threads, threads == 1 ? "" : "s");
	if (takes_turns)
		sr_buf_printf(out, " for the %d devices of this rank, in turn", w->n);
	else if (w && w->max_local > 1)
		sr_buf_printf(out, " for each of the %d device%s of this rank", w->n, w->n == 1 ? "" : "s");
	if (w && w->transport && sr_transport_has_segment(w->transport))
		sr_buf_printf(out, "\n  shared segment: the %d devices of this node read each other's memory",
			      sr_transport_node_devices(w->transport));
	else if (w && w->transport && *sr_transport_no_segment_reason(w->transport))
		sr_buf_printf(out, "\n  no shared segment: messages within the node (%s)", sr_transport_no_segment_reason(w->transport));
	if (sr_blas_is_open())
		sr_buf_printf(out, "\n  products: %s; kernels for %s", sr_blas_version(), sr_blas_core());
	else
		sr_buf_printf(out, "\n  products: without OpenBLAS, whose kernels differ between ranks (here: for %s): set OPENBLAS_CORETYPE on all",
			      sr_blas_core());
	if (sr_dnnl_is_open())
		sr_buf_puts(out, "\n  convolutions, narrow products: "), sr_dnnl_describe(out);
	else if (c->without_dnnl)
		sr_buf_printf(out, "\n  oneDNN not used: %s", c->without_dnnl);
}

/* ---- device sets ---- */

int sr_client_devices_per_rank(const struct sr_client *c, int n)
{
	int option = c->options.devices_per_rank, size = c->launch.size;
	if (option == SR_DEVICES_ALL || (option == SR_DEVICES_AUTO && !c->launch.mpi))
		return n;
	if (option == SR_DEVICES_AUTO)
		return n % size || n < size ? 1 : n / size;
	return option > 0 ? option : 1;
}

/* Return the rank of each of n devices: as the options list them, or consecutive devices on each rank. */
static const int *assign_ranks(struct sr_client *c, int n)
{
	const struct sr_client_options *o = &c->options;
	int per_rank = sr_client_devices_per_rank(c, n);
	if (o->rank_of_device)
		return sr_dup(c->arena, o->rank_of_device, (size_t)n, sizeof(int));
	int *ranks = SR_NEW_ARRAY(c->arena, int, n);
	for (int d = 0; d < n; d++)
		ranks[d] = (o->placement == SR_PLACEMENT_REVERSED ? n - 1 - d : d) / per_rank;
	return ranks;
}

/* Compute the device set's tables from the rank of each device. */
static enum sr_status locate_devices(struct sr_client *c, struct sr_device_set *w, struct sr_diags *diags)
{
	struct sr_src_loc no_place = {0};
	int per_rank = sr_client_devices_per_rank(c, w->n_devices), *index_on_rank = SR_NEW_ARRAY(c->arena, int, w->n_devices),
	    *count = SR_NEW_ARRAY(c->arena, int, c->launch.size);
	int64_t *own_devices = SR_NEW_ARRAY(c->arena, int64_t, w->n_devices);
	for (int d = 0; d < w->n_devices; d++) {
		int r = w->rank_of_device[d];
		if (r < 0 || r >= c->launch.size)
			return sr_error(diags, SR_USAGE, no_place, "the ranks listed for devices are invalid or not distinct");
		if (r == c->launch.rank)
			own_devices[w->n++] = d;
		index_on_rank[d] = count[r]++;
		w->max_local = count[r] > w->max_local ? count[r] : w->max_local;
	}
	for (int r = 0; r < c->launch.size && (w->max_local == 1 || !c->has_funneled); r++)
		w->tells_idle = w->tells_idle || !count[r];
	w->index_on_rank = index_on_rank;
	w->devices = own_devices;
	if (w->max_local <= per_rank)
		return SR_OK;
	if (per_rank == 1)
		return sr_error(diags, SR_USAGE, no_place, "the ranks listed for devices are invalid or not distinct");
	return sr_error(diags, SR_USAGE, no_place, "a rank is listed for %d devices, but has at most %d (--devices-per-rank)",
			w->max_local, per_rank);
}

struct device_set_opening {
	struct sr_client *c;
	int n_devices;
	struct sr_device_set *w;
	struct sr_diags *diags;
};

/* Start the worker threads of each local device, and open the execution queue. */
static enum sr_status start_threads(void *data)
{
	const struct device_set_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w;
	int per_rank = c->options.threads > 0 || w->n < 2 ? c->threads : c->threads / w->n;
	w->threads = 1;
	w->team_threads = c->options.threads > 0 || c->launch.size > 1 ? 0 : c->threads;
	w->workers = SR_NEW_ARRAY(c->arena, struct sr_workers *, w->n + 1);
	for (int k = 0; per_rank > 1 && k < w->n; k++) {
		w->workers[k] = sr_workers_open(per_rank);
		w->threads = k && w->threads < sr_workers_count(w->workers[k]) ? w->threads : sr_workers_count(w->workers[k]);
	}
	if (!w->n && !w->tells_idle)
		return SR_OK;
	w->queue = sr_execution_queue_open(&c->launch, w->transport, w->n ? w->n : 1);
	return w->queue ? SR_OK : sr_error(o->diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "cannot start threads for %d devices", w->n);
}

/* Open the transport of the device set. Collective on all ranks. */
static enum sr_status open_transport(void *data)
{
	const struct device_set_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w;
	const void *comm = sr_launch_comm(&c->launch);
	if (!comm && w->n_devices == 1)
		return SR_OK;
	sr_relaxed_store(c->launch.is_waiting, true); /* lets the heartbeat thread know that ranks wait for each other */
	const struct sr_transport_options options = {c->selection, c->options.no_segment, c->options.ranks_per_node, &c->launch.abort,
						     .cache_bytes = c->node.last_level};
	struct sr_transport *opened_transport = NULL;
	enum sr_status status = sr_transport_open(c->arena, comm, w->rank_of_device, w->n_devices, &options, &opened_transport);
	w->transport = opened_transport; /* stored atomically, since the heartbeat thread reads it */
	sr_relaxed_store(c->launch.is_waiting, false);
	return status ? sr_error(o->diags, status, (struct sr_src_loc){0}, "cannot open the transport") : SR_OK;
}

static enum sr_status make_device_set(void *data)
{
	struct device_set_opening *o = data;
	struct sr_client *c = o->c;
	struct sr_device_set *w = o->w = SR_NEW(c->arena, struct sr_device_set);
	w->n_devices = o->n_devices;
	sr_client_reserve(c);
	if (c->options.rank_of_device && c->options.n_listed != w->n_devices)
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0},
				"ranks are listed for %d devices, but the program has %d", c->options.n_listed, w->n_devices);
	w->rank_of_device = assign_ranks(c, w->n_devices);
	enum sr_status status = locate_devices(c, w, o->diags);
	if (!status && w->max_local > 1 && sr_selection_uses_native(c->selection))
		return sr_error(o->diags, SR_USAGE, (struct sr_src_loc){0},
				"--collectives: MPI's own collectives (mpi) need one device per rank, but a rank has %d devices here "
				"(--devices-per-rank)",
				w->max_local);
	return status;
}

/* Return true if a device of the set has failed. */
static bool is_broken(const struct sr_device_set *w)
{
	return w->transport && sr_transport_failed_device(w->transport) >= 0;
}

enum sr_status sr_client_device_set(struct sr_client *c, int n_devices, struct sr_device_set **out, struct sr_diags *diags)
{
	for (*out = c->device_sets; *out; *out = (*out)->next)
		if ((*out)->n_devices == n_devices && !is_broken(*out))
			return SR_OK;
	static enum sr_status (*const stages[])(void *data) = {make_device_set, open_transport, start_threads};
	struct device_set_opening o = {c, n_devices, NULL, diags};
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < sizeof stages / sizeof *stages; i++)
		status = sr_client_stage(c, stages[i], &o, diags);
	if (status) {
		if (o.w)
			close_device_set(c, o.w);
		return status;
	}
	o.w->next = c->device_sets;
	*out = c->device_sets = o.w;
	return SR_OK;
}

/* ---- groups ---- */

enum sr_status sr_client_group(struct sr_client *c, struct sr_device_set *w, const struct sr_program *p,
			       const struct sr_group_list *list,
			       struct sr_group **out)
{
	struct sr_arena_position mark = sr_arena_mark(c->arena);
	int64_t *group = SR_NEW_ARRAY(c->arena, int64_t, w->n), *index = SR_NEW_ARRAY(c->arena, int64_t, w->n);
	struct sr_buf key;
	sr_buf_init(&key, c->arena);
	if (list)
		sr_program_group_key(p, list, &key);
	for (struct sr_known_group *k = w->groups; k; k = k->next)
		if (k->n == key.n && (!k->n || !memcmp(k->key, key.data, k->n))) {
			memcpy(out, k->groups, (size_t)w->n * sizeof *out);
			sr_arena_release(c->arena, mark); /* the client outlives the programs that look up its groups */
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
