/* The work dialect: elementwise ops, data movement, fills and reductions as loop nests (MLIR linalg's structured ops) instead of
 * ops with a kernel each. Input: a local module after optimize. Output: the same module, in which these ops are work.nest;
 * matrix products, sorts, collectives, loops and branches keep their StableHLO op.
 *
 *	%r = "work.nest"(%a, %b) <{loops = [4, 8], parallel = 2, indexing_maps = [...], result_indexing_maps = [...]}> ({
 *	^bb0(%x: tensor<f32>, %y: tensor<f32>):
 *	  %z = stablehlo.add %x, %y : tensor<f32>
 *	  "work.yield"(%z) : (tensor<f32>) -> ()
 *	}) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
 *
 * The body runs once per iteration: an argument is the operand's element at its indexing map, a yielded value is stored at the
 * result's indexing map. The first `parallel` loops have independent iterations; the others are inner loops, over which
 * work.reduce combines values in order. Users of a work.reduce see its final value, so a body falls into stages
 * (kernels/nest/nest.h) that the IR leaves implicit. The indexing map of a result that varies along the inner loops names them;
 * that of one that does not vary does not. Values yielded after those of the results are indices that the body computes: with n
 * operands, in<n + k> in an operand's indexing map is the k-th of them. It depends on earlier operands only. */
#ifndef SR_WORK_WORK_H
#define SR_WORK_WORK_H

#include "ir/pass.h"
#include "work/indexing_map.h"

extern const struct sr_pass sr_work_passes[];

/* Attribute of a nest with one string per operand: why shardrun-fuse left the operand in a buffer; "" if no fusion was tried. */
#define SR_WORK_NOT_FUSED "shardrun.not_fused"
/* Unit attribute of a slice or splat that emits no instruction and has no buffer, since its readers read its operand instead.
 * shardrun-schedule sets it. */
#define SR_WORK_ELIDED "shardrun.elided"

/* Attribute of an fft of one dimension: the number of dimensions that follow the transformed one; without it, the transformed
 * dimension is the last. */
#define SR_WORK_TRAILING_DIMENSIONS "shardrun.trailing_dimensions"

/* The fields of a work.nest that is being built, or that was read from its op. */
struct sr_work_nest {
	const int64_t *loops;
	int n_loops, parallel;
	struct sr_value **operands;
	struct sr_indexing_map *accesses; /* indexing map of each operand; length n_operands */
	int n_operands;
	struct sr_indexing_map *result_indexing_maps; /* indexing map of each result; length n_results */
	const struct sr_type **result_types;
	int n_results;
};
/* Read a work.nest. The lists are in the context's scratch arena. */
struct sr_work_nest sr_work_read(struct sr_context *ctx, struct sr_op *nest);
/* Let loop l of the nest become loop order[l], in *nest and in the indices in op's body. sr_work_update then changes the op's loops
 * and indexing maps to those of *nest. */
void sr_work_reorder_loops(struct sr_context *ctx, struct sr_op *op, struct sr_work_nest *nest, const int *order);
void sr_work_update(struct sr_context *ctx, struct sr_op *op, const struct sr_work_nest *nest);
/* Insert a work.nest before b's anchor, with its block arguments and an empty body without a terminator; *body builds into it. */
struct sr_op *sr_work_build(struct sr_builder *b, const struct sr_work_nest *nest, struct sr_builder *body);
void sr_work_yield(struct sr_builder *body, struct sr_value *const *values, int n);
/* Return the value in the nest's body that `number` in the field index of an indexing map names: the argument of an operand, or
 * an index that the body computes. */
struct sr_value *sr_work_index_value(const struct sr_op *nest, int64_t number);

/* Return the number of terms of each sum if the convolution becomes a loop nest whose body adds all of them; else 0. */
int sr_convolution_terms(struct sr_context *ctx, struct sr_op *op);

/* Arguments and result of a function of the NEST column. The function inserts the loop nest of `op` before it and returns true,
 * or returns false without a change. The caller replaces the op's results. */
struct sr_lowering {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_builder builder; /* builder that inserts ops before `op` */
	bool is_interpreted;       /* nests are interpreted, not compiled */
	struct sr_op *nest;        /* output: the loop nest */
};
typedef bool sr_nest_from_fn(struct sr_lowering *l);

