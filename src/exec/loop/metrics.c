/* Writing of metrics files. Each line is written by one write call. */
#include "exec/loop/metrics.h"
#include "exec/loop/choose_carry.h"
#include "io/file.h"
#include "io/text_value.h"
#include "support/json.h"
#include "support/characters.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sr_metrics {
	const struct sr_arrays *arrays;
	int k; /* index of mesh device 0 on this rank */
	struct sr_file file;
	int64_t end; /* file offset in bytes where the next line begins */
	bool is_json;
	int n;
	const int *results; /* indices of the scalar results that are written; length: n */
	const char **names; /* name of each scalar result as written in the file; length: n */
	struct sr_buf line;
};

static const struct sr_io *scalar_io(const struct sr_metrics *m, int i)
{
	const struct sr_program *p = m->arrays->e->program;
	return sr_program_result(p, m->results[i]);
}

enum sr_status sr_metrics_check(const char *path, struct sr_diags *diags)
{
	if (sr_ends_with(path, ".csv") || sr_ends_with(path, ".jsonl"))
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"--metrics=%s: expected a file name ending with .csv or .jsonl", path);
}

/* Return a name as a CSV field: quoted if it contains commas, quotes or newlines. */
static const char *quote_csv_field(const char *name, struct sr_arena *arena)
{
	struct sr_buf buf;
	if (!strpbrk(name, ",\"\n"))
		return name;
	sr_buf_init(&buf, arena);
	sr_buf_putc(&buf, '"');
	for (; *name; name++)
		sr_buf_puts(&buf, *name == '"' ? "\"\"" : (const char[]){*name, 0});
	sr_buf_putc(&buf, '"');
	return sr_buf_string(&buf);
}

static void find_scalars(struct sr_metrics *m, struct sr_arena *arena)
{
	const struct sr_program *p = m->arrays->e->program;
	int *results = SR_NEW_ARRAY(arena, int, p->n_results);
	m->results = results;
	m->names = SR_NEW_ARRAY(arena, const char *, p->n_results);
	for (int i = 0; i < p->n_results; i++) {
		const char *name = sr_result_name(p, i, arena);
		if (sr_program_result(p, i)->rank)
			continue;
		m->names[m->n] = m->is_json ? name : quote_csv_field(name, arena);
		results[m->n++] = i;
	}
}

static enum sr_status write_line(struct sr_metrics *m, struct sr_diags *diags)
{
	enum sr_status status = sr_file_write_at(diags, &m->file, m->line.data, (int64_t)m->line.n, m->end);
	m->end += (int64_t)m->line.n;
	m->line.n = 0;
	return status;
}

/* Return the step number that a line begins with, or -1 for other lines, such as the CSV header. */
static int64_t step_of(const char *line)
{
	static const char key[] = "{\"step\": ";
	char *end;
	if (!strncmp(line, key, sizeof key - 1))
		line += sizeof key - 1;
	long long step = strtoll(line, &end, 10);
	return end > line && *end == ',' ? step : -1;
}

/* Find the file offset after the line of `first_step`. An aborted run may have written further lines after its last checkpoint. */
static enum sr_status find_end(struct sr_metrics *m, int64_t first_step, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_arena_position mark = sr_arena_mark(arena);
	char *text = sr_alloc(arena, (size_t)m->file.size + 1, 1);
	enum sr_status status = sr_file_read_at(diags, &m->file, text, m->file.size, 0);
	for (char *line = text, *next; !status && (next = strchr(line, '\n')) && step_of(line) <= first_step; line = next + 1)
		m->end = next + 1 - text;
	if (!status)
		sr_arena_release(arena, mark);
	return status;
}

static enum sr_status write_header(struct sr_metrics *m, struct sr_diags *diags)
{
	if (m->is_json)
		return SR_OK;
	sr_buf_puts(&m->line, "step");
	for (int i = 0; i < m->n; i++)
		sr_buf_printf(&m->line, ",%s", m->names[i]);
	sr_buf_puts(&m->line, ",seconds\n");
	return write_line(m, diags);
}

enum sr_status sr_metrics_open(struct sr_metrics **metrics, const char *path, const struct sr_arrays *arrays, int64_t first_step,
			       struct sr_arena *arena, struct sr_diags *diags)
{
	int first = sr_executable_find(arrays->e, 0);
	*metrics = NULL;
	if (first < 0)
		return SR_OK;
	struct sr_metrics *m = SR_NEW(arena, struct sr_metrics);
	m->arrays = arrays;
	m->k = first;
	m->is_json = sr_ends_with(path, ".jsonl");
	sr_buf_init(&m->line, arena);
	find_scalars(m, arena);
	enum sr_status status = sr_file_open_read_write(diags, path, &m->file);
	if (status)
		return status;
	*metrics = m;
	if (first_step)
		status = find_end(m, first_step, arena, diags);
	if (!status)
		status = sr_file_truncate(diags, &m->file, m->end);
	return status || m->end ? status : write_header(m, diags);
}

/* Append the value of scalar result i; in JSON, Inf, NaN and complex numbers are strings. */
static void put_value(struct sr_metrics *m, int i)
{
	enum sr_dtype type = (enum sr_dtype)scalar_io(m, i)->dtype;
	const void *at = sr_arrays_result(m->arrays, m->results[i], m->k);
	double real = 0, imaginary = 0;
	int64_t integer;
	sr_element_get(type, at, &integer, &real, &imaginary);
	bool is_string = m->is_json && (sr_dtype_is_complex(type) || !isfinite(real));
	sr_buf_puts(&m->line, is_string ? "\"" : "");
	sr_element_print_shortest(&m->line, type, at);
	sr_buf_puts(&m->line, is_string ? "\"" : "");
}

static void put_json(struct sr_metrics *m, int64_t step, double seconds)
{
	sr_buf_printf(&m->line, "{\"step\": %lld", (long long)step);
	for (int i = 0; i < m->n; i++) {
		sr_buf_puts(&m->line, ", ");
		sr_json_quote(&m->line, m->names[i]);
		sr_buf_puts(&m->line, ": ");
		put_value(m, i);
	}
	sr_buf_printf(&m->line, ", \"seconds\": %.6f}\n", seconds);
}

enum sr_status sr_metrics_put(struct sr_metrics *m, int64_t step, double seconds, struct sr_diags *diags)
{
	if (m->is_json) {
		put_json(m, step, seconds);
		return write_line(m, diags);
	}
	sr_buf_int(&m->line, step);
	for (int i = 0; i < m->n; i++) {
		sr_buf_putc(&m->line, ',');
		put_value(m, i);
	}
	sr_buf_printf(&m->line, ",%.6f\n", seconds);
	return write_line(m, diags);
}

enum sr_status sr_metrics_close(struct sr_metrics *m, struct sr_diags *diags)
{
	return m ? sr_file_close(diags, &m->file) : SR_OK;
}
