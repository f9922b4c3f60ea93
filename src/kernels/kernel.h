/* Kernels: functions over buffers. They depend on element types, shapes and strides only, not on ops, modules, ranks or files.
 *
 * A kernel computes the indices [begin, end) of its range, usually its outermost loop, so that the range can be split among
 * threads. It reads and writes the buffers it is given, allocates nothing, keeps no state, and reports no errors: its params are
 * checked beforehand (kernel_check.h). buffers[] holds the inputs, then the outputs; each is dense and row-major unless the params
 * say otherwise. scratch has at least the bytes that sr_kernel_call_scratch returns. Reference kernels are slow and correct for all
 * valid params; src/kernels/fast registers faster ones in their place.
 *
 * The table maps (kernel, element type) to a function: sr_kernels_init enters the reference kernels, later calls of sr_kernels_set
 * replace them. Params are plain structs without pointers, since they are stored in serialized programs. */
#ifndef SR_KERNELS_KERNEL_H
#define SR_KERNELS_KERNEL_H

#include "support/dtype.h"
#include "support/machine.h"
#include <stdbool.h>
#include <stdint.h>

#define SR_KERNEL_MAX_RANK 16

typedef void sr_kernel_fn(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end);

enum sr_kernel {
	SR_KERNEL_NONE = 0,
#define KERNEL(id, ...) SR_KERNEL_##id,
#include "kernels/kernels.def"
	SR_KERNEL_COUNT
};

/* A kernel prepared for one instruction of a program, whose params never change. It is built once, for example from a library's
 * primitive, and run many times. A run computes the full range. Not reentrant: one thread at a time may run it. */
struct sr_prepared_kernel {
	void (*run)(struct sr_prepared_kernel *r, void *const *buffers, void *scratch);
	void (*release)(struct sr_prepared_kernel *r);
	int64_t scratch; /* scratch bytes that `run` needs, which may be more than sr_kernel_planned_scratch */
};

struct sr_kernels;
struct sr_access_functions;
/* Prepare a kernel. Returns NULL if no implementation is faster than the table's function for these params. `table` and `params`
 * must outlive the result. */
typedef struct sr_prepared_kernel *sr_kernel_prepare_fn(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range);

/* Return the scratch bytes that the table's function needs for these params on this machine; may be more than
 * sr_kernel_planned_scratch. */
typedef int64_t sr_kernel_scratch_fn(enum sr_dtype t, const void *params);

/* Combine `runs` runs of n contiguous elements into accumulators: element i is combined into to[i % width], in order. The enum
 * sr_monoid combines values of the element type; each result is rounded to it. Returns false for a monoid that the function does
 * not support. */
typedef bool sr_accumulate_fn(int monoid, void *to, const void *in, int64_t runs, int64_t n, int64_t width);
/* Combine the upper half of lanes[n] into the lower half, element by element, until `least` lanes are left. n is a power of two
 * times `least`. Returns false for a monoid that the function does not support. */
typedef bool sr_combine_lanes_fn(int monoid, void *lanes, int64_t n, int64_t least);

struct sr_kernels {
	sr_kernel_fn *fn[SR_KERNEL_COUNT][SR_DTYPE_COUNT];
	/* Reductions for the interpreter of loop nests; NULL: it reduces by elementwise kernels. */
	sr_accumulate_fn *accumulate[SR_DTYPE_COUNT];
	sr_combine_lanes_fn *combine_lanes[SR_DTYPE_COUNT];
	const struct sr_access_functions *access; /* functions of the interpreter of loop nests */
	sr_kernel_scratch_fn *scratch[SR_KERNEL_COUNT]; /* scratch of each kernel; NULL: no more than sr_kernel_planned_scratch */
	sr_kernel_prepare_fn *prepare[SR_KERNEL_COUNT]; /* preparation of each kernel; NULL: the kernel has no prepared form */
};

void sr_kernels_init(struct sr_kernels *table); /* Fill the table with all reference kernels. */
static inline void sr_kernels_set(struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, sr_kernel_fn *fn)
{
	table->fn[k][t] = fn;
}
/* Find a kernel by name; elementwise kernels have the name of their op ("add", "tanh"). Returns SR_KERNEL_NONE if there is none. */
enum sr_kernel sr_kernel_find(const char *name);
const char *sr_kernel_name(enum sr_kernel k);
/* Return the number of inputs of an elementwise kernel; 0 for any other kernel. */
int sr_kernel_arity(enum sr_kernel k);
/* Return the cost class per element of an elementwise kernel, and whether it costs tens of cycles, so that a result should be
 * stored rather than computed twice. */
enum sr_work_class sr_kernel_work_class(enum sr_kernel k);
bool sr_kernel_is_expensive(enum sr_kernel k);

