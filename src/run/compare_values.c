/* Comparison of all elements of two values, exactly or with the tolerance of the kind of check. */
#include "run/compare_values.h"
#include "support/buf.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct comparison { /* result of comparing one element */
	uint64_t ulp;
	bool is_equal;
};

static bool is_close(double a, double b, double tolerance)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance;
}

/* Return the distance between two floats in units of representable values: 0 for equal bits and for two NaN; UINT64_MAX if only one
 * is NaN, or one is Inf. */
static uint64_t distance(enum sr_dtype type, const void *x, const void *y)
{
	uint64_t a = 0, b = 0;
	size_t n = (size_t)sr_dtype_bytes(type);
	memcpy(&a, x, n);
	memcpy(&b, y, n);
	double u = sr_float_decode(type, a), v = sr_float_decode(type, b);
	if (a == b || (isnan(u) && isnan(v)))
		return 0;
	if (!isfinite(u) || !isfinite(v))
		return UINT64_MAX;
	uint64_t sign = (uint64_t)1 << (sr_dtypes[type].bits - 1), m = a & ~sign, k = b & ~sign;
	if (a & b & sign || !((a | b) & sign))
		return m > k ? m - k : k - m;
	return m + k;
}

static struct comparison compare(const struct sr_check_instr *c, enum sr_dtype type, const char *x, const char *y)
{
	struct comparison p = {0};
	int64_t i = 0, j = 0;
	double a = 0, b = 0, ia = 0, ib = 0;
	if (c->kind == SR_CHECK_CLOSE) {
		enum sr_dtype part = type == SR_C64 ? SR_F32 : type == SR_C128 ? SR_F64 : type;
		p.ulp = distance(part, x, y);
		if (part != type) {
			uint64_t imaginary = distance(part, x + sr_dtype_bytes(part), y + sr_dtype_bytes(part));
			p.ulp = p.ulp > imaginary ? p.ulp : imaginary;
		}
		p.is_equal = p.ulp <= c->max_ulp && p.ulp >= c->min_ulp;
		return p;
	}
	sr_element_get(type, x, &i, &a, &ia);
	sr_element_get(type, y, &j, &b, &ib);
	if (sr_dtype_is_integer(type))
		p.is_equal = i == j;
	else if (c->kind == SR_CHECK_ALMOST_EQ)
		p.is_equal = is_close(a, b, c->tolerance) && is_close(ia, ib, c->tolerance);
	else
		p.is_equal = a == b && ia == ib;
	return p;
}

static void print_index(const struct sr_program *p, const struct sr_check_instr *c, int64_t i, struct sr_buf *out)
{
	const int64_t *shape = sr_program_ids(p) + c->shape;
	int64_t index[SR_KERNEL_MAX_RANK];
	for (int d = c->rank - 1; d >= 0; d--) {
		index[d] = i % shape[d];
		i /= shape[d];
	}
	sr_buf_putc(out, '[');
	for (int d = 0; d < c->rank; d++)
		sr_buf_printf(out, "%s%lld", d ? ", " : "", (long long)index[d]);
	sr_buf_putc(out, ']');
}

struct sr_src_loc sr_check_place(const struct sr_program *p, const struct sr_instr *s, const char *file)
{
	const char *text = sr_program_string(p, s->place);
	size_t n = strlen(text);
	struct sr_src_loc location = {.file = file};
	/* the last two fields, separated by colons, are line and column */
	for (int colons = 0; n && (text[n - 1] != ':' || ++colons < 2);)
		n--;
	sscanf(text + n, "%d:%d", &location.line, &location.col);
	return location;
}

enum sr_status sr_check_compare(const struct sr_program *p, const struct sr_instr *s, const char *file, const char *actual,
				const char *expected, struct sr_diags *diags)
{
	const struct sr_check_instr *c = (const void *)(sr_program_params(p) + s->params);
	const int64_t *shape = sr_program_ids(p) + c->shape;
	enum sr_dtype type = (enum sr_dtype)s->dtype;
	int64_t n = 1, n_differing = 0, first_differing = 0, bytes = sr_dtype_bytes(type);
	struct comparison at = {0};
	struct sr_buf buf;
	for (int i = 0; i < c->rank; i++)
		n *= shape[i];
	for (int64_t i = 0; i < n; i++) {
		struct comparison result = compare(c, type, actual + i * bytes, expected + i * bytes);
		if (!result.is_equal && n_differing++ == 0)
			first_differing = i, at = result;
	}
	if (!n_differing || !diags)
		return n_differing ? SR_DIFFERS : SR_OK;
	sr_buf_init(&buf, diags->arena);
	sr_buf_printf(&buf, "%s failed: %lld of %lld elements differ", sr_program_string(p, s->op), (long long)n_differing,
		      (long long)n);
	if (c->kind == SR_CHECK_ALMOST_EQ)
		sr_buf_printf(&buf, " by more than %g", c->tolerance);
	sr_buf_puts(&buf, "; the first at index ");
	print_index(p, c, first_differing, &buf);
	sr_buf_puts(&buf, " is ");
	sr_print_number(&buf, type, actual + first_differing * bytes);
	sr_buf_puts(&buf, ", expected ");
	sr_print_number(&buf, type, expected + first_differing * bytes);
	if (c->kind == SR_CHECK_CLOSE)
		sr_buf_printf(&buf, " (%" PRIu64 " ULP apart, allowed are %" PRIu64 " to %" PRIu64 ")", at.ulp, c->min_ulp,
			      c->max_ulp);
	return sr_error(diags, SR_DIFFERS, sr_check_place(p, s, file), "%s", sr_buf_string(&buf));
}
