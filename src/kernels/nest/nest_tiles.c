/* Merging of loops of a nest that is interpreted, and choice of the sizes and the order of its tiles. */
#include "kernels/nest/nest_run.h"
#include "support/checked.h"
#include "support/integers.h"
#include <stdlib.h>
#include <string.h>

enum { FOLD_ROWS = 256, FOLD_COLUMNS = 1024, TRANSPOSED_SIZE = 64, SHORT_ROW = 64, SLOTS_BYTES = 160 << 10, SCALED_EXTENT = 8,
       ROWS_AT_ONCE = 8, LONE_ROW = 256 /* least elements of a row that is a tile of its own */ };

/* ---- merging loops ---- */

static bool loop_follows(const int64_t *coef, int l, int64_t extent)
{
	return coef[l] == coef[l + 1] * extent;
}

/* Return true if the nest reduces floats, or by a function of its own. The order of these reductions depends on how loops are merged
 * (sr_nest_set_order). */
static bool has_ordered_reduction(const struct sr_nest *nest)
{
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !sr_dtype_is_integer((enum sr_dtype)in->type)))
			return true;
	}
	return false;
}

/* Return the dimension of an access that a merge of loops l and l + 1 scales, or NULL if there is none: its coordinate has the index
 * of loop l, and loop l + 1 passes through the contiguous elements at that coordinate, such as the channels of a pixel. The merged
 * loop passes through the elements of all coordinates, whose bounds become those of the elements. */
static struct sr_nest_dim *scaled_dim(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int l)
{
	int64_t n = r->extent[l + 1], ignored;
	struct sr_nest_dim *scaled = NULL;
	for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++) {
		struct sr_nest_dim *d = &r->dims[k];
		bool is_scaled = d->coef[l] == 1 && !d->coef[l + 1] && d->index < 0 && d->divisor == 1 && d->extent > 0 &&
				 !a->stride[l] && a->stride[l + 1] && d->stride == a->stride[l + 1] * n;
		is_scaled = is_scaled && !sr_mul_overflows(d->offset, n, &ignored) && !sr_mul_overflows(d->extent, n, &ignored);
		for (int m = 0; is_scaled && m < r->n_loops; m++)
			is_scaled = !sr_mul_overflows(d->coef[m], n, &ignored);
		if (is_scaled)
			scaled = d;
	}
	return n <= SCALED_EXTENT && scaled && !has_ordered_reduction(r->nest) ? scaled : NULL;
}

/* Scale a dimension for a merge of loops l and l + 1. The access has no stride along them then, but the dimension. */
static void scale_dim(const struct sr_nest_prepared *r, struct sr_nest_access *a, struct sr_nest_dim *d, int l)
{
	int64_t n = r->extent[l + 1];
	d->stride = a->stride[l + 1];
	a->stride[l + 1] = 0;
	for (int m = 0; m < r->n_loops; m++)
		d->coef[m] *= n;
	d->coef[l + 1] = 1;
	d->offset *= n;
	d->extent *= n;
}

/* Return true if loops l and l + 1 can be merged into one, with index = index of l times the extent of l + 1, plus index of l +
 * 1. */
static bool is_mergeable(const struct sr_nest_prepared *r, int l)
{
	if ((l < r->n_parallel) != (l + 1 < r->n_parallel))
		return false;
	for (int i = 0; i < r->nest->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		const struct sr_nest_dim *scaled = scaled_dim(r, a, l);
		if (!scaled && !loop_follows(a->stride, l, r->extent[l + 1]))
			return false;
		for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++)
			if (&r->dims[k] != scaled && !loop_follows(r->dims[k].coef, l, r->extent[l + 1]))
				return false;
	}
	return true;
}

static void remove_element(int64_t *v, int l, int n)
{
	memmove(v + l, v + l + 1, (size_t)(n - l - 1) * sizeof *v);
}

/* Remove loop l, which has one iteration or is merged into loop l + 1. */
static void remove_loop(struct sr_nest_prepared *r, int l)
{
	for (int i = 0; i < r->nest->n_accesses; i++)
		remove_element(r->accesses[i].stride, l, r->n_loops);
	for (int i = 0; i < r->nest->n_dims; i++)
		remove_element(r->dims[i].coef, l, r->n_loops);
	remove_element(r->extent, l, r->n_loops);
	r->n_loops--;
	r->n_parallel -= l < r->n_parallel;
}

