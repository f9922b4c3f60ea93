/* Execution of several devices by one thread, in turn. The stack of active computations of a device is stored in its position
 * (struct sr_instr_position) and not on the thread's stack. So the thread can change to another device at any wait of a collective,
 * also inside loops and branches. Computations without collectives, which are bodies of reductions and the like, are executed by
 * executor.c. */
#include "collectives/transport.h"
#include "run/execute_together.h"
#include "support/float_mode.h"

/* ---- which programs ---- */

static bool is_allowed(const struct sr_instr *s)
{
	return s->kind != SR_INSTR_CHECK && s->kind != SR_INSTR_PARALLEL;
}

/* Return true if loops and branches of a computation are nested at most `depth` levels deep. */
static bool is_shallow(const struct sr_program *p, uint64_t computation, int depth)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	bool fits = depth > 0;
	for (uint64_t i = range->first; fits && i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		const void *params = sr_program_params(p) + s->params;
		const struct sr_while_instr *w = params;
		const struct sr_case_instr *c = params;
		if (s->kind == SR_INSTR_WHILE)
			fits = is_shallow(p, (uint64_t)w->cond, depth - 1) && is_shallow(p, (uint64_t)w->body, depth - 1);
		else if (s->kind == SR_INSTR_CASE)
			for (int32_t k = 0; fits && k < c->n; k++)
				fits = is_shallow(p, (uint64_t)(c->first + k), depth - 1);
	}
	return fits;
}

bool sr_program_can_run_together(const struct sr_program *p)
{
	for (uint64_t i = 0; i < p->instrs.n; i++)
		if (!is_allowed(sr_program_instrs(p) + i))
			return false;
	return p->computations.n && is_shallow(p, 0, SR_TOGETHER_DEPTH);
}

/* ---- loops and branches ---- */

static struct sr_active_computation *innermost(struct sr_execution_context *x)
{
	return &x->position.active[x->position.depth - 1];
}

/* Set `active` to the first instruction of its computation. */
static void begin_computation(const struct sr_execution_context *x, struct sr_active_computation *active, int role, int64_t number)
{
	const struct sr_computation *range = sr_program_computations(x->program) + number;
	active->role = role;
	active->instr = range->first;
	active->end = (int64_t)range->first + range->n;
}

static double time_for_profile(const struct sr_execution_context *x)
{
	return x->profile ? sr_now() : 0;
}

static void enter_computation(struct sr_execution_context *x, int role, int64_t number)
{
	struct sr_active_computation *active = &x->position.active[x->position.depth++];
	active->begin = time_for_profile(x);
	begin_computation(x, active, role, number);
}

static void enter_loop(struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	const struct sr_while_instr *w = r->params;
	enter_computation(x, SR_ACTIVE_CONDITION, w->cond);
	struct sr_active_computation *active = innermost(x);
	active->loop = (struct sr_loop_frame){x->loop, 0};
	x->loop = &active->loop;
	sr_buffer_swaps_begin(x, r->swap);
}

/* Advance to the instruction after the current one, which began at time `begin`. */
static void next_instr(struct sr_execution_context *x, double begin)
{
	struct sr_active_computation *active = innermost(x);
	if (x->profile)
		sr_profile_note(x->profile, active->instr, begin, sr_now());
	active->instr++;
	x->position.next_action = SR_AT_INSTR;
}

static void leave_computation(struct sr_execution_context *x)
{
	double begin = innermost(x)->begin;
	x->position.depth--;
	if (x->position.depth)
		next_instr(x, begin);
}

/* End the innermost computation, which has no further instruction: begin the next computation of its loop, or leave it. */
static void end_computation(struct sr_execution_context *x)
{
	struct sr_active_computation *active = innermost(x);
	if (active->role == SR_ACTIVE_ENTRY || active->role == SR_ACTIVE_BRANCH) {
		leave_computation(x);
		return;
	}
	const struct sr_ready_instr *r = x->loaded->instrs + x->position.active[x->position.depth - 2].instr;
	const struct sr_while_instr *w = r->params;
	if (active->role == SR_ACTIVE_LOOP_BODY) {
		active->loop.iteration++;
		begin_computation(x, active, SR_ACTIVE_CONDITION, w->cond);
	} else if (*(const uint8_t *)sr_context_buffer(x, w->predicate)) {
		begin_computation(x, active, SR_ACTIVE_LOOP_BODY, w->body);
	} else {
		x->loop = active->loop.outer;
		sr_buffer_swaps_end(x, r->swap);
		leave_computation(x);
	}
}

/* ---- collectives ---- */

static void end_collective(struct sr_execution_context *x)
{
	x->collective_ticks += sr_ticks() - x->position.begin_ticks;
	next_instr(x, x->position.begin);
}

static enum sr_status start_collective(struct sr_execution_context *x, const struct sr_ready_instr *r, bool *must_wait)
{
	struct sr_prepared_collective *prepared = sr_context_own(x, r)->collective;
	void **operands = sr_context_operands(x, r);
	*must_wait = !sr_collective_can_start(prepared);
	if (*must_wait)
		return SR_OK;
	x->position.next_action = SR_AT_WAIT;
	return sr_collective_start(prepared, operands[0], operands[1]);
}

