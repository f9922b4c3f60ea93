/* What the check of a program passes on. Internal to program. */
#ifndef SR_PROGRAM_PROGRAM_CHECK_H
#define SR_PROGRAM_PROGRAM_CHECK_H

#include "program/program_groups.h"

enum { SR_PROGRAM_DEPTH = 1000 }; /* of plans in each other, at most: each takes stack where it runs */

struct sr_checker {
	const struct sr_program *p;
	uint64_t bytes;
	const char *message;
	const struct sr_instr *instruction; /* being checked; NULL: none yet */
	uint8_t *seen;  /* a bit for each device, zeros between uses */
	int32_t *depth; /* [plans]: of those that are owned */
};

static inline bool sr_check_fail(struct sr_checker *c, const char *message)
{
	c->message = message;
	return false;
}

static inline bool sr_check_range(uint64_t first, uint64_t n, uint64_t size)
{
	return first <= size && n <= size - first;
}

/* All that an instruction reads and writes lies in its operands, whatever they hold. Buffers, values and groups are good. */
bool sr_check_instruction(struct sr_checker *c, const struct sr_instr *s);
/* The plans that an instruction of plan number `plan` owns come later, and have no other owner. */
bool sr_check_owned_computations(struct sr_checker *c, const struct sr_instr *s, uint64_t plan);
/* Collectives of a plan end in it as they say, and what ends has started. */
bool sr_check_collective_ends(struct sr_checker *c, const struct sr_computation *plan);

#endif
