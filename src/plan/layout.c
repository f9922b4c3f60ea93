/* Arena layout: a fixed offset for every buffer, so that buffers whose lives do not meet share bytes.
 *
 * Requires the lives that lowering recorded. Pinned buffers (arguments, constants, results) come first and share with nobody; the others
 * are placed in order of their first step, each into the smallest free gap that holds it (best fit), and give it back after their last
 * step. Offsets are multiples of 64. Cost: n log n for the order, n times the number of gaps for the placing. */
#include "plan/builder.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

struct gap {
	int64_t offset, bytes;
};

struct layout {
	struct sr_plan_builder *b;
	SR_VEC(struct gap) gaps; /* by offset, never adjacent */
	int64_t end;             /* of the arena so far */
};

static int64_t aligned(struct layout *l, int64_t bytes)
{
	int64_t n;
	if (sr_add_overflows(bytes, (int64_t)(ALIGN - 1), &n))
		sr_arena_unwind(l->b->arena);
	return n / ALIGN * ALIGN;
}

static int64_t take(struct layout *l, int64_t bytes)
{
	size_t best = l->gaps.n;
	for (size_t i = 0; i < l->gaps.n; i++)
		if (l->gaps.data[i].bytes >= bytes && (best == l->gaps.n || l->gaps.data[i].bytes < l->gaps.data[best].bytes))
			best = i;
	if (best < l->gaps.n) {
		struct gap *g = &l->gaps.data[best];
		int64_t offset = g->offset;
		g->offset += bytes;
		g->bytes -= bytes;
		if (!g->bytes) {
			memmove(g, g + 1, (l->gaps.n - best - 1) * sizeof *g);
			l->gaps.n--;
		}
		return offset;
	}
	/* the last gap may touch the end: grow it */
	struct gap *last = l->gaps.n ? &l->gaps.data[l->gaps.n - 1] : NULL;
	int64_t offset = l->end;
	if (last && last->offset + last->bytes == l->end) {
		offset = last->offset;
		l->gaps.n--;
	}
	if (sr_add_overflows(offset, bytes, &l->end))
		sr_arena_unwind(l->b->arena);
	return offset;
}

static void give(struct layout *l, int64_t offset, int64_t bytes)
{
	size_t i = 0, n = l->gaps.n;
	if (!bytes)
		return;
	while (i < n && l->gaps.data[i].offset < offset)
		i++;
	bool left = i > 0 && l->gaps.data[i - 1].offset + l->gaps.data[i - 1].bytes == offset;
	bool right = i < n && offset + bytes == l->gaps.data[i].offset;
	if (left && right) {
		l->gaps.data[i - 1].bytes += bytes + l->gaps.data[i].bytes;
		memmove(&l->gaps.data[i], &l->gaps.data[i + 1], (n - i - 1) * sizeof(struct gap));
		l->gaps.n--;
	} else if (left) {
		l->gaps.data[i - 1].bytes += bytes;
	} else if (right) {
		l->gaps.data[i].offset = offset;
		l->gaps.data[i].bytes += bytes;
	} else {
		sr_push(l->b->arena, &l->gaps, (struct gap){0});
		memmove(&l->gaps.data[i + 1], &l->gaps.data[i], (n - i) * sizeof(struct gap));
		l->gaps.data[i] = (struct gap){offset, bytes};
	}
}

struct span {
	int64_t time;
	int buffer;
};

static int by_time(const void *x, const void *y)
{
	const struct span *a = x, *b = y;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->buffer - b->buffer;
}

void sr_plan_layout(struct sr_plan_builder *b, int64_t *arena_bytes)
{
	struct layout l = {.b = b};
	size_t n = b->buffers.n, m = 0, gone = 0;
	struct span *starts = SR_NEWS(b->arena, struct span, n), *ends = SR_NEWS(b->arena, struct span, n);
	for (size_t i = 0; i < n; i++) {
		if (b->live.data[i].pinned)
			b->buffers.data[i].offset = take(&l, aligned(&l, b->buffers.data[i].bytes));
		else if (b->live.data[i].first >= 0) {
			starts[m] = (struct span){b->live.data[i].first, (int)i};
			ends[m++] = (struct span){b->live.data[i].last, (int)i};
		}
	}
	qsort(starts, m, sizeof *starts, by_time);
	qsort(ends, m, sizeof *ends, by_time);
	for (size_t i = 0; i < m; i++) {
		while (gone < m && ends[gone].time < starts[i].time) {
			const struct sr_buffer *done = &b->buffers.data[ends[gone++].buffer];
			give(&l, done->offset, aligned(&l, done->bytes));
		}
		struct sr_buffer *buffer = &b->buffers.data[starts[i].buffer];
		buffer->offset = take(&l, aligned(&l, buffer->bytes));
	}
	*arena_bytes = l.end;
}
