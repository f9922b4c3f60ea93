/* The table of reference kernels, and the properties of each kernel listed in kernels.def. */
#include "kernels/conv_descriptor.h"
#include "kernels/element.h"
#include "kernels/kernel_chunk.h"
#include "kernels/nest/access.h"
#include <math.h>
#include <string.h>

static const char *const names[SR_KERNEL_COUNT] = {
	[SR_KERNEL_NONE] = "none",
#define KERNEL(id, name, ...) [SR_KERNEL_##id] = name,
#include "kernels/kernels.def"
};

enum sr_kernel sr_kernel_find(const char *name)
{
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_COUNT; k++)
		if (strcmp(names[k], name) == 0)
			return (enum sr_kernel)k;
	return SR_KERNEL_NONE;
}

const char *sr_kernel_name(enum sr_kernel k)
{
	return names[k];
}

int sr_kernel_arity(enum sr_kernel k)
{
	static const uint8_t arity[SR_KERNEL_COUNT] = {
#define MAP(id, name, arity, ...) [SR_KERNEL_##id] = arity,
#include "kernels/map/map.ops"
		[SR_KERNEL_CONVERT] = 1, [SR_KERNEL_BITCAST] = 1, [SR_KERNEL_REDUCE_PRECISION] = 1, [SR_KERNEL_COMPARE] = 2, [SR_KERNEL_COMPLEX] = 2,
		[SR_KERNEL_SELECT] = 3, [SR_KERNEL_CLAMP] = 3,
	};
	return arity[k];
}

enum sr_work_class sr_kernel_work_class(enum sr_kernel k)
{
	static const uint8_t classes[SR_KERNEL_COUNT] = { /* cost class of each elementwise kernel; kernels not listed are cheap */
#define MAP(id, name, arity, work, ...) [SR_KERNEL_##id] = SR_WORK_##work,
#include "kernels/map/map.ops"
	};
	return (enum sr_work_class)classes[k];
}

bool sr_kernel_is_expensive(enum sr_kernel k)
{
	return sr_kernel_work_class(k) == SR_WORK_TRANSCENDENTAL || k == SR_KERNEL_REMAINDER;
}

/* Return the number of rows of a product per call: so many that packing the other operand, which a library repeats in each call,
 * costs little. Many rows are divided into an even number of equal calls. */
