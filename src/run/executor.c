/* The executor: runs the instructions of a computation one after another. Nothing is allocated here. */
#include "kernels/element.h"
#include "run/backend.h"
#include "run/device_team.h"
#include "run/loop_code.h"
#include "run/loop_times.h"
#include "support/float_mode.h"
#include <string.h>

/* Execute a collective without communication: there is only one device, or this device is in no group. */
static void execute_local_collective(const struct sr_execution_context *x, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	const int32_t *operands = sr_program_operands(x->program) + s->first_operand;
	size_t in_bytes = (size_t)sr_program_buffers(x->program)[operands[0]].bytes,
	       out_bytes = (size_t)sr_program_buffers(x->program)[operands[1]].bytes;
	const struct sr_collective_instr *c = r->params;
	const void *in = sr_context_operands(x, r)[0];
	void *out = sr_context_operands(x, r)[1];
	bool is_only_device = !x->device->transport;
	if (c->group < 0 && is_only_device) { /* the only device sends to itself, or receives zeros */
		const int64_t *pair = sr_program_ids(x->program) + c->pairs;
		if (c->n_pairs && pair[0] == 0 && pair[1] == 0)
			memmove(out, in, out_bytes);
		else
			memset(out, 0, out_bytes);
	} else if (c->coll == SR_BROADCAST && !is_only_device) { /* a device that is in no group of a broadcast receives zeros */
		memset(out, 0, out_bytes);
	} else { /* a device that is in no group keeps its operand as the result */
		memmove(out, in, in_bytes < out_bytes ? in_bytes : out_bytes);
	}
}

static enum sr_status execute_collective(struct sr_execution_context *x, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	uint64_t start = sr_ticks();
	enum sr_status status = SR_OK;
	struct sr_prepared_collective *prepared = sr_context_own(x, r)->collective;
	if (prepared) {
		const struct sr_collective_instr *c = r->params;
		void **operands = sr_context_operands(x, r);
		if (!c->completion_flags)
			status = sr_collective_run(prepared, operands[0], operands[1]);
		else
			status = sr_collective_start(prepared, operands[0], operands[1]);
		if (c->completion_flags & SR_ENDS_FINISH)
			x->sends_in_flight += sr_collective_sends_messages(prepared);
		else if (!status && c->completion_flags)
			status = sr_collective_wait(prepared);
	} else {
		execute_local_collective(x, r, s);
	}
	x->collective_ticks += sr_ticks() - start;
	return status;
}

static enum sr_status wait_for_collective(struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	const struct sr_collective_instr *c = r->params;
	uint64_t start = sr_ticks();
	struct sr_prepared_collective *prepared = sr_context_own(x, r)->collective;
	if (!prepared)
		return SR_OK;
	enum sr_status status = sr_collective_wait(prepared);
	x->sends_in_flight -= sr_collective_sends_messages(prepared);
	if (!status && !(c->completion_flags & SR_ENDS_RELEASE))
		status = sr_collective_release(prepared);
	x->collective_ticks += sr_ticks() - start;
	return status;
}

static enum sr_status release(struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	uint64_t start = sr_ticks();
	struct sr_prepared_collective *prepared = sr_context_own(x, r)->collective;
	enum sr_status status = prepared ? sr_collective_release(prepared) : SR_OK;
	x->collective_ticks += sr_ticks() - start;
	return status;
}

/* Called between instructions: make progress on collectives in flight, at most every PROGRESS_US microseconds. */
static enum sr_status make_progress(struct sr_execution_context *x)
{
	enum { PROGRESS_US = 20 };
	double start_s = sr_now();
	if (start_s - x->last_progress_s < 1e-6 * PROGRESS_US)
		return SR_OK;
	uint64_t start = sr_ticks();
	enum sr_status status = sr_transport_progress(x->device->transport);
	x->collective_ticks += sr_ticks() - start;
	x->last_progress_s = sr_now();
	return status;
}

struct shared_loop {
	const struct sr_execution_context *x;
	const struct sr_jit_function *compiled;
};

static void execute_loop_together(void *data, int worker, int count)
{
	const struct shared_loop *s = data;
	s->compiled->run(s->x->regions, worker, count, s->x->loaded->cache_bytes);
}

/* Passed to the function of a compiled loop with instructions that the executor executes: it calls `call` for each of them
 * (codegen/loop_c.h). */
