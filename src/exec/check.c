/* What looks at values while a program runs: checks of test programs, prints, and probes that write a value to a file. */
#include "exec/check.h"
#include "exec/progress.h"
#include "io/npy.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct pair { /* one element of both values */
	uint64_t ulp;
	bool good;
};

static bool almost(double a, double b, double tolerance)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance;
}

/* The distance in numbers of the type between two floats: 0 for equal bits and two NaN, the largest number for other
 * infinities and NaN. */
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

static struct pair compare(const struct sr_check_step *c, enum sr_dtype type, const char *x, const char *y)
{
	struct pair p = {0};
	int64_t i = 0, j = 0;
	double a = 0, b = 0, ia = 0, ib = 0;
	if (c->kind == SR_CHECK_CLOSE) {
		enum sr_dtype part = type == SR_C64 ? SR_F32 : type == SR_C128 ? SR_F64 : type;
		p.ulp = distance(part, x, y);
		if (part != type) {
			uint64_t imaginary = distance(part, x + sr_dtype_bytes(part), y + sr_dtype_bytes(part));
			p.ulp = p.ulp > imaginary ? p.ulp : imaginary;
		}
		p.good = p.ulp <= c->max_ulp && p.ulp >= c->min_ulp;
		return p;
	}
	sr_element_get(type, x, &i, &a, &ia);
	sr_element_get(type, y, &j, &b, &ib);
	if (sr_dtype_is_integer(type))
		p.good = i == j;
	else if (c->kind == SR_CHECK_ALMOST_EQ)
		p.good = almost(a, b, c->tolerance) && almost(ia, ib, c->tolerance);
	else
		p.good = a == b && ia == ib;
	return p;
}

static void print_index(const struct sr_program *p, const struct sr_check_step *c, int64_t i, struct sr_buf *out)
{
	const int64_t *shape = sr_program_ids(p) + c->shape;
	int64_t index[SR_KERNEL_RANK];
	for (int d = c->rank - 1; d >= 0; d--) {
		index[d] = i % shape[d];
		i /= shape[d];
	}
	sr_buf_putc(out, '[');
	for (int d = 0; d < c->rank; d++)
		sr_buf_printf(out, "%s%lld", d ? ", " : "", (long long)index[d]);
	sr_buf_putc(out, ']');
}

/* Where the step's op stands, from the program's text. */
static struct sr_place place_of(const struct sr_checks *k, const struct sr_program *p, const struct sr_step *s)
{
	const char *text = sr_program_string(p, s->place);
	size_t n = strlen(text);
	struct sr_place place = {.file = k->file};
	for (int colons = 0; n && (text[n - 1] != ':' || ++colons < 2);) /* the last two parts are line and column */
		n--;
	sscanf(text + n, "%d:%d", &place.line, &place.col);
	return place;
}

/* Compare all elements; the first that differs is told, with how many do. */
static enum sr_status settle(struct sr_checks *k, const struct sr_program *p, const struct sr_step *s, const struct sr_check_step *c,
			     const char *actual, const char *expected)
{
	const int64_t *shape = sr_program_ids(p) + c->shape;
	enum sr_dtype type = (enum sr_dtype)s->dtype;
	int64_t n = 1, bad = 0, first = 0, bytes = sr_dtype_bytes(type);
	struct pair at = {0};
	struct sr_buf buf;
	for (int i = 0; i < c->rank; i++)
		n *= shape[i];
	for (int64_t i = 0; i < n; i++) {
		struct pair one = compare(c, type, actual + i * bytes, expected + i * bytes);
		if (!one.good && bad++ == 0)
			first = i, at = one;
	}
	if (!bad)
		return SR_OK;
	sr_buf_init(&buf, k->ctx->arena);
	sr_buf_printf(&buf, "%s failed: %lld of %lld elements differ", sr_program_string(p, s->op), (long long)bad,
		      (long long)n);
	if (c->kind == SR_CHECK_ALMOST_EQ)
		sr_buf_printf(&buf, " by more than %g", c->tolerance);
	sr_buf_puts(&buf, "; the first at index ");
	print_index(p, c, first, &buf);
	sr_buf_puts(&buf, " is ");
	sr_print_number(type, actual + first * bytes, &buf);
	sr_buf_puts(&buf, ", expected ");
	sr_print_number(type, expected + first * bytes, &buf);
	if (c->kind == SR_CHECK_CLOSE)
		sr_buf_printf(&buf, " (%" PRIu64 " ULP apart, allowed are %" PRIu64 " to %" PRIu64 ")", at.ulp, c->min_ulp,
			      c->max_ulp);
	k->failed++;
	return sr_error(&k->ctx->diags, SR_DIFFERS, place_of(k, p, s), "%s", sr_buf_string(&buf));
}

/* ---- probes: DIR/probeN.npy, and a line "id,type,path" in DIR/index.csv ---- */

static const char *index_path(const struct sr_checks *k)
{
	return sr_printf(k->ctx->arena, "%s/index.csv", k->probe_dir);
}

