/* Printing of results to a stream, by rank 0, as text or as consecutive .npy files. Elements are fetched in row-major order in
 * chunks, so that rank 0 never holds an entire value. */
#include "exec/values/bind.h"
#include "exec/progress.h"
#include "io/npy.h"
#include "io/text_value.h"
#include "support/checked.h"
#include <errno.h>
#include <string.h>

enum {
	MAX_PRINTED_ELEMENTS = 16,
	MAX_CHUNK_BYTES = 1 << 24 /* elements in a preview; maximum bytes that rank 0 receives at a time */
};

struct value { /* state of a result that is being printed */
	const struct sr_arrays *arrays;
	int result;
	struct sr_launch *launch;
	const struct sr_program *program;
	const struct sr_io *io;
	int64_t n; /* number of elements of the result */
	int element_bytes; /* bytes per element of the result */
};

/* Copy the elements of first .. first+n-1 that the device's shard contains to their positions in `own_chunk`. The n elements are
 * followed by n bytes: byte k is set to 1 if element k has been copied. */
static void copy_local(const struct value *v, int device, int64_t first, int64_t n, char *own_chunk)
{
	struct sr_device_slice s = sr_program_slice(v->program, v->io, v->arrays->e->devices[device].id);
	const int64_t *shape = sr_program_ids(v->program) + v->io->shape;
	const char *shard = sr_arrays_result(v->arrays, v->result, device);
	for (int64_t k = 0; k < n; k++) {
		int64_t quotient = first + k, index[SR_MAX_RANK], local = 0;
		bool is_in_shard = true;
		for (int i = v->io->rank - 1; i >= 0; i--) {
			index[i] = quotient % shape[i];
			quotient /= shape[i];
		}
		for (int i = 0; is_in_shard && i < v->io->rank; i++) {
			is_in_shard = index[i] >= s.start[i] && index[i] < s.start[i] + s.size[i];
			local = local * s.local[i] + index[i] - s.start[i];
		}
		if (!is_in_shard)
			continue;
		memcpy(own_chunk + k * v->element_bytes, shard + local * v->element_bytes, (size_t)v->element_bytes);
		own_chunk[n * v->element_bytes + k] = 1;
	}
}

/* Collective on all ranks: gather elements first .. first+n-1 in `to` on rank 0. */
static void fetch(const struct value *v, int64_t first, int64_t n, char *own_chunk, char *all, char *to)
{
	struct sr_launch *l = v->launch;
	size_t bytes = (size_t)(n * (v->element_bytes + 1));
	memset(own_chunk, 0, bytes);
	const struct sr_executable *e = v->arrays->e;
	for (int k = 0; k < e->n_devices; k++)
		if (sr_program_is_first_holder(v->program, v->io, e->devices[k].id))
			copy_local(v, k, first, n, own_chunk);
	sr_launch_gather(l, own_chunk, all, bytes);
	for (int r = 0; !l->rank && r < l->size; r++) {
		const char *rank_chunk = all + (size_t)r * bytes;
		for (int64_t k = 0; k < n; k++)
			if (rank_chunk[n * v->element_bytes + k])
				memcpy(to + k * v->element_bytes, rank_chunk + k * v->element_bytes, (size_t)v->element_bytes);
	}
}

/* Collective on all ranks: fetch the first n elements in chunks and store them in `to`, or write them to the stream `out` if `to`
 * is NULL. `to` and `out` are used on rank 0 only. */
static bool fetch_elements(const struct value *v, int64_t n, char *to, FILE *out, struct sr_arena *arena)
{
	struct sr_launch *l = v->launch;
	int64_t limit = MAX_CHUNK_BYTES / ((v->element_bytes + 1) * (int64_t)l->size), step = limit > 1024 ? limit : 1024;
	step = step < n ? step : n;
	size_t bytes = (size_t)(step * (v->element_bytes + 1));
	char *own_chunk = sr_alloc(arena, bytes, 1), *all = l->rank ? NULL : sr_alloc(arena, bytes, (size_t)l->size);
	char *chunk = l->rank || to ? NULL : sr_alloc(arena, (size_t)step, (size_t)v->element_bytes);
	bool is_written = true;
	for (int64_t first = 0; first < n; first += step) {
		int64_t count = n - first < step ? n - first : step;
		fetch(v, first, count, own_chunk, all, to ? to + first * v->element_bytes : chunk);
		if (!l->rank && !to)
			is_written = is_written && fwrite(chunk, (size_t)v->element_bytes, (size_t)count, out) == (size_t)count;
	}
	return is_written;
}

static void print_text(const struct value *v, size_t i, int64_t limit, bool preview, const struct sr_run_options *o,
		       struct sr_arena *arena)
{
	const char *name = sr_program_string(v->program, v->io->name);
	int64_t n = v->n < limit ? v->n : limit;
	char *data = v->launch->rank ? NULL : sr_alloc(arena, (size_t)n, (size_t)v->element_bytes);
	struct sr_buf buf;
	fetch_elements(v, n, data, NULL, arena);
	if (v->launch->rank)
		return;
	sr_buf_init(&buf, arena);
	sr_buf_printf(&buf, "result[%zu]: ", i);
	sr_value_print(&buf, (enum sr_dtype)v->io->dtype, sr_program_ids(v->program) + v->io->shape, v->io->rank, data, n, !preview);
	if (preview && *name)
		sr_buf_printf(&buf, "  (%s)", name);
	sr_buf_putc(&buf, '\n');
	sr_buf_write(&buf, o->out);
}

static bool write_raw(const struct value *v, const struct sr_run_options *o, struct sr_arena *arena)
{
	struct sr_buf header;
	sr_buf_init(&header, arena);
	sr_npy_format_header(&header, (enum sr_dtype)v->io->dtype, sr_program_ids(v->program) + v->io->shape, v->io->rank);
	if (!v->launch->rank)
		sr_buf_write(&header, o->raw);
	bool is_written = fetch_elements(v, v->n, NULL, o->raw, arena);
	return v->launch->rank || (is_written && !fflush(o->raw) && !ferror(o->raw));
}

enum sr_status sr_bind_print(struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
			     struct sr_diags *diags)
{
	struct sr_executable *e = a->e;
	struct sr_launch *l = &e->client->launch;
	const struct sr_program *p = e->program;
	bool is_preview = !o->outputs.n && !o->output_bundle && !o->expected.n;
	int why = 0;
	sr_progress_stop();
	for (size_t i = 0; o->out && i < (size_t)p->n_results; i++) {
		const char *output = i < o->outputs.n ? o->outputs.data[i] : "";
		const struct sr_io *io = sr_program_result(p, i);
		struct value v = {a, (int)i, l, p, io, 0, sr_dtype_bytes((enum sr_dtype)io->dtype)};
		if (sr_product_overflows(sr_program_ids(p) + io->shape, io->rank, &v.n))
			continue;
		if (is_preview || !strcmp(output, "-"))
			print_text(&v, i, is_preview ? MAX_PRINTED_ELEMENTS : o->max_elements, is_preview, o, arena);
		else if (!strcmp(output, SR_OUTPUT_RAW) && !write_raw(&v, o, arena) && !why)
			why = errno ? errno : EIO;
	}
	return sr_launch_agree(l,
			       why ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "standard output cannot be written: %s", strerror(why))
				   : SR_OK,
			       diags);
}
