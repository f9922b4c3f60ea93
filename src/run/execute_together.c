/* Devices take turns. A collective that is waited for at once never makes a device wait inside of sr_collective_start: the others have
 * completed all calls but the last. */
#include "run/execute_together.h"

static bool is_allowed(const struct sr_program *p, const struct sr_instr *s)
{
	const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + s->params);
	if (s->kind == SR_INSTR_COLLECTIVE)
		return !(c->ends & SR_ENDS_FINISH);
	return s->kind == SR_INSTR_KERNEL || s->kind == SR_INSTR_NEST || s->kind == SR_INSTR_DEVICE_ID || s->kind == SR_INSTR_RELEASE;
}

bool sr_program_can_run_together(const struct sr_program *p)
{
	for (uint64_t i = 0; i < p->instrs.n; i++)
		if (!is_allowed(p, sr_program_instrs(p) + i))
			return false;
	return true;
}

/* Complete or release a collective as far as possible without waiting. Set *waits if it has to. */
static enum sr_status go_on_with_collective(const struct sr_ready_instr *r, struct sr_instr_position *at, bool *waits)
{
	const struct sr_collective_instr *c = r->params;
	enum sr_status status = SR_OK;
	bool is_done = true;
	if (at->part == SR_AT_WAIT) {
		status = sr_collective_test(r->prepared, &is_done);
		*waits = !status && !is_done;
		if (status || *waits)
			return status;
		status = sr_collective_wait(r->prepared);
		at->part = SR_AT_RELEASE;
		if (c->ends & SR_ENDS_RELEASE) {
			at->part = SR_AT_INSTR;
			at->instr++;
			return status;
		}
	}
	*waits = !status && !sr_collective_can_release(r->prepared);
	if (status || *waits)
		return status;
	at->part = SR_AT_INSTR;
	at->instr++;
	return sr_collective_release(r->prepared);
}

/* Execute the device's instruction, or the first part of it. */
static enum sr_status begin_instr(struct sr_device *d, struct sr_instr_position *at)
{
	const struct sr_ready_instr *r = d->instrs + at->instr;
	enum sr_status status = SR_OK;
	if (!r->prepared) {
		status = sr_execute_instr(d, at->instr);
		at->instr++;
	} else if (r->kind == SR_INSTR_COLLECTIVE) {
		sr_device_begin_instr(d, at->instr);
		status = sr_collective_start(r->prepared, r->operands[0], r->operands[1]);
		at->part = SR_AT_WAIT;
	} else {
		sr_device_begin_instr(d, at->instr);
		at->part = SR_AT_RELEASE;
	}
	return status;
}

/* Run until the device has to wait or is at the end. */
static enum sr_status run_until_wait(struct sr_device *d, struct sr_instr_position *at, int64_t end)
{
	enum sr_status status = SR_OK;
	bool waits = false;
	while (!status && !waits && at->instr < end)
		status = at->part == SR_AT_INSTR ? begin_instr(d, at) : go_on_with_collective(&d->instrs[at->instr], at, &waits);
	return status;
}

void sr_execute_together(struct sr_device *devices, int n, struct sr_instr_position *positions, enum sr_status *statuses)
{
	const struct sr_computation *all = sr_program_computations(devices->program);
	int64_t end = (int64_t)all->first + all->n;
	int n_left = n;
	for (int k = 0; k < n; k++) {
		positions[k] = (struct sr_instr_position){.instr = all->first};
		statuses[k] = SR_OK;
		sr_device_begin_step(&devices[k]);
	}
	for (bool has_failed = false; n_left && !has_failed;) {
		n_left = 0;
		for (int k = 0; k < n && !has_failed; k++) {
			statuses[k] = run_until_wait(&devices[k], &positions[k], end);
			n_left += positions[k].instr < end;
			has_failed = statuses[k];
			if (has_failed && devices[k].transport)
				sr_transport_mark_failed(devices[k].transport);
		}
	}
	for (int k = 0; k < n; k++)
		if (positions[k].instr == end)
			sr_relaxed_store(devices[k].current, -1);
		else if (!statuses[k])
			statuses[k] = SR_INTERNAL; /* it waits for the device that has failed */
}
