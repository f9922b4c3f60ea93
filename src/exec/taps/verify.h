/* --verify: the program as devices share it beside the same on one device.
 *
 * The shared step is over, and its values are in the spool. Rank 0 plays the module for one device twice, all others hand it
 * what they have of a value where it asks. The first time the results are compared, as --expected-output would. The second time
 * each value is compared where it is made, and then taken from the devices: so each op has the devices' operands, errors do not
 * add up, and an op that differs beyond its own rounding is at fault itself. */
#ifndef SR_EXEC_VERIFY_H
#define SR_EXEC_VERIFY_H

#include "exec/run.h"
#include "exec/taps/spool.h"
#include "exec/values/check.h"

struct sr_verification {
	const struct sr_run_options *o;
	struct sr_executable *shared;    /* what the devices played */
	const struct sr_spool *spool;    /* of it */
	const struct sr_program *whole;  /* rank 0: the module for one device, whose taps hand on */
	struct sr_context *ctx;
};

/* Collective: SR_DIFFERS, alike on all ranks and reported, where an op or a result differs; else rank 0 says on o->out what was
 * compared. */
enum sr_status sr_verification_run(struct sr_verification *v);

#endif
