/* Arena layout: a fixed offset for every buffer, so that buffers whose lives do not meet share bytes.
 *
 * Requires the lives that lowering recorded. Pinned buffers (arguments, constants, results) come first and share with nobody; the others
 * are placed in order of their first step, each into the smallest free gap that holds it (best fit), and give it back after their last
 * step. Offsets are multiples of 64. Cost: n log n. */
#include "plan/builder.h"
#include "plan/gaps.h"
#include "support/checked.h"
#include <stdlib.h>

enum { ALIGN = 64 };

struct layout {
	struct sr_gaps gaps;
	int64_t end; /* of the arena so far */
	bool overflows;
};

/* No value has more than a quarter of what can be counted. */
static int64_t aligned(int64_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int64_t take(struct layout *l, int64_t bytes)
{
	int64_t offset = l->end;
	if (!bytes || sr_gaps_take(&l->gaps, bytes, &offset))
		return offset;
	/* the last gap may touch the end: grow it */
	if (!sr_gaps_take_last(&l->gaps, l->end, &offset))
		offset = l->end;
	if (sr_add_overflows(offset, bytes, &l->end)) {
		l->overflows = true;
		l->end = offset;
	}
	return offset;
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

bool sr_plan_layout(struct sr_plan_builder *b, int64_t *arena_bytes)
{
	struct layout l = {0};
	size_t n = b->buffers.n, m = 0, gone = 0;
	struct span *starts = SR_NEWS(b->arena, struct span, n), *ends = SR_NEWS(b->arena, struct span, n);
	sr_gaps_init(&l.gaps, b->arena);
	for (size_t i = 0; i < n; i++) {
		if (b->live.data[i].pinned)
			b->buffers.data[i].offset = take(&l, aligned(b->buffers.data[i].bytes));
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
			sr_gaps_give(&l.gaps, done->offset, aligned(done->bytes));
		}
		struct sr_buffer *buffer = &b->buffers.data[starts[i].buffer];
		buffer->offset = take(&l, aligned(buffer->bytes));
	}
	*arena_bytes = l.end;
	return !l.overflows;
}