/* ---- elementwise (map.ops): out[i] = f(in0[i], in1[i], ...), i in [begin, end).
 * The table's element type is the type of the first input; for select and clamp, that of the values. */
struct sr_map_params {
	int64_t n;
	/* true if input k is a single element, used for every i (select's predicate, clamp's bounds, or a fused splat) */
	uint8_t scalar[4];
	/* element types (enum sr_dtype) of input 0 and of the result, if they differ from the table's type (convert, bitcast) */
	uint8_t in, out;
	uint8_t variant;   /* for compare: enum sr_compare, and SR_COMPARE_TOTAL for the total order of floats */
	uint8_t exponent_bits, mantissa_bits; /* for reduce_precision: width of exponent and mantissa */
};
enum sr_compare { SR_EQ, SR_NE, SR_LT, SR_LE, SR_GT, SR_GE };
enum { SR_COMPARE_TOTAL = 8, SR_COMPARE_MASK = 7 }; /* parts of a variant: flag of the total order; enum sr_compare */

/* Return the result of comparing x and y, of which at most one of x < y, x == y and x > y is true; of unordered floats none is. */
static inline bool sr_compare_result(enum sr_compare comparison, bool less, bool equal, bool greater)
{
	switch (comparison) {
	case SR_EQ:
		return equal;
	case SR_NE:
		return !equal;
	case SR_LT:
		return less;
	case SR_LE:
		return less || equal;
	case SR_GT:
		return greater;
	default:
		return greater || equal;
	}
}

/* ---- move: strided copy of elements of `bytes` bytes; implements transpose, broadcast_in_dim, slice, reverse, concatenate, pad:
 * dst[dst_offset + sum i_d * dst_stride_d] = src[src_offset + sum i_d * src_stride_d] for i in shape.
 * Strides and offsets count elements; strides may be 0 (broadcast) or negative (reverse). buffers: src, dst. Range: the first
 * dimension (0..shape[0], 0..1 for rank 0). Table type: any type of the same byte size. */
struct sr_move_params {
	int32_t rank, bytes;
	int64_t shape[SR_KERNEL_MAX_RANK], src_stride[SR_KERNEL_MAX_RANK], dst_stride[SR_KERNEL_MAX_RANK];
	int64_t src_offset, dst_offset;
};

/* ---- fill: dst[begin..end) = the single element of src; buffers: src, dst */
struct sr_fill_params {
	int64_t n;
	int32_t bytes;
};

/* ---- dynamic_slice: buffers: src, start_0 .. start_{rank-1} (scalars of index_type), dst. Starts are clamped to [0, src - size].
 * Range: 0..1. dynamic_update_slice: src, update, starts..., dst; dst may be src. Range: rows (sr_update_row_dimension). */
struct sr_dynamic_slice_params {
	int32_t rank, bytes, index_type;
	int64_t src[SR_KERNEL_MAX_RANK], size[SR_KERNEL_MAX_RANK];
};

/* ---- reduce with a monoid over the dimensions in `reduced`; buffers: in, init, out. Range: output elements. f16 and bf16
 * accumulate in f32 and are rounded once. The reference combines elements in index order. */
enum sr_monoid {
	SR_MONOID_ADD, SR_MONOID_MUL, SR_MONOID_MIN, SR_MONOID_MAX, SR_MONOID_AND, SR_MONOID_OR, SR_MONOID_XOR, SR_MONOID_COUNT
};
struct sr_reduce_params {
	int32_t rank, monoid;
	int64_t shape[SR_KERNEL_MAX_RANK];
	uint8_t reduced[SR_KERNEL_MAX_RANK];
};

/* ---- reduce_window with a monoid; buffers: in, init, out. Range: output elements. Padding has the init value. */
struct sr_reduce_window_params {
	int32_t rank, monoid;
	int64_t in[SR_KERNEL_MAX_RANK], out[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK], stride[SR_KERNEL_MAX_RANK],
		base_dilation[SR_KERNEL_MAX_RANK], window_dilation[SR_KERNEL_MAX_RANK], pad_low[SR_KERNEL_MAX_RANK];
};

/* ---- cumulate (scan): out[o][i][k] = init combined with in[o][j][k] for all j <= i (reverse: all j >= i); buffers: in, init,
 * out. Range: outer. */
struct sr_cumulate_params {
	int64_t outer, length, inner;
	int32_t monoid, reverse;
};

/* ---- select_and_scatter with a comparison and a monoid; buffers: operand, source, init, out. `window` slides over the operand
 * (window.in); each source element (window.out) belongs to one window position. Range: groups of windows over separate elements,
 * which the leading dimensions number (sr_select_and_scatter_groups); in a group, in the order of the source. Not for complex
 * types. */