static enum sr_status probe(struct sr_checks *k, const struct sr_program *p, const struct sr_step *s, const struct sr_check_step *c,
			    const char *value)
{
	const int64_t *shape = sr_program_ids(p) + c->shape, start[SR_MAX_RANK] = {0};
	struct sr_file file;
	struct sr_npy npy;
	if (!k->probe_dir)
		return SR_OK;
	const char *path = sr_printf(k->ctx->arena, "%s/probe%d.npy", k->probe_dir, ++k->n_probes);
	enum sr_status status =
		sr_npy_create(&k->ctx->diags, k->ctx->arena, path, (enum sr_dtype)s->dtype, shape, c->rank, &file, &npy);
	if (status)
		return status;
	status = sr_npy_write_slice(&k->ctx->diags, &file, &npy, start, shape, shape, value);
	enum sr_status closed = sr_file_close(&k->ctx->diags, &file);
	FILE *index = fopen(index_path(k), "a");
	bool good = index && fprintf(index, "%s,%s,%s\n", sr_program_string(p, c->name), sr_program_string(p, c->type), path) > 0;
	if ((index && fclose(index)) || !good)
		return sr_error(&k->ctx->diags, SR_USAGE, (struct sr_place){.file = index_path(k)}, "cannot be written: %s",
				strerror(errno));
	return status ? status : closed;
}

/* The path of the probe's record number `iteration` with this type; NULL: there is none. */
static const char *find_record(struct sr_checks *k, const char *id, const char *type, int iteration)
{
	char line[4096];
	FILE *index = fopen(index_path(k), "r");
	const char *path = NULL;
	size_t n = strlen(id), m = strlen(type);
	while (index && !path && fgets(line, sizeof line, index)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, id, n) && line[n] == ',' && iteration-- == 0 && !strncmp(line + n + 1, type, m) &&
		    line[n + 1 + m] == ',')
			path = sr_strdup(k->ctx->arena, line + n + m + 2);
	}
	if (index)
		fclose(index);
	return path;
}

static enum sr_status serialized(struct sr_checks *k, const struct sr_program *p, const struct sr_step *s,
				 const struct sr_check_step *c, const char *expected)
{
	const int64_t *shape = sr_program_ids(p) + c->shape, start[SR_MAX_RANK] = {0};
	const char *id = sr_program_string(p, c->name),
		   *path = k->probe_dir ? find_record(k, id, sr_program_string(p, c->type), c->iteration) : NULL;
	int64_t bytes = sr_program_buffers(p)[sr_program_operands(p)[s->first_operand]].bytes;
	char *actual = sr_alloc(k->ctx->arena, (size_t)bytes, 1);
	struct sr_file file;
	struct sr_npy npy;
	if (!path)
		return sr_error(&k->ctx->diags, SR_DIFFERS, place_of(k, p, s),
				"%s failed: probe '%s' has written no %s as record %d%s", sr_program_string(p, s->op), id,
				sr_program_string(p, c->type), c->iteration,
				k->probe_dir ? "" : "; --probe-output-dir is not given");
	enum sr_status status = sr_file_open(&k->ctx->diags, path, &file);
	if (status)
		return status;
	status = sr_npy_read_header(&k->ctx->diags, &file, 0, &npy);
	if (!status)
		status = sr_npy_check(&k->ctx->diags, &file, &npy, id, (enum sr_dtype)s->dtype, shape, c->rank);
	if (!status)
		status = sr_npy_read_slice(&k->ctx->diags, &file, &npy, start, shape, shape, actual);
	sr_file_close(&k->ctx->diags, &file);
	return status ? status : settle(k, p, s, c, actual, expected);
}

/* Past stdio, which hands a terminal line by line: what ranks print must not interleave. */
static void write_whole(const char *text, size_t n)
{
	sr_progress_clear();
	fflush(stdout);
	while (n) {
		ssize_t done = write(STDOUT_FILENO, text, n);
		if (done < 0 && errno != EINTR) { /* the stream remembers what was lost */
			fwrite(text, 1, n, stdout);
			fflush(stdout);
			return;
		}
		text += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

static void print(const struct sr_checks *k, const struct sr_program *p, const struct sr_check_step *c, const char *value)
{
	struct sr_buf buf;
	sr_buf_init(&buf, k->ctx->arena);
	sr_buf_printf(&buf, "%s = ", sr_program_string(p, c->name));
	sr_print_tensor(k->ctx, sr_program_string(p, c->type), value, k->dense, &buf);
	sr_buf_putc(&buf, '\n');
	write_whole(buf.data, buf.n);
}

static enum sr_status look(void *data, struct sr_device *d, const struct sr_step *s)
{
	struct sr_checks *k = data;
	const struct sr_program *p = d->program;
	const struct sr_check_step *c = (const void *)(sr_program_params(p) + s->params);
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	const char *value = sr_device_buffer(d, operands[0]);
	if (c->kind <= SR_CHECK_CLOSE)
		return settle(k, p, s, c, value, sr_device_buffer(d, operands[1]));
	if (c->kind == SR_CHECK_SERIALIZED_EQ)
		return serialized(k, p, s, c, value);
	if (c->kind == SR_CHECK_PROBE)
		return probe(k, p, s, c, value);
	print(k, p, c, value);
	return SR_OK;
}

struct sr_hooks sr_check_hooks(struct sr_checks *checks)
{
	return (struct sr_hooks){.data = checks, .look = look};
}
