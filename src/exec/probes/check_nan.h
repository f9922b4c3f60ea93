/* --check-nan: find the first op, in program order and on any device, that computes a NaN or an infinity from operands without one.
 * Each device records the NaNs and infinities that it finds; after the step rank 0 evaluates all records. */
#ifndef SR_EXEC_PROBES_CHECK_NAN_H
#define SR_EXEC_PROBES_CHECK_NAN_H

#include "exec/probes/probes.h"

struct sr_nan_device;
struct sr_nans {
	struct sr_executable *e;
	bool trace; /* also print how the NaN spread through later ops, and the operands of the op that computed it */
	struct sr_nan_device *devices; /* state of each local device; length: e->n_devices */
};

void sr_nans_begin(struct sr_nans *n, struct sr_executable *e, bool trace, struct sr_arena *arena);
sr_probe_fn sr_nans_inspect; /* Probe callback of --check-nan; `data` is a struct sr_nans. */
/* Evaluate the records of all devices after a step. Collective. Returns SR_DIFFERS on rank 0, reported, if an op computed a NaN or
 * infinity. */
enum sr_status sr_nans_report(struct sr_nans *n, struct sr_arena *arena, struct sr_diags *diags);
void sr_nans_end(struct sr_nans *n);

#endif
