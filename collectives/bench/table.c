/* Output of shardbench: the table in nccl-tests' form, and the same rows as JSON. */
#include "collectives/bench/bench.h"
#include "support/json.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void table_begin(struct table *t, const struct bench *b, const char *const *hosts, const int64_t *pids,
		 const int64_t *group_numbers)
{
	const struct options *o = &b->options;
	*t = (struct table){.bench = b};
	if (o->json)
		return;
	printf("# shardbench version %s\n# Collective test starting: %s\n", PACKAGE_VERSION, b->collective->name);
	printf("# ranks %d groups %lld of %lld minBytes %lld maxBytes %lld step: %lld(%s) warmup iters: %lld iters: %lld "
	       "agg iters: %lld validation: %lld\n#\n# Using devices\n",
	       b->ranks, (long long)b->groups.n_groups, (long long)b->groups.group_size, (long long)o->min_bytes,
	       (long long)o->max_bytes, (long long)(o->step_factor ? o->step_factor : o->step_bytes),
	       o->step_factor ? "factor" : "bytes", (long long)o->warmup, (long long)o->iterations, (long long)o->aggregate,
	       (long long)o->check);
	for (int r = 0; r < b->ranks; r++)
		printf("#  Rank %2d Group %2lld Pid %6lld on %10s device %2d\n", r, (long long)group_numbers[r], (long long)pids[r],
		       hosts[r], r);
}

