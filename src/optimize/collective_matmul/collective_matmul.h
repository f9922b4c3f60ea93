/* Values in pieces, so that collectives of some are under way while others are computed. Internal to optimize.
 *
 * A value is cut along one dimension, which is seen as `blocks` blocks of equal length, one after another: piece k has of each
 * block the k-th part, [length * k / n, length * (k + 1) / n). So a piece of each device's block, gathered, is a piece of the whole
 * with as many blocks as there are devices, and a piece of that, scattered, one of a device's block. */
#ifndef SR_OPTIMIZE_COLLECTIVE_MATMUL_COLLECTIVE_MATMUL_H
#define SR_OPTIMIZE_COLLECTIVE_MATMUL_COLLECTIVE_MATMUL_H

#include "dialect/ops.h"
#include "support/machine.h"
#include "support/vec.h"

enum { SR_MAX_CHUNKS = 8 };

struct sr_chunking {
	int dim; /* -1: not cut */
	int64_t blocks;
	int n;
};

/* What is computed from each piece, one op behind the other: the last of each so far. */
struct sr_chunk_chain {
	struct sr_op *last[SR_MAX_CHUNKS];
};

struct sr_chunked_value {
	struct sr_chunking cut;
	struct sr_value *at[SR_MAX_CHUNKS];
	struct sr_chunk_chain *line; /* NULL: they come of a collective, and what reads them begins one */
};

struct sr_matmul_decomposer {
	struct sr_context *ctx;
	struct sr_machine machine; /* a rank's share */
	int asked;                 /* pieces, whatever it costs; 0: as many as take the least time */
	int64_t products;          /* that are in pieces */
	struct sr_map pieces;      /* value -> struct sr_chunked_value */
	SR_VEC(struct sr_op *) wholes; /* that were put together again; some for nobody */
};

/* ---- chunk.c ---- */

/* Types of known size that ops on shapes take. */
bool sr_can_chunk_op(const struct sr_op *op);
/* The most pieces that a dimension gives; 0: it has no such blocks. */
int sr_max_chunks(const struct sr_type *type, int dim, int64_t blocks);
const struct sr_chunked_value *sr_chunks_of(const struct sr_matmul_decomposer *c, const struct sr_value *v); /* NULL: it is in one */
/* The op, of one result, once for each piece, of pieces of operands as cuts[n_operands] say. Behind what made them, if all that it
 * reads is there then. Its readers read the pieces put together, those excepted that are cut alike later. */
void sr_chunk_op(struct sr_matmul_decomposer *c, struct sr_op *op, const struct sr_chunking *cuts, struct sr_chunking result);
void sr_chunk_cleanup(struct sr_matmul_decomposer *c); /* what was put together for nobody goes */

/* ---- matmul_dims.c ---- */

/* Where dimension d of a product's operand is in the result, and in the other operand (-1: not). False: it is summed over. */
bool sr_matmul_result_dim(struct sr_context *ctx, const struct sr_op *product, int side, int d, int *out, int *other);

/* ---- chunk_count.c ---- */

/* Seconds of a collective's n-th part on the links between nodes; 0: it stays within one. */
double sr_collective_internode_seconds(struct sr_matmul_decomposer *c, struct sr_op *collective, int n);
/* In how many pieces, `most` at most (or `exactly`, not 0), the collective beside the products takes least; 0: as it is. whole: a
 * value that is put together besides, or NULL. */
int sr_best_chunk_count(struct sr_matmul_decomposer *c, struct sr_op *collective, struct sr_op *const *products, int n_products,
		    const struct sr_value *whole, int most, int exactly);

#endif
