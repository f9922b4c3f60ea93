/* Loading of a program on a device: addresses of buffers, groups and prepared collectives, in program order on every device. */
#include "run/device.h"
#include "run/backend.h"
#include "run/client.h"
#include "run/device_memory.h"
#include "support/checked.h"
#include <string.h>
#include <time.h>

double sr_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Create the groups of each of the program's lists for each of the n local devices; the last entry is the group of all devices, for
 * collective_permute. */
static enum sr_status find_groups(const struct sr_program *p, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_group ***groups)
{
	enum sr_status status = SR_OK;
	*groups = SR_NEWS(arena, struct sr_group *, (p->groups.n + 1) * (uint64_t)n);
	for (uint64_t i = 0; !status && i <= p->groups.n; i++)
		status = sr_client_group(client, device_set, p, i < p->groups.n ? sr_program_groups(p) + i : NULL,
		    *groups + i * (uint64_t)n);
	return status;
}

/* Return the index of a device in its group of list `members`; in the group of all devices that is the device id. */
static int member_index(const struct sr_device *d, int32_t members, int64_t device)
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
		call.from = member_index(d, c->members, from);
		call.to = member_index(d, c->members, to);
	}
	if (call.coll == SR_BROADCAST)
		call.from = 0;
	memcpy(call.form, c->form, sizeof call.form);
	return call;
}

/* Allocate disjoint scratch for collectives that are in flight at the same time; `in_flight` lists them. */
static enum sr_status reserve_scratch(struct sr_device *d, struct sr_prepared_collective **in_flight, int n, struct sr_diags *diags)
{
	int64_t bytes = 0;
	for (int i = 0; i < n; i++)
		bytes += sr_collective_scratch_bytes(in_flight[i]);
	d->max_collective_scratch = bytes > d->max_collective_scratch ? bytes : d->max_collective_scratch;
	if (sr_transport_reserve(d->transport, in_flight, n))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "cannot allocate %lld bytes for collectives",
				(long long)bytes);
	return SR_OK;
}

/* Set the prepared collective of each instruction that waits for or releases a collective to that of its start instruction. */
static enum sr_status link_finishes(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	struct sr_prepared_collective **in_flight = SR_NEWS(arena, struct sr_prepared_collective *, p->instrs.n);
	enum sr_status status = SR_OK;
	for (uint64_t k = 0; k < p->computations.n; k++) {
		const struct sr_computation *plan = sr_program_computations(p) + k;
		int n = 0;
		for (uint32_t i = plan->first; !status && i < plan->first + plan->n; i++) {
			const struct sr_instr *s = sr_program_instrs(p) + i;
			const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + s->params);
			struct sr_ready_instr *r = &d->instrs[i];
			if (!sr_instr_is_collective(s))
				continue;
			if (s->kind != SR_INSTR_COLLECTIVE)
				r->prepared = d->instrs[sr_program_collective_start(p, plan, i)].prepared;
			if (r->prepared && s->kind == SR_INSTR_COLLECTIVE) {
				in_flight[n++] = r->prepared;
				status = reserve_scratch(d, in_flight, n, diags);
				n -= !(c->ends & SR_ENDS_FINISH);
			}
			for (int o = 0; s->kind == SR_INSTR_FINISH && o < n; o++)
				if (in_flight[o] == r->prepared)
					in_flight[o] = in_flight[--n];
		}
	}
	return status;
}

/* Prepare every collective of one device, number k of the n local devices. */
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
			status = sr_collective_prepare(d->transport, group, &call, arena, &d->instrs[i].prepared);
		if (group && !status && sr_collective_scratch_bytes(d->instrs[i].prepared) > d->max_collective_scratch)
			d->max_collective_scratch = sr_collective_scratch_bytes(d->instrs[i].prepared);
		if (status)
			return sr_error(diags, status, (struct sr_src_loc){0}, "%s: cannot prepare %s of %lld %s elements",
					sr_program_string(p, step->place), sr_coll_name(call.coll), (long long)call.count,
					sr_dtypes[call.type].name);
	}
	return SR_OK;
}

enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = devices->program;
	struct sr_group **groups;
	bool has_collectives = false;
	for (uint64_t i = 0; i < p->instrs.n; i++)
		has_collectives = has_collectives || sr_program_instrs(p)[i].kind == SR_INSTR_COLLECTIVE;
	if (!has_collectives || !devices->transport)
		return SR_OK;
	enum sr_status status = find_groups(p, n, client, device_set, arena, &groups);
	if (status)
		return sr_error(diags, status, (struct sr_src_loc){0}, "cannot create groups of devices");
	for (int k = 0; !status && k < n; k++)
		status = prepare_collectives(&devices[k], groups, n, k, arena, diags);
	for (int k = 0; !status && k < n; k++)
		status = link_finishes(&devices[k], arena, diags);
	return status;
}

/* Create the tables that the executor reads. */
static void make_tables(struct sr_device *d, struct sr_arena *arena)
{
	const struct sr_program *p = d->program;
	d->addresses = SR_NEWS(arena, void *, p->buffers.n);
	d->operands = SR_NEWS(arena, void *, p->operands.n);
	d->instrs = SR_NEWS(arena, struct sr_ready_instr, p->instrs.n);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		d->instrs[i] = (struct sr_ready_instr){.kind = (enum sr_instr_kind)s->kind,
						     .params = sr_program_params(p) + s->params,
						     .operands = d->operands + s->first_operand,
						     .shifted = s->n_dynamic_offsets ? s : NULL,
						     .range = s->range};
		if (s->kind == SR_INSTR_KERNEL)
			d->instrs[i].fn = d->kernels->fn[s->kernel][s->dtype];
	}
}

static void place_buffers(struct sr_device *d)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->buffers.n; i++)
		d->addresses[i] = d->arena + sr_program_buffers(p)[i].offset;
	for (uint64_t i = 0; i < p->operands.n; i++)
		d->operands[i] = d->addresses[sr_program_operands(p)[i]];
}

/* Check that every instruction has a kernel for its element type. */
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

/* Prepare custom calls, if the program was compiled with kernels for them. */
static enum sr_status prepare_calls(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind != SR_INSTR_CUSTOM_CALL || ((const struct sr_custom_call_instr *)d->instrs[i].params)->n_inputs < 0)
			continue;
		const struct sr_custom_call_instr *c = d->instrs[i].params;
		d->instrs[i].call = sr_ffi_ready(d->ffi, p, s, d->id, arena);
		if (!d->instrs[i].call)
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){.file = sr_program_string(p, s->place)},
					"'%s' op calls %s, for which no kernel is registered: --ffi=%s=LIBRARY.so:SYMBOL",
						sr_program_string(p, s->op),
					sr_program_string(p, c->description), sr_program_string(p, c->name));
	}
	return SR_OK;
}

/* Divide the device's arena into buffers, scratch, and scratch of further workers. */
static enum sr_status place_memory(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	int64_t more, total = 192;
	if (sr_mul_overflows(d->worker_scratch, (int64_t)sr_workers_count(d->workers) - 1, &more) || sr_add_overflows(total, more,
														      &total) ||
	    sr_add_overflows(total, p->arena_bytes, &total) || sr_add_overflows(total, d->first_worker_scratch, &total))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "the program needs more memory than the address space has");
	d->arena = sr_device_set_memory_use(d->memory, d->k, total);
	if (!d->arena)
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "cannot allocate %lld bytes of memory for a device",
				(long long)total);
	d->mapped_bytes = total;
	if (!sr_device_map_segment(d, arena))
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0},
				"cannot map the shared segment into a device's memory");
	d->scratch = d->arena + (p->arena_bytes + 63) / 64 * 64;
	d->other_workers_scratch = d->scratch + (d->first_worker_scratch + 63) / 64 * 64;
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
	d->first_worker_scratch = p->scratch_bytes;
	d->backend->prepare_kernels(d, arena);
	status = place_memory(d, arena, diags);
	if (status)
		return status;
	place_buffers(d);
	sr_device_place_constants(d, arena);
	sr_device_make_bindings(d, arena);
	status = d->backend->prepare_nests(d, arena, diags);
	if (!status)
		sr_device_prepare_buffer_swaps(d, arena);
	return status;
}

void sr_device_unload(struct sr_device *d)
{
	d->arena = NULL;
	d->backend->unload(d);
	d->instrs = NULL;
}
