/* Loop-carried values of a device: results of one execution that become arguments of the next. If a result is in the memory of its
 * argument, which was donated, nothing is done; if both buffers can be moved, their addresses are exchanged; otherwise the value is
 * copied.
 *
 *	carry = sr_carry_new(&device, pairs, n, arena);       once
 *	sr_device_step(&device); sr_carry(carry); sr_device_step(&device); ... */
#ifndef SR_RUN_CARRY_H
#define SR_RUN_CARRY_H

#include "run/device.h"

struct sr_carried { /* of equal types and slices on all devices; an argument occurs once */
	int result, argument;
};

struct sr_carry;
/* Create in `arena`, which outlives it. From now on the caller must not bind these arguments and results, or values that share
 * memory with them, to other memory. */
struct sr_carry *sr_carry_new(struct sr_device *d, const struct sr_carried *pairs, int n, struct sr_arena *arena);
/* Carry the values over between two executions. Allocates nothing. */
void sr_carry(struct sr_carry *carry);
int64_t sr_carry_copies(const struct sr_carry *carry); /* bytes that sr_carry copies per step */

#endif
