/* Opening a program on the ranks of a job, stage by stage. After each stage all ranks agree on the status. */
#include "exec/session.h"
#include "kernels/fast/fast.h"
#include "machine/machine.h"
#include "support/checked.h"

void sr_session_mesh(const struct sr_program *p, struct sr_buf *out)
{
	const struct sr_program_axis *axes = sr_program_mesh(p);
	for (uint64_t i = 0; i < p->mesh.n; i++)
		sr_buf_printf(out, "%s%s=%lld", i ? ", " : "", sr_program_string(p, axes[i].name), (long long)axes[i].size);
	if (!p->mesh.n)
		sr_buf_puts(out, "none");
}

/* Enough ranks for the program's devices; rank 0 says what to do where not. */
static enum sr_status check_ranks(struct sr_session *s)
{
	struct sr_buf mesh;
	int n = s->launch.rank ? 0 : s->program->n_devices, size = s->launch.size;
	if (size >= n)
		return SR_OK;
	sr_buf_init(&mesh, s->ctx->arena);
	sr_session_mesh(s->program, &mesh);
	return sr_error(&s->ctx->diags, SR_USAGE, (struct sr_place){.file = s->model},
			"the program needs %d devices (mesh %s%s), but %d rank%s started; use `mpirun -np %d shardrun ...` or "
			"`shardrun -n %d ...`",
			n, sr_buf_string(&mesh), s->program->n_replicas > 1 ? ", and replicas" : "", size,
			size == 1 ? " was" : "s were", n, n);
}

/* Collective on all ranks: the program from rank 0 to everybody, checked there. */
static enum sr_status share(struct sr_session *s)
{
	uint64_t bytes = s->launch.rank ? 0 : s->program->bytes;
	const char *message;
	void *blob;
	sr_launch_broadcast(&s->launch, &bytes, sizeof bytes);
	blob = s->launch.rank ? sr_alloc(s->ctx->arena, bytes, 1) : (void *)(uintptr_t)s->program;
	sr_launch_broadcast(&s->launch, blob, bytes);
	s->program = blob;
	if (sr_program_check(s->program, bytes, &message))
		return sr_error(&s->ctx->diags, SR_INTERNAL, (struct sr_place){.file = s->model},
				"the compiled program is broken: %s", message);
	return SR_OK;
}

/* Collective on all ranks: OpenBLAS with the kernels of the least of their instruction sets, so that all compute the same bits. */
static enum sr_status open_libraries(struct sr_session *s)
{
	uint64_t least, most;
	sr_launch_range(&s->launch, (uint64_t)sr_isa_here(), &least, &most);
	s->isa = (enum sr_isa)least;
	const char *message = sr_blas_open(s->isa);
	if (message)
		return sr_error(&s->ctx->diags, SR_UNSUPPORTED, (struct sr_place){0}, "OpenBLAS cannot be used: %s", message);
	return SR_OK;
}

/* Collective on all ranks: what this rank has of the machine, beside the others of its node that play devices. */
static enum sr_status look(struct sr_session *s, struct sr_machine_question *q, struct sr_machine_node *node)
{
	struct mine {
		int64_t plays; /* no gap that is sent */
		struct sr_memory_groups groups;
	} mine = {.plays = !s->launch.spare};
	const void *all;
	enum sr_status status = sr_machine_look(q, node);
	mine.groups = node->groups;
	int here = sr_launch_on_node(&s->launch, s->ctx->arena, &mine, sizeof mine, &all), n = 0;
	struct sr_memory_groups *groups = SR_NEWS(s->ctx->arena, struct sr_memory_groups, here);
	for (int i = 0; i < here; i++)
		if (((const struct mine *)all)[i].plays)
			groups[n++] = ((const struct mine *)all)[i].groups;
	q->ranks_per_node = n ? n : 1;
	sr_memory_groups_count(&node->groups, groups, n);
	return status;
}

static enum sr_status does_not_fit(struct sr_session *s, int64_t needed, const struct sr_memory_share *share)
{
	return sr_error(&s->ctx->diags, SR_NO_MEMORY, (struct sr_place){.file = s->model},
			"a device needs %lld bytes, but %s has %lld for each rank (%d %s); use more nodes, or fewer ranks on each", (long long)needed,
			share->group ? "the control group" : "this node", (long long)share->bytes, share->ranks, share->group ? "in it" : "here");
}

/* Collective on all ranks: threads for BLAS, and whether the program fits before anything is allocated. Where nothing is known
 * of the machine nothing is refused. */