struct sr_select_and_scatter_params {
	struct sr_reduce_window_params window;
	int32_t select; /* enum sr_compare: the selected element is kept if compare(selected, candidate) is true */
};
/* Return the number of leading dimensions in which each window has one element, another one for each window. */
int sr_select_and_scatter_leading_dims(const struct sr_reduce_window_params *w);
int64_t sr_select_and_scatter_groups(const struct sr_reduce_window_params *w); /* product of these dimensions */

/* ---- product: out[b][m][n] = sum over k of lhs * rhs, each operand addressed by strides per (batch, m or n, k); buffers: lhs,
 * rhs, out. Each group of dimensions is collapsed to one extent if the strides allow; otherwise the plan copies the operand
 * first. Table type: lhs's. `out` is the result's type; sums accumulate at least in it, for 16-bit floats in f32. Range: batch *
 * m. */
struct sr_product_params {
	int64_t batch, m, n, k;
	/* strides of the operands in elements, 0 for a broadcast dimension */
	int64_t lhs_batch, lhs_m, lhs_k, rhs_batch, rhs_n, rhs_k;
	int32_t out, rhs; /* element types of result and rhs, enum sr_dtype */
	/* distance in elements between two rows of the result, more than n if the result is a slice of columns; 0: n */
	int64_t out_m;
};
/* Return true for a product of f32 or f64 that takes less time than a library call, and whose right operand has contiguous rows.
 * Compiled loops contain such products, so kernels and compiled code must sum in the same order: each element is the sum in the
 * order of k, with fused multiply-add where the machine has it; with n = 1 and both operands contiguous along k, in 32 lanes
 * (small_product.h). */
bool sr_product_is_small(enum sr_dtype t, const struct sr_product_params *p);
static inline int64_t sr_product_out_m(const struct sr_product_params *p)
{
	return p->out_m ? p->out_m : p->n;
}

/* ---- convolution in StableHLO's general form; buffers: lhs, rhs, out. Range: output batch * feature. */
struct sr_conv_params {
	int32_t spatial; /* number of spatial dimensions */
	int32_t out;     /* element type of the result, enum sr_dtype */
	int64_t batch, in_features, out_features, feature_groups, batch_groups;
	int64_t in[SR_KERNEL_MAX_RANK], out_shape[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK], stride[SR_KERNEL_MAX_RANK],
		pad_low[SR_KERNEL_MAX_RANK], lhs_dilation[SR_KERNEL_MAX_RANK], rhs_dilation[SR_KERNEL_MAX_RANK];
	uint8_t reversal[SR_KERNEL_MAX_RANK];
	/* 1: a library may use Winograd's algorithm (sr_conv_may_use_winograd), whose rounding errors differ; 0: direct */
	int64_t winograd;
	int64_t lhs_stride[SR_KERNEL_MAX_RANK + 2], rhs_stride[SR_KERNEL_MAX_RANK + 2],
		/* strides and extents of a tensor: batch, feature (rhs: input feature, output feature), then the spatial
		 * dimensions */
		out_stride[SR_KERNEL_MAX_RANK + 2];
};

/* ---- gather: buffers: operand, indices, out. Range: output elements. */
struct sr_gather_params {
	int32_t operand_rank, indices_rank, out_rank, index_type, bytes, index_vector_dim, n_index_map;
	int64_t operand[SR_KERNEL_MAX_RANK], indices[SR_KERNEL_MAX_RANK], out[SR_KERNEL_MAX_RANK], slice_sizes[SR_KERNEL_MAX_RANK];
	/* operand dimension that each component of an index vector addresses (StableHLO's start_index_map) */
	int8_t index_map[SR_KERNEL_MAX_RANK];
	/* for each output dimension: its operand dimension if it is an offset dimension; -1 for a batch dimension */
	int8_t out_operand_dim[SR_KERNEL_MAX_RANK];
	/* for each operand dimension: the dimension of the indices that batches it; -1: none */
	int8_t batch_of_operand[SR_KERNEL_MAX_RANK];
};

/* ---- scatter with a monoid; buffers: operand, indices, updates, out (may be the same memory as operand). Range: elements of the
 * operand; a call applies the updates to its part of the range in index order. Updates out of bounds are skipped. monoid -1: the
 * update replaces the element. */
struct sr_scatter_params {
	/* the scatter as a gather of its updates: operand = input, out = shape of the updates, out_operand_dim per dimension of the
	 * updates */
	struct sr_gather_params g;
	int32_t monoid;
	int32_t splat; /* 1 if the updates buffer has a single element, which is used for every update */
};

/* ---- stable sort along one dimension by one key; n_operands are permuted together; buffers: inputs, outputs (each may be the
 * same memory as its input). Table type: the key's. Range: rows (outer * inner). */