static void merge_adjacent_loops(struct sr_nest_prepared *r)
{
	for (int l = r->n_loops - 1; l >= 0; l--)
		if (r->extent[l] == 1)
			remove_loop(r, l);
	for (int l = r->n_loops - 2; l >= 0; l--)
		if (is_mergeable(r, l)) {
			for (int i = 0; i < r->nest->n_accesses; i++) {
				struct sr_nest_dim *scaled = scaled_dim(r, &r->accesses[i], l);
				if (scaled)
					scale_dim(r, &r->accesses[i], scaled, l);
			}
			r->extent[l + 1] *= r->extent[l];
			remove_loop(r, l);
		}
	r->inner_iterations = 1;
	for (int l = r->n_parallel; l < r->n_loops; l++)
		r->inner_iterations *= r->extent[l];
}

struct layout { /* byte offsets of the arrays in the block of struct sr_nest_prepared */
	size_t accesses, dims, slots, maps, schedule, view_instrs, bounds, stages, bytes;
};

static struct layout layout_of(const struct sr_nest *nest)
{
	struct layout at = {.accesses = (sizeof(struct sr_nest_prepared) + 15) / 16 * 16};
	at.dims = at.accesses + (size_t)nest->n_accesses * sizeof(struct sr_nest_access);
	at.slots = at.dims + (size_t)nest->n_dims * sizeof(struct sr_nest_dim);
	at.maps = at.slots + (size_t)nest->n_values * sizeof(struct sr_nest_slot);
	at.schedule = at.maps + (size_t)nest->n_instrs * sizeof(struct sr_nest_map);
	at.view_instrs = at.schedule + (size_t)nest->n_instrs * sizeof(int32_t);
	at.bounds = at.view_instrs + (size_t)nest->n_instrs * sizeof(int32_t);
	at.stages = at.bounds + (size_t)nest->n_dims * sizeof(int32_t);
	at.bytes = at.stages + (size_t)nest->n_stages * sizeof(struct sr_nest_schedule) + 16;
	return at;
}

size_t sr_nest_prepared_bytes(const struct sr_nest *nest)
{
	return layout_of(nest).bytes;
}

struct sr_nest_prepared *sr_nest_merge_loops(const struct sr_nest *nest, void *block)
{
	struct sr_nest_prepared *r = block;
	struct layout at = layout_of(nest);
	r->nest = nest;
	r->n_loops = nest->n_loops;
	r->n_parallel = nest->n_parallel;
	memcpy(r->extent, nest->extent, sizeof r->extent);
	r->accesses = (void *)((char *)block + at.accesses);
	r->dims = (void *)((char *)block + at.dims);
	r->slots = (void *)((char *)block + at.slots);
	r->maps = (void *)((char *)block + at.maps);
	r->schedule = (void *)((char *)block + at.schedule);
	r->view_instrs = (void *)((char *)block + at.view_instrs);
	r->bounds = (void *)((char *)block + at.bounds);
	r->stages = (void *)((char *)block + at.stages);
	memcpy(r->accesses, sr_nest_accesses(nest), at.dims - at.accesses);
	memcpy(r->dims, sr_nest_dims(nest), at.slots - at.dims);
	merge_adjacent_loops(r);
	return r;
}

/* ---- tile sizes ---- */

int64_t sr_nest_widest_value(const struct sr_nest *nest)
{
	int64_t bytes = 1;
	for (int v = 0; v < nest->n_values; v++) {
		int64_t value_bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(nest)[v].dtype);
		bytes = value_bytes > bytes ? value_bytes : bytes;
	}
	return bytes;
}

/* Return the number of iterations of a tile: the largest power of two with which its slots fit in L2, within limits. Tiles of
 * narrow values have more iterations. */
static int64_t choose_tile_iterations(const struct sr_nest_prepared *r)
{
	enum { LEAST_ROW_BYTES = 4 * SR_NEST_LONG_TILE }; /* of a value in a long tile */
	int64_t widest = sr_nest_widest_value(r->nest), iterations = LEAST_ROW_BYTES / sr_min(widest, 4);
	int64_t bytes = sr_max(r->n_slots - r->n_view_operands, 1) * widest; /* views rarely use their slots */
	while (iterations > SR_NEST_SHORT_TILE && iterations * bytes > SLOTS_BYTES)
		iterations /= 2;
	return iterations;
}

/* Set the tile sizes of loops [first_loop, last_loop) so that their product is at most `max_iterations`, preferring large sizes for
 * the last loops; return the product. */
static int64_t set_tile_sizes(struct sr_nest_prepared *r, int first, int last_loop, int64_t max_iterations)
{
	int64_t n_iterations = 1;
	for (int l = last_loop - 1; l >= first; l--) {
		r->tile_size[l] = sr_min(r->extent[l], max_iterations / n_iterations);
		r->tile_size[l] = r->tile_size[l] < 1 ? 1 : r->tile_size[l];
		n_iterations *= r->tile_size[l];
	}
	return n_iterations;
}

