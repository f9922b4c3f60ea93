/* --check-nan: the first op, in the program's order and on any device, that makes a NaN or an infinity of values that have
 * none. Each device notes what it finds; when the step is over rank 0 has all notes and says what they mean. */
#ifndef SR_EXEC_PROBES_CHECK_NAN_H
#define SR_EXEC_PROBES_CHECK_NAN_H

#include "exec/probes/probes.h"

struct sr_nan_device;
struct sr_nans {
	struct sr_executable *e;
	bool trace;                    /* say how it went on, and what it was made of */
	struct sr_nan_device *devices; /* [e->n_devices] */
};

void sr_nans_begin(struct sr_nans *n, struct sr_executable *e, bool trace, struct sr_arena *arena);
sr_probe_fn sr_nans_inspect; /* data: struct sr_nans */
/* Collective, after a step: SR_DIFFERS on rank 0, reported, where an op has made one. */
enum sr_status sr_nans_report(struct sr_nans *n, struct sr_arena *arena, struct sr_diags *diags);
void sr_nans_end(struct sr_nans *n);

#endif
