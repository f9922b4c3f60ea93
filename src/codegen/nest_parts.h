/* Vector loops that are divided into one loop for each elementary function. */
#ifndef SR_CODEGEN_NEST_PARTS_H
#define SR_CODEGEN_NEST_PARTS_H

#include "codegen/nest_instr_c.h"

enum {
	SR_NEST_PARTS_BLOCK = 256,   /* iterations of a block of a divided loop */
	SR_NEST_PARTS_COLUMNS = 1024 /* maximum width of the blocks of columns whose vector loop is divided */
};

/* The parts of a vector loop, each of which is a loop of its own. Parts are numbered from 1 in the order of the instructions. */
struct sr_nest_parts {
	int n;
	uint32_t with_lanes; /* bit p is set if part p has accumulators with lanes */
	int *defined; /* for each value: the part that defines it; 0: none of them */
	uint32_t *read; /* for each value: bit p is set if part p reads it, and an earlier one defines it */
};

/* Divide the vector loop inside of these loops. Return false if it stays whole, since it has at most one elementary function, too
 * many values would have to be kept between its parts, or another form of the loop is required. Sets g->part_of. */
bool sr_nest_find_parts(struct sr_nest_form *g, const struct sr_stage_loops *n, struct sr_nest_parts *parts);
/* Write the divided loop over a block [c, h) of at most `width` iterations. Return false if a type or function has no C text. */
bool sr_nest_c_parts(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_parts *parts, int64_t width,
		     enum sr_nest_tests tests);

#endif
