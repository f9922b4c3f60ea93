/* Placement of a program's constants: one block that all devices of the process read. */
#include "run/loaded_program.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

static const struct sr_buffer *buffer_of(const struct sr_program *p, const struct sr_constant *in)
{
	return sr_program_buffers(p) + in->buffer;
}

static int64_t round_to_alignment(int64_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Write a constant's elements; the element of a splat is repeated by doubling copies. */
static void write_constant(const struct sr_program *p, const struct sr_constant *in, char *to)
{
	uint64_t bytes = (uint64_t)buffer_of(p, in)->bytes, n_written = in->n < bytes ? in->n : bytes;
	memcpy(to, sr_program_data(p) + in->data, n_written);
	while (n_written && n_written < bytes) {
		uint64_t n = n_written < bytes - n_written ? n_written : bytes - n_written;
		memcpy(to + n_written, to, n);
		n_written += n;
	}
}

int64_t sr_program_constants_bytes(const struct sr_program *p)
{
	int64_t bytes = 0;
	for (uint64_t i = 0; i < p->constants.n; i++)
		bytes += round_to_alignment(buffer_of(p, sr_program_constants(p) + i)->bytes);
	return bytes;
}

void sr_program_write_constants(const struct sr_program *p, char *to)
{
	for (uint64_t i = 0; i < p->constants.n; i++) {
		const struct sr_constant *in = sr_program_constants(p) + i;
		write_constant(p, in, to);
		to += round_to_alignment(buffer_of(p, in)->bytes);
	}
}

struct range { /* range of arena offsets of a constant, and its bytes in the block */
	int64_t begin, end;
	const char *data;
};

static int by_begin(const void *x, const void *y)
{
	const struct range *a = x, *b = y;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Return the range that contains the nonempty interval [begin, end), or NULL. */
static const struct range *find_range(const struct range *ranges, size_t n, int64_t begin, int64_t end)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (ranges[mid].begin <= begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && begin < end && end <= ranges[lo - 1].end ? &ranges[lo - 1] : NULL;
}

/* Set `constant_of` for every buffer that is a constant, or a part of one, to its bytes in the block. No other buffer uses these
 * addresses: a constant owns its range of arena offsets during the entire program. */
void sr_loaded_place_constants(struct sr_loaded_program *l, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	struct range *ranges = SR_NEW_ARRAY(arena, struct range, p->constants.n);
	const char *at = l->constants;
	for (uint64_t i = 0; i < p->constants.n; i++) {
		const struct sr_buffer *b = buffer_of(p, sr_program_constants(p) + i);
		ranges[i] = (struct range){b->offset, b->offset + b->bytes, at};
		at += round_to_alignment(b->bytes);
	}
	if (p->constants.n)
		qsort(ranges, p->constants.n, sizeof *ranges, by_begin);
	l->constant_of = SR_NEW_ARRAY(arena, const char *, p->buffers.n);
	for (uint64_t i = 0; i < p->buffers.n; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + i;
		const struct range *r = find_range(ranges, p->constants.n, b->offset, b->offset + b->bytes);
		l->constant_of[i] = r ? r->data + (b->offset - r->begin) : NULL;
	}
}