struct loop_caller {
	int (*call)(void *caller, int64_t k);
	struct sr_execution_context *x;
	const uint64_t *instrs;
	enum sr_status status; /* of the call that failed */
};

static int call_from_loop(void *caller, int64_t k)
{
	struct loop_caller *c = caller;
	c->status = sr_execute_next(c->x, (int64_t)c->instrs[k]);
	return c->status != SR_OK;
}

/* Call the compiled function of a loop with the current addresses of its regions. */
static enum sr_status execute_compiled_loop(struct sr_execution_context *x, const struct sr_ready_instr *r,
					    const struct sr_jit_function *compiled)
{
	struct shared_loop s = {x, compiled};
	struct loop_caller caller = {call_from_loop, x, r->loop->calls, SR_OK};
	struct sr_workers *workers = x->device->workers;
	for (int k = 0; k < r->loop->n; k++)
		x->regions[k] = sr_context_buffer(x, r->loop->buffers[k]);
	struct sr_loop_times *times = sr_context_own(x, r)->times;
	bool is_divided = workers && compiled->iterations > 1;
	bool is_one_thread = !is_divided || sr_loop_is_for_one_thread(times, compiled->seconds);
	double start_s = is_divided ? sr_now() : 0;
	if (!is_one_thread) {
		x->regions[r->loop->n] = sr_workers_barrier(workers);
		sr_workers_together(workers, compiled->iterations, execute_loop_together, &s);
	} else {
		x->regions[r->loop->n] = &caller;
		compiled->run(x->regions, 0, 1, x->loaded->cache_bytes);
	}
	if (is_divided)
		sr_loop_record_time(times, is_one_thread, sr_now() - start_s);
	return caller.status;
}

static enum sr_status execute_loop(struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	const struct sr_while_instr *w = r->params;
	const struct sr_jit_function *compiled = sr_context_compiled(x, r);
	if (compiled)
		return execute_compiled_loop(x, r, compiled);
	if (sr_context_has_code(x, r))
		return sr_execute_loop_code(x, r);
	struct sr_loop_frame frame = {x->loop, 0};
	x->loop = &frame;
	sr_buffer_swaps_begin(x, r->swap);
	bool is_blocked = sr_is_time_blocked(x, r);
	enum sr_status status = is_blocked ? sr_execute_stencil_loop(x, r) : sr_execute_computation(x, (uint64_t)w->cond);
	while (!status && !is_blocked && *(const uint8_t *)sr_context_buffer(x, w->predicate)) {
		status = sr_execute_computation(x, (uint64_t)w->body);
		frame.iteration++;
		if (!status)
			status = sr_execute_computation(x, (uint64_t)w->cond);
	}
	x->loop = frame.outer;
	sr_buffer_swaps_end(x, r->swap);
	return status;
}

int64_t sr_selected_branch(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	const void *index = sr_context_operands(x, r)[0];
	const struct sr_case_instr *c = r->params;
	int32_t i;
	if (c->is_predicate) {
		i = *(const uint8_t *)index ? 0 : 1;
	} else {
		memcpy(&i, index, sizeof i);
		if (i < 0 || i >= c->n)
			i = c->n - 1;
	}
	return c->first + i;
}

static enum sr_status execute_check(struct sr_execution_context *x, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	const struct sr_check_instr *c = r->params;
	if (c->kind <= SR_CHECK_CLOSE && s->n_operands > 2)
		*(uint8_t *)sr_context_operands(x, r)[2] = 1;
	const struct sr_hooks *hooks = &x->loaded->hooks;
	return hooks->inspect ? hooks->inspect(hooks->data, x, s) : SR_UNSUPPORTED;
}

static void device_id(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	int32_t replica;
	memcpy(&replica, r->params, sizeof replica);
	int64_t device = x->device->id;
	uint32_t id = (uint32_t)(replica ? device / x->partitions : device % x->partitions);
	memcpy(sr_context_operands(x, r)[0], &id, sizeof id);
}

static enum sr_status execute_custom_call(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	struct sr_ffi_call *call = sr_context_own(x, r)->call;
	return call ? sr_ffi_execute(call, sr_context_operands(x, r), x->user_data) : SR_UNSUPPORTED;
}

