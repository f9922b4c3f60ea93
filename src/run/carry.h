/* Values that go from an execution to the next on one device: results that become arguments. Where a result lies in the
 *argument's own memory, which was donated, there is nothing to do; where both may lie anywhere, their memories change hands;
 *the rest is copied.
 *
 *	carry = sr_carry_new(&device, pairs, n, arena);       once
 *	sr_device_step(&device); sr_carry(carry); sr_device_step(&device); ... */
#ifndef SR_RUN_CARRY_H
#define SR_RUN_CARRY_H

#include "run/device.h"

struct sr_carried { /* of one type, and held alike by all devices; an argument occurs once */
	int result, argument;
};

struct sr_carry;
/* In the arena, which outlives it. Nobody else binds these arguments and results from now on, nor what shares memory with them.
 */
struct sr_carry *sr_carry_new(struct sr_device *d, const struct sr_carried *pairs, int n, struct sr_arena *arena);
/* Between two steps. Allocates nothing. */
void sr_carry(struct sr_carry *carry);
int64_t sr_carry_copies(const struct sr_carry *carry); /* bytes that it copies each time */

#endif
