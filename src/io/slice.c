/* Slices of arrays in files. A slice is normalized to nested loops over contiguous runs of equal length, in file order: extents
 * of 1 are dropped, and dimensions that are contiguous in both file and memory are merged. A slice of full rows becomes one run,
 * a slice of columns one run per row. Nearby runs share one transfer through a staging buffer. */
#include "io/slice.h"
#include "support/checked.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_BATCH_BYTES = 1 << 20, /* maximum bytes of a transfer that several runs share */
	MAX_BATCH_RUNS = 1 << 15,
	MAX_READ_GAP_BYTES = 4096, /* maximum bytes of a gap between runs that is read and dropped: the kernel fetches the page anyway */
};

struct loop {
	int64_t n, file, memory; /* number of iterations; strides in bytes in the file and in memory */
};

/* n_loops nested loops, outermost first, around a run: a range of bytes that is contiguous in the file and in memory. */
struct run_nest {
	struct loop loops[SR_MAX_RANK];
	int n_loops;
	int64_t run_bytes;   /* bytes of a run; 0: the slice is empty */
	int64_t first_run_offset; /* byte offset of the first run in the file */
};

bool sr_slice_is_valid(const struct sr_slice *slice, int64_t *end)
{
	const int64_t *local_dims = slice->local_dims ? slice->local_dims : slice->size;
	int64_t n, bytes;
	if (slice->rank < 0 || slice->rank > SR_MAX_RANK || slice->element_bytes < 1 || slice->offset < 0)
		return false;
	for (int i = 0; i < slice->rank; i++)
		if (slice->start[i] < 0 || slice->size[i] < 0 || slice->size[i] > local_dims[i] || slice->size[i] > slice->dims[i] ||
		    slice->start[i] > slice->dims[i] - slice->size[i])
			return false;
	if (sr_product_overflows(local_dims, slice->rank, &n) || sr_mul_overflows(n, (int64_t)slice->element_bytes, &bytes))
		return false;
	return !sr_product_overflows(slice->dims, slice->rank, &n) && !sr_mul_overflows(n, (int64_t)slice->element_bytes, &bytes) &&
	       !sr_add_overflows(bytes, slice->offset, end);
}

/* Set up one loop per dimension in file order, innermost last. The slice must be valid and not empty; then no product overflows. */
static void make_loops(const struct sr_slice *slice, struct run_nest *run_nest)
{
	const int64_t *local_dims = slice->local_dims ? slice->local_dims : slice->size;
	int64_t memory[SR_MAX_RANK], stride = slice->element_bytes;
	for (int i = slice->rank - 1; i >= 0; i--) {
		memory[i] = stride;
		stride *= local_dims[i];
	}
	stride = slice->element_bytes;
	run_nest->first_run_offset = slice->offset;
	run_nest->n_loops = slice->rank;
	for (int k = slice->rank - 1; k >= 0; k--) {
		int i = slice->is_fortran_order ? slice->rank - 1 - k : k;
		run_nest->loops[k] = (struct loop){slice->size[i], stride, memory[i]};
		run_nest->first_run_offset += slice->start[i] * stride;
		stride *= slice->dims[i];
	}
}

static void merge_loops(struct run_nest *run_nest)
{
	int n = 0;
	for (int k = 0; k < run_nest->n_loops; k++) {
		struct loop inner_loop = run_nest->loops[k], *outer_loop = n > 0 ? &run_nest->loops[n - 1] : NULL;
		if (inner_loop.n == 1)
			continue;
		if (outer_loop && outer_loop->file == inner_loop.n * inner_loop.file && outer_loop->memory == inner_loop.n * inner_loop.memory)
			*outer_loop = (struct loop){outer_loop->n * inner_loop.n, inner_loop.file, inner_loop.memory};
		else
			run_nest->loops[n++] = inner_loop;
	}
	run_nest->n_loops = n;
}

static struct run_nest normalize_slice(const struct sr_slice *slice)
{
	struct run_nest run_nest = {.run_bytes = slice->element_bytes};
	for (int i = 0; i < slice->rank; i++)
		if (slice->size[i] == 0)
			return (struct run_nest){0};
	make_loops(slice, &run_nest);
	merge_loops(&run_nest);
	struct loop *last_loop = run_nest.n_loops > 0 ? &run_nest.loops[run_nest.n_loops - 1] : NULL;
	if (last_loop && last_loop->file == run_nest.run_bytes && last_loop->memory == run_nest.run_bytes) {
		run_nest.run_bytes *= last_loop->n;
		run_nest.n_loops--;
	}
	return run_nest;
}

/* Call visit(data, file offset, memory offset) for each run in file order, until a call fails. */
static enum sr_status for_each_run(const struct run_nest *run_nest, enum sr_status (*visit)(void *, int64_t, int64_t), void *data)
{
	int64_t index[SR_MAX_RANK] = {0}, file = run_nest->first_run_offset, memory = 0;
	if (run_nest->run_bytes == 0)
		return SR_OK;
	for (;;) {
		enum sr_status status = visit(data, file, memory);
		if (status)
			return status;
		int k = run_nest->n_loops - 1;
		for (; k >= 0; k--) {
			const struct loop *loop = &run_nest->loops[k];
			file += loop->file;
			memory += loop->memory;
			if (++index[k] < loop->n)
				break;
			file -= loop->n * loop->file;
			memory -= loop->n * loop->memory;
			index[k] = 0;
		}
		if (k < 0)
			return SR_OK;
	}
}

