/* The choice between one thread and all threads for a compiled loop. */
#include "run/loop_times.h"

bool sr_loop_is_for_one_thread(const struct sr_loop_times *t, double estimated_s)
{
	const double short_s = 2e-3, max_ratio = 8; /* no trial by one thread that would take longer */
	if (t->seconds[0] == 0)
		return false;
	if (t->seconds[1] == 0)
		return t->seconds[0] < short_s || t->seconds[0] > estimated_s;
	bool is_faster = t->seconds[1] < t->seconds[0], is_trial = t->executions == t->next_trial;
	return is_trial && t->seconds[1] < max_ratio * t->seconds[0] ? !is_faster : is_faster;
}

void sr_loop_record_time(struct sr_loop_times *t, bool is_one_thread, double seconds)
{
	enum { FIRST_INTERVAL = 256 };
	t->seconds[is_one_thread] = seconds;
	if (t->executions++ == t->next_trial) {
		t->trial_interval = t->trial_interval ? 2 * t->trial_interval : FIRST_INTERVAL;
		t->next_trial += t->trial_interval;
	}
}
