/* The executor: runs the instructions of a computation one after another. Nothing is allocated here. */
#include "kernels/element.h"
#include "run/backend.h"
#include "run/background_jit.h"
#include "run/device.h"
#include "run/device_team.h"
#include <string.h>

/* Execute a collective without communication: there is only one device, or this device is in no group. */
static void local_collective(const struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	size_t in_bytes = (size_t)sr_program_buffers(d->program)[operands[0]].bytes,
	       out_bytes = (size_t)sr_program_buffers(d->program)[operands[1]].bytes;
	const struct sr_collective_instr *c = r->params;
	const void *in = r->operands[0];
	void *out = r->operands[1];
	if (c->group < 0 && !d->transport) { /* the only device sends to itself, or receives zeros */
		const int64_t *pair = sr_program_ids(d->program) + c->pairs;
		if (c->n_pairs && pair[0] == 0 && pair[1] == 0)
			memmove(out, in, out_bytes);
		else
			memset(out, 0, out_bytes);
	} else if (c->coll == SR_BROADCAST && d->transport) { /* a device that is in no group of a broadcast receives zeros */
		memset(out, 0, out_bytes);
	} else { /* a device that is in no group keeps its operand as the result */
		memmove(out, in, in_bytes < out_bytes ? in_bytes : out_bytes);
	}
}

static enum sr_status collective(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	double start = sr_now();
	enum sr_status status = SR_OK;
	if (r->prepared) {
		const struct sr_collective_instr *c = r->params;
		if (!c->ends)
			status = sr_collective_run(r->prepared, r->operands[0], r->operands[1]);
		else
			status = sr_collective_start(r->prepared, r->operands[0], r->operands[1]);
		if (c->ends & SR_ENDS_FINISH)
			d->sends_in_flight += sr_collective_sends_messages(r->prepared);
		else if (!status && c->ends)
			status = sr_collective_wait(r->prepared);
	} else {
		local_collective(d, r, s);
	}
	d->collective_s += sr_now() - start;
	return status;
}

static enum sr_status wait(struct sr_device *d, const struct sr_ready_instr *r)
{
	const struct sr_collective_instr *c = r->params;
	double start = sr_now();
	if (!r->prepared)
		return SR_OK;
	enum sr_status status = sr_collective_wait(r->prepared);
	d->sends_in_flight -= sr_collective_sends_messages(r->prepared);
	if (!status && !(c->ends & SR_ENDS_RELEASE))
		status = sr_collective_release(r->prepared);
	d->collective_s += sr_now() - start;
	return status;
}

static enum sr_status release(struct sr_device *d, const struct sr_ready_instr *r)
{
	double start = sr_now();
	enum sr_status status = r->prepared ? sr_collective_release(r->prepared) : SR_OK;
	d->collective_s += sr_now() - start;
	return status;
}

/* Called between instructions: make progress on collectives in flight, at most every OFTEN_US microseconds. */
static enum sr_status make_progress(struct sr_device *d)
{
	enum { PROGRESS_US = 20 };
	double now = sr_now();
	if (now - d->last_progress_s < 1e-6 * PROGRESS_US)
		return SR_OK;
	enum sr_status status = sr_transport_progress(d->transport);
	d->last_progress_s = sr_now();
	d->collective_s += d->last_progress_s - now;
	return status;
}

/* Call the compiled function of a loop with the current addresses of its regions. */
static enum sr_status compiled_loop(struct sr_device *d, const struct sr_ready_instr *r)
{
	for (int k = 0; k < r->loop->n; k++)
		r->loop->addresses[k] = sr_device_buffer(d, r->loop->buffers[k]);
	r->compiled->run(r->loop->addresses, 0, 1);
	return SR_OK;
}

static enum sr_status loop(struct sr_device *d, const struct sr_ready_instr *r)
{
	const struct sr_while_instr *w = r->params;
	struct sr_loop_frame frame = {d->loop, 0};
	d->loop = &frame;
	sr_buffer_swaps_begin(d, r->buffer_swap);
	enum sr_status status = sr_execute_computation(d, (uint64_t)w->cond);
	while (!status && *(const uint8_t *)sr_device_buffer(d, w->predicate)) {
		status = sr_execute_computation(d, (uint64_t)w->body);
		frame.iteration++;
		if (!status)
			status = sr_execute_computation(d, (uint64_t)w->cond);
	}
	d->loop = frame.outer;
	sr_buffer_swaps_end(r->buffer_swap);
	return status;
}

int64_t sr_selected_branch(const struct sr_ready_instr *r)
{
	const struct sr_case_instr *c = r->params;
	int32_t i;
	if (c->is_predicate) {
		i = *(const uint8_t *)r->operands[0] ? 0 : 1;
	} else {
		memcpy(&i, r->operands[0], sizeof i);
		if (i < 0 || i >= c->n)
			i = c->n - 1;
	}
	return c->first + i;
}

