/* --verify: compare a program with the same module compiled for one device.
 *
 * Probes are readers of values, and readers influence partitioning: so the program that runs has none, and its results are
 * compared. The module is compiled twice more with probes: for all devices, whose values are spooled in one step, and for one
 * device, which rank 0 steps twice while the other ranks send the shards that it requests. First step: results are compared, as
 * --expected-output would. Second step: each value is compared where it is computed, and then replaced by the devices' value. So
 * each op has the devices' operands, errors do not accumulate, and an op that differs by more than its own rounding is wrong
 * itself. */
#ifndef SR_EXEC_PROBES_VERIFY_H
#define SR_EXEC_PROBES_VERIFY_H

#include "exec/run.h"
#include "exec/probes/spool.h"
#include "exec/values/arrays.h"
#include "exec/values/check_ops.h"

struct sr_verification {
	const struct sr_run_options *o;
	const struct sr_arrays *run;         /* arguments and results of the program without probes, after its step */
	const struct sr_program *with_probes;     /* rank 0: program for the same devices, with probes */
	/* rank 0: program for one device, whose probes can replace the value that later instructions read */
	const struct sr_program *one_device;
	struct sr_context *ctx;
};

/* Run --verify. Collective. Returns SR_DIFFERS on all ranks, reported, if an op or a result differs; otherwise rank 0 prints to
 * o->out the number of values that were compared. */
enum sr_status sr_verification_run(struct sr_verification *v);

#endif
