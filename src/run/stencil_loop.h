/* Description of stencil loops, which are executed in blocks of rows. Internal to run: time_blocking.c finds loops with one loop
 * nest and executes all of them, stencil_sequence.c finds loops with several loop nests. */
#ifndef SR_RUN_STENCIL_LOOP_H
#define SR_RUN_STENCIL_LOOP_H

#include "kernels/nest/nest_prepared.h"
#include "run/execution_context.h"

enum { SR_STENCIL_MAX_NESTS = 16 };

struct sr_stencil_nest {
	int64_t instr; /* number of its instruction */
	int64_t scale; /* number of iterations of its compiled function for each row */
};

struct sr_stencil_loop {
	struct sr_stencil_nest *nests; /* the loop nests that compute rows, in the order of the body */
	int n_nests;
	int64_t rows;      /* number of rows of the arrays */
	int64_t halo;      /* maximum distance of the rows that a row of a nest reads from its own row, at least 1 */
	int64_t row_bytes; /* bytes of one row of all arrays that the nests read or write, old and new values */
	/* number of first rows, and of last rows, that a halo exchange reads or computes values for, at least halo */
	int64_t edge;
	bool is_periodic;  /* true if the first and last rows read each other */
	bool has_exchange;
	const bool *is_exchange; /* for each instruction of the body: true if it is part of the halo exchange */
	/* for each instruction of the body: number of the nest's output that it copies elements of within each row; -1: none */
	const int *copied_output;
};

static inline int64_t sr_stencil_floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}
static inline bool sr_stencil_overlap(const struct sr_program *p, int32_t a, int32_t b)
{
	const struct sr_buffer *x = sr_program_buffers(p) + a, *y = sr_program_buffers(p) + b;
	return x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes;
}
/* Set [*first, *last] to the rows that an access touches, relative to the row that `scale` iterations of the outermost loop
 * compute; the rows have `row` elements. Return false if they are not at a constant distance. */
bool sr_stencil_find_rows(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int64_t row, int64_t scale,
			  int64_t *first, int64_t *last);
/* Update halo and is_periodic for a nest that reads rows [first, last], relative to its own row. */
void sr_stencil_add_rows(struct sr_stencil_loop *loop, int64_t first, int64_t last);
/* Make the edges include rows [first, last] of the arrays. Return false if these are too many rows to be an edge. */
bool sr_stencil_add_edge(struct sr_stencil_loop *loop, int64_t first, int64_t last);
/* Return true if all loads of a nest in the halo exchange from its operand k are of edges. The operand's rows have `row` elements. */
bool sr_stencil_reads_edges(struct sr_stencil_loop *loop, const struct sr_nest *nest, int k, int64_t row);
/* Return true if an instruction sends messages, or executes a computation or a custom call, which may send some. */
bool sr_stencil_may_communicate(const struct sr_instr *s);
/* Return the number of an instruction's first operand that it may write. */
uint32_t sr_stencil_first_written(const struct sr_program *p, const struct sr_instr *s);
/* Return the description of a while loop with several loop nests in memory of the arena; NULL if it is not a stencil loop. Defined
 * in stencil_sequence.c. */
const struct sr_stencil_loop *sr_find_stencil_sequence(const struct sr_loaded_program *l, const struct sr_while_instr *w,
						       struct sr_arena *arena);

#endif
