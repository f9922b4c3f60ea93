/* Execution of several devices by one thread, in turn. The stack of active computations of a device is stored in its position
 * (struct sr_instr_position) and not on the thread's stack. So the thread can change to another device at any wait of a collective,
 * also inside loops and branches. Computations without collectives, which are bodies of reductions and the like, are executed by
 * executor.c. */
#include "collectives/transport.h"
#include "run/execute_together.h"

/* ---- which programs ---- */

static bool is_supported(const struct sr_instr *s)
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
		if (!is_supported(sr_program_instrs(p) + i))
			return false;
	return p->computations.n && is_shallow(p, 0, SR_TOGETHER_DEPTH);
}

/* ---- loops and branches ---- */

static struct sr_active_computation *innermost(struct sr_instr_position *at)
{
	return &at->active[at->depth - 1];
}

/* Set `active` to the first instruction of its computation. */
static void begin_computation(const struct sr_device *d, struct sr_active_computation *active, int role, int64_t number)
{
	const struct sr_computation *range = sr_program_computations(d->program) + number;
	active->role = role;
	active->instr = range->first;
	active->end = (int64_t)range->first + range->n;
}

static double time_for_profile(const struct sr_device *d)
{
	return d->profile ? sr_now() : 0;
}

static void enter_computation(struct sr_device *d, struct sr_instr_position *at, int role, int64_t number)
{
	struct sr_active_computation *active = &at->active[at->depth++];
	active->begin = time_for_profile(d);
	begin_computation(d, active, role, number);
}

static void enter_loop(struct sr_device *d, struct sr_instr_position *at, const struct sr_ready_instr *r)
{
	const struct sr_while_instr *w = r->params;
	enter_computation(d, at, SR_ACTIVE_CONDITION, w->cond);
	struct sr_active_computation *active = innermost(at);
	active->loop = (struct sr_loop_frame){d->loop, 0};
	d->loop = &active->loop;
	sr_buffer_swaps_begin(d, r->buffer_swap);
}

/* Advance to the instruction after the current one, which began at time `begin`. */
static void next_instr(struct sr_device *d, struct sr_instr_position *at, double begin)
{
	struct sr_active_computation *active = innermost(at);
	if (d->profile)
		sr_profile_note(d->profile, active->instr, begin, sr_now());
	active->instr++;
	at->next_action = SR_AT_INSTR;
}

static void leave_computation(struct sr_device *d, struct sr_instr_position *at)
{
	double begin = innermost(at)->begin;
	at->depth--;
	if (at->depth)
		next_instr(d, at, begin);
}

/* End the innermost computation, which has no further instruction: begin the next computation of its loop, or leave it. */
static void end_computation(struct sr_device *d, struct sr_instr_position *at)
{
	struct sr_active_computation *active = innermost(at);
	if (active->role == SR_ACTIVE_ENTRY || active->role == SR_ACTIVE_BRANCH) {
		leave_computation(d, at);
		return;
	}
	const struct sr_ready_instr *r = d->instrs + at->active[at->depth - 2].instr;
	const struct sr_while_instr *w = r->params;
	if (active->role == SR_ACTIVE_LOOP_BODY) {
		active->loop.iteration++;
		begin_computation(d, active, SR_ACTIVE_CONDITION, w->cond);
	} else if (*(const uint8_t *)sr_device_buffer(d, w->predicate)) {
		begin_computation(d, active, SR_ACTIVE_LOOP_BODY, w->body);
	} else {
		d->loop = active->loop.outer;
		sr_buffer_swaps_end(r->buffer_swap);
		leave_computation(d, at);
	}
}

/* ---- collectives ---- */

static void end_collective(struct sr_device *d, struct sr_instr_position *at)
{
	if (at->measures_times)
		d->collective_s += sr_now() - at->begin;
	next_instr(d, at, at->begin);
}

static enum sr_status start_collective(const struct sr_ready_instr *r, struct sr_instr_position *at, bool *waits)
{
	*waits = !sr_collective_can_start(r->prepared);
	if (*waits)
		return SR_OK;
	at->next_action = SR_AT_WAIT;
	return sr_collective_start(r->prepared, r->operands[0], r->operands[1]);
}

