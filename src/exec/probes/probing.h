/* --check-nan and --dump-values. Without them a program has no probes, and nothing here is called. */
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

/* Check the options: SR_USAGE, reported, if they conflict or a value is invalid. */
enum sr_status sr_probing_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Return true if probes are requested; *out: of which values. */
bool sr_probing_is_requested(const struct sr_run_options *o, struct sr_probe_options *out);
/* Prepare inspection before the step, after sr_checks_begin. The status is this rank's own. */
enum sr_status sr_probing_begin(struct sr_probing *look, const struct sr_run_options *o, struct sr_checks *checks,
				struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Collective, after the step: report what was found. The same status on all ranks; SR_DIFFERS if there is a NaN or infinity. */
enum sr_status sr_probing_report(struct sr_probing *look, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
void sr_probing_end(struct sr_probing *look);

#endif
