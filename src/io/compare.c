/* Compare arrays element by element, in row-major order of the slice. Elements with equal bytes take a fast path. */
#include "io/compare.h"
#include "io/text_value.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

const struct sr_tolerances sr_tolerances_default = {
	.f8 = 0.01, .f16 = 0.001, .bf16 = 0.01, .f32 = 0.0001, .f64 = 0.0001, .rtol = 1e-5};

double sr_tolerance_of(const struct sr_tolerances *tolerances, enum sr_dtype type)
{
	const struct sr_dtype_info *info = &sr_dtypes[type];
	if (info->class == SR_CLASS_COMPLEX)
		return info->bytes == 8 ? tolerances->f32 : tolerances->f64;
	if (info->class != SR_CLASS_FLOAT)
		return 0;
	if (info->bytes == 2)
		return type == SR_BF16 ? tolerances->bf16 : tolerances->f16;
	return info->bytes == 1 ? tolerances->f8 : info->bytes == 4 ? tolerances->f32 : tolerances->f64;
}

struct criterion {
	enum sr_dtype type;
	bool is_integer;
	double atol, rtol;
};

static bool is_within_tolerance(const struct criterion *criterion, double a, double e)
{
	if (isnan(a) || isnan(e))
		return isnan(a) && isnan(e);
	if (a == e)
		return true;
	return isfinite(a) && isfinite(e) && fabs(a - e) <= criterion->atol + criterion->rtol * fabs(e);
}

static double distance(double a, double e)
{
	double d = fabs(a - e);
	return isnan(d) ? INFINITY : d;
}

/* Return true if two elements match; otherwise *distance_of_elements is their distance. */
static bool elements_match(const struct criterion *criterion, const void *actual, const void *expected, double *distance_of_elements)
{
	int64_t ai = 0, ei = 0;
	double a = 0, e = 0, a_im = 0, e_im = 0;
	if (memcmp(actual, expected, (size_t)sr_dtype_bytes(criterion->type)) == 0)
		return true;
	sr_element_get(criterion->type, actual, &ai, &a, &a_im);
	sr_element_get(criterion->type, expected, &ei, &e, &e_im);
	if (criterion->is_integer) {
		bool is_unsigned = sr_dtypes[criterion->type].class == SR_CLASS_UINT;
		*distance_of_elements = is_unsigned ? distance((double)(uint64_t)ai, (double)(uint64_t)ei) : distance((double)ai, (double)ei);
		return ai == ei;
	}
	*distance_of_elements = fmax(distance(a, e), distance(a_im, e_im));
	return is_within_tolerance(criterion, a, e) && is_within_tolerance(criterion, a_im, e_im);
}

static void record_difference(struct sr_comparison *result, const struct sr_difference *difference)
{
	int k = result->n_recorded;
	if (k == SR_MAX_KEPT_DIFFERENCES && result->first_differences[k - 1].position <= difference->position)
		return;
	if (k < SR_MAX_KEPT_DIFFERENCES)
		result->n_recorded++;
	else
		k--;
	for (; k > 0 && result->first_differences[k - 1].position > difference->position; k--)
		result->first_differences[k] = result->first_differences[k - 1];
	result->first_differences[k] = *difference;
}

static void add_difference(struct sr_comparison *result, enum sr_dtype type, const void *actual, const void *expected,
			   const int64_t *dims, const int64_t *start, const int64_t *index, int rank, double distance_of_elements)
{
	struct sr_difference difference = {.position = 0};
	for (int i = 0; i < rank; i++) {
		difference.index[i] = index[i] + (start ? start[i] : 0);
		difference.position = difference.position * dims[i] + difference.index[i];
	}
	memcpy(difference.actual, actual, (size_t)sr_dtype_bytes(type));
	memcpy(difference.expected, expected, (size_t)sr_dtype_bytes(type));
	result->n_differing++;
	result->max_distance = fmax(result->max_distance, distance_of_elements);
	record_difference(result, &difference);
}

void sr_compare_values(enum sr_dtype type, const void *actual, const void *expected, const int64_t *dims, const int64_t *start,
		       const int64_t *size, const int64_t *local_dims, int rank, const struct sr_tolerances *tolerances,
		       struct sr_comparison *result)
{
	struct criterion criterion = {.type = type, .is_integer = sr_dtype_is_integer(type)};
	int64_t index[SR_MAX_RANK] = {0}, strides[SR_MAX_RANK], stride = sr_dtype_bytes(type);
	if (!tolerances->is_exact) {
		criterion.atol = sr_tolerance_of(tolerances, type);
		criterion.rtol = tolerances->rtol;
	}
	for (int i = 0; i < rank; i++)
		if (size[i] == 0)
			return;
	for (int i = rank - 1; i >= 0; i--) {
		strides[i] = stride;
		stride *= local_dims ? local_dims[i] : size[i];
	}
	for (int64_t offset = 0;;) {
		const char *a = (const char *)actual + offset, *e = (const char *)expected + offset;
		double distance_of_elements = 0;
		result->n_compared++;
		if (!elements_match(&criterion, a, e, &distance_of_elements))
			add_difference(result, type, a, e, dims ? dims : size, start, index, rank, distance_of_elements);
		int i = rank - 1;
		for (; i >= 0; i--) {
			offset += strides[i];
			if (++index[i] < size[i])
				break;
			offset -= size[i] * strides[i];
			index[i] = 0;
		}
		if (i < 0)
			return;
	}
}

void sr_comparison_merge(struct sr_comparison *total, const struct sr_comparison *addend)
{
	total->n_compared += addend->n_compared;
	total->n_differing += addend->n_differing;
	total->max_distance = fmax(total->max_distance, addend->max_distance);
	for (int i = 0; i < addend->n_recorded; i++)
		record_difference(total, &addend->first_differences[i]);
}

void sr_comparison_print(struct sr_buf *buf, enum sr_dtype type, int rank, const struct sr_comparison *result)
{
	sr_buf_printf(buf, "%" PRId64 " of %" PRId64 " elements differ, by up to %G", result->n_differing, result->n_compared,
		      result->max_distance);
	for (int k = 0; k < result->n_recorded; k++) {
		const struct sr_difference *difference = &result->first_differences[k];
		sr_buf_puts(buf, k == 0 ? ": element at index " : "; at ");
		for (int i = 0; i < rank; i++)
			sr_buf_printf(buf, "%s%" PRId64, i > 0 ? "," : "", difference->index[i]);
		sr_buf_puts(buf, rank == 0 ? "0 (" : " (");
		sr_element_print_shortest(buf, type, difference->actual);
		sr_buf_puts(buf, k == 0 ? ") does not match the expected (" : "), expected (");
		sr_element_print_shortest(buf, type, difference->expected);
		sr_buf_putc(buf, ')');
	}
}