/* Start, complete or release a collective as far as possible without waiting. Sets *waits if it must wait. */
static enum sr_status continue_collective(struct sr_device *d, const struct sr_ready_instr *r, struct sr_instr_position *at,
					  bool *waits)
{
	const struct sr_collective_instr *c = r->params;
	enum sr_status status = SR_OK;
	bool is_done = true;
	if (at->next_action == SR_AT_START) {
		status = start_collective(r, at, waits);
		if (status || *waits)
			return status;
		if (c->ends & SR_ENDS_FINISH) {
			end_collective(d, at);
			return status;
		}
	}
	if (at->next_action == SR_AT_WAIT) {
		status = sr_collective_test(r->prepared, &is_done);
		*waits = !status && !is_done;
		if (status || *waits)
			return status;
		status = sr_collective_wait(r->prepared);
		at->next_action = SR_AT_RELEASE;
		if (status || c->ends & SR_ENDS_RELEASE) {
			end_collective(d, at);
			return status;
		}
	}
	*waits = !sr_collective_can_release(r->prepared);
	if (*waits)
		return SR_OK;
	status = sr_collective_release(r->prepared);
	end_collective(d, at);
	return status;
}

/* ---- devices in turn ---- */

/* Execute the device's current instruction or, if it is a loop, a branch or a collective, begin it. */
static enum sr_status begin_instr(struct sr_device *d, struct sr_instr_position *at)
{
	static const int first_part[] = {
		[SR_INSTR_COLLECTIVE] = SR_AT_START, [SR_INSTR_FINISH] = SR_AT_WAIT, [SR_INSTR_RELEASE] = SR_AT_RELEASE};
	int64_t i = innermost(at)->instr;
	const struct sr_ready_instr *r = d->instrs + i;
	bool is_loop = r->kind == SR_INSTR_WHILE && !r->compiled;
	if (!r->prepared && !is_loop && r->kind != SR_INSTR_CASE) {
		double begin = time_for_profile(d);
		enum sr_status status = sr_execute_instr(d, i);
		next_instr(d, at, begin);
		return status;
	}
	sr_device_begin_instr(d, i);
	if (r->prepared) {
		at->begin = at->measures_times || d->profile ? sr_now() : 0;
		at->next_action = first_part[r->kind];
	} else if (is_loop) {
		enter_loop(d, at, r);
	} else {
		enter_computation(d, at, SR_ACTIVE_BRANCH, sr_selected_branch(r));
	}
	return SR_OK;
}

/* Run the device's instructions until it has to wait or its program ends. *has_moved is set to false if it had to wait at once. */
static enum sr_status run_until_wait(struct sr_device *d, struct sr_instr_position *at, bool *has_moved)
{
	enum sr_status status = SR_OK;
	bool waits = false;
	*has_moved = false;
	while (!status && at->depth) {
		if (innermost(at)->instr == innermost(at)->end)
			end_computation(d, at);
		else if (at->next_action == SR_AT_INSTR)
			status = begin_instr(d, at);
		else
			status = continue_collective(d, d->instrs + innermost(at)->instr, at, &waits);
		if (waits)
			break;
		*has_moved = true;
	}
	return status;
}

static void begin_execution(struct sr_device *d, struct sr_instr_position *at)
{
	at->depth = 0;
	at->next_action = SR_AT_INSTR;
	enter_computation(d, at, SR_ACTIVE_ENTRY, 0);
	sr_device_begin_step(d);
}

void sr_execute_together(struct sr_device *devices, int n, struct sr_instr_position *positions, enum sr_status *statuses)
{
	struct sr_transport *t = devices->transport;
	bool has_failed = false;
	/* number of devices whose program has not ended; number of passes in which no device could advance */
	int n_left = n, polls = 0;
	for (int k = 0; k < n; k++) {
		statuses[k] = SR_OK;
		begin_execution(&devices[k], &positions[k]);
	}
	while (n_left && !has_failed) {
		bool any_moves = false, moves;
		n_left = 0;
		for (int k = 0; k < n && !has_failed; k++) {
			statuses[k] = run_until_wait(&devices[k], &positions[k], &moves);
			any_moves |= moves;
			n_left += positions[k].depth > 0;
			has_failed = statuses[k];
			if (has_failed && devices[k].transport)
				sr_transport_mark_failed(devices[k].transport);
		}
		if (any_moves && polls)
			sr_transport_end_wait_for_others(t, n);
		polls = any_moves || has_failed ? 0 : polls + 1;
		has_failed = has_failed || (polls && sr_transport_wait_for_others(t, n, polls));
	}
	if (polls)
		sr_transport_end_wait_for_others(t, n);
	for (int k = 0; k < n; k++)
		if (!positions[k].depth)
			sr_relaxed_store(devices[k].current, -1);
		else if (!statuses[k])
			statuses[k] = SR_INTERNAL; /* the device waits for a device that has failed */
}