/* Columns of one half (out of place or in place). */
static const struct column {
	const char *name, *unit;
	int width;
	enum { ALWAYS, PERCENTILES, COPY } required_flag; /* the column is printed only if this flag was given */
} columns[] = {
	{"time", "(us)", 8},		 {"algbw", "(GB/s)", 6},	  {"busbw", "(GB/s)", 6},	   {"#wrong", "", 6},
	{"p50", "(us)", 8, PERCENTILES}, {"p95", "(us)", 8, PERCENTILES}, {"p99", "(us)", 8, PERCENTILES}, {"copy%", "", 6, COPY},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static bool has_column(const struct options *o, const struct column *c)
{
	return c->required_flag == ALWAYS || (c->required_flag == PERCENTILES ? o->percentiles : o->copy);
}

/* Print one heading line of the table: the names of its columns, or with prints_units their units. The columns of out-of-place
 * calls come first, then those of in-place calls. */
static void print_columns(const struct table *t, bool prints_units)
{
	for (int i = 0; i < 2 * N_COLUMNS; i++) {
		const struct column *c = &columns[i % N_COLUMNS];
		if (has_column(&t->bench->options, c))
			printf("  %*s", c->width, prints_units ? c->unit : c->name);
	}
	printf("\n");
}

void table_head(const struct table *t)
{
	const struct options *o = &t->bench->options;
	int result_columns_width = 31 + (o->percentiles ? 3 * 10 : 0) + (o->copy ? 8 : 0);
	if (o->json)
		return;
	if (o->levels)
		printf("#\n# Level: %s, %d of %d ranks\n", bench_level_names[t->bench->level], t->bench->n_participants,
		       t->bench->ranks);
	printf("#\n# %10s  %12s  %8s  %6s  %6s  %*s  %*s\n", "", "", "", "", "", result_columns_width, "out-of-place           ",
	       result_columns_width, "in-place             ");
	printf("# %10s  %12s  %8s  %6s  %6s", "size", "count", "type", "redop", "root");
	print_columns(t, false);
	printf("# %10s  %12s  %8s  %6s  %6s", "(B)", "(elements)", "", "", "");
	print_columns(t, true);
	fflush(stdout);
}

void table_skip_level(const struct table *t, enum bench_level level)
{
	if (!t->bench->options.json)
		printf("#\n# Level: %s: no two ranks of a group are %s\n", bench_level_names[level],
		       level == BENCH_WITHIN_NODE ? "on one node" : "on two nodes");
}

static double algorithm_bandwidth(const struct row *row, const struct sample *s)
{
	return s->seconds > 0 ? (double)row->bytes / s->seconds / 1e9 : 0;
}

static double bus_bandwidth(const struct table *t, const struct row *row, const struct sample *s)
{
	enum sr_coll coll = t->bench->collective->coll;
	double n = row->members;
	return algorithm_bandwidth(row, s) * sr_cost_wire(coll, coll == SR_REDUCE_SCATTER ? 1 / n : 1, n);
}

/* Return busbw in per cent of the rate at which members copy; 0 if not measured. */
static double copy_percent(const struct table *t, const struct row *row, const struct sample *s)
{
	return row->bytes ? 100 * bus_bandwidth(t, row, s) * 1e9 * row->copy_seconds / (double)row->bytes : 0;
}

void bench_print_us(double seconds)
{
	double us = seconds * 1e6;
	printf("  %8.*f", us >= 10000 ? 0 : us >= 100 ? 1 : 2, us);
}

static void print_sample(const struct table *t, const struct row *row, const struct sample *s)
{
	if (s->is_supported) {
		bench_print_us(s->seconds);
		printf("  %6.2f  %6.2f", algorithm_bandwidth(row, s), bus_bandwidth(t, row, s));
	} else {
		printf("  %8s  %6s  %6s", "N/A", "N/A", "N/A");
	}
	if (!s->is_supported || s->n_wrong < 0)
		printf("  %6s", "N/A");
	else
		printf("  %6lld", (long long)s->n_wrong);
	for (int k = 0; k < BENCH_PERCENTILES && t->bench->options.percentiles; k++) {
		if (s->is_supported)
			bench_print_us(s->percentiles[k]);
		else
			printf("  %8s", "N/A");
	}
	if (t->bench->options.copy && s->is_supported)
		printf("  %6.1f", copy_percent(t, row, s));
	else if (t->bench->options.copy)
		printf("  %6s", "N/A");
}

static void print_row(const struct table *t, const struct row *row)
{
	printf("%12lld  %12lld  %8s  %6s  %6d", (long long)row->bytes, (long long)row->count, bench_type_name(row->type),
	       row->operation ? row->operation->name : "none", row->root);
	for (int i = 0; i < 2; i++)
		print_sample(t, row, &row->sample[i]);
	printf("\n");
	fflush(stdout);
}

void table_row(struct table *t, const struct row *row)
{
	sr_push(t->bench->arena, &t->rows, *row);
	for (int i = 0; i < 2; i++) {
		const struct sample *s = &row->sample[i];
		if (!s->is_supported)
			continue;
		t->bus_bandwidth_sum += bus_bandwidth(t, row, s);
		t->n_bus_bandwidths++;
		t->n_wrong += s->n_wrong > 0 ? s->n_wrong : 0;
	}
	if (!t->bench->options.json)
		print_row(t, row);
}

static double average_bus_bandwidth(const struct table *t)
{
	return t->n_bus_bandwidths ? t->bus_bandwidth_sum / (double)t->n_bus_bandwidths : 0;
}

struct algorithm_use {
	const char *name;
	int64_t min_bytes, max_bytes; /* smallest and largest size in bytes */
};

/* Print the range of sizes in which each algorithm was used out of place: "exchange 8-8192, ordered 16384-1048576". */
static void print_algorithms(const struct table *t)
{
	SR_VEC(struct algorithm_use) used = {0};
	for (size_t i = 0, k; i < t->rows.n; i++) {
		const struct row *row = &t->rows.data[i];
		for (k = 0; k < used.n && strcmp(used.data[k].name, row->sample[0].algorithm);)
			k++;
		if (k == used.n)
			sr_push(t->bench->arena, &used, (struct algorithm_use){row->sample[0].algorithm, row->bytes, row->bytes});
		used.data[k].min_bytes = row->bytes < used.data[k].min_bytes ? row->bytes : used.data[k].min_bytes;
		used.data[k].max_bytes = row->bytes > used.data[k].max_bytes ? row->bytes : used.data[k].max_bytes;
	}
	printf("# Algorithms           :");
	for (size_t k = 0; k < used.n; k++)
		printf("%s %s %lld-%lld", k ? "," : "", used.data[k].name, (long long)used.data[k].min_bytes,
		       (long long)used.data[k].max_bytes);
	printf("\n");
}

static void print_results(const struct table *t);

void table_end(const struct table *t)
{
	if (t->bench->options.json) {
		print_results(t);
		return;
	}
	print_algorithms(t);
	printf("# Out of bounds values : %lld %s\n", (long long)t->n_wrong, t->n_wrong ? "FAILED" : "OK");
	printf("# Avg bus bandwidth    : %g\n#\n# Collective test concluded: %s\n", average_bus_bandwidth(t),
	       t->bench->collective->name);
	fflush(stdout);
}

/* ---- JSON ---- */

void bench_write_percentiles(struct sr_json *json, const struct bench *b, const double *seconds)
{
	for (int k = 0; k < BENCH_PERCENTILES && b->options.percentiles; k++)
		sr_json_double(json, sr_printf(b->arena, "p%d", bench_percentiles[k]), seconds[k] * 1e6);
}

static void write_sample(struct sr_json *json, const struct table *t, const struct row *row, const char *key,
			 const struct sample *s)
{
	if (!s->is_supported) {
		sr_json_string(json, key, NULL);
		return;
	}
	sr_json_open(json, key, '{');
	sr_json_double(json, "time", s->seconds * 1e6);
	sr_json_double(json, "alg_bw", algorithm_bandwidth(row, s));
	sr_json_double(json, "bus_bw", bus_bandwidth(t, row, s));
	if (s->n_wrong < 0)
		sr_json_string(json, "nwrong", NULL);
	else
		sr_json_int(json, "nwrong", s->n_wrong);
	bench_write_percentiles(json, t->bench, s->percentiles);
	if (t->bench->options.copy)
		sr_json_double(json, "copy_percent", copy_percent(t, row, s));
	sr_json_string(json, "algorithm", s->algorithm);
	sr_json_close(json);
}

static void write_row(struct sr_json *json, const struct table *t, const struct row *row)
{
	sr_json_open(json, NULL, '{');
	if (t->bench->options.levels)
		sr_json_string(json, "level", bench_level_names[row->level]);
	sr_json_int(json, "size", row->bytes);
	sr_json_int(json, "count", row->count);
	sr_json_string(json, "type", bench_type_name(row->type));
	sr_json_string(json, "redop", row->operation ? row->operation->name : "none");
	sr_json_int(json, "root", row->root);
	if (t->bench->options.copy)
		sr_json_double(json, "copy_time", row->copy_seconds * 1e6);
	write_sample(json, t, row, "out_of_place", &row->sample[0]);
	write_sample(json, t, row, "in_place", &row->sample[1]);
	sr_json_close(json);
}

static void write_results(const struct table *t, struct sr_buf *buf)
{
	const struct bench *b = t->bench;
	struct sr_json json;
	sr_json_init(&json, buf);
	sr_json_open(&json, NULL, '{');
	sr_json_string(&json, "version", PACKAGE_VERSION);
	sr_json_string(&json, "collective", b->collective->name);
	sr_json_int(&json, "ranks", b->ranks);
	sr_json_int(&json, "groups", b->groups.n_groups);
	sr_json_int(&json, "group_size", b->groups.group_size);
	sr_json_string(&json, "mesh", b->options.mesh);
	sr_json_string(&json, "axis", b->options.axis);
	sr_json_int(&json, "iters", b->options.iterations);
	sr_json_int(&json, "warmup_iters", b->options.warmup);
	sr_json_int(&json, "agg_iters", b->options.aggregate);
	sr_json_open(&json, "results", '[');
	for (size_t i = 0; i < t->rows.n; i++)
		write_row(&json, t, &t->rows.data[i]);
	sr_json_close(&json);
	sr_json_open(&json, "out_of_bounds", '{');
	sr_json_int(&json, "count", t->n_wrong);
	sr_json_bool(&json, "okay", t->n_wrong == 0);
	sr_json_close(&json);
	sr_json_open(&json, "average_bus_bandwidth", '{');
	sr_json_double(&json, "bandwidth", average_bus_bandwidth(t));
	sr_json_close(&json);
	sr_json_close(&json);
	sr_buf_putc(buf, '\n');
}

static void print_results(const struct table *t)
{
	struct sr_buf buf;
	sr_buf_init(&buf, t->bench->arena);
	write_results(t, &buf);
	sr_buf_write(&buf, stdout);
}

/* Return the path of the file that is written and then renamed to `path`. It is `path` itself for a device or a pipe, which must
 * not be replaced by a file. (A pipe may be opened once only: its reader then gets the end of the file.) */
static const char *temporary_path(const struct bench *b, const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISREG(st.st_mode) ? path : sr_printf(b->arena, "%s.part", path);
}

static enum sr_status cannot_write(const struct bench *b, const char *path)
{
	return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "cannot write '%s'", path);
}