static enum sr_status check(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	const struct sr_check_instr *c = r->params;
	if (c->kind <= SR_CHECK_CLOSE && s->n_operands > 2)
		*(uint8_t *)r->operands[2] = 1;
	return d->hooks.inspect ? d->hooks.inspect(d->hooks.data, d, s) : SR_UNSUPPORTED;
}

static void device_id(const struct sr_device *d, const struct sr_ready_instr *r)
{
	int32_t replica;
	memcpy(&replica, r->params, sizeof replica);
	uint32_t id = (uint32_t)(replica ? d->id / d->partitions : d->id % d->partitions);
	memcpy(r->operands[0], &id, sizeof id);
}

/* Execute an instruction that is neither a kernel nor a loop nest. */
static enum sr_status execute_special_instr(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	if ((int)r->kind == SR_READY_SWAP) {
		sr_buffer_swap(r->buffer_swap);
		return SR_OK;
	}
	switch (r->kind) {
	case SR_INSTR_COLLECTIVE:
		return collective(d, r, s);
	case SR_INSTR_FINISH:
		return wait(d, r);
	case SR_INSTR_RELEASE:
		return release(d, r);
	case SR_INSTR_WHILE:
		return r->compiled ? compiled_loop(d, r) : loop(d, r);
	case SR_INSTR_CASE:
		return sr_execute_computation(d, (uint64_t)sr_selected_branch(r));
	case SR_INSTR_DEVICE_ID:
		device_id(d, r);
		return SR_OK;
	case SR_INSTR_BODY:
		return sr_execute_body(d, s);
	case SR_INSTR_CHECK:
		return check(d, r, s);
	case SR_INSTR_PARALLEL:
		return sr_execute_parallel(d, s);
	case SR_INSTR_CUSTOM_CALL:
		return r->call ? sr_ffi_execute(r->call, r->operands, d->user_data) : SR_UNSUPPORTED;
	case SR_INSTR_KERNEL:
	case SR_INSTR_NEST:
	case SR_INSTR_COUNT:
		break;
	}
	return SR_INTERNAL;
}

/* Compute the operand addresses of an instruction with dynamic offsets. */
static void apply_offsets(const struct sr_device *d, const struct sr_ready_instr *r)
{
	const struct sr_instr *s = r->shifted;
	const struct sr_dynamic_offset *shifts = sr_program_dynamic_offsets(d->program) + s->first_dynamic_offset;
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++)
		r->operands[shifts[i].operand] = sr_device_buffer(d, operands[shifts[i].operand]);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *x = &shifts[i];
		int64_t start = x->limit;
		if (x->start >= 0) {
			enum sr_dtype type = (enum sr_dtype)sr_program_buffers(d->program)[x->start].dtype;
			start = sr_index_load(type, sr_device_buffer(d, x->start), 0);
		}
		start = start < 0 ? 0 : start > x->limit ? x->limit : start;
		r->operands[x->operand] = (char *)r->operands[x->operand] + start * x->stride;
	}
}

void sr_device_begin_instr(struct sr_device *d, int64_t i)
{
	sr_relaxed_store(d->current, i);
	sr_relaxed_store(d->flight.instrs[sr_relaxed_load(d->flight.executed) % SR_FLIGHT_RECORDS], (int32_t)i);
	sr_relaxed_increment(d->flight.executed);
	if (d->instrs[i].shifted)
		apply_offsets(d, &d->instrs[i]);
}

enum sr_status sr_execute_instr(struct sr_device *d, int64_t i)
{
	const struct sr_ready_instr *r = d->instrs + i;
	enum sr_status status = SR_OK;
	sr_device_begin_instr(d, i);
	if (r->kind == SR_INSTR_KERNEL || r->kind == SR_INSTR_NEST)
		d->backend->launch(d, r);
	else
		status = execute_special_instr(d, r, sr_program_instrs(d->program) + i);
	return status;
}

enum sr_status sr_execute_computation(struct sr_device *d, uint64_t plan)
{
	const struct sr_computation *range = sr_program_computations(d->program) + plan;
	enum sr_status status = SR_OK;
	for (int64_t i = range->first, end = i + range->n; i < end && !status; i++) {
		double begin = d->profile ? sr_now() : 0;
		status = sr_execute_instr(d, i);
		if (d->sends_in_flight && !status)
			status = make_progress(d);
		if (d->profile)
			sr_profile_note(d->profile, i, begin, sr_now());
	}
	return status;
}

void sr_device_begin_step(struct sr_device *d)
{
	d->collective_s = 0;
	d->sends_in_flight = 0;
	d->loop = NULL;
	if (d->request)
		sr_background_jit_poll(d);
}

enum sr_status sr_device_step(struct sr_device *d)
{
	if (d->team)
		return sr_device_team_step(d->team, d);
	sr_device_begin_step(d);
	enum sr_status status = sr_execute_computation(d, 0);
	if (!status)
		sr_relaxed_store(d->current, -1);
	return status;
}

void sr_device_barrier(struct sr_device *d)
{
	if (d->transport)
		sr_transport_barrier(d->transport);
}
