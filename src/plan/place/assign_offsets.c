/* Arena layout. Buffers that hold their content throughout (constants, arguments that are not donated) come first. Each other
 * class is placed at the lowest offset that is free at all moments at which it is live, so that one class may use the memory of
 * another while the other is not live. Which order packs best differs, so several are tried and the smallest arena is kept.
 * That takes n^2 comparisons; more than MAX_GREEDY_ITEMS classes are placed in order of time instead, each from its first moment to
 * its last, in n log n. */
#include "plan/place/assign_offsets.h"
#include "plan/place/gaps.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, MAX_GREEDY_ITEMS = 12000, TOLERANCE = 1024 /* a layout may exceed the lower bound by 1/1024 */ };

struct buffer_class { /* a class of coalesced buffers */
	int buffer;
	int64_t bytes;        /* size in bytes, a multiple of ALIGN */
	int64_t first, last;  /* first and last moment (number of an instruction, in program order) at which the class is live */
	int64_t n_moments;        /* number of moments at which the class is live */
	struct sr_range *moments; /* [n] */
	int64_t n, offset;
};

struct layout {
	struct sr_plan_builder *b;
	struct buffer_class *items;
	size_t n;
	int64_t base; /* lowest offset in the arena at which the items may be placed */
	bool has_overflowed;
};