static int64_t product_rows(const struct sr_product_params *p)
{
	enum { MIN_ROWS = 256, TILE_ROWS = 8, MIN_MATRIX_FLOPS = 1 << 23, MIN_ELEMENTS = 1 << 18 };
	/* products of complex numbers take several times as long */
	const double min_flops = sr_dtype_is_complex((enum sr_dtype)p->out) ? SR_CHUNK_MIN_FLOPS / 8 : SR_CHUNK_MIN_FLOPS;
	double row = 2.0 * (double)p->n * (double)p->k, rows = row > 0 ? min_flops / row : 1;
	if (rows >= (double)p->m) { /* one call computes one or several matrices of the batch */
		double flops = row * (double)p->m, elements = row / 2;
		double matrices = flops > 0 ? fmax(1, fmin(MIN_MATRIX_FLOPS / flops, MIN_ELEMENTS / elements)) : 1e9;
		return matrices < 1e9 ? (int64_t)matrices * p->m : INT64_MAX;
	}
	int64_t calls = (p->m / (2 * MIN_ROWS) + 1) / 2 * 2;
	if (rows > MIN_ROWS)
		calls = ((int64_t)((double)p->m / rows) + 1) / 2 * 2;
	return calls ? ((p->m + calls - 1) / calls + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS : p->m;
}

static struct sr_kernel_split product_split(const void *params)
{
	return (struct sr_kernel_split){.grain = product_rows(params), .needs_fixed_chunks = true};
}

/* Return how a scatter is split: by rows of the operand, if windows are rows that are long enough. Each call reads all indices,
 * which must take less time than combining the rows. */
static struct sr_kernel_split scatter_split(const void *params)
{
	enum { MIN_ROW_BYTES = 256, N_CALLS = 4 };
	const struct sr_gather_params *g = &((const struct sr_scatter_params *)params)->g;
	int64_t row = 1, elements = 1;
	bool are_rows = true;
	for (int d = g->operand_rank - 1; d >= 0; d--) {
		row *= elements == row && g->slice_sizes[d] == g->operand[d] ? g->operand[d] : 1;
		elements *= g->operand[d];
	}
	for (int d = 0; d < g->out_rank; d++) /* check that update windows are the last dimensions of the operand, in order */
		are_rows &= d == 0 || g->out_operand_dim[d - 1] < 0 || g->out_operand_dim[d] == g->out_operand_dim[d - 1] + 1;
	for (int d = 0; d < g->operand_rank; d++)
		are_rows &= g->slice_sizes[d] == 1 || g->slice_sizes[d] == g->operand[d];
	for (int k = 0; k < g->n_index_map; k++)
		are_rows &= g->slice_sizes[g->index_map[k]] == 1;
	if (!are_rows || row * g->bytes < MIN_ROW_BYTES)
		return (struct sr_kernel_split){.grain = 0};
	return (struct sr_kernel_split){.grain = (elements / row + N_CALLS - 1) / N_CALLS * row};
}

int sr_select_and_scatter_leading_dims(const struct sr_reduce_window_params *w)
{
	int d = 0;
	while (d < w->rank && w->window[d] == 1 && w->stride[d] == 1 && w->pad_low[d] == 0 && w->in[d] == w->out[d])
		d++;
	return d;
}

int64_t sr_select_and_scatter_groups(const struct sr_reduce_window_params *w)
{
	int64_t n = 1;
	for (int d = sr_select_and_scatter_leading_dims(w); d-- > 0;)
		n *= w->in[d];
	return n;
}

static const struct {
	/* function that computes the split from the params; NULL: the split is at multiples of `grain` */
	struct sr_kernel_split (*split_function)(const void *params);
	int grain;
} splits[SR_KERNEL_COUNT] = {
#define UNSPLIT {NULL, 0}
#define MULTIPLES_OF(n) {NULL, n}
#define COMPUTED(f) {f##_split, 0}
#define KERNEL(id, name, params, aliasing, split, ...) [SR_KERNEL_##id] = split,
#include "kernels/kernels.def"
#undef UNSPLIT
#undef MULTIPLES_OF
#undef COMPUTED
};

struct sr_kernel_split sr_kernel_split_of(enum sr_kernel k, const void *params)
{
	return splits[k].split_function ? splits[k].split_function(params) : (struct sr_kernel_split){.grain = splits[k].grain};
}

static const struct {
	bool is_elementwise;
	int8_t first_aliased_operand; /* number of the first operand that may share a result's memory; -1: none */
} aliasings[SR_KERNEL_COUNT] = {
#define NO_ALIAS {false, -1}
#define ELEMENTWISE {true, -1}
#define ALIASES(k) {false, k}
#define KERNEL(id, name, params, aliasing, ...) [SR_KERNEL_##id] = aliasing,
#include "kernels/kernels.def"
#undef NO_ALIAS
#undef ELEMENTWISE
#undef ALIASES
};

bool sr_kernel_aliases_elementwise(enum sr_kernel k, const void *params, uint32_t operand)
{
	if (k == SR_KERNEL_FFT)
		return ((const struct sr_fft_params *)params)->kind <= SR_IFFT;
	return aliasings[k].is_elementwise && !((const struct sr_map_params *)params)->scalar[operand];
}

int sr_kernel_first_aliased_operand(enum sr_kernel k)
{
	return aliasings[k].first_aliased_operand;
}

int sr_kernel_result_count(enum sr_kernel k, enum sr_dtype t, const void *params)
{
	switch (k) {
	case SR_KERNEL_SORT:
		return ((const struct sr_sort_params *)params)->n_operands;
	case SR_KERNEL_RNG_BITS:
		return 2;
	case SR_KERNEL_LAPACK:
		return sr_lapack_result_count(((const struct sr_lapack_params *)params)->routine, t);
	default:
		return 1;
	}
}

int64_t sr_kernel_planned_scratch(enum sr_kernel k, enum sr_dtype t, const void *params)
{
	switch (k) {
	case SR_KERNEL_SORT:
		return sr_sort_scratch(t, params);
	case SR_KERNEL_FFT:
		return sr_fft_scratch(t, params);
	case SR_KERNEL_LAPACK:
		return sr_lapack_scratch(t, params);
	case SR_KERNEL_CONVOLUTION:
		return sr_conv_scratch(t, params);
	case SR_KERNEL_PRODUCT:
		return sr_product_scratch(t, params);
	default:
		return 0;
	}
}

int64_t sr_kernel_call_scratch(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params)
{
	int64_t planned_bytes = sr_kernel_planned_scratch(k, t, params),
		required_bytes = table->scratch[k] ? table->scratch[k](t, params) : 0;
	return required_bytes > planned_bytes ? required_bytes : planned_bytes;
}

void sr_kernels_init(struct sr_kernels *table)
{
	memset(table, 0, sizeof(*table));
	table->access = &sr_access_base;
	sr_kernels_init_map_integer(table);
	sr_kernels_init_map_float(table);
	sr_kernels_init_map_small(table);
	sr_kernels_init_map_complex(table);
	sr_kernels_init_convert(table);
	sr_kernels_init_compare(table);
	sr_kernels_init_move(table);
	sr_kernels_init_reduce(table);
	sr_kernels_init_product(table);
	sr_kernels_init_gather(table);
	sr_kernels_init_scatter(table);
	sr_kernels_init_sort(table);
	sr_kernels_init_fft(table);
	sr_kernels_init_linalg(table);
	sr_kernels_init_rng(table);
}
