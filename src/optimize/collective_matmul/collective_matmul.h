/* Values in chunks, so that a collective on one chunk runs while another chunk is computed. Internal to optimize.
 *
 * A value is chunked along one dimension, which is viewed as `blocks` consecutive blocks of equal length. Chunk k is the part
 * [length * k / n, length * (k + 1) / n) of each block. An all_gather of the devices' chunks k is thus chunk k of the gathered
 * value, which has as many blocks as devices; a reduce_scatter of chunk k of such a value is chunk k of each device's block. */
#ifndef SR_OPTIMIZE_COLLECTIVE_MATMUL_COLLECTIVE_MATMUL_H
#define SR_OPTIMIZE_COLLECTIVE_MATMUL_COLLECTIVE_MATMUL_H

#include "dialect/ops.h"
#include "support/machine.h"
#include "support/vec.h"

enum { SR_MAX_CHUNKS = 8 };

struct sr_chunking {
	int dim; /* chunked dimension; -1: not chunked */
	int64_t blocks;
	int n;
};

/* For each chunk of a value, the last of the ops computed from it so far. The next op for the chunk is inserted after it. */
struct sr_chunk_chain {
	struct sr_op *last[SR_MAX_CHUNKS];
};

struct sr_chunked_value {
	struct sr_chunking chunking;
	struct sr_value *chunks[SR_MAX_CHUNKS];
	/* where the chunks are computed; NULL for results of a collective: their users start a new chain */
	struct sr_chunk_chain *chain;
};

struct sr_matmul_decomposer {
	struct sr_context *ctx;
	struct sr_machine machine; /* bandwidths, latencies and FLOP rates of one rank's share of the machine */
	int requested_chunks; /* requested number of chunks, even if slower; 0: the number that takes the least time */
	int64_t min_bytes; /* only values of this size are chunked, to save memory; 0: all that save time */
	int64_t products;          /* number of products that have been decomposed into chunks */
	struct sr_map chunked;      /* map from value to struct sr_chunked_value */
	SR_VEC(struct sr_op *) concatenations; /* concatenations of chunks; some have no users */
};

/* ---- chunk.c ---- */

/* Return true if op has one result and all its types are tensors of known size. */
bool sr_can_chunk_op(const struct sr_op *op);
/* Return the maximum number of chunks of a dimension; 0 if its extent is not divisible into `blocks` blocks. */
int sr_max_chunks(const struct sr_type *type, int dim, int64_t blocks);
/* Return the chunks of v, or NULL if v is not chunked. */
const struct sr_chunked_value *sr_chunks_of(const struct sr_matmul_decomposer *c, const struct sr_value *v);
/* Replace op, which has one result, by copies of op for each chunk of its operands, which chunkings[n_operands] describe. The
 * copies are inserted after the ops that compute the chunks, if all other operands are available there. Users read the concatenated
 * chunks, except users that are later chunked in the same way. */
void sr_chunk_op(struct sr_matmul_decomposer *c, struct sr_op *op, const struct sr_chunking *chunkings, struct sr_chunking result);
void sr_chunk_cleanup(struct sr_matmul_decomposer *c); /* Erase the concatenations of chunks that have no users. */

/* ---- matmul_dims.c ---- */

/* Find the dimension of a product's result that corresponds to dimension d of operand `side`, and the dimension of the other
 * operand (-1: none). Returns false if d is contracted. */
bool sr_matmul_result_dim(struct sr_context *ctx, const struct sr_op *product, int side, int d, int *out, int *other_dim);

/* Find the longest contracted dimension of a product: dims[side] is its number in operand `side`. Returns false if none exists. */
bool sr_matmul_contracted_dims(struct sr_context *ctx, const struct sr_op *product, int dims[2]);

/* ---- panels.c ---- */

/* Replace a product of two gathered values by a loop over gathered panels, if its contracted dimension can be divided.
 * gathers: the all_gathers that define its operands. */
bool sr_compute_in_panels(struct sr_matmul_decomposer *c, struct sr_op *product, struct sr_op *const *gathers);

/* ---- chunk_count.c ---- */

/* Return the seconds that 1/n of a collective takes on links between nodes; 0 if its groups are within nodes. */
double sr_collective_internode_seconds(struct sr_matmul_decomposer *c, struct sr_op *collective, int n);
/* Return the number of chunks for which a collective and the products beside it take the least time: at most `max_chunks`, or
 * `exact_count` if that is not 0. Return 0 if chunking does not pay. full_value: a value that must be concatenated as well, or
 * NULL. */
int sr_best_chunk_count(struct sr_matmul_decomposer *c, struct sr_op *collective, struct sr_op *const *products, int n_products,
			const struct sr_value *full_value, int max_chunks, int exact_count);

#endif
