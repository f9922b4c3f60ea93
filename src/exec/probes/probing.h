/* What a run was asked to look at: --check-nan, --dump-values. Without them a program has no taps, and nothing here is called. */
#ifndef SR_EXEC_PROBES_PROBING_H
#define SR_EXEC_PROBES_PROBING_H

#include "exec/run.h"
#include "exec/probes/check_nan.h"
#include "exec/probes/spool.h"
#include "exec/values/check_ops.h"

struct sr_probing {
	const struct sr_run_options *o;
	struct sr_nans nans;
	struct sr_spool spool;
};

/* SR_USAGE, reported, where options do not go together or a value is none. */
enum sr_status sr_probing_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Which values the program must have taps for; false: none. */
bool sr_probing_is_requested(const struct sr_run_options *o, struct sr_probe_options *out);
/* Before the step, behind sr_checks_begin; its status is this rank's own. */
enum sr_status sr_probing_begin(struct sr_probing *look, const struct sr_run_options *o, struct sr_checks *checks,
			     struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Collective, after the step: alike on all ranks; SR_DIFFERS where there is something that should not be. */
enum sr_status sr_probing_report(struct sr_probing *look, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
void sr_probing_end(struct sr_probing *look);

#endif
