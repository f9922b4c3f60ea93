/* Kernels: functions over buffers. They know element types, shapes and strides, and nothing of ops, modules, ranks or files.
 *
 * A kernel computes the part [begin, end) of its outermost range (so that a range can be cut into tiles or threads), reads and
 * writes the buffers it is given, allocates nothing, keeps no state, and reports no errors: what it needs is checked before
 * (plan). buffers[] holds inputs first, then outputs, each the first byte of a dense row-major tensor unless the params say
 * otherwise. scratch holds at least the bytes that the kernel's row asks for. Reference kernels are correct for every input
 * that the params allow, and slow; src/kernels/fast registers faster ones over them.
 *
 * The table is (kernel, element type) -> function: sr_kernels_init fills the reference, a later sr_kernels_set overrides.
 * Params are plain structs without pointers, so that they can lie in a program's blob. */
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

/* A kernel made ready for one step of a program, with params that never change: what a library builds once and plays many times. It computes
 * the whole range, and is nobody else's while it runs. */
struct sr_prepared_kernel {
	void (*run)(struct sr_prepared_kernel *r, void *const *buffers, void *scratch);
	void (*release)(struct sr_prepared_kernel *r);
	int64_t scratch; /* bytes that run needs, which may be more than the plan's (sr_kernel_planned_scratch) */
};

struct sr_kernels;
/* NULL: there is nothing better than the table's function for these params. They outlive what is made ready, as the table does. */
typedef struct sr_prepared_kernel *sr_kernel_prepare_fn(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range);

/* The scratch bytes that the table's function uses with these params on this machine, which may be more than the plan's. */
typedef int64_t sr_kernel_scratch_fn(enum sr_dtype t, const void *params);

struct sr_kernels {
	sr_kernel_fn *fn[SR_KERNEL_COUNT][SR_DTYPE_COUNT];
	sr_kernel_scratch_fn *scratch[SR_KERNEL_COUNT]; /* NULL: no more than sr_kernel_planned_scratch */
	sr_kernel_prepare_fn *prepare[SR_KERNEL_COUNT]; /* NULL: none */
};

void sr_kernels_init(struct sr_kernels *table); /* all reference kernels */
static inline void sr_kernels_set(struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, sr_kernel_fn *fn)
{
	table->fn[k][t] = fn;
}
/* By name, which for elementwise kernels is the op's ("add", "tanh"); SR_KERNEL_NONE where there is none. */
enum sr_kernel sr_kernel_find(const char *name);
const char *sr_kernel_name(enum sr_kernel k);
/* How many inputs an elementwise kernel has; 0: it is none. */
int sr_kernel_arity(enum sr_kernel k);
/* What an element of an elementwise function takes, and whether that is tens of cycles: better kept than computed twice. */
enum sr_work_class sr_kernel_work_class(enum sr_kernel k);
bool sr_kernel_is_expensive(enum sr_kernel k);

/* ---- elementwise (map.ops): out[i] = f(in0[i], in1[i], ...), i in [begin, end)
 * The table's element type is the type of the kernel's first input (for select and clamp: of the values). */
struct sr_map_params {
	int64_t n;
	uint8_t scalar[4]; /* input k is one element, used for every i (select's predicate, clamp's bounds, or a fused splat) */
	uint8_t in, out;   /* enum sr_dtype of in 0 and of the result, where they differ from the table's (convert, bitcast) */
	uint8_t variant;   /* compare: enum sr_compare | total order << 3; reduce_precision: unused */
	uint8_t exponent_bits, mantissa_bits; /* reduce_precision */
};
enum sr_compare { SR_EQ, SR_NE, SR_LT, SR_LE, SR_GT, SR_GE };

/* ---- move: strided copy of elements of `bytes` bytes; covers transpose, broadcast_in_dim, slice, reverse, concatenate, pad
 * dst[dst_offset + sum i_d * dst_stride_d] = src[src_offset + sum i_d * src_stride_d] for i in shape; strides and offsets
 * in elements, may be 0 (broadcast) or negative (reverse). buffers: src, dst. The range is over the first dimension
 * (0..shape[0], 0..1 if rank 0). Table type: any of the same byte size; SR_UI8, SR_UI16, SR_UI32, SR_UI64, SR_C128. */
struct sr_move_params {
	int32_t rank, bytes;
	int64_t shape[SR_KERNEL_MAX_RANK], src_stride[SR_KERNEL_MAX_RANK], dst_stride[SR_KERNEL_MAX_RANK];
	int64_t src_offset, dst_offset;
};

/* ---- fill: dst[begin..end) = the one element of src; buffers: src, dst */
struct sr_fill_params {
	int64_t n;
	int32_t bytes;
};