enum sr_status bench_check_output_file(const struct bench *b)
{
	const char *path = b->options.output_file;
	int is_writable = true;
	if (path && b->rank == 0) {
		const char *temporary = temporary_path(b, path);
		bool is_special_file = temporary == path;
		FILE *f = is_special_file ? NULL : fopen(temporary, "w");
		is_writable = f || (is_special_file && !access(path, W_OK));
		if (f) {
			fclose(f);
			remove(temporary);
		}
	}
	MPI_Bcast(&is_writable, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return is_writable ? SR_OK : cannot_write(b, path);
}

enum sr_status bench_write_file(const struct bench *b, const char *path, const struct sr_buf *text)
{
	const char *temporary = temporary_path(b, path);
	FILE *f = fopen(temporary, "w");
	bool is_written = f && sr_buf_write(text, f);
	is_written = (!f || fclose(f) == 0) && is_written;
	if (is_written && (temporary == path || rename(temporary, path) == 0))
		return SR_OK;
	if (f && temporary != path)
		remove(temporary);
	return cannot_write(b, path);
}

enum sr_status table_write(const struct table *t, const char *path)
{
	struct sr_buf buf;
	sr_buf_init(&buf, t->bench->arena);
	write_results(t, &buf);
	return bench_write_file(t->bench, path, &buf);
}