static enum sr_status settle_in(struct sr_session *s, const struct sr_session_options *o)
{
	struct sr_machine_question q = {.root = o->root};
	struct sr_machine machine = {0};
	struct sr_machine_node node;
	int64_t needed;
	if (!look(s, &q, &node)) {
		sr_machine_fill(&q, &node, &machine);
		if (o->node)
			sr_machine_print(&q, &node, &machine, o->node);
	}
	if (o->node)
		sr_buf_printf(o->node, "\n  products: %s; kernels for %s", sr_blas_version(), sr_blas_core());
	sr_fast_set_threads(o->threads > 0 ? o->threads : sr_machine_threads(&machine));
	if (sr_add_overflows(s->program->arena_bytes, s->program->scratch_bytes, &needed))
		needed = INT64_MAX;
	if (s->launch.spare || !machine.memory_per_rank || needed <= machine.memory_per_rank)
		return SR_OK;
	struct sr_memory_share share = sr_machine_memory(&q, &node);
	return does_not_fit(s, needed, &share);
}

/* This device's memory and kernels, which may fail on one rank alone. */
static enum sr_status allocate(struct sr_session *s)
{
	struct sr_kernels *kernels = SR_NEW(s->ctx->arena, struct sr_kernels);
	sr_kernels_init(kernels);
	sr_kernels_fast_init_isa(kernels, s->isa);
	s->device = (struct sr_device){.program = s->program, .id = s->launch.rank, .kernels = kernels, .unit = s->unit};
	return sr_device_allocate(&s->device, s->ctx->arena, &s->ctx->diags);
}

/* Collective on all devices. */
static enum sr_status connect(struct sr_session *s, const struct sr_session_options *o)
{
	struct sr_device *d = &s->device;
	struct sr_arena *arena = s->ctx->arena;
	struct sr_selection *selection = NULL;
	const char *message = NULL;
	enum sr_status status = sr_selection_parse(arena, o->selection, &selection, &message);
	if (status)
		return sr_error(&s->ctx->diags, SR_USAGE, (struct sr_place){0}, "--collectives: %s", message);
	if (s->launch.comm) {
		int *ranks = SR_NEWS(arena, int, s->program->n_devices);
		for (int i = 0; i < s->program->n_devices; i++)
			ranks[i] = i;
		status = sr_transport_open_mpi(arena, s->launch.comm, ranks, s->program->n_devices, selection, &d->transport);
		if (status)
			return sr_error(&s->ctx->diags, status, (struct sr_place){0}, "the MPI transport cannot be opened");
	}
	return sr_device_connect(d, arena, &s->ctx->diags);
}

enum sr_status sr_session_open(struct sr_session *s, const struct sr_session_options *options)
{
	struct sr_launch *l = &s->launch;
	struct sr_diags *diags = &s->ctx->diags;
	enum sr_status status = sr_launch_agree(l, check_ranks(s), diags);
	if (!status)
		status = sr_launch_agree(l, share(s), diags);
	if (!status)
		status = sr_launch_agree(l, sr_launch_devices(l, s->program->n_devices), diags);
	if (!status)
		status = sr_launch_agree(l, open_libraries(s), diags);
	if (!status)
		status = sr_launch_agree(l, settle_in(s, options), diags);
	if (!status)
		status = sr_session_load_units(s, options);
	if (!status)
		status = sr_launch_agree(l, l->spare ? SR_OK : allocate(s), diags);
	if (!status)
		status = sr_launch_agree(l, l->spare ? SR_OK : connect(s, options), diags);
	return status;
}

void sr_session_unload(struct sr_session *s)
{
	if (s->device.transport)
		sr_transport_close(s->device.transport);
	s->device.transport = NULL;
	sr_device_unload(&s->device);
	sr_session_release_units(s);
}

void sr_session_close(struct sr_session *s)
{
	sr_session_unload(s);
	sr_launch_end(&s->launch);
}

enum sr_status sr_session_step_failed(struct sr_session *s, enum sr_status status)
{
	const struct sr_program *p = s->program;
	const struct sr_step *step = s->device.current >= 0 ? sr_program_steps(p) + s->device.current : NULL;
	if (step && step->kind == SR_STEP_CUSTOM) {
		const struct sr_custom_step *call = (const void *)(sr_program_params(p) + step->params);
		return sr_error(&s->ctx->diags, status, (struct sr_place){.file = sr_program_string(p, step->place)},
				"'%s' op calls %s, a custom call target that is not known here", sr_program_string(p, step->op),
				sr_program_string(p, call->what));
	}
	const char *why = s->device.transport ? sr_transport_failure(s->device.transport) : "";
	return sr_error(&s->ctx->diags, status, (struct sr_place){.file = s->model}, "device %lld failed in %s at %s%s%s",
			(long long)s->device.id, step ? sr_program_string(p, step->op) : "a step",
			step ? sr_program_string(p, step->place) : "", *why ? ": " : "", why);
}