/* Round up to a multiple of ALIGN. Sizes are at most a quarter of INT64_MAX. */
static int64_t align_up(int64_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int64_t checked_sum(struct layout *l, int64_t x, int64_t y)
{
	int64_t n;
	if (!sr_add_overflows(x, y, &n))
		return n;
	l->has_overflowed = true;
	return x;
}

/* Convert live points to moments: all buffers that one instruction names are live together, even those it only reads or only
 * writes. */
static struct buffer_class make_item(struct layout *l, int buffer, const struct sr_ranges *r)
{
	struct buffer_class it = {.buffer = buffer, .bytes = align_up(l->b->buffers.data[buffer].bytes)};
	it.moments = SR_NEW_ARRAY(l->b->arena, struct sr_range, r->n);
	for (int64_t i = 0; i < r->n; i++) {
		struct sr_range m = {r->data[i].from / 2, r->data[i].to / 2};
		if (it.n && m.from <= it.moments[it.n - 1].to + 1)
			it.moments[it.n - 1].to = m.to;
		else
			it.moments[it.n++] = m;
	}
	for (int64_t i = 0; i < it.n; i++)
		it.n_moments += it.moments[i].to - it.moments[i].from + 1;
	it.first = it.moments[0].from;
	it.last = it.moments[it.n - 1].to;
	return it;
}

/* ---- the lower bound ---- */

struct change {
	int64_t time, bytes;
};

static int compare_times(const void *x, const void *y)
{
	const struct change *a = x, *b = y;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Return the peak of live bytes; *moment: its first occurrence. */
static int64_t peak_of_items(struct layout *l, int64_t *moment)
{
	int64_t n = 0, now = 0, peak = 0;
	*moment = 0;
	for (size_t i = 0; i < l->n; i++)
		n += 2 * l->items[i].n;
	struct change *changes = SR_NEW_ARRAY(l->b->arena, struct change, n);
	n = 0;
	for (size_t i = 0; i < l->n; i++)
		for (int64_t k = 0; k < l->items[i].n; k++) {
			changes[n++] = (struct change){l->items[i].moments[k].from, l->items[i].bytes};
			changes[n++] = (struct change){l->items[i].moments[k].to + 1, -l->items[i].bytes};
		}
	if (n)
		qsort(changes, (size_t)n, sizeof *changes, compare_times);
	for (int64_t i = 0; i < n; i++) {
		now = checked_sum(l, now, changes[i].bytes);
		if (now > peak) {
			peak = now;
			*moment = changes[i].time;
		}
	}
	return peak;
}

/* ---- lowest free offset, item by item ---- */

static bool are_live_together(const struct buffer_class *a, const struct buffer_class *b)
{
	if (a->first > b->last || b->first > a->last)
		return false;
	for (int64_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->moments[i].to < b->moments[k].from)
			i++;
		else if (b->moments[k].to < a->moments[i].from)
			k++;
		else
			return true;
	}
	return false;
}

/* Place the items in this order, each at the lowest offset that is free during its lifetime. Placed items form a list by offset
 * through next[]. Return the end of the arena. */
static int64_t place_in_order(struct layout *l, const int *order)
{
	/* next[]: list of the placed items by offset; next[n] is the first one */
	int *next = SR_NEW_ARRAY(l->b->arena, int, l->n + 1), head = (int)l->n;
	int64_t end = l->base;
	next[head] = -1;
	for (size_t i = 0; i < l->n; i++) {
		struct buffer_class *it = &l->items[order[i]];
		int64_t at = l->base;
		int previous_item = head, k;
		for (k = next[head]; k >= 0 && l->items[k].offset < checked_sum(l, at, it->bytes); k = next[k])
			if (l->items[k].offset + l->items[k].bytes > at && are_live_together(it, &l->items[k])) {
				at = l->items[k].offset + l->items[k].bytes;
				previous_item = k;
			}
		it->offset = at;
		while (next[previous_item] >= 0 && l->items[next[previous_item]].offset < at)
			previous_item = next[previous_item];
		next[order[i]] = next[previous_item];
		next[previous_item] = order[i];
		end = at + it->bytes > end ? at + it->bytes : end;
	}
	return end;
}

/* ---- by time ---- */

struct event {
	int64_t time;
	int item;
};

static int compare_events(const void *x, const void *y)
{
	const struct event *a = x, *b = y;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->item - b->item;
}

/* Allocate from a gap; if no gap is large enough, grow the arena, starting in a gap that touches its end. */
static int64_t allocate_bytes(struct layout *l, struct sr_gaps *gaps, int64_t bytes, int64_t *end)
{
	int64_t offset = *end;
	if (!sr_gaps_allocate(gaps, bytes, &offset)) {
		if (!sr_gaps_allocate_ending_at(gaps, *end, &offset))
			offset = *end;
		*end = checked_sum(l, offset, bytes);
	}
	return offset;
}

static int64_t place_by_time(struct layout *l)
{
	struct sr_gaps gaps;
	struct event *starts = SR_NEW_ARRAY(l->b->arena, struct event, l->n), *ends = SR_NEW_ARRAY(l->b->arena, struct event, l->n);
	size_t n_ended = 0;
	int64_t end = l->base;
	sr_gaps_init(&gaps, l->b->arena);
	for (size_t i = 0; i < l->n; i++) {
		starts[i] = (struct event){l->items[i].first, (int)i};
		ends[i] = (struct event){l->items[i].last, (int)i};
	}
	if (l->n) {
		qsort(starts, l->n, sizeof *starts, compare_events);
		qsort(ends, l->n, sizeof *ends, compare_events);
	}
	for (size_t i = 0; i < l->n; i++) {
		for (; n_ended < l->n && ends[n_ended].time < starts[i].time; n_ended++)
			sr_gaps_release(&gaps, l->items[ends[n_ended].item].offset, l->items[ends[n_ended].item].bytes);
		struct buffer_class *it = &l->items[starts[i].item];
		it->offset = allocate_bytes(l, &gaps, it->bytes, &end);
	}
	return end;
}

/* ---- orders ---- */

static int compare_descending(int64_t a, int64_t b)
{
	return (a < b) - (a > b);
}

static int by_bytes(const struct buffer_class *a, const struct buffer_class *b)
{
	int c = compare_descending(a->bytes, b->bytes);
	return c ? c : compare_descending(a->n_moments, b->n_moments);
}

static int by_live_bytes(const struct buffer_class *a, const struct buffer_class *b)
{
	int c = compare_descending(a->n_moments, b->n_moments);
	return c ? c : compare_descending(a->bytes, b->bytes);
}

static int by_area(const struct buffer_class *a, const struct buffer_class *b)
{
	double x = (double)a->bytes * (double)a->n_moments, y = (double)b->bytes * (double)b->n_moments;
	return (x < y) - (x > y);
}

typedef int order_fn(const struct buffer_class *a, const struct buffer_class *b);
static order_fn *const orders[] = {by_bytes, by_live_bytes, by_area};

struct key {
	const struct buffer_class *items;
	order_fn *fn;
	int item;
};

static int by_key(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	int c = a->fn(&a->items[a->item], &b->items[b->item]);
	return c ? c : a->item - b->item;
}

static int *sort_items(struct layout *l, order_fn *fn)
{
	struct key *keys = SR_NEW_ARRAY(l->b->arena, struct key, l->n);
	int *order = SR_NEW_ARRAY(l->b->arena, int, l->n);
	for (size_t i = 0; i < l->n; i++)
		keys[i] = (struct key){l->items, fn, (int)i};
	if (l->n)
		qsort(keys, l->n, sizeof *keys, by_key);
	for (size_t i = 0; i < l->n; i++)
		order[i] = keys[i].item;
	return order;
}

static void save_offsets(const struct layout *l, int64_t *offsets)
{
	for (size_t i = 0; i < l->n; i++)
		offsets[i] = l->items[i].offset;
}

/* Find the smallest of several layouts; set the items' offsets and return the end of the arena. */
static int64_t find_best_layout(struct layout *l, int64_t lower_bound)
{
	int64_t *best_offsets = SR_NEW_ARRAY(l->b->arena, int64_t, l->n), end = place_by_time(l);
	save_offsets(l, best_offsets);
	for (size_t i = 0;
	     l->n <= MAX_GREEDY_ITEMS && end > lower_bound + lower_bound / TOLERANCE && i < sizeof orders / sizeof *orders; i++) {
		int64_t other_end = place_in_order(l, sort_items(l, orders[i]));
		if (other_end >= end)
			continue;
		end = other_end;
		save_offsets(l, best_offsets);
	}
	for (size_t i = 0; i < l->n; i++)
		l->items[i].offset = best_offsets[i];
	return end;
}

bool sr_plan_assign_offsets(struct sr_plan_builder *b, const struct sr_buffer_classes *classes, struct sr_arena_size *size)
{
	size_t n = b->buffers.n;
	struct layout l = {.b = b, .items = SR_NEW_ARRAY(b->arena, struct buffer_class, n)};
	for (size_t i = 0; i < n; i++) {
		bool is_permanent = (b->uses.data[i] & SR_USE_PERMANENT) != 0;
		if (is_permanent) {
			b->buffers.data[i].offset = l.base;
			l.base = checked_sum(&l, l.base, align_up(b->buffers.data[i].bytes));
		} else if (classes->class_of[i] == (int)i && classes->ranges[i].n) {
			l.items[l.n++] = make_item(&l, (int)i, &classes->ranges[i]);
		}
	}
	size->lower_bound = checked_sum(&l, l.base, peak_of_items(&l, &size->peak));
	size->bytes = find_best_layout(&l, size->lower_bound);
	for (size_t i = 0; i < l.n; i++)
		b->buffers.data[l.items[i].buffer].offset = l.items[i].offset;
	for (size_t i = 0; i < n; i++)
		b->buffers.data[i].offset = b->buffers.data[classes->class_of[i]].offset;
	return !l.has_overflowed;
}