struct sr_sort_params {
	int32_t n_operands, key, descending;
	/* order of floats: 0: <; 1: TOTALORDER (-0 before +0, NaN by sign); 2: zeros equal, all NaN equal and last */
	int32_t total;
	int64_t outer, length, inner;
	int64_t n_used_results; /* if > 0, only the first `n_used_results` results are used; the rest is unspecified */
	int32_t bytes[16];
};

/* ---- fft over the last `rank` dimensions with extents `length` (those of the real side); buffers: in, out. Range: batches.
 * Table type: the complex type. A complex transform of one dimension may be of columns: `inner` neighbouring lines; the distance
 * between the elements of a line is `stride` >= inner elements. */
enum sr_fft_kind { SR_FFT, SR_IFFT, SR_RFFT, SR_IRFFT };
struct sr_fft_params {
	int32_t kind, rank; /* enum sr_fft_kind; number of transformed dimensions */
	int64_t batch, length[3];
	int64_t inner, stride; /* of columns; 0: the lines are contiguous */
};

/* ---- linear algebra on batches of row-major matrices; range: batches.
 * cholesky: buffers: a [n][n], out; the other triangle of the result is zero.
 * triangular_solve: op(a) x = b if left, else x op(a) = b; buffers: a, b [m][n], x (may be the same memory as b); a is square of
 * order m or n. */
struct sr_linalg_params {
	int64_t batch, m, n;
	uint8_t lower, left, unit, transpose; /* transpose: 0 none, 1 transposed, 2 adjoint */
};

/* ---- rng_bit_generator: buffers: state, new state, out. Range: 0..1. The bits are those of XLA:CPU, where THREE_FRY's depend on
 * the shape. */
struct sr_rng_params {
	int64_t n;          /* number of output elements */
	int32_t rank;       /* rank of the output; 0: one dimension of n elements */
	int64_t shape[SR_KERNEL_MAX_RANK];
	int32_t algorithm;  /* generator: 0 default, 1 threefry, 2 philox */
	int32_t bytes, state_words;
};

/* ---- LAPACK routines on batches of row-major matrices, with the arguments of the custom calls lapack_Xname_ffi; range: batches.
 * Buffers: the call's operands, then its results. Character arguments are LAPACK's own. */
enum sr_lapack {
#define LAPACK(id, name, operands, results, complex_results) SR_LAPACK_##id,
#include "kernels/lapack.def"
	SR_LAPACK_COUNT
};
struct sr_lapack_params {
	int32_t routine;
	uint8_t uplo, side, trans, diag, mode, left, right;
	/* sizes: m x n is the matrix (trsm, ormqr: the multiplied matrix); k: number of reflectors, otherwise 0 */
	int64_t batch, m, n, k;
	int64_t low, high;      /* arguments ilo and ihi of gehrd */
};
/* Return the enum sr_lapack of the routine that a custom call's target names ("lapack_spotrf_ffi", "Qr"); -1 if it names none. */
int sr_lapack_find(const char *target);
int sr_lapack_operand_count(int routine);
int sr_lapack_result_count(int routine, enum sr_dtype type);

/* Return the number of buffers that are results; they follow the operands. */
int sr_kernel_result_count(enum sr_kernel k, enum sr_dtype t, const void *params);
/* Functions on the operands that may share memory with results. sr_kernel_aliases_elementwise returns true if an element of the
 * operand is read before the element of the result in its place is written, so the operand may share the result's memory if it has
 * the same size: an elementwise kernel's operand that is no scalar, or that of a complex Fourier transform.
 * sr_kernel_first_aliased_operand returns the number k, or -1, such that operands k, k + 1, ... may share the memory of results 0,
 * 1, ...; if an operand does not share it, the kernel first copies the operand to the result. All other operands must not overlap
 * results. */
bool sr_kernel_aliases_elementwise(enum sr_kernel k, const void *params, uint32_t operand);
int sr_kernel_first_aliased_operand(enum sr_kernel k);

/* Rule by which a kernel's range may be split into chunks that run concurrently, each with its own scratch. */
struct sr_kernel_split {
	int64_t grain; /* chunks begin at multiples of `grain` indices; 0: the range must not be split */
	/* true if results depend bit for bit on where chunks begin and end, so that each chunk of `grain` indices is one call,
	 * whatever the number of threads */
	bool needs_fixed_chunks;
};
struct sr_kernel_split sr_kernel_split_of(enum sr_kernel k, const void *params);

/* sr_kernel_planned_scratch returns the scratch bytes that a program reserves for a kernel with these params on any machine;
 * sr_kernel_call_scratch returns the bytes that a call of this table's function needs. */
int64_t sr_kernel_planned_scratch(enum sr_kernel k, enum sr_dtype t, const void *params);
int64_t sr_kernel_call_scratch(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params);

#endif
