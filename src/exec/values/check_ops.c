/* Execution of check instructions: comparisons in test programs, prints, and probes that write a value to a file. */
#include "exec/values/check_ops.h"
#include "exec/progress.h"
#include "io/npy.h"
#include "run/compare_values.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Return the source location of the instruction in the input file. */
static struct sr_src_loc place_of(const struct sr_checks *k, const struct sr_program *p, const struct sr_instr *instr)
{
	return sr_check_place(p, instr, k->file);
}

static enum sr_status compare_and_count(struct sr_checks *k, const struct sr_program *p, const struct sr_instr *instr,
					const char *actual, const char *expected)
{
	enum sr_status status = sr_check_compare(p, instr, k->file, actual, expected, &k->ctx->diags);
	k->failed += status == SR_DIFFERS;
	return status;
}

/* ---- probes: DIR/probeN.npy, and a line "id,type,path" in DIR/index.csv ---- */

static const char *index_path(const struct sr_checks *k)
{
	return sr_printf(k->ctx->arena, "%s/index.csv", k->probe_dir);
}

static enum sr_status write_probe_file(struct sr_checks *k, const struct sr_program *p, const struct sr_instr *instr,
				       const struct sr_check_instr *c, const char *value)
{
	const int64_t *shape = sr_program_ids(p) + c->shape, start[SR_MAX_RANK] = {0};
	struct sr_file file;
	struct sr_npy npy;
	if (!k->probe_dir)
		return SR_OK;
	const char *path = sr_printf(k->ctx->arena, "%s/probe%d.npy", k->probe_dir, ++k->n_probes);
	enum sr_status status =
		sr_npy_create(&k->ctx->diags, k->ctx->arena, path, (enum sr_dtype)instr->dtype, shape, c->rank, &file, &npy);
	if (status)
		return status;
	status = sr_npy_write_slice(&k->ctx->diags, &file, &npy, start, shape, shape, value);
	enum sr_status closed = sr_file_close(&k->ctx->diags, &file);
	FILE *index = fopen(index_path(k), "a");
	bool is_written = index &&
			  fprintf(index, "%s,%s,%s\n", sr_program_string(p, c->name), sr_program_string(p, c->type), path) > 0;
	if ((index && fclose(index)) || !is_written)
		return sr_error(&k->ctx->diags, SR_USAGE, (struct sr_src_loc){.file = index_path(k)}, "cannot be written: %s",
				strerror(errno));
	return status ? status : closed;
}

/* Return the path of record number `iteration` of probe `id` in the index file; NULL if there is none or its type differs. */
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

static enum sr_status check_serialized(struct sr_checks *k, const struct sr_program *p, const struct sr_instr *instr,
				       const struct sr_check_instr *c, const char *expected)
{
	const int64_t *shape = sr_program_ids(p) + c->shape, start[SR_MAX_RANK] = {0};
	const char *id = sr_program_string(p, c->name),
		   *path = k->probe_dir ? find_record(k, id, sr_program_string(p, c->type), c->iteration) : NULL;
	int64_t bytes = sr_program_buffers(p)[sr_program_operands(p)[instr->first_operand]].bytes;
	char *actual = sr_alloc(k->ctx->arena, (size_t)bytes, 1);
	struct sr_file file;
	struct sr_npy npy;
	if (!path)
		return sr_error(&k->ctx->diags, SR_DIFFERS, place_of(k, p, instr),
				"%s failed: probe '%s' has written no %s as record %d%s", sr_program_string(p, instr->op), id,
				sr_program_string(p, c->type), c->iteration,
				k->probe_dir ? "" : "; --probe-output-dir is not given");
	enum sr_status status = sr_file_open(&k->ctx->diags, path, &file);
	if (status)
		return status;
	status = sr_npy_read_header(&k->ctx->diags, &file, 0, &npy);
	if (!status)
		status = sr_npy_check(&k->ctx->diags, &file, &npy, id, (enum sr_dtype)instr->dtype, shape, c->rank);
	if (!status)
		status = sr_npy_read_slice(&k->ctx->diags, &file, &npy, start, shape, shape, actual);
	sr_file_close(&k->ctx->diags, &file);
	return status ? status : compare_and_count(k, p, instr, actual, expected);
}