/* Execute an instruction that is neither a kernel nor a loop nest. */
static enum sr_status execute_special_instr(struct sr_execution_context *x, const struct sr_ready_instr *r, const struct sr_instr *s)
{
	if ((int)r->kind == SR_READY_SWAP) {
		if (r->swap)
			sr_buffer_swap(x, r->swap);
		return SR_OK;
	}
	switch (r->kind) {
	case SR_INSTR_COLLECTIVE:
		return execute_collective(x, r, s);
	case SR_INSTR_FINISH:
		return wait_for_collective(x, r);
	case SR_INSTR_RELEASE:
		return release(x, r);
	case SR_INSTR_WHILE:
		return execute_loop(x, r);
	case SR_INSTR_CASE:
		return sr_execute_computation(x, (uint64_t)sr_selected_branch(x, r));
	case SR_INSTR_DEVICE_ID:
		device_id(x, r);
		return SR_OK;
	case SR_INSTR_BODY:
		return sr_execute_body(x, s);
	case SR_INSTR_CHECK:
		return execute_check(x, r, s);
	case SR_INSTR_PARALLEL:
		return sr_execute_parallel(x, s);
	case SR_INSTR_CUSTOM_CALL:
		return execute_custom_call(x, r);
	case SR_INSTR_KERNEL:
	case SR_INSTR_NEST:
	case SR_INSTR_COUNT:
		break;
	}
	return SR_INTERNAL;
}

void sr_context_apply_offsets(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	const struct sr_instr *s = r->shifted;
	const struct sr_dynamic_offset *dynamic_offsets = sr_program_dynamic_offsets(x->program) + s->first_dynamic_offset;
	const int32_t *operands = sr_program_operands(x->program) + s->first_operand;
	void **at = sr_context_operands(x, r);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++)
		at[dynamic_offsets[i].operand] = sr_context_buffer(x, operands[dynamic_offsets[i].operand]);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *o = &dynamic_offsets[i];
		int64_t start = o->limit;
		if (o->start >= 0) {
			enum sr_dtype type = (enum sr_dtype)sr_program_buffers(x->program)[o->start].dtype;
			start = sr_index_load(type, sr_context_buffer(x, o->start), 0);
		}
		start = start < 0 ? 0 : start > o->limit ? o->limit : start;
		at[o->operand] = (char *)at[o->operand] + start * o->stride;
	}
}

void sr_context_begin_instr(struct sr_execution_context *x, int64_t i)
{
	struct sr_device *d = x->device;
	sr_relaxed_store(d->current, i);
	sr_relaxed_store(d->flight_recorder.instrs[sr_relaxed_load(d->flight_recorder.executed) % SR_FLIGHT_RECORDS], (int32_t)i);
	sr_relaxed_increment(d->flight_recorder.executed);
	if (x->loaded->instrs[i].shifted)
		sr_context_apply_offsets(x, &x->loaded->instrs[i]);
}

enum sr_status sr_execute_instr(struct sr_execution_context *x, int64_t i)
{
	const struct sr_ready_instr *r = x->loaded->instrs + i;
	enum sr_status status = SR_OK;
	sr_context_begin_instr(x, i);
	if (r->kind == SR_INSTR_KERNEL || r->kind == SR_INSTR_NEST)
		x->loaded->backend->launch(x, r);
	else
		status = execute_special_instr(x, r, sr_program_instrs(x->program) + i);
	return status;
}

enum sr_status sr_execute_next(struct sr_execution_context *x, int64_t i)
{
	double begin = x->profile ? sr_now() : 0;
	enum sr_status status = sr_execute_instr(x, i);
	if (x->sends_in_flight && !status)
		status = make_progress(x);
	if (x->profile)
		sr_profile_note(x->profile, i, begin, sr_now());
	return status;
}

enum sr_status sr_execute_computation(struct sr_execution_context *x, uint64_t computation)
{
	const struct sr_computation *range = sr_program_computations(x->program) + computation;
	enum sr_status status = SR_OK;
	for (int64_t i = range->first, end = i + range->n; i < end && !status; i++)
		status = sr_execute_next(x, i);
	return status;
}

enum sr_status sr_context_execute(struct sr_execution_context *x)
{
	struct sr_device *d = x->device;
	if (d->team)
		return sr_device_team_execute(d->team, x);
	sr_context_begin(x);
	unsigned float_mode = sr_float_mode_begin(!x->program->keep_denormals);
	x->status = sr_execute_computation(x, 0);
	sr_float_mode_set(float_mode);
	if (!x->status)
		sr_relaxed_store(d->current, -1);
	return x->status;
}

void sr_device_barrier(struct sr_device *d)
{
	if (d->transport)
		sr_transport_barrier(d->transport);
}