enum { SR_WORK_MAX_SPLAT_BYTES = 4096 }; /* maximum bytes of a splat constant that is a buffer during the whole program */
/* Minimum number of elements of a large value. A matrix product reads a large operand in place even if its rows are not
 * contiguous; a smaller operand is copied. */
enum { SR_WORK_LARGE_ELEMENTS = 1 << 16 };

/* Let the matrix products in the block that read a large transposed value read the transpose's operand, through their dimension
 * numbers. Return true if the transpose has no users left. */
bool sr_work_fold_transpose_into_readers(struct sr_context *ctx, struct sr_op *transpose);
/* Let the matrix product whose only user is the transpose compute the transposed result, if exchanging its operands does that.
 * Return true if the product was changed. */
bool sr_work_fold_transpose_into_producer(struct sr_context *ctx, struct sr_op *transpose);
/* Exchange the operands of a product of a large matrix and few columns, and transpose its result: kernels for few rows read the
 * right operand once and in place. Does nothing for other products. */
void sr_work_put_few_rows_left(struct sr_context *ctx, struct sr_op *product);
/* Set the numbers of the first dimensions of a product's result: batch dimensions, and those that only the left operand has. */
void sr_work_product_dims(struct sr_context *ctx, const struct sr_op *product, int *n_batch, int *n_lhs);
/* Return the number of multiply-adds of each element of the product's result. */
int64_t sr_work_contracted_elements(struct sr_context *ctx, const struct sr_op *product);
/* Return true for a matrix product of a small matrix, of at most 16 rows and columns, and a larger array. A loop nest computes
 * such a product together with a transpose of its result (nest/nest_product.c). */
bool sr_work_is_small_matrix(struct sr_context *ctx, const struct sr_op *op);
/* Return true if the transpose's operand is a product with a small matrix, and one loop nest computes both. */
bool sr_work_is_transposed_product(struct sr_context *ctx, const struct sr_op *transpose);
/* Set `permutation`, of SR_MAX_RANK elements, such that the transposed result of a product with a small matrix has the array's
 * order of dimensions, with the matrix's free dimensions in the place of the contracted ones. Returns false if the result
 * already has this order, or if no loop nest would compute the transposed result. */
bool sr_work_order_of_array(struct sr_context *ctx, const struct sr_op *product, int64_t *permutation);
/* If the only user of a product with a small matrix is another one, insert a transpose that gives the first result the array's
 * order of dimensions, and let the second product read the transposed result. Matrices applied along several dimensions, one
 * after another, then become loop nests over the array's rows. */
void sr_work_keep_rows(struct sr_context *ctx, struct sr_op *product);

/* Let an fft of a transposed value, whose result is transposed, too, transform columns of the value, and replace a large transform
 * of several dimensions by one for each dimension. Return the last op that replaces the transform; the op itself if it stays. */
struct sr_op *sr_work_transform_dimensions(struct sr_context *ctx, struct sr_op *fft);

/* Let the elementwise ops that read a concatenation, one after another, read its operands instead, which are computed elementwise or
 * sliced, and concatenate their results. Return the last concatenation; the op itself if it is a stack or its users stay. */
struct sr_op *sr_work_sink_concatenate(struct sr_context *ctx, struct sr_op *concatenate);

enum { SR_WORK_MAX_ELEMENTWISE_OPERANDS = 4 };
/* Return true for an elementwise op with few operands, each of which has the result's shape or is a scalar. */
bool sr_work_is_elementwise(const struct sr_op *op);
/* Build an op like `op`, which is elementwise, of other operands, which have the shape of `shape` unless they are scalars. */
struct sr_value *sr_work_build_elementwise(struct sr_builder *b, const struct sr_op *op, struct sr_value *const *operands,
					   const struct sr_type *shape);

/* Return true if the op stacks a few large components that are computed, and its users are divided by sr_work_unstack: elementwise
 * ops, and slices and concatenations along other dimensions. */
bool sr_work_is_stack(const struct sr_op *op);
/* If an operand is such a stack, replace the op by ops on each component and a stack of their results. Return this stack, or
 * NULL. */
struct sr_op *sr_work_unstack(struct sr_context *ctx, struct sr_op *op);

/* If op sums vectors of a few components that are computed in pairs of few values, such as the forces between particles, replace it
 * by a stack of the sums of each component, and reductions of the components by binary ops. Return the op that replaces it; the op
 * itself if it stays. */
