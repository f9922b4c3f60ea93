/* Slices of arrays in files as runs of equal length: normalise the slice to nested loops in the order of the file, walk them, and
 * let neighbouring runs share a transfer.
 *
 * Normalising drops extents of 1 and joins dimensions that are contiguous on both sides, so that a slice of whole rows is one run
 * and a slice of columns is a run per row. */
#include "io/slice.h"
#include "support/checked.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	SR_WINDOW_BYTES = 1 << 20, /* of one joined transfer */
	SR_WINDOW_RUNS = 1 << 15,
	SR_READ_THROUGH = 4096, /* a page: the kernel fetches it anyway */
};

struct loop {
	int64_t n, file, memory; /* count, and the strides in bytes */
};

/* n_loops nested loops, the outermost first, around a run that is contiguous on both sides. */
struct walk {
	struct loop loops[SR_MAX_RANK];
	int n_loops;
	int64_t run;   /* bytes; 0: nothing to do */
	int64_t first; /* where the first run lies in the file */
};

bool sr_slice_is_valid(const struct sr_slice *slice, int64_t *end)
{
	const int64_t *local = slice->local ? slice->local : slice->size;
	int64_t n, bytes;
	if (slice->rank < 0 || slice->rank > SR_MAX_RANK || slice->item < 1 || slice->offset < 0)
		return false;
	for (int i = 0; i < slice->rank; i++)
		if (slice->start[i] < 0 || slice->size[i] < 0 || slice->size[i] > local[i] || slice->size[i] > slice->dims[i] ||
		    slice->start[i] > slice->dims[i] - slice->size[i])
			return false;
	if (sr_product_overflows(local, slice->rank, &n) || sr_mul_overflows(n, (int64_t)slice->item, &bytes))
		return false;
	return !sr_product_overflows(slice->dims, slice->rank, &n) && !sr_mul_overflows(n, (int64_t)slice->item, &bytes) &&
	       !sr_add_overflows(bytes, slice->offset, end);
}

/* One loop per dimension in the order of the file, innermost last. The slice is not empty, so no product overflows. */
static void loops_of(const struct sr_slice *slice, struct walk *walk)
{
	const int64_t *local = slice->local ? slice->local : slice->size;
	int64_t memory[SR_MAX_RANK], stride = slice->item;
	for (int i = slice->rank - 1; i >= 0; i--) {
		memory[i] = stride;
		stride *= local[i];
	}
	stride = slice->item;
	walk->first = slice->offset;
	walk->n_loops = slice->rank;
	for (int k = slice->rank - 1; k >= 0; k--) {
		int i = slice->fortran ? slice->rank - 1 - k : k;
		walk->loops[k] = (struct loop){slice->size[i], stride, memory[i]};
		walk->first += slice->start[i] * stride;
		stride *= slice->dims[i];
	}
}

static void join_loops(struct walk *walk)
{
	int n = 0;
	for (int k = 0; k < walk->n_loops; k++) {
		struct loop inner = walk->loops[k], *outer = n > 0 ? &walk->loops[n - 1] : NULL;
		if (inner.n == 1)
			continue;
		if (outer && outer->file == inner.n * inner.file && outer->memory == inner.n * inner.memory)
			*outer = (struct loop){outer->n * inner.n, inner.file, inner.memory};
		else
			walk->loops[n++] = inner;
	}
	walk->n_loops = n;
}

static struct walk walk_of(const struct sr_slice *slice)
{
	struct walk walk = {.run = slice->item};
	for (int i = 0; i < slice->rank; i++)
		if (slice->size[i] == 0)
			return (struct walk){0};
	loops_of(slice, &walk);
	join_loops(&walk);
	struct loop *last = walk.n_loops > 0 ? &walk.loops[walk.n_loops - 1] : NULL;
	if (last && last->file == walk.run && last->memory == walk.run) {
		walk.run *= last->n;
		walk.n_loops--;
	}
	return walk;
}

/* Calls visit(data, file offset, memory offset) for each run, in the order of the file, until one fails. */
static enum sr_status walk_runs(const struct walk *walk, enum sr_status (*visit)(void *, int64_t, int64_t), void *data)
{
	int64_t index[SR_MAX_RANK] = {0}, file = walk->first, memory = 0;
	if (walk->run == 0)
		return SR_OK;
	for (;;) {
		enum sr_status status = visit(data, file, memory);
		if (status)
			return status;
		int k = walk->n_loops - 1;
		for (; k >= 0; k--) {
			const struct loop *loop = &walk->loops[k];
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

/* Runs gathered for one transfer. */
struct window {
	struct sr_diags *diags;
	struct sr_file *file;
	char *memory; /* the rank's buffer */
	bool write;
	int64_t run, gap;    /* bytes of a run; most bytes between two runs of a window */
	int64_t begin, end;  /* in the file */
	int n;
	char *bytes;         /* [SR_WINDOW_BYTES] */
	struct run {
		int64_t file, memory;
	} *runs;             /* [SR_WINDOW_RUNS] */
};

static enum sr_status transfer(struct window *w, char *memory, int64_t n, int64_t offset)
{
	if (w->write)
		return sr_file_write_at(w->diags, w->file, memory, n, offset);
	return sr_file_read_at(w->diags, w->file, memory, n, offset);
}

static enum sr_status flush(struct window *w)
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

static enum sr_status visit_transfer(void *data, int64_t file, int64_t memory)
{
	struct window *w = data;
	bool joins = w->n > 0 && w->n < SR_WINDOW_RUNS && file - w->end <= w->gap && file + w->run - w->begin <= SR_WINDOW_BYTES;
	if (!joins) {
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
	struct walk walk = walk_of(slice);
	struct window w = {diags, file, memory, write, walk.run, write ? 0 : SR_READ_THROUGH};
	w.bytes = malloc(SR_WINDOW_BYTES);
	w.runs = malloc(SR_WINDOW_RUNS * sizeof *w.runs);
	enum sr_status status;
	if (!w.bytes || !w.runs) {
		status = sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){file->path}, "no memory for a file buffer");
	} else {
		status = walk_runs(&walk, visit_transfer, &w);
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
	return move(diags, file, slice, (char *)src, true); /* a write only reads it */
}

struct copy {
	char *array, *memory; /* array NULL: zeros */
	int64_t run;
	bool out;
};

static enum sr_status visit_copy(void *data, int64_t file, int64_t memory)
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
	struct walk walk = walk_of(slice);
	struct copy copy = {array, memory, walk.run, out};
	walk_runs(&walk, visit_copy, &copy);
}

void sr_slice_copy_in(const struct sr_slice *slice, const void *array, void *dst)
{
	copy_runs(slice, (char *)array, dst, false);
}

void sr_slice_clear(const struct sr_slice *slice, void *dst)
{
	copy_runs(slice, NULL, dst, false);
}
