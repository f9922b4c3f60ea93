/* --verify: the program beside the same module compiled for one device.
 *
 * Taps are readers of values, and what reads a value decides how an op is partitioned: so the program that runs has none, and its
 * results are compared. The module is compiled twice more with taps: for all devices, whose values are spooled in one step, and for
 * one device, which rank 0 steps twice while the others send their shards of the values that it asks for.
 * First step: results are compared, as --expected-output would. Second step: each value is compared where it is made, and then
 * replaced by the devices' value. So each op has the devices' operands, errors do not add up, and an op that differs by more than
 * its own rounding is at fault itself. */
#ifndef SR_EXEC_PROBES_VERIFY_H
#define SR_EXEC_PROBES_VERIFY_H

#include "exec/run.h"
#include "exec/probes/spool.h"
#include "exec/values/check_ops.h"

struct sr_verification {
	const struct sr_run_options *o;
	struct sr_executable *run;           /* the program, after its step */
	const struct sr_program *tapped;     /* rank 0: the module for the same devices, with taps */
	const struct sr_program *one_device; /* rank 0: the module for one device, whose taps hand on */
	struct sr_context *ctx;
};

/* Collective: SR_DIFFERS, alike on all ranks and reported, where an op or a result differs; else rank 0 says on o->out what was
 * compared. */
enum sr_status sr_verification_run(struct sr_verification *v);

#endif