/* Pending runs that share one transfer. */
struct batch {
	struct sr_diags *diags;
	struct sr_file *file;
	char *memory; /* memory of this rank that the slice is read into or written from */
	bool is_write;
	int64_t run_bytes, max_gap_bytes;    /* bytes of a run; maximum bytes of a gap between two runs that share a transfer */
	int64_t begin, end;  /* byte range of the transfer in the file */
	int n;
	char *bytes;         /* staging buffer of MAX_BATCH_BYTES bytes */
	struct run {
		int64_t file, memory;
	} *runs;             /* offsets of the pending runs; length MAX_BATCH_RUNS */
};

static enum sr_status transfer_range(struct batch *w, char *memory, int64_t n, int64_t offset)
{
	if (w->is_write)
		return sr_file_write_at(w->diags, w->file, memory, n, offset);
	return sr_file_read_at(w->diags, w->file, memory, n, offset);
}

static enum sr_status flush_batch(struct batch *w)
{
	int n = w->n;
	w->n = 0;
	if (n == 0)
		return SR_OK;
	if (n == 1)
		return transfer_range(w, w->memory + w->runs[0].memory, w->run_bytes, w->begin);
	for (int i = 0; w->is_write && i < n; i++)
		memcpy(w->bytes + (w->runs[i].file - w->begin), w->memory + w->runs[i].memory, (size_t)w->run_bytes);
	enum sr_status status = transfer_range(w, w->bytes, w->end - w->begin, w->begin);
	for (int i = 0; !w->is_write && !status && i < n; i++)
		memcpy(w->memory + w->runs[i].memory, w->bytes + (w->runs[i].file - w->begin), (size_t)w->run_bytes);
	return status;
}

static enum sr_status add_run_to_batch(void *data, int64_t file, int64_t memory)
{
	struct batch *w = data;
	bool extends_batch = w->n > 0 && w->n < MAX_BATCH_RUNS && file - w->end <= w->max_gap_bytes && file + w->run_bytes - w->begin <= MAX_BATCH_BYTES;
	if (!extends_batch) {
		enum sr_status status = flush_batch(w);
		if (status)
			return status;
		w->begin = file;
	}
	w->runs[w->n++] = (struct run){file, memory};
	w->end = file + w->run_bytes;
	return SR_OK;
}

static enum sr_status transfer_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, char *memory, bool is_write)
{
	int64_t end;
	if (!sr_slice_is_valid(slice, &end))
		return sr_error(diags, SR_INTERNAL, (struct sr_src_loc){file->path}, "slice does not lie in the array");
	struct run_nest run_nest = normalize_slice(slice);
	struct batch w = {diags, file, memory, is_write, run_nest.run_bytes, is_write ? 0 : MAX_READ_GAP_BYTES};
	w.bytes = malloc(MAX_BATCH_BYTES);
	w.runs = malloc(MAX_BATCH_RUNS * sizeof *w.runs);
	enum sr_status status;
	if (!w.bytes || !w.runs) {
		status = sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){file->path}, "no memory for a file buffer");
	} else {
		status = for_each_run(&run_nest, add_run_to_batch, &w);
		if (!status)
			status = flush_batch(&w);
	}
	free(w.bytes);
	free(w.runs);
	return status;
}

enum sr_status sr_slice_read(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, void *dst)
{
	return transfer_slice(diags, file, slice, dst, false);
}

enum sr_status sr_slice_write(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, const void *src)
{
	return transfer_slice(diags, file, slice, (char *)src, true); /* cast away const: a write does not modify the buffer */
}

struct slice_copy {
	char *array, *memory; /* array: the array in memory, NULL: fill the buffer with zeros; memory: the buffer */
	int64_t run_bytes;
	bool out;
};

static enum sr_status copy_run(void *data, int64_t file, int64_t memory)
{
	struct slice_copy *copy = data;
	if (!copy->array)
		memset(copy->memory + memory, 0, (size_t)copy->run_bytes);
	else if (copy->out)
		memcpy(copy->array + file, copy->memory + memory, (size_t)copy->run_bytes);
	else
		memcpy(copy->memory + memory, copy->array + file, (size_t)copy->run_bytes);
	return SR_OK;
}

static void copy_runs(const struct sr_slice *slice, char *array, char *memory, bool out)
{
	int64_t end;
	bool is_valid = sr_slice_is_valid(slice, &end);
	assert(is_valid);
	if (!is_valid)
		return;
	struct run_nest run_nest = normalize_slice(slice);
	struct slice_copy copy = {array, memory, run_nest.run_bytes, out};
	for_each_run(&run_nest, copy_run, &copy);
}

void sr_slice_copy_in(const struct sr_slice *slice, const void *array, void *dst)
{
	copy_runs(slice, (char *)array, dst, false);
}

void sr_slice_clear(const struct sr_slice *slice, void *dst)
{
	copy_runs(slice, NULL, dst, false);
}