struct sr_op *sr_work_sum_components(struct sr_context *ctx, struct sr_op *op);

/* Let a matrix product with few rows read large weights in their own narrow type instead of a converted and perhaps scaled copy. */
void sr_work_fold_converts(struct sr_context *ctx, struct sr_op *product);

/* Retire a pure op whose results have no uses, and then the ops that define its operands, if these have no other uses; op NULL:
 * none. */
void sr_work_retire_unused(struct sr_context *ctx, struct sr_op *op);
/* Let a softmax with sharded rows, whose sum over devices is the all_reduce, compute its exponentials before the maximum over
 * devices is known. Other all_reduces stay. Returns the all_reduce. */
struct sr_op *sr_work_localize_softmax(struct sr_context *ctx, struct sr_op *all_reduce);

/* Return true if an op of a body takes tens of cycles, so that storing its value is cheaper than computing it twice. */
bool sr_work_is_expensive(const struct sr_op *op);

bool sr_work_only_yields(const struct sr_op *nest); /* Return true if the nest's body only yields an element of an operand. */

/* Return true if op (may be NULL) is a nest that only slices its operand, with loop d indexing dimension d. *access: the
 * operand's indexing map. */
bool sr_work_is_slice(struct sr_context *ctx, struct sr_op *op, struct sr_indexing_map *access);
/* A value described as strided elements of another value, perhaps at offsets known only at run time. In the context's scratch
 * arena. */
struct sr_strided_view {
	struct sr_value *source;
	int operand;     /* number of the operand that is read through the slice */
	/* stride of each dimension in elements of the source, positive for dimensions of extent above 1; length: rank of the
	 * value */
	int64_t *stride;
	int64_t offset;
	int n_starts;
	struct sr_strided_view_start {
		struct sr_value *value; /* integer scalar of the start index, clamped to [0, limit] */
		int64_t limit, stride;
	} *starts;       /* each start index adds value * stride elements to the offset */
};
/* Set SR_WORK_ELIDED on the ops of the block that need no instruction, and remove it from the others. */
void sr_work_mark_elided(struct sr_context *ctx, struct sr_block *block);
bool sr_work_is_elided(const struct sr_op *op); /* Return true if op has the attribute SR_WORK_ELIDED. */
/* Return true if op is a nest that only slices, perhaps at run-time starts and transposed, and all its readers (concatenations,
 * matrix products and updates of the source, perhaps through reshapes) can read the source at those strides. */
bool sr_work_may_elide_slice(struct sr_context *ctx, struct sr_op *op);
/* Return true if op is an elided slice, and describe its result. */
bool sr_work_elided_slice(struct sr_context *ctx, struct sr_op *op, struct sr_strided_view *view);
/* Return true if v is an elided slice or a reshape of one, and describe v. Valid for operands of the slice's readers. */
bool sr_work_reads_elided_slice(struct sr_context *ctx, const struct sr_value *v, struct sr_strided_view *view);
/* Return true if the start indices of a dynamic_update_slice are constants. *offset: number of the first updated element. */
bool sr_work_update_offset(struct sr_context *ctx, const struct sr_op *op, int64_t *offset);
/* Return true if the nest only copies all elements of its operand in their order. */
bool sr_work_is_reshape(struct sr_context *ctx, struct sr_op *nest);

/* Return true if the scatter kernel can run the op: one operand, whose elements the updates replace (*monoid = -1) or are
 * combined with by one known op (*monoid). */
bool sr_work_scatter_has_kernel(const struct sr_op *op, int *monoid);
/* Return true if the op's result has equal elements and only scatters read it, as their updates. The scatters can read the one
 * element. */
bool sr_work_may_elide_splat(const struct sr_op *op);
struct sr_work_splat {
	const struct sr_attr *constant; /* value of the scalar if it is a constant; NULL: it is in `value` */
	struct sr_value *value;         /* value of the scalar: a tensor of one element */
};
/* Return true if op is an elided splat, and describe its element. */
bool sr_work_elided_splat(const struct sr_op *op, struct sr_work_splat *s);

/* Return the rank-0 tensor type of the tensor's element type. */
const struct sr_type *sr_element_scalar(struct sr_context *ctx, const struct sr_type *tensor);

#endif