/* ---- dynamic slice: buffers: src, start_0 .. start_{rank-1} (scalars of index_type), dst. Start is clamped to [0, src -
 * size]. dynamic_update_slice: buffers: src, update, starts..., dst; dst may be src's buffer. The range is 0..1. */
struct sr_dynamic_slice_params {
	int32_t rank, bytes, index_type;
	int64_t src[SR_KERNEL_MAX_RANK], size[SR_KERNEL_MAX_RANK];
};

/* ---- reduce: monoid over the dimensions in `reduced`; buffers: in, init, out. Range over the output elements.
 * f16 and bf16 accumulate in f32 and round once. Sums and products in index order. */
enum sr_monoid {
	SR_MONOID_ADD, SR_MONOID_MUL, SR_MONOID_MIN, SR_MONOID_MAX, SR_MONOID_AND, SR_MONOID_OR, SR_MONOID_XOR, SR_MONOID_COUNT
};
struct sr_reduce_params {
	int32_t rank, monoid;
	int64_t shape[SR_KERNEL_MAX_RANK];
	uint8_t reduced[SR_KERNEL_MAX_RANK];
};

/* ---- reduce_window with a monoid; buffers: in, init, out. Range over output elements. Padding holds the init value. */
struct sr_reduce_window_params {
	int32_t rank, monoid;
	int64_t in[SR_KERNEL_MAX_RANK], out[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK], stride[SR_KERNEL_MAX_RANK],
		base_dilation[SR_KERNEL_MAX_RANK], window_dilation[SR_KERNEL_MAX_RANK], pad_low[SR_KERNEL_MAX_RANK];
};

/* ---- cumulate: out[o][i][k] = init, then in[o][j][k] for all j up to i (reverse: from i on), combined; buffers: in, init, out. Range over
 * outer. */
struct sr_cumulate_params {
	int64_t outer, length, inner;
	int32_t monoid, reverse;
};

/* ---- select_and_scatter with a comparison and a monoid; buffers: operand, source, init, out. The window goes over the operand (in), a
 * source element (out) belongs to each of its places. Range 0..1: one after another in the source's order. Not for complex types. */
struct sr_select_and_scatter_params {
	struct sr_reduce_window_params window;
	int32_t select; /* enum sr_compare: what was selected stays where (selected, candidate) is true */
};

/* ---- product: out[b][m][n] = sum over k lhs * rhs, the two operands addressed by strides per (batch, m or n, k);
 * buffers: lhs, rhs, out. Each group of dimensions is collapsed to one extent where strides allow; else the plan moves first.
 * Table type: the operands'; `out` the result's (preferred element type: accumulate at least in it, f32 for 16 bits). Range
 * over batch * m. */
struct sr_product_params {
	int64_t batch, m, n, k;
	int64_t lhs_batch, lhs_m, lhs_k, rhs_batch, rhs_n, rhs_k; /* strides in elements */
	int32_t out, rhs; /* enum sr_dtype */
	int64_t out_m;    /* elements from one row of the result to the next, more than n where it is some of the columns; 0: n */
};
static inline int64_t sr_product_out_m(const struct sr_product_params *p)
{
	return p->out_m ? p->out_m : p->n;
}

/* ---- convolution as the specification's general case: buffers: lhs, rhs, out. Range over output batch * feature. */
struct sr_conv_params {
	int32_t spatial; /* number of spatial dimensions */
	int32_t out;     /* result type */
	int64_t batch, in_features, out_features, feature_groups, batch_groups;
	int64_t in[SR_KERNEL_MAX_RANK], out_shape[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK], stride[SR_KERNEL_MAX_RANK],
		pad_low[SR_KERNEL_MAX_RANK], lhs_dilation[SR_KERNEL_MAX_RANK], rhs_dilation[SR_KERNEL_MAX_RANK];
	uint8_t reversal[SR_KERNEL_MAX_RANK];
	int64_t lhs_stride[SR_KERNEL_MAX_RANK + 2], rhs_stride[SR_KERNEL_MAX_RANK + 2],
		out_stride[SR_KERNEL_MAX_RANK + 2]; /* batch, feature (rhs: in, out), spatial... */
};

/* ---- gather: buffers: operand, indices, out. Range over output elements. */
struct sr_gather_params {
	int32_t operand_rank, indices_rank, out_rank, index_type, bytes, index_vector_dim, n_index_map;
	int64_t operand[SR_KERNEL_MAX_RANK], indices[SR_KERNEL_MAX_RANK], out[SR_KERNEL_MAX_RANK], slice_sizes[SR_KERNEL_MAX_RANK];
	int8_t index_map[SR_KERNEL_MAX_RANK];       /* start_index_map */
	int8_t out_operand_dim[SR_KERNEL_MAX_RANK]; /* per output dim: operand dim of an offset dim, or -1 for a batch dim */
	int8_t batch_of_operand[SR_KERNEL_MAX_RANK]; /* per operand dim: indices dim that batches it, or -1 */
};