/* Write text to standard output with write(2): stdio flushes terminals line by line, and the output of ranks would interleave. */
static void write_stdout(const char *text, size_t n)
{
	sr_progress_clear();
	fflush(stdout);
	while (n) {
		ssize_t n_written = write(STDOUT_FILENO, text, n);
		if (n_written < 0 &&
		    errno != EINTR) { /* the failed text is written through the stream, so that the stream records the error */
			fwrite(text, 1, n, stdout);
			fflush(stdout);
			return;
		}
		text += n_written > 0 ? n_written : 0;
		n -= n_written > 0 ? (size_t)n_written : 0;
	}
}

static void print_values(const struct sr_checks *k, const struct sr_program *p, const struct sr_check_instr *c, const char *value)
{
	struct sr_buf buf;
	sr_buf_init(&buf, k->ctx->arena);
	sr_buf_printf(&buf, "%s = ", sr_program_string(p, c->name));
	sr_print_tensor(k->ctx, sr_program_string(p, c->type), value, k->dense, &buf);
	sr_buf_putc(&buf, '\n');
	write_stdout(buf.data, buf.n);
}

/* Execute a check instruction. Devices that do not report also compare, so that all stop at the same check. */
static enum sr_status execute_check(struct sr_checks *k, const struct sr_execution_context *x, const struct sr_instr *instr)
{
	const struct sr_program *p = x->program;
	const struct sr_check_instr *c = (const void *)(sr_program_params(p) + instr->params);
	const int32_t *operands = sr_program_operands(p) + instr->first_operand;
	const char *value = sr_context_buffer(x, operands[0]);
	if (!sr_check_reports(x))
		return c->kind <= SR_CHECK_CLOSE
			   ? sr_check_compare(p, instr, k->file, value, sr_context_buffer(x, operands[1]), NULL)
			   : SR_OK;
	if (c->kind <= SR_CHECK_CLOSE)
		return compare_and_count(k, p, instr, value, sr_context_buffer(x, operands[1]));
	if (c->kind == SR_CHECK_SERIALIZED_EQ)
		return check_serialized(k, p, instr, c, value);
	if (c->kind == SR_CHECK_PROBE)
		return write_probe_file(k, p, instr, c, value);
	print_values(k, p, c, value);
	return SR_OK;
}

/* Execute a debugging probe: copy the operand to the result, then call the probe function, which may change the result. */
static enum sr_status execute_probe(const struct sr_checks *k, struct sr_execution_context *x, const struct sr_instr *instr,
				    const struct sr_probe *probe)
{
	const int32_t *operands = sr_program_operands(x->program) + instr->first_operand;
	if (instr->n_operands > 1)
		memcpy(sr_context_buffer(x, operands[1]), sr_context_buffer(x, operands[0]),
		       (size_t)sr_program_buffers(x->program)[operands[0]].bytes);
	return k->probe ? k->probe(k->probe_data, x, instr, probe) : SR_OK;
}

/* Hook that executes check instructions on all devices. Devices may be threads that share the context's memory, so a lock is held.
 * Returns SR_NO_MEMORY if memory runs out. */
static enum sr_status check_hook(void *data, struct sr_execution_context *x, const struct sr_instr *instr)
{
	struct sr_checks *k = data;
	const struct sr_check_instr *c = (const void *)(sr_program_params(x->program) + instr->params);
	volatile enum sr_status status = SR_NO_MEMORY;
	jmp_buf unwind;
	if (c->kind == SR_CHECK_VALUE_PROBE)
		return execute_probe(k, x, instr, sr_program_probes(x->program) + c->iteration);
	pthread_mutex_lock(&k->lock);
	jmp_buf *outer_guard = sr_arena_guard(k->ctx->arena, &unwind);
	if (!setjmp(unwind))
		status = execute_check(k, x, instr);
	sr_arena_guard(k->ctx->arena, outer_guard);
	pthread_mutex_unlock(&k->lock);
	return status;
}

void sr_checks_begin(struct sr_checks *checks, struct sr_executable *e)
{
	pthread_mutex_init(&checks->lock, NULL);
	e->loaded.hooks = (struct sr_hooks){.data = checks, .inspect = check_hook};
}
