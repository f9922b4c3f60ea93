/* State while a program is checked (program_check.c). Internal to program. */
#ifndef SR_PROGRAM_PROGRAM_CHECK_H
#define SR_PROGRAM_PROGRAM_CHECK_H

#include "program/program_groups.h"

enum { SR_PROGRAM_DEPTH = 1000 }; /* maximum nesting of computations; each level takes stack at run time */

struct sr_checker {
	const struct sr_program *p;
	uint64_t bytes;
	const char *message;
	const struct sr_instr *instruction; /* instruction being checked; NULL: none yet */
	uint8_t *seen;  /* a bit for each device, all zero between uses */
	/* for each offset in the params section: completions (SR_ENDS_*) of the collective with these params that the computation being
	 * checked has started; 0: not started */
	uint8_t *collectives;
	int32_t *depth; /* nesting depth of each computation; 0: no owner seen yet */
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

/* Return true if all that an instruction reads and writes is inside its operands, whatever the operands' values are. Buffers,
 * values and groups must have been checked before. */
bool sr_check_instruction(struct sr_checker *c, const struct sr_instr *instr);
/* Return true if the computations that an instruction of computation `computation` owns have higher numbers and no other owner. */
bool sr_check_owned_computations(struct sr_checker *c, const struct sr_instr *instr, uint64_t computation);
/* Return true if each collective of a computation is completed as its `completion_flags` say, and each FINISH and RELEASE belongs to one. */
bool sr_check_collective_ends(struct sr_checker *c, const struct sr_computation *computation);

#endif