int sr_nest_max_folds(const struct sr_nest *nest)
{
	int max = 0;
	for (int i = 0; i < nest->n_instrs; i++)
		if (sr_nest_instrs(nest)[i].op == SR_NEST_FOLD && sr_nest_instrs(nest)[i].n_folds > max)
			max = sr_nest_instrs(nest)[i].n_folds;
	return max;
}

static bool depends_on_inner_loops(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	for (int l = r->n_parallel; l < r->n_loops; l++)
		if (a->stride[l])
			return true;
	return false;
}

/* Return the number of iterations at which accesses are contiguous along loop l. Loads that do not depend on the inner loops count
 * once per parallel iteration, results that do not depend on them not at all: those may be written into a concatenation, with
 * other strides, after the order of reductions has been chosen. */
static double unit_stride_iterations(const struct sr_nest_prepared *r, int l)
{
	double sum = 0;
	for (int i = 0; i < r->nest->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		double n_positions = a->buffer >= 0 && a->stride[l] == 1, inner = 1;
		bool is_inner = depends_on_inner_loops(r, a);
		for (int k = 0; k < r->n_loops; k++)
			*(k < r->n_parallel ? &n_positions : &inner) *= (double)r->extent[k];
		if (is_inner || a->buffer < r->nest->n_inputs)
			sum += n_positions * (is_inner ? inner : 1);
	}
	return sum;
}

/* Return true if more loads are closer together in neighboring iterations of the last parallel loop than in those of the last inner
 * one. */
static bool columns_are_closer(const struct sr_nest_prepared *r)
{
	int p = r->n_parallel - 1, last = r->n_loops - 1, n_columns = 0, n_rows = 0;
	for (int i = 0; i < r->nest->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		bool is_load_of_both = a->buffer >= 0 && a->buffer < r->nest->n_inputs && a->stride[p] && a->stride[last];
		n_columns += is_load_of_both && llabs(a->stride[p]) < llabs(a->stride[last]);
		n_rows += is_load_of_both && llabs(a->stride[p]) > llabs(a->stride[last]);
	}
	return n_columns > n_rows;
}

/* Return the distance in elements of an access between two neighboring iterations of loop l; INT64_MAX: it is not the same for all.
 */
static int64_t neighbor_distance(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int l)
{
	int64_t sum = a->stride[l];
	for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++) {
		int64_t step = 0;
		if (r->dims[k].index >= 0 || (r->dims[k].coef[l] && r->dims[k].divisor != 1) ||
		    sr_mul_overflows(r->dims[k].coef[l], r->dims[k].stride, &step) || sr_add_overflows(sum, step, &sum))
			return INT64_MAX;
	}
	return sum;
}

/* Return true if an input is contiguous both along the last parallel loop and along the last inner one, as x is in
 * sum_j x[i + j] * w[j], and all other accesses are contiguous along the parallel loop or do not depend on it. */
static bool slides_window(const struct sr_nest_prepared *r)
{
	int p = r->n_parallel - 1, innermost = r->n_loops - 1;
	bool slides = false;
	for (int i = 0; i < r->nest->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		int64_t step = a->buffer >= 0 ? neighbor_distance(r, a, p) : 0;
		if (step != 0 && step != 1)
			return false;
		slides = slides || (step == 1 && neighbor_distance(r, a, innermost) == 1);
	}
	return slides && r->extent[p] >= SHORT_ROW;
}

bool sr_nest_columns_are_contiguous(const struct sr_nest_prepared *r)
{
	int p = r->n_parallel, n = r->n_loops;
	double of_columns = unit_stride_iterations(r, p - 1), of_rows = unit_stride_iterations(r, n - 1);
	return of_columns > of_rows || (of_columns == of_rows && columns_are_closer(r)) || slides_window(r);
}

/* Return a loop along which some access is contiguous although it is not along the last loop, as in a transpose; -1: none. If the
 * loop is very short and the last one is long, as for the channels of an image, rows along the last loop are as fast. */
static int transposed_loop(const struct sr_nest_prepared *r, int innermost)
{
	enum { FEW_CHANNELS = 4 };
	for (int i = 0; i < r->nest->n_accesses; i++)
		for (int l = 0; l < innermost && r->accesses[i].buffer >= 0; l++)
			if (r->accesses[i].stride[l] == 1 && r->accesses[i].stride[innermost] > 1 && r->extent[l] > 1 &&
			    (r->extent[l] > FEW_CHANNELS || r->extent[innermost] < SR_NEST_SHORT_TILE))
				return l;
	return -1;
}

