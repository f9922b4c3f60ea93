/* Matrix products of few rows of which several are computed at once: those of a loop's iterations (chunk_loops.c), and those of a
 * block (merge_products.c). Internal to work/chunk. */
#ifndef SR_WORK_CHUNK_CHUNK_H
#define SR_WORK_CHUNK_CHUNK_H

#include "dialect/trip_count.h"
#include "support/vec.h"
#include "work/work.h"

/* Flags in sr_op.mark of the ops of a loop's body. */
enum {
	SR_CHUNK_OF_COUNTER = 1,  /* depends on the induction variable, and on no other loop-carried value */
	SR_CHUNK_OF_CARRIED = 2,  /* depends on a loop-carried value, or cannot be executed out of order */
	SR_CHUNK_OF_PRODUCT = 4,  /* depends on a product that is computed before the loop over the chunk's iterations */
	SR_CHUNK_BEFORE = 8,      /* product that is computed before that loop */
	SR_CHUNK_AFTER = 16,      /* is a product that is computed after that loop, or depends on one */
	SR_CHUNK_SUM = 32         /* product that is summed over the iterations, its transpose or conversion, or the addition */
};

struct sr_chunk_product {
	struct sr_op *op;     /* dot_general without batch dimensions */
	int kind;             /* SR_CHUNK_BEFORE, SR_CHUNK_AFTER or SR_CHUNK_SUM */
	bool is_stacked[2];   /* the operand differs from iteration to iteration */
	struct sr_op *sum;    /* SR_CHUNK_SUM: the addition to the loop-carried value */
	int sum_index;        /* SR_CHUNK_SUM: the number of the loop-carried value */
};

struct sr_chunk {
	struct sr_context *ctx;
	struct sr_op *loop;
	struct sr_block *body;
	struct sr_induction_variable counter;
	SR_VEC(struct sr_chunk_product) products;
	bool *is_after;     /* loop-carried values that only the ops after compute; length: operands of the loop */
	int64_t iterations; /* of a chunk */
};

/* Return true if the loop yields its carried value number i unchanged. */
bool sr_chunk_is_invariant(const struct sr_chunk *c, int i);
/* Return the flags of a value that the loop's body reads; 0: the value is the same in all iterations. */
int sr_chunk_flags(const struct sr_chunk *c, const struct sr_value *v);

/* Mark the candidates that can be computed after the loop over the chunk's iterations, with the ops that depend on them, and set
 * c->is_after. Products that cannot be are removed from the list; returns the number of those left. (chunk_after.c) */
int sr_chunk_mark_after(struct sr_chunk *c, struct sr_op **candidates, int n);

/* Replace the loop by one over chunks, followed by the loop itself for the iterations left. The caller reclaims the erased ops.
 * (chunk_build.c) */
void sr_chunk_build(struct sr_chunk *c);

/* ---- both passes (chunk_product.c) ---- */

enum {
	SR_CHUNK_MAX_ROWS = 64,      /* maximum rows, or terms of a sum: a product with more is nearly as quick as the larger one */
	SR_CHUNK_MIN_WORK = 1 << 18, /* minimum multiply-adds of such a product */
	SR_CHUNK_ROWS = 256,         /* rows, or terms, of the larger product */
	SR_CHUNK_MAX_BYTES = 8 << 20 /* maximum bytes of the values that are built for it */
};

/* Sizes of a product without batch dimensions. */
struct sr_chunk_sizes {
	int64_t contracted, free[2]; /* elements of the contracted dimensions, at least 1, and of the others of each operand */
};
/* Set the sizes if op is a product without batch dimensions whose operands and result can have one more dimension. */
bool sr_chunk_product_sizes(struct sr_context *ctx, const struct sr_op *op, struct sr_chunk_sizes *s);
/* Return true if a product with these sizes is slow for its work: it has few `rows`, or terms of a sum over iterations, and at
 * least min_work multiply-adds. */
bool sr_chunk_is_slow(int64_t min_work, const struct sr_chunk_sizes *s, int64_t rows);
/* Return the n contracting dimensions of operand `side` of the product. */
const int64_t *sr_chunk_contracting_dims(struct sr_context *ctx, const struct sr_op *op, int side, int64_t *n);
/* Return a copy of the product, which is in no block, with other operands and contracting dimensions. */
struct sr_op *sr_chunk_clone_product(struct sr_context *ctx, struct sr_op *op, struct sr_value *const operands[2],
				     const struct sr_attr *const contracting[2]);

/* Read the option `mode` of both passes: set *is_on if it is "on"; an error if it is none of auto, on and off. */
enum sr_status sr_chunk_read_mode(struct sr_context *ctx, const struct sr_pass_options *options, bool *is_on);
/* Return the product of the block that v, a term of a sum, is, perhaps transposed, reshaped or converted between floats, if nothing
 * else reads it; else NULL. */
struct sr_op *sr_chunk_product_of_term(const struct sr_block *block, const struct sr_value *v);
/* Erase the ops of the block that have no users and no effects. The last op is its terminator. */
void sr_chunk_erase_unused_ops(struct sr_block *block);

#endif
