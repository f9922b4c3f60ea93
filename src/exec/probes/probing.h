/* Interface of --check-nan and --dump-values. Without these options a program has no probes, and none of these functions is
 * called. */
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

/* Check --check-nan, --dump-values and --verify. Returns SR_USAGE, reported, if they conflict or a value is invalid. */
enum sr_status sr_probing_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Return true if an option requires probes; *out says which values are probed. */
bool sr_probing_is_requested(const struct sr_run_options *o, struct sr_probe_options *out);
/* Prepare the inspection of values before the step, after sr_checks_begin. The status concerns this rank only. */
enum sr_status sr_probing_begin(struct sr_probing *probing, const struct sr_run_options *o, struct sr_checks *checks,
				struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Report the inspected values after the step. Collective; the same status on all ranks: SR_DIFFERS if --check-nan found a NaN or
 * infinity. */
enum sr_status sr_probing_report(struct sr_probing *probing, struct sr_executable *e, struct sr_arena *arena,
				 struct sr_diags *diags);
void sr_probing_end(struct sr_probing *probing);

#endif
