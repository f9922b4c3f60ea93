/* Loading of a program on a device: addresses of buffers, groups and prepared collectives, in program order on every device. */
#include "run/device.h"
#include "run/backend.h"
#include "run/client.h"
#include "run/device_memory.h"
#include "run/loop_times.h"
#include "support/checked.h"
#include <string.h>

/* Create the groups of each of the program's lists for each of the n local devices; the last entry is the group of all devices, for
 * collective_permute. */
static enum sr_status find_groups(const struct sr_program *p, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_group ***groups)
{
	enum sr_status status = SR_OK;
	*groups = SR_NEW_ARRAY(arena, struct sr_group *, (p->groups.n + 1) * (uint64_t)n);
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

/* Return true if the buffer is in the memory of an argument that is not donated, which the program does not write. */
static bool is_in_kept_argument(const struct sr_program *p, const struct sr_buffer *b)
{
	const struct sr_io *values = sr_program_values(p);
	for (int32_t i = 0; i < p->n_arguments; i++) {
		const struct sr_buffer *argument = sr_program_buffers(p) + values[i].buffer;
		if (!values[i].donated && b->offset < argument->offset + argument->bytes && argument->offset < b->offset + b->bytes)
			return true;
	}
	return false;
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
	const int32_t *operands = sr_program_operands(d->program) + step->first_operand;
	const struct sr_buffer *buffers = sr_program_buffers(d->program);
	int64_t source, dest;
	call.keeps_in = is_in_kept_argument(d->program, &buffers[operands[0]]);
	call.out_extent = buffers[operands[1]].bytes;
	if (c->group < 0) {
		sr_program_permute_peers(d->program, c, d->id, &source, &dest);
		call.from = member_index(d, c->members, source);
		call.to = member_index(d, c->members, dest);
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
	struct sr_prepared_collective **in_flight = SR_NEW_ARRAY(arena, struct sr_prepared_collective *, p->instrs.n);
	/* by offset in the params section / SR_PROGRAM_ALIGN: the collective whose params begin there */
	struct sr_prepared_collective **started =
		SR_NEW_ARRAY(arena, struct sr_prepared_collective *, p->params.n / SR_PROGRAM_ALIGN + 1);
	enum sr_status status = SR_OK;
	for (uint64_t k = 0; k < p->computations.n; k++) {
		const struct sr_computation *plan = sr_program_computations(p) + k;
		int n = 0;
		for (uint32_t i = plan->first; !status && i < plan->first + plan->n; i++) {
			const struct sr_instr *s = sr_program_instrs(p) + i;
			const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + s->params);
			struct sr_device_instr *own = &d->own[i];
			if (!sr_instr_is_collective(s))
				continue;
			if (s->kind == SR_INSTR_COLLECTIVE)
				started[s->params / SR_PROGRAM_ALIGN] = own->collective;
			else
				own->collective = started[s->params / SR_PROGRAM_ALIGN];
			if (own->collective && s->kind == SR_INSTR_COLLECTIVE) {
				in_flight[n++] = own->collective;
				status = reserve_scratch(d, in_flight, n, diags);
				n -= !(c->completion_flags & SR_ENDS_FINISH);
			}
			for (int o = 0; s->kind == SR_INSTR_FINISH && o < n; o++)
				if (in_flight[o] == own->collective)
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
			status = sr_collective_prepare(d->transport, group, &call, arena, &d->own[i].collective);
		if (group && !status && sr_collective_scratch_bytes(d->own[i].collective) > d->max_collective_scratch)
			d->max_collective_scratch = sr_collective_scratch_bytes(d->own[i].collective);
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

/* Prepare custom calls, if the program was compiled with kernels for them. */
static enum sr_status prepare_calls(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		const struct sr_custom_call_instr *c = d->loaded->instrs[i].params;
		if (s->kind != SR_INSTR_CUSTOM_CALL || c->n_inputs < 0)
			continue;
		d->own[i].call = sr_ffi_ready(d->ffi, p, s, d->id, arena);
		if (!d->own[i].call)
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){.file = sr_program_string(p, s->place)},
					"'%s' op calls %s, for which no kernel is registered: --ffi=%s=LIBRARY.so:SYMBOL",
						sr_program_string(p, s->op),
					sr_program_string(p, c->description), sr_program_string(p, c->name));
	}
	return SR_OK;
}

/* Add n blocks of `block_bytes` bytes to a total. Return false on overflow. */
static bool add_blocks(int64_t *total, int64_t block_bytes, int64_t n)
{
	int64_t bytes;
	return !sr_mul_overflows(block_bytes, n, &bytes) && !sr_add_overflows(*total, bytes, total);
}

enum sr_status sr_device_place_memory(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	const struct sr_loaded_program *l = d->loaded;
	int64_t workers = sr_workers_count(d->workers), total = 256;
	if (!add_blocks(&total, p->arena_bytes, 1) || !add_blocks(&total, l->first_worker_scratch, 1) ||
	    !add_blocks(&total, l->worker_scratch, workers - 1) || !add_blocks(&total, l->term_bytes, 1) ||
	    !add_blocks(&total, l->nest_scratch, workers))
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
	d->other_workers_scratch = d->scratch + (l->first_worker_scratch + 63) / 64 * 64;
	d->terms = d->other_workers_scratch + l->worker_scratch * (workers - 1);
	d->nest_scratch = d->terms + l->term_bytes;
	return SR_OK;
}

enum sr_status sr_device_prepare(struct sr_device *d, struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags)
{
	d->loaded = l;
	sr_relaxed_store(d->current, -1);
	d->own = SR_NEW_ARRAY(arena, struct sr_device_instr, l->program->instrs.n);
	for (uint64_t i = 0; i < l->program->instrs.n; i++)
		if (l->instrs[i].loop)
			d->own[i].times = SR_NEW(arena, struct sr_loop_times);
	enum sr_status status = prepare_calls(d, arena, diags);
	if (!status)
		l->backend->prepare_device(d, l, arena);
	return status;
}

void sr_device_unload(struct sr_device *d)
{
	d->arena = NULL;
	if (d->own)
		d->loaded->backend->unload_device(d);
	d->own = NULL;
}