/* Start, complete or release a collective as far as possible without waiting. Sets *must_wait if it has to wait for other members.
 */
static enum sr_status continue_collective(struct sr_execution_context *x, const struct sr_ready_instr *r, bool *must_wait)
{
	const struct sr_collective_instr *c = r->params;
	struct sr_prepared_collective *prepared = sr_context_own(x, r)->collective;
	enum sr_status status = SR_OK;
	bool is_done = true;
	if (x->position.next_action == SR_AT_START) {
		status = start_collective(x, r, must_wait);
		if (status || *must_wait)
			return status;
		if (c->completion_flags & SR_ENDS_FINISH) {
			end_collective(x);
			return status;
		}
	}
	if (x->position.next_action == SR_AT_WAIT) {
		status = sr_collective_test(prepared, &is_done);
		*must_wait = !status && !is_done;
		if (status || *must_wait)
			return status;
		status = sr_collective_wait(prepared);
		x->position.next_action = SR_AT_RELEASE;
		if (status || c->completion_flags & SR_ENDS_RELEASE) {
			end_collective(x);
			return status;
		}
	}
	*must_wait = !sr_collective_can_release(prepared);
	if (*must_wait)
		return SR_OK;
	status = sr_collective_release(prepared);
	end_collective(x);
	return status;
}

/* ---- devices in turn ---- */

/* Execute the device's current instruction or, if it is a loop, a branch or a collective, begin it. */
static enum sr_status begin_instr(struct sr_execution_context *x)
{
	static const int first_action[] = {
		[SR_INSTR_COLLECTIVE] = SR_AT_START, [SR_INSTR_FINISH] = SR_AT_WAIT, [SR_INSTR_RELEASE] = SR_AT_RELEASE};
	int64_t i = innermost(x)->instr;
	const struct sr_ready_instr *r = x->loaded->instrs + i;
	/* a collective of a compiled loop would wait for devices that this thread executes later */
	bool has_collectives = r->loop && r->loop->has_collectives;
	bool is_loop = r->kind == SR_INSTR_WHILE && (has_collectives || (!sr_context_compiled(x, r) && !sr_context_has_code(x, r)));
	bool is_collective = sr_context_own(x, r)->collective;
	if (!is_collective && !is_loop && r->kind != SR_INSTR_CASE) {
		double begin = time_for_profile(x);
		enum sr_status status = sr_execute_instr(x, i);
		next_instr(x, begin);
		return status;
	}
	sr_context_begin_instr(x, i);
	if (is_collective) {
		x->position.begin = time_for_profile(x);
		x->position.begin_ticks = sr_ticks();
		x->position.next_action = first_action[r->kind];
	} else if (is_loop) {
		enter_loop(x, r);
	} else {
		enter_computation(x, SR_ACTIVE_BRANCH, sr_selected_branch(x, r));
	}
	return SR_OK;
}

/* Run the device's instructions until it has to wait or its program ends. *has_moved is set to false if it had to wait at once. */
static enum sr_status run_until_wait(struct sr_execution_context *x, bool *has_moved)
{
	enum sr_status status = SR_OK;
	bool must_wait = false;
	*has_moved = false;
	while (!status && x->position.depth) {
		if (innermost(x)->instr == innermost(x)->end)
			end_computation(x);
		else if (x->position.next_action == SR_AT_INSTR)
			status = begin_instr(x);
		else
			status = continue_collective(x, x->loaded->instrs + innermost(x)->instr, &must_wait);
		if (must_wait)
			break;
		*has_moved = true;
	}
	return status;
}

static void begin_execution(struct sr_execution_context *x)
{
	sr_context_begin(x);
	x->status = SR_OK;
	x->position.depth = 0;
	x->position.next_action = SR_AT_INSTR;
	enter_computation(x, SR_ACTIVE_ENTRY, 0);
}

void sr_execute_together(struct sr_execution_context *contexts, int n)
{
	struct sr_transport *t = contexts->device->transport;
	bool has_failed = false;
	/* number of devices whose program has not ended; number of passes in which no device could advance */
	int n_running = n, polls = 0;
	unsigned float_mode = sr_float_mode_begin(!contexts->program->keep_denormals);
	for (int k = 0; k < n; k++)
		begin_execution(&contexts[k]);
	while (n_running && !has_failed) {
		bool any_moves = false, moves;
		n_running = 0;
		for (int k = 0; k < n && !has_failed; k++) {
			struct sr_execution_context *x = &contexts[k];
			x->status = run_until_wait(x, &moves);
			any_moves |= moves;
			n_running += x->position.depth > 0;
			has_failed = x->status;
			if (has_failed && x->device->transport)
				sr_transport_mark_failed(x->device->transport);
		}
		if (any_moves && polls)
			sr_transport_end_wait_for_others(t, n);
		polls = any_moves || has_failed ? 0 : polls + 1;
		has_failed = has_failed || (polls && sr_transport_wait_for_others(t, n, polls));
	}
	if (polls)
		sr_transport_end_wait_for_others(t, n);
	sr_float_mode_set(float_mode);
	for (int k = 0; k < n; k++)
		if (!contexts[k].position.depth)
			sr_relaxed_store(contexts[k].device->current, -1);
		else if (!contexts[k].status)
			contexts[k].status = SR_INTERNAL; /* the device waits for a device that has failed */
}