/* ---- scatter with a monoid or replacement; buffers: operand, indices, updates, out (out may be operand's buffer). Range over the
 * operand's elements: those of a part get their updates, one after another in index order; an update out of bounds is skipped.
 * monoid -1: replace by the update. */
struct sr_scatter_params {
	struct sr_gather_params g; /* operand = input, out = updates' shape, out_operand_dim per update dim */
	int32_t monoid;
	int32_t splat; /* updates is one element, which is every update */
};

/* ---- sort along one dimension by one key, stable, n_operands carried along; buffers: inputs, outputs (each may be its
 * input). Table type: the key's. Range over rows (outer * inner). */
struct sr_sort_params {
	int32_t n_operands, key, descending;
	int32_t total; /* floats: 0 plain <; 1 TOTALORDER (-0 before +0, NaN by sign); 2 zeros equal, every NaN equal and last */
	int64_t outer, length, inner;
	int64_t keep; /* > 0: only so many of the first in order are asked for, what comes after them is of no account */
	int32_t bytes[16];
};

/* ---- fft: over the last `rank` dimensions of extents `length` (as the real side has them); buffers: in, out. Range over
 * batches. Table type: the complex type. */
enum sr_fft_kind { SR_FFT, SR_IFFT, SR_RFFT, SR_IRFFT };
struct sr_fft_params {
	int32_t kind, rank; /* enum sr_fft_kind */
	int64_t batch, length[3];
};

/* ---- linear algebra on batches of row-major matrices; range over batches
 * cholesky: buffers: a [n][n], out; the triangle that is not asked for is zero.
 * triangular_solve: op(a) x = b where left, else x op(a) = b; buffers: a, b [m][n], x (may be b's); a is square of m or n. */
struct sr_linalg_params {
	int64_t batch, m, n;
	uint8_t lower, left, unit, transpose; /* transpose: 0 no, 1 transpose, 2 adjoint */
};

/* ---- rng_bit_generator: buffers: state, new state, out. Range 0..1. Bits are those of XLA on CPUs, where THREE_FRY's depend
 * on the shape. */
struct sr_rng_params {
	int64_t n;          /* output elements */
	int32_t rank;       /* of the output; 0 also means one dimension of n */
	int64_t shape[SR_KERNEL_MAX_RANK];
	int32_t algorithm;  /* 0 default, 1 threefry, 2 philox */
	int32_t bytes, state_words;
};

/* ---- LAPACK's routines on batches of row-major matrices, as custom calls lapack_Xname_ffi have them; range over batches. Buffers: the
 * call's operands, then its results. Letters are LAPACK's own. */
enum sr_lapack {
#define LAPACK(id, name, operands, results, complex_results) SR_LAPACK_##id,
#include "kernels/lapack.def"
	SR_LAPACK_COUNT
};
struct sr_lapack_params {
	int32_t routine;
	uint8_t uplo, side, trans, diag, mode, left, right;
	int64_t batch, m, n, k; /* m x n: the matrix (trsm, ormqr: what is multiplied); k: reflectors, 0 elsewhere */
	int64_t low, high;      /* gehrd */
};
int sr_lapack_find(const char *target); /* enum sr_lapack of "lapack_spotrf_ffi", "Qr"; -1 */
int sr_lapack_operand_count(int routine);
int sr_lapack_result_count(int routine, enum sr_dtype type);

/* How many of the buffers are results; they come last. */
int sr_kernel_result_count(enum sr_kernel k, enum sr_dtype t, const void *params);
/* Sharing of memory. Along: element i of the result is written after element i of each operand was read, and depends on no other, so that
 * an operand of as many bytes that is no scalar may be the result's memory. Over: the number of the operand, -1 for none, from which on
 * operands may be the results' memory, the first the first result's and so on; a kernel that is given another buffer copies it first.
 * All else is APART: what is read and what is written must not meet. */
bool sr_kernel_aliases_elementwise(enum sr_kernel k);
int sr_kernel_first_aliased_operand(enum sr_kernel k);

/* How the range may be cut into parts that are computed at the same time, each with scratch of its own. */
struct sr_kernel_split {
	int64_t grain; /* parts begin at multiples of it; 0: the range is not cut */
	bool apart;    /* bits depend on where parts begin and end, so that each part is one call, by however many it is computed */
};
struct sr_kernel_split sr_kernel_split_of(enum sr_kernel k, const void *params);

/* The scratch bytes that the plan has for a kernel with these params; and those that a call of the table's function is to be
 * given. */
int64_t sr_kernel_planned_scratch(enum sr_kernel k, enum sr_dtype t, const void *params);
int64_t sr_kernel_call_scratch(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params);

#endif
