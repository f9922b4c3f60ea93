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
	MAX_READ_GAP = 4096, /* maximum bytes of a gap between runs that is read and dropped: the kernel fetches the page anyway */
};

struct loop {
	int64_t n, file, memory; /* number of iterations; strides in bytes in the file and in memory */
};

/* n_loops nested loops, outermost first, around a run: a range of bytes that is contiguous in the file and in memory. */
struct run_nest {
	struct loop loops[SR_MAX_RANK];
	int n_loops;
	int64_t run;   /* bytes of a run; 0: the slice is empty */
	int64_t first; /* byte offset of the first run in the file */
};

bool sr_slice_is_valid(const struct sr_slice *slice, int64_t *end)
{
	const int64_t *local_dims = slice->local ? slice->local : slice->size;
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

/* Set up one loop per dimension in file order, innermost last. The slice is not empty and valid, so no product overflows. */
static void make_loops(const struct sr_slice *slice, struct run_nest *run_nest)
{
	const int64_t *local_dims = slice->local ? slice->local : slice->size;
	int64_t memory[SR_MAX_RANK], stride = slice->element_bytes;
	for (int i = slice->rank - 1; i >= 0; i--) {
		memory[i] = stride;
		stride *= local_dims[i];
	}
	stride = slice->element_bytes;
	run_nest->first = slice->offset;
	run_nest->n_loops = slice->rank;
	for (int k = slice->rank - 1; k >= 0; k--) {
		int i = slice->fortran ? slice->rank - 1 - k : k;
		run_nest->loops[k] = (struct loop){slice->size[i], stride, memory[i]};
		run_nest->first += slice->start[i] * stride;
		stride *= slice->dims[i];
	}
}

static void merge_loops(struct run_nest *run_nest)
{
	int n = 0;
	for (int k = 0; k < run_nest->n_loops; k++) {
		struct loop inner = run_nest->loops[k], *outer = n > 0 ? &run_nest->loops[n - 1] : NULL;
		if (inner.n == 1)
			continue;
		if (outer && outer->file == inner.n * inner.file && outer->memory == inner.n * inner.memory)
			*outer = (struct loop){outer->n * inner.n, inner.file, inner.memory};
		else
			run_nest->loops[n++] = inner;
	}
	run_nest->n_loops = n;
}

static struct run_nest normalize(const struct sr_slice *slice)
{
	struct run_nest run_nest = {.run = slice->element_bytes};
	for (int i = 0; i < slice->rank; i++)
		if (slice->size[i] == 0)
			return (struct run_nest){0};
	make_loops(slice, &run_nest);
	merge_loops(&run_nest);
	struct loop *last_loop = run_nest.n_loops > 0 ? &run_nest.loops[run_nest.n_loops - 1] : NULL;
	if (last_loop && last_loop->file == run_nest.run && last_loop->memory == run_nest.run) {
		run_nest.run *= last_loop->n;
		run_nest.n_loops--;
	}
	return run_nest;
}

/* Call visit(data, file offset, memory offset) for each run in file order, until a call fails. */
static enum sr_status for_each_run(const struct run_nest *run_nest, enum sr_status (*visit)(void *, int64_t, int64_t), void *data)
{
	int64_t index[SR_MAX_RANK] = {0}, file = run_nest->first, memory = 0;
	if (run_nest->run == 0)
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
	bool write;
	int64_t run, gap;    /* bytes of a run; maximum bytes of a gap between two runs of a transfer */
	int64_t begin, end;  /* byte range of the transfer in the file */
	int n;
	char *bytes;         /* staging buffer of MAX_BATCH_BYTES bytes */
	struct run {
		int64_t file, memory;
	} *runs;             /* offsets of the pending runs; length MAX_BATCH_RUNS */
};

static enum sr_status transfer(struct batch *w, char *memory, int64_t n, int64_t offset)
{
	if (w->write)
		return sr_file_write_at(w->diags, w->file, memory, n, offset);
	return sr_file_read_at(w->diags, w->file, memory, n, offset);
}

static enum sr_status flush(struct batch *w)
{
	int n = w->n;
	w->n = 0;
	if (n == 0)
		return SR_OK;
	if (n == 1)
		return transfer(w, w->memory + w->runs[0].memory, w->run, w->begin);
	for (int i = 0; w->write && i < n; i++)
		memcpy(w->bytes + (w->runs[i].file - w->begin), w->memory + w->runs[i].memory, (size_t)w->run);
	enum sr_status status = transfer(w, w->bytes, w->end - w->begin, w->begin);
	for (int i = 0; !w->write && !status && i < n; i++)
		memcpy(w->memory + w->runs[i].memory, w->bytes + (w->runs[i].file - w->begin), (size_t)w->run);
	return status;
}

static enum sr_status add_run_to_batch(void *data, int64_t file, int64_t memory)
{
	struct batch *w = data;
	bool extends = w->n > 0 && w->n < MAX_BATCH_RUNS && file - w->end <= w->gap && file + w->run - w->begin <= MAX_BATCH_BYTES;
	if (!extends) {
		enum sr_status status = flush(w);
		if (status)
			return status;
		w->begin = file;
	}
	w->runs[w->n++] = (struct run){file, memory};
	w->end = file + w->run;
	return SR_OK;
}

static enum sr_status move(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, char *memory, bool write)
{
	int64_t end;
	if (!sr_slice_is_valid(slice, &end))
		return sr_error(diags, SR_INTERNAL, (struct sr_src_loc){file->path}, "slice does not lie in the array");
	struct run_nest run_nest = normalize(slice);
	struct batch w = {diags, file, memory, write, run_nest.run, write ? 0 : MAX_READ_GAP};
	w.bytes = malloc(MAX_BATCH_BYTES);
	w.runs = malloc(MAX_BATCH_RUNS * sizeof *w.runs);
	enum sr_status status;
	if (!w.bytes || !w.runs) {
		status = sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){file->path}, "no memory for a file buffer");
	} else {
		status = for_each_run(&run_nest, add_run_to_batch, &w);
		if (!status)
			status = flush(&w);
	}
	free(w.bytes);
	free(w.runs);
	return status;
}

enum sr_status sr_slice_read(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, void *dst)
{
	return move(diags, file, slice, dst, false);
}

enum sr_status sr_slice_write(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, const void *src)
{
	return move(diags, file, slice, (char *)src, true); /* the cast drops const: a write does not modify the buffer */
}

struct copy {
	char *array, *memory; /* the array in memory; NULL: fill the buffer with zeros */
	int64_t run;
	bool out;
};

static enum sr_status copy_run(void *data, int64_t file, int64_t memory)
{
	struct copy *copy = data;
	if (!copy->array)
		memset(copy->memory + memory, 0, (size_t)copy->run);
	else if (copy->out)
		memcpy(copy->array + file, copy->memory + memory, (size_t)copy->run);
	else
		memcpy(copy->memory + memory, copy->array + file, (size_t)copy->run);
	return SR_OK;
}

static void copy_runs(const struct sr_slice *slice, char *array, char *memory, bool out)
{
	int64_t end;
	bool valid = sr_slice_is_valid(slice, &end);
	assert(valid);
	if (!valid)
		return;
	struct run_nest run_nest = normalize(slice);
	struct copy copy = {array, memory, run_nest.run, out};
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
