/* What a run was asked to look at: --check-nan, --dump-values. Without them a program has no taps, and nothing here is called. */
#ifndef SR_EXEC_LOOK_H
#define SR_EXEC_LOOK_H

#include "exec/run.h"
#include "exec/taps/nan.h"
#include "exec/taps/spool.h"
#include "exec/values/check.h"

struct sr_look {
	const struct sr_run_options *o;
	struct sr_nans nans;
	struct sr_spool spool;
};

/* SR_USAGE, reported, where options do not go together or a value is none. */
enum sr_status sr_look_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Which values the program must have taps for; false: none. */
bool sr_look_wants(const struct sr_run_options *o, struct sr_tap_options *out);
/* Before the step, behind sr_checks_begin; its status is this rank's own. */
enum sr_status sr_look_begin(struct sr_look *look, const struct sr_run_options *o, struct sr_checks *checks,
			     struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Collective, after the step: alike on all ranks; SR_DIFFERS where there is something that should not be. */
enum sr_status sr_look_report(struct sr_look *look, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
void sr_look_end(struct sr_look *look);

#endif