/* Return min(number of iterations of the inner loops, max_iterations), at least 1. */
static int64_t inner_iterations(const struct sr_nest_prepared *r, int64_t max_iterations)
{
	int64_t n = 1;
	for (int l = r->n_parallel; l < r->n_loops && n < max_iterations; l++)
		n *= sr_max(sr_min(r->extent[l], max_iterations), 1);
	return sr_min(n, max_iterations);
}

/* Set the tile sizes of loops `innermost` and `outer_loop` of a transpose, each at least min(extent, TRANSPOSED_SIZE). If both loops
 * are short, as for many small matrices, a tile has several of their matrices. */
static void set_transposed_tile(struct sr_nest_prepared *r, int innermost, int outer_loop, int64_t max_iterations)
{
	r->tile_size[innermost] = sr_min(r->extent[innermost], TRANSPOSED_SIZE);
	r->tile_size[outer_loop] = sr_min(r->extent[outer_loop], SR_NEST_LONG_TILE / r->tile_size[innermost]);
	r->tile_size[innermost] = sr_min(r->extent[innermost], SR_NEST_LONG_TILE / r->tile_size[outer_loop]);
	int64_t n = sr_max(r->tile_size[innermost] * r->tile_size[outer_loop], 1);
	if (n < SR_NEST_LONG_TILE)
		set_tile_sizes(r, 0, outer_loop, max_iterations / n);
}

/* Return true if the nest only loads elements, without bounds, and reduces them. They are usually read in place. */
static bool only_reduces_loads(const struct sr_nest_prepared *r)
{
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		if (in->op == SR_NEST_MAP || in->op == SR_NEST_INDEX || (in->op == SR_NEST_LOAD && r->accesses[in->access].n_dims))
			return false;
	}
	return true;
}

static void choose_tile_sizes(struct sr_nest_prepared *r)
{
	int p = r->n_parallel, n = r->n_loops;
	int64_t strip = choose_tile_iterations(r);
	for (int l = 0; l < n; l++)
		r->tile_size[l] = 1;
	if (p == n) {
		int transposed = n ? transposed_loop(r, n - 1) : -1;
		if (transposed >= 0)
			set_transposed_tile(r, n - 1, transposed, strip);
		else
			set_tile_sizes(r, 0, n, strip);
	} else if (sr_nest_max_folds(r->nest)) {
		int64_t rows = strip / inner_iterations(r, strip);
		bool are_columns = p && r->inner_iterations > 1 && sr_nest_columns_are_contiguous(r);
		set_tile_sizes(r, p, n, strip / set_tile_sizes(r, 0, p, sr_max(rows, are_columns ? FOLD_COLUMNS : FOLD_ROWS)));
	/* Reductions along columns: a tile computes neighbouring results of one row, or of several rows if rows are short. */
	} else if (p && sr_nest_columns_are_contiguous(r)) {
		int64_t columns = set_tile_sizes(r, p - 1, p, strip);
		if (columns < SHORT_ROW || columns * inner_iterations(r, strip) < strip / 2)
			columns = set_tile_sizes(r, 0, p, sr_max(columns, strip / inner_iterations(r, strip)));
		set_tile_sizes(r, p, n, sr_max(strip / columns, only_reduces_loads(r) ? ROWS_AT_ONCE : 1));
	} else { /* Reductions along rows: a tile has one long row or several short ones; very short ones are transposed. */
		int64_t row = set_tile_sizes(r, p, n, strip);
		int64_t rows = set_tile_sizes(r, 0, p, row >= LONE_ROW ? 1 : strip / row);
		r->is_row_major = row >= SHORT_ROW && rows > 1;
	}
	if (p < n) { /* round up to a multiple of the lanes, so that the first element of each tile belongs to lane 0 */
		int64_t lanes = sr_nest_max_lanes(r->nest);
		r->tile_size[n - 1] = sr_min(r->extent[n - 1], (r->tile_size[n - 1] + lanes - 1) / lanes * lanes);
	}
}

static void count_iterations(struct sr_nest_prepared *r)
{
	int at = 0;
	r->n_tiles = r->tile_iterations = r->tile_parallel = 1;
	for (int l = 0; l < r->n_loops; l++) {
		r->tile_iterations *= r->tile_size[l];
		if (l >= r->n_parallel)
			continue;
		r->tile_parallel *= r->tile_size[l];
		r->n_tiles *= (r->extent[l] + r->tile_size[l] - 1) / r->tile_size[l];
	}
	for (int l = 0, first = r->is_row_major ? 0 : r->n_parallel; l < r->n_loops; l++)
		r->order[at++] = (first + l) % r->n_loops;
}

void sr_nest_choose_tiles(struct sr_nest_prepared *r)
{
	choose_tile_sizes(r);
	count_iterations(r);
}
