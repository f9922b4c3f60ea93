/* The player: runs the steps of a plan one after another. Nothing is allocated here. */
#include "kernels/element.h"
#include "run/device.h"
#include <string.h>

/* A collective that sends nothing here: one device alone, or I am in no group of it. */
static void stand_apart(const struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	size_t in_bytes = (size_t)sr_program_buffers(d->program)[operands[0]].bytes,
	       out_bytes = (size_t)sr_program_buffers(d->program)[operands[1]].bytes;
	const struct sr_collective_instr *c = r->params;
	const void *in = r->operands[0];
	void *out = r->operands[1];
	if (c->group < 0 && !d->transport) { /* one device: it sends to itself or gets zeros */
		const int64_t *pair = sr_program_ids(d->program) + c->pairs;
		if (c->n_pairs && pair[0] == 0 && pair[1] == 0)
			memmove(out, in, out_bytes);
		else
			memset(out, 0, out_bytes);
	} else if (c->coll == SR_BROADCAST && d->transport) { /* in no group: zeros */
		memset(out, 0, out_bytes);
	} else { /* in no group: the operand is the result */
		memmove(out, in, in_bytes < out_bytes ? in_bytes : out_bytes);
	}
}

static enum sr_status collective(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	double start = sr_now();
	enum sr_status status = SR_OK;
	if (r->prepared) {
		const struct sr_collective_instr *c = r->params;
		status = sr_collective_start(r->prepared, r->operands[0], r->operands[1]);
		if (c->ends & SR_ENDS_FINISH)
			d->under_way += sr_collective_sends_messages(r->prepared);
		else if (!status)
			status = sr_collective_wait(r->prepared);
		if (!status && !c->ends)
			status = sr_collective_release(r->prepared);
	} else {
		stand_apart(d, r, s);
	}
	d->collective_s += sr_now() - start;
	return status;
}

static enum sr_status finish(struct sr_device *d, const struct sr_ready_instr *r)
{
	const struct sr_collective_instr *c = r->params;
	double start = sr_now();
	if (!r->prepared)
		return SR_OK;
	enum sr_status status = sr_collective_wait(r->prepared);
	d->under_way -= sr_collective_sends_messages(r->prepared);
	if (!status && !(c->ends & SR_ENDS_RELEASE))
		status = sr_collective_release(r->prepared);
	d->collective_s += sr_now() - start;
	return status;
}

static enum sr_status withdraw(struct sr_device *d, const struct sr_ready_instr *r)
{
	double start = sr_now();
	enum sr_status status = r->prepared ? sr_collective_release(r->prepared) : SR_OK;
	d->collective_s += sr_now() - start;
	return status;
}

/* Between steps: messages that are under way go on. */
static enum sr_status advance(struct sr_device *d)
{
	enum { OFTEN_US = 20 };
	double now = sr_now();
	if (now - d->advanced < 1e-6 * OFTEN_US)
		return SR_OK;
	enum sr_status status = sr_transport_progress(d->transport);
	d->advanced = sr_now();
	d->collective_s += d->advanced - now;
	return status;
}

/* One call; the regions lie where their buffers do now. */
static enum sr_status compiled_loop(struct sr_device *d, const struct sr_ready_instr *r)
{
	for (int k = 0; k < r->loop->n; k++)
		r->loop->at[k] = sr_device_buffer(d, r->loop->buffers[k]);
	r->compiled->run(r->loop->at, 0, 1);
	return SR_OK;
}

static enum sr_status loop(struct sr_device *d, const struct sr_ready_instr *r)
{
	const struct sr_while_instr *w = r->params;
	struct sr_loop_frame frame = {d->loop, 0};
	d->loop = &frame;
	sr_buffer_swaps_begin(d, r->exchange);
	enum sr_status status = sr_execute_computation(d, (uint64_t)w->cond);
	while (!status && *(const uint8_t *)sr_device_buffer(d, w->predicate)) {
		status = sr_execute_computation(d, (uint64_t)w->body);
		frame.iteration++;
		if (!status)
			status = sr_execute_computation(d, (uint64_t)w->cond);
	}
	d->loop = frame.outer;
	sr_buffer_swaps_end(r->exchange);
	return status;
}

/* case takes its last branch where the index is out of range; if takes the first on true. */
static enum sr_status choose(struct sr_device *d, const struct sr_ready_instr *r)
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
	return sr_execute_computation(d, (uint64_t)(c->first + i));
}

static enum sr_status look(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
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

/* What is not a kernel or a tile. */
static enum sr_status rare(struct sr_device *d, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	if ((int)r->kind == SR_READY_SWAP) {
		sr_buffer_swap(r->exchange);
		return SR_OK;
	}
	switch (r->kind) {
	case SR_INSTR_COLLECTIVE:
		return collective(d, r, s);
	case SR_INSTR_FINISH:
		return finish(d, r);
	case SR_INSTR_RELEASE:
		return withdraw(d, r);
	case SR_INSTR_WHILE:
		return r->loop ? compiled_loop(d, r) : loop(d, r);
	case SR_INSTR_CASE:
		return choose(d, r);
	case SR_INSTR_DEVICE_ID:
		device_id(d, r);
		return SR_OK;
	case SR_INSTR_BODY:
		return sr_execute_body(d, s);
	case SR_INSTR_CHECK:
		return look(d, r, s);
	case SR_INSTR_PARALLEL:
		return sr_execute_parallel(d, s);
	case SR_INSTR_CUSTOM_CALL:
		return r->call ? sr_ffi_execute(r->call, r->operands) : SR_UNSUPPORTED;
	case SR_INSTR_KERNEL:
	case SR_INSTR_NEST:
	case SR_INSTR_COUNT:
		break;
	}
	return SR_INTERNAL;
}

/* Operands of a kernel or tile to where they begin this time. */
static void shift(const struct sr_device *d, const struct sr_ready_instr *r)
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

enum sr_status sr_execute_computation(struct sr_device *d, uint64_t plan)
{
	const struct sr_computation *range = sr_program_computations(d->program) + plan;
	enum sr_status status = SR_OK;
	for (int64_t i = range->first, end = i + range->n; i < end && !status; i++) {
		const struct sr_ready_instr *r = d->steps + i;
		double begin = d->profile ? sr_now() : 0;
		sr_relaxed_store(d->current, i);
		sr_relaxed_store(d->flight.steps[sr_relaxed_load(d->flight.played) % SR_FLIGHT_RECORDS], (int32_t)i);
		sr_relaxed_increment(d->flight.played);
		if (r->shifted)
			shift(d, r);
		if (r->parts)
			sr_execute_prepared_kernel(d, r);
		else if (r->kind == SR_INSTR_KERNEL)
			sr_execute_kernel(d, r);
		else if (r->kind == SR_INSTR_NEST)
			sr_execute_nest(d, r);
		else
			status = rare(d, r, sr_program_instrs(d->program) + i);
		if (d->under_way && !status)
			status = advance(d);
		if (d->profile)
			sr_profile_note(d->profile, i, begin, sr_now());
	}
	return status;
}

enum sr_status sr_device_step(struct sr_device *d)
{
	d->collective_s = 0;
	d->under_way = 0;
	d->loop = NULL;
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
