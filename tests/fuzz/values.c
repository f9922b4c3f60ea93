/* Files of values: .npy, .npz and safetensors. Of each array the upper half of every dimension is read. */
#include "io/npz.h"
#include "io/safetensors.h"
#include "io/slice.h"
#include "tests/fuzz/fuzz.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct value_file {
	struct sr_arena *arena;
	struct sr_diags diags;
	struct sr_file file;
};

/* Check that a failure has a message; return the status. */
static enum sr_status require_message(struct value_file *t, enum sr_status status)
{
	if (status && status != SR_NEXT && !t->diags.n_errors)
		abort();
	return status;
}

static void read_half(struct value_file *t, int rank, int element_bytes, const int64_t *dims, bool is_fortran_order, int64_t offset)
{
	int64_t start[SR_MAX_RANK], size[SR_MAX_RANK], bytes = element_bytes;
	for (int i = 0; i < rank; i++) {
		start[i] = dims[i] / 2;
		size[i] = dims[i] - start[i];
		bytes = dims[i] ? bytes : 0; /* other extents of an empty array may have any product */
	}
	for (int i = 0; bytes && i < rank; i++)
		bytes *= size[i]; /* at most the file's size, since readers check that the array fits; 0 for an empty array */
	struct sr_slice slice = {rank, element_bytes, is_fortran_order, offset, dims, start, size, NULL};
	char *half_buffer = malloc(bytes ? (size_t)bytes : 1);
	if (require_message(t, sr_slice_read(&t->diags, &t->file, &slice, half_buffer)))
		abort(); /* reading an array whose header was accepted must succeed */
	free(half_buffer);
}

static void read_npy(struct value_file *t, const struct sr_npy *npy)
{
	struct sr_npy reread;
	read_half(t, npy->rank, npy->element_bytes, npy->dims, npy->is_fortran_order, npy->data_offset);
	if (npy->type && sr_npy_check(&t->diags, &t->file, npy, "argument 0", npy->type, npy->dims, npy->rank))
		abort();
	if (npy->type)
		(void)require_message(t, sr_npy_layout(&t->diags, t->arena, "again", npy->type, npy->dims, npy->rank, &reread));
}

static void read_npy_file(struct value_file *t)
{
	struct sr_npy npy;
	enum sr_status status = require_message(t, sr_npy_read_header(&t->diags, &t->file, 0, &npy));
	for (; !status; status = require_message(t, sr_npy_next(&t->diags, &t->file, &npy)))
		read_npy(t, &npy);
}

static void read_npz_file(struct value_file *t)
{
	enum { N_CHUNKS = 3 };
	uint32_t sums[N_CHUNKS];
	struct sr_npz npz;
	struct sr_npy npy;
	if (require_message(t, sr_npz_read_directory(&t->diags, t->arena, &t->file, &npz)))
		return;
	for (int64_t i = 0; i < npz.n; i++) {
		if (sr_npz_find(&npz, npz.members[i].name) != i)
			abort();
		if (require_message(t, sr_npz_read_header(&t->diags, &t->file, &npz.members[i], &npy)))
			continue;
		read_npy(t, &npy);
		for (int k = 0; k < N_CHUNKS; k++)
			(void)require_message(t, sr_npz_checksum(&t->diags, &t->file, &npy, k, N_CHUNKS, &sums[k]));
		(void)require_message(t, sr_npz_verify_checksum(&t->diags, &t->file, &npz.members[i], &npy, sums, N_CHUNKS));
	}
}

static void read_safetensors_file(struct value_file *t)
{
	struct sr_safetensors tensors;
	if (require_message(t, sr_safetensors_read(&t->diags, t->arena, &t->file, &tensors)))
		return;
	for (int64_t i = 0; i < tensors.n; i++) {
		const struct sr_safetensor *tensor = &tensors.tensors[i];
		if (sr_safetensors_find(&tensors, tensor->name) != i)
			abort();
		read_half(t, tensor->rank, sr_dtype_bytes(tensor->type), tensor->dims, false, tensor->offset);
	}
}

/* Write the bytes to a file and read it. */
static void read_as_file(const uint8_t *bytes, size_t n, void (*read_file)(struct value_file *t))
{
	static int fd = -1;
	jmp_buf unwind;
	if (fd < 0)
		fd = memfd_create("fuzz", 0);
	if (fd < 0 || ftruncate(fd, (off_t)n) || pwrite(fd, bytes, n, 0) != (ssize_t)n)
		abort();
	struct value_file *t = calloc(1, sizeof *t);
	t->arena = sr_arena_new();
	sr_diags_init(&t->diags, t->arena);
	t->file = (struct sr_file){.path = "fuzz", .fd = fd, .size = (int64_t)n};
	if (!setjmp(unwind)) {
		sr_arena_guard(t->arena, &unwind);
		read_file(t);
	}
	sr_arena_free(t->arena);
	free(t);
}

void fuzz_npy(const uint8_t *bytes, size_t n)
{
	read_as_file(bytes, n, read_npy_file);
}

void fuzz_npz(const uint8_t *bytes, size_t n)
{
	read_as_file(bytes, n, read_npz_file);
}

void fuzz_safetensors(const uint8_t *bytes, size_t n)
{
	read_as_file(bytes, n, read_safetensors_file);
}
