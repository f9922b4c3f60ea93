/* Work: what is computed, as tiles over memory, instead of ops that each have a kernel of their own. In: a local module after optimize. Out:
 * the same module, whose elementwise, moving, filling and reducing ops are work.nest; products, sorts, collectives, loops and branches stay.
 *
 *	%r = "work.nest"(%a, %b) <{loops = [4, 8], parallel = 2, accesses = [...], result_indexing_maps = [...]}> ({
 *	^bb0(%x: tensor<f32>, %y: tensor<f32>):
 *	  %z = stablehlo.add %x, %y : tensor<f32>
 *	  "work.yield"(%z) : (tensor<f32>) -> ()
 *	}) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
 *
 * The body is made for each point of the loops: an argument is the operand's element by its access, a yielded value becomes the result's.
 * The first `parallel` loops are free of each other; the others are inner loops, over which work.reduce combines, in order. Whatever
 * uses a work.reduce sees it complete; so a body falls into stages (see kernels/nest/nest.h), which need not be written. A result whose value
 * depends on inner loops has them in its access, one that does not has not. */
#ifndef SR_WORK_WORK_H
#define SR_WORK_WORK_H

#include "ir/pass.h"
#include "work/indexing_map.h"

extern const struct sr_pass sr_work_passes[];

/* The attribute of a tile that says why its operands are buffers, a text for each, where the pass that fuses had one. */
#define SR_WORK_NOT_FUSED "shardrun.not_fused"

/* A tile to be made, or read from its op. */
struct sr_work_nest {
	const int64_t *loops;
	int n_loops, parallel;
	struct sr_value **operands;
	struct sr_indexing_map *accesses; /* [n_operands] */
	int n_operands;
	struct sr_indexing_map *result_indexing_maps; /* [n_results] */
	const struct sr_type **result_types;
	int n_results;
};
/* In the context's scratch arena. */
struct sr_work_nest sr_work_read(struct sr_context *ctx, struct sr_op *tile);
/* A tile before b's anchor, with its block's arguments and an empty body (no terminator yet); the body is built by *body. */
struct sr_op *sr_work_build(struct sr_builder *b, const struct sr_work_nest *tile, struct sr_builder *body);
void sr_work_yield(struct sr_builder *body, struct sr_value *const *values, int n);

/* The NEST column: op as a tile before it, whose results take its results' uses; false: it is left as it is. */
struct sr_lowering {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_builder builder; /* before op */
	struct sr_op *tile;        /* out */
};
typedef bool sr_nest_from_fn(struct sr_lowering *l);

/* Elements of what is more than a round of a loop that becomes one function goes through: products there want rows that stand. */
enum { SR_WORK_LARGE_ELEMENTS = 1 << 16 };

/* Products that read a transposition in its block, of a large value, read its operand where they can. Has it no users any more? */
bool sr_work_fold_transpose_into_readers(struct sr_context *ctx, struct sr_op *transpose);
/* A product that a transposition alone reads makes the transposition's result, where its sides have but to change places. Did it? */
bool sr_work_fold_transpose_into_producer(struct sr_context *ctx, struct sr_op *transpose);

/* Does the op of a body take tens of cycles, so that its value is better kept than made twice? */
bool sr_work_is_expensive(const struct sr_op *op);

/* Does the op (NULL: it does not) only slice its operand, in a tile whose loops are the dimensions? access: of the operand. */
bool sr_work_is_slice(struct sr_context *ctx, struct sr_op *op, struct sr_indexing_map *access);
/* Elements of a value where they lie in another one, maybe at a place that only the run knows. In the context's scratch arena. */
struct sr_strided_view {
	struct sr_value *source;
	int operand;     /* of the tile: the source */
	int64_t *stride; /* [rank of the value], in elements of the source; of dimensions of more than one element positive */
	int64_t offset;
	int n_starts;
	struct sr_strided_view_start {
		struct sr_value *value; /* one integer, clamped to [0, limit] */
		int64_t limit, stride;
	} *starts;       /* each moves the first element on by `stride` of the source's */
};
/* Does the op only slice a value, in a tile, maybe at run-time starts and with its dimensions turned, for readers that take it
 * from where it is sliced: concatenations and products, maybe behind reshapes? Then the tile is no step. */
bool sr_work_is_foldable_slice(struct sr_context *ctx, struct sr_op *op, struct sr_strided_view *view);
/* Is the value such a slice, or a reshape of one? To be asked for operands of those readers. */
bool sr_work_reads_foldable_slice(struct sr_context *ctx, const struct sr_value *v, struct sr_strided_view *view);
/* Does the tile only copy, all elements of its operand in their order? */
bool sr_work_is_reshape(struct sr_context *ctx, struct sr_op *tile);

/* Is a scatter a kernel's: one operand, whose elements its updates replace (monoid -1) or are combined with by one known op? */
bool sr_work_scatter_has_kernel(const struct sr_op *op, int *monoid);
/* Is the op's result one element everywhere, and read by scatters alone, as their updates? They read the element, and the op is no
 * step. */
struct sr_work_splat {
	const struct sr_attr *constant; /* or else: */
	struct sr_value *value;         /* of one element */
};
bool sr_work_is_splat_update(const struct sr_op *op, struct sr_work_splat *s);

/* The scalar type of a tensor's elements. */
const struct sr_type *sr_element_scalar(struct sr_context *ctx, const struct sr_type *tensor);

#endif
