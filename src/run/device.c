/* Loading: memory, constants, communicators and prepared collectives, in program order on every device. */
#include "run/device.h"
#include "run/client.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

double sr_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Constants are in place for the program's whole life; a splat is repeated by doubling copies. */
static void put_constants(struct sr_device *d)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->constants.n; i++) {
		const struct sr_constant *in = sr_program_constants(p) + i;
		char *to = sr_device_buffer(d, in->buffer);
		uint64_t bytes = (uint64_t)sr_program_buffers(p)[in->buffer].bytes, done = in->n < bytes ? in->n : bytes;
		memcpy(to, sr_program_data(p) + in->data, done);
		while (done && done < bytes) {
			uint64_t n = done < bytes - done ? done : bytes - done;
			memcpy(to + done, to, n);
			done += n;
		}
	}
}

/* Of each list and each of the n devices; behind them the group of all, which permutes between any devices use. */
static enum sr_status find_groups(const struct sr_program *p, int n, struct sr_client *client, struct sr_device_set *world,
				  struct sr_arena *arena, struct sr_group ***groups)
{
	enum sr_status status = SR_OK;
	*groups = SR_NEWS(arena, struct sr_group *, (p->groups.n + 1) * (uint64_t)n);
	for (uint64_t i = 0; !status && i <= p->groups.n; i++)
		status = sr_client_group(client, world, p, i < p->groups.n ? sr_program_groups(p) + i : NULL,
		    *groups + i * (uint64_t)n);
	return status;
}

/* The index of a device in a list of one group; among all devices it is the device. */
static int member(const struct sr_device *d, int32_t members, int64_t device)
{
	int64_t group, index;
	if (members < 0 || device < 0)
		return (int)device;
	return sr_program_group_of(d->program, sr_program_groups(d->program) + members, device, &group, &index) ? (int)index : -1;
}

static struct sr_coll_call call_of(const struct sr_device *d, const struct sr_instr *step, const struct sr_collective_instr *c)
{
	struct sr_coll_call call = {.coll = (enum sr_coll)c->coll,
				    .count = c->count,
				    .type = (enum sr_dtype)step->dtype,
				    .monoid = (enum sr_monoid)c->monoid,
				    .in_place = sr_instr_is_in_place(d->program, step),
				    .from = -1,
				    .to = -1};
	int64_t from, to;
	if (c->group < 0) {
		sr_program_permute_peers(d->program, c, d->id, &from, &to);
		call.from = member(d, c->members, from);
		call.to = member(d, c->members, to);
	}
	if (call.coll == SR_BROADCAST)
		call.from = 0;
	memcpy(call.form, c->form, sizeof call.form);
	return call;
}

/* The most scratch that calls take which are under way at once, had before the first step; `open` is room for them. */
static enum sr_status reserve(struct sr_device *d, struct sr_prepared_collective **open, int n, struct sr_diags *diags)
{
	int64_t bytes = 0;
	for (int i = 0; i < n; i++)
		bytes += sr_collective_scratch_bytes(open[i]);
	d->collective_scratch = bytes > d->collective_scratch ? bytes : d->collective_scratch;
	if (sr_transport_reserve(d->transport, open, n))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "%lld bytes for collectives cannot be had",
				(long long)bytes);
	return SR_OK;
}

/* The steps that end a collective get what its start has. */
static enum sr_status prepare_ends(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	struct sr_prepared_collective **open = SR_NEWS(arena, struct sr_prepared_collective *, p->instrs.n);
	enum sr_status status = SR_OK;
	for (uint64_t k = 0; k < p->computations.n; k++) {
		const struct sr_computation *plan = sr_program_computations(p) + k;
		int n = 0;
		for (uint32_t i = plan->first; !status && i < plan->first + plan->n; i++) {
			const struct sr_instr *s = sr_program_instrs(p) + i;
			const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + s->params);
			struct sr_ready_instr *r = &d->steps[i];
			if (!sr_instr_is_collective(s))
				continue;
			if (s->kind != SR_INSTR_COLLECTIVE)
				r->prepared = d->steps[sr_program_collective_start(p, plan, i)].prepared;
			if (r->prepared && s->kind == SR_INSTR_COLLECTIVE) {
				open[n++] = r->prepared;
				status = reserve(d, open, n, diags);
				n -= !(c->ends & SR_ENDS_FINISH);
			}
			for (int o = 0; s->kind == SR_INSTR_FINISH && o < n; o++)
				if (open[o] == r->prepared)
					open[o] = open[--n];
		}
	}
	return status;
}

/* Every collective of one device, the k-th of n. */
static enum sr_status prepare_collectives(struct sr_device *d, struct sr_group *const *groups, int n, int k, struct sr_arena *arena,
					  struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	enum sr_status status = SR_OK;
	for (uint64_t i = 0; !status && i < p->instrs.n; i++) {
		const struct sr_instr *step = sr_program_instrs(p) + i;
		const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + step->params);
		if (step->kind != SR_INSTR_COLLECTIVE)
			continue;
		int32_t g = c->group < 0 ? c->members : c->group;
		struct sr_group *group = groups[(g < 0 ? p->groups.n : (uint64_t)g) * (uint64_t)n + (uint64_t)k];
		struct sr_coll_call call = call_of(d, step, c);
		if (group)
			status = sr_collective_prepare(d->transport, group, &call, arena, &d->steps[i].prepared);
		if (group && !status && sr_collective_scratch_bytes(d->steps[i].prepared) > d->collective_scratch)
			d->collective_scratch = sr_collective_scratch_bytes(d->steps[i].prepared);
		if (status)
			return sr_error(diags, status, (struct sr_src_loc){0}, "%s: %s of %lld %s elements cannot be prepared",
					sr_program_string(p, step->place), sr_coll_name(call.coll), (long long)call.count,
					sr_dtypes[call.type].name);
	}
	return SR_OK;
}

enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *world,
				  struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = devices->program;
	struct sr_group **groups;
	bool any = false;
	for (uint64_t i = 0; i < p->instrs.n; i++)
		any = any || sr_program_instrs(p)[i].kind == SR_INSTR_COLLECTIVE;
	if (!any || !devices->transport)
		return SR_OK;
	enum sr_status status = find_groups(p, n, client, world, arena, &groups);
	if (status)
		return sr_error(diags, status, (struct sr_src_loc){0}, "groups of devices cannot be made");
	for (int k = 0; !status && k < n; k++)
		status = prepare_collectives(&devices[k], groups, n, k, arena, diags);
	for (int k = 0; !status && k < n; k++)
		status = prepare_ends(&devices[k], arena, diags);
	return status;
}

/* Tables that the player goes by. */
static void make_tables(struct sr_device *d, struct sr_arena *arena)
{
	const struct sr_program *p = d->program;
	d->at = SR_NEWS(arena, void *, p->buffers.n);
	d->operands = SR_NEWS(arena, void *, p->operands.n);
	d->steps = SR_NEWS(arena, struct sr_ready_instr, p->instrs.n);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		d->steps[i] = (struct sr_ready_instr){.kind = (enum sr_instr_kind)s->kind,
						     .params = sr_program_params(p) + s->params,
						     .operands = d->operands + s->first_operand,
						     .shifted = s->n_dynamic_offsets ? s : NULL,
						     .range = s->range};
		if (s->kind == SR_INSTR_KERNEL)
			d->steps[i].fn = d->kernels->fn[s->kernel][s->dtype];
	}
}

static void place_buffers(struct sr_device *d)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->buffers.n; i++)
		d->at[i] = d->arena + sr_program_buffers(p)[i].offset;
	for (uint64_t i = 0; i < p->operands.n; i++)
		d->operands[i] = d->at[sr_program_operands(p)[i]];
}

/* Every kernel step has a kernel for its element type. */
static enum sr_status check_kernels(const struct sr_device *d, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		enum sr_dtype type = (enum sr_dtype)s->dtype;
		bool known = s->kind != SR_INSTR_KERNEL || d->kernels->fn[s->kernel][s->dtype];
		if (s->kind == SR_INSTR_NEST)
			known = sr_nest_kernels_exist((const void *)(sr_program_params(p) + s->params), d->kernels, &type);
		if (!known)
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){0},
					"%s: %s cannot be run: there is no kernel for element type %s",
					sr_program_string(p, s->place), sr_program_string(p, s->op), sr_dtypes[type].name);
	}
	return SR_OK;
}

/* Calls of users' kernels, those that the program was compiled for. */
static enum sr_status prepare_calls(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind != SR_INSTR_CUSTOM_CALL || ((const struct sr_custom_call_instr *)d->steps[i].params)->n_inputs < 0)
			continue;
		const struct sr_custom_call_instr *c = d->steps[i].params;
		d->steps[i].call = sr_ffi_ready(d->ffi, p, s, d->id, arena);
		if (!d->steps[i].call)
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){.file = sr_program_string(p, s->place)},
					"'%s' op calls %s, for which no kernel is given: --ffi=%s=LIBRARY.so:SYMBOL",
						sr_program_string(p, s->op),
					sr_program_string(p, c->what), sr_program_string(p, c->name));
	}
	return SR_OK;
}

/* Everything in one piece: the arena, scratch, and scratch of further workers. */
static enum sr_status map_memory(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	int64_t more, total = 192;
	if (sr_mul_overflows(d->worker_scratch, (int64_t)sr_workers_count(d->workers) - 1, &more) || sr_add_overflows(total, more,
														      &total) ||
	    sr_add_overflows(total, p->arena_bytes, &total) || sr_add_overflows(total, d->first_scratch, &total))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "the program wants more memory than can be named");
	d->arena = mmap(NULL, (size_t)total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (d->arena == MAP_FAILED) {
		d->arena = NULL;
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "%lld bytes of memory for a device cannot be had",
				(long long)total);
	}
#ifdef MADV_HUGEPAGE
	madvise(d->arena, (size_t)total, MADV_HUGEPAGE); /* advice: what comes back does not matter */
#endif
	d->mapped = total;
	if (!sr_device_map_segment(d, arena))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0},
				"the node's window cannot be laid into a device's memory");
	d->scratch = d->arena + (p->arena_bytes + 63) / 64 * 64;
	d->more_scratch = d->scratch + (d->first_scratch + 63) / 64 * 64;
	return SR_OK;
}

enum sr_status sr_device_allocate(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	sr_relaxed_store(d->current, -1);
	d->partitions = p->n_devices / p->n_replicas;
	make_tables(d, arena);
	enum sr_status status = check_kernels(d, diags);
	if (!status)
		status = prepare_calls(d, arena, diags);
	if (status)
		return status;
	d->first_scratch = p->scratch_bytes;
	sr_device_split_work(d);
	sr_device_prepare_kernels(d, arena);
	status = map_memory(d, arena, diags);
	if (status)
		return status;
	place_buffers(d);
	put_constants(d);
	sr_device_make_bindings(d, arena);
	status = sr_device_prepare_nests(d, arena, diags);
	if (!status)
		sr_device_prepare_buffer_swaps(d, arena);
	return status;
}

void sr_device_unload(struct sr_device *d)
{
	if (d->arena)
		munmap(d->arena, (size_t)d->mapped);
	d->arena = NULL;
	sr_device_release_nests(d);
	sr_device_release_kernels(d);
	d->steps = NULL;
}
