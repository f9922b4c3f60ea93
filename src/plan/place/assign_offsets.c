/* Arena layout. Buffers that hold their content throughout (constants, arguments that are not donated) come first. Each other
 * class is placed at the lowest offset that is free at all moments at which it is live, so that one class may use the memory of
 * another while the other is not live. Which order packs best differs, so several are tried and the smallest arena is kept.
 * That takes n^2 comparisons; more than MAX_GREEDY_ITEMS classes are placed in order of time instead, each from its first moment to
 * its last, in n log n.
 *
 * The executor computes a result in the memory of its array, not in the arena, and reads a donated argument there, unless another
 * buffer straddles an end of the value (run/bindings.c): such a value is copied. If the smallest layout has copied values, layouts
 * without them are tried as well; after each attempt the item that ended last is placed first in the next one (squeaky wheel
 * optimization, Joslin and Clements 1999). Of the layouts at most 1/SLACK larger than the smallest, the one with the fewest copied
 * bytes is kept. */
#include "plan/place/assign_offsets.h"
#include "plan/place/gaps.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

enum {
	ALIGN = 64,
	MAX_GREEDY_ITEMS = 12000,
	TOLERANCE = 1024, /* a layout may exceed the lower bound by 1/1024 */
	SLACK = 256,      /* to save copies, a layout may exceed the smallest one by 1/256 */
	MAX_ROUNDS = 16,  /* maximum number of attempts per order without copied values */
	MAX_COMPARISONS = 1 << 22, /* estimated maximum number of comparisons of those attempts */
};

struct buffer_class { /* a class of coalesced buffers */
	int buffer;
	int64_t bytes;        /* size in bytes, a multiple of ALIGN */
	int64_t first, last;  /* first and last moment (number of an instruction, in program order) at which the class is live */
	int64_t n_moments;        /* number of moments at which the class is live */
	struct sr_range *moments; /* [n] */
	int64_t n, offset;
	bool is_bound;        /* true if the class has a result or a donated argument, whose array is memory of its own */
};

struct attempt { /* a layout that was tried */
	int64_t *offsets, end; /* offset of each item, and the end of the arena */
	int64_t copied_bytes;  /* bytes of the bound items with an end that another item straddles */
};

struct layout {
	struct sr_plan_builder *b;
	struct buffer_class *items;
	size_t n;
	SR_VEC(struct attempt) attempts;
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

/* Return true if item `it` at offset `at`, where it overlaps the placed item k, does not straddle an end of a bound item. */
static bool is_nested(const struct buffer_class *it, int64_t at, const struct buffer_class *k)
{
	bool is_inside = at >= k->offset && at + it->bytes <= k->offset + k->bytes,
	     is_around = at <= k->offset && at + it->bytes >= k->offset + k->bytes;
	return (!k->is_bound || is_inside) && (!it->is_bound || is_around);
}

/* Return the lowest offset above `at` where item `it` does not conflict with the placed item k. They conflict at `at`. */
static int64_t next_offset(const struct buffer_class *it, int64_t at, const struct buffer_class *k)
{
	int64_t end = k->offset + k->bytes;
	int64_t nested = it->bytes > k->bytes ? end - it->bytes : k->offset; /* the lowest offset where one contains the other */
	return nested > at && !are_live_together(it, k) && is_nested(it, nested, k) ? nested : end;
}

enum { CHUNK_ITEMS = 64 };

struct placed_item {
	int64_t offset, end;
	const struct buffer_class *item;
};

/* Placed items with consecutive offsets. A search skips the chunk if none of its items can conflict. */
struct chunk {
	int64_t max_end;     /* largest end of an item */
	int64_t first, last; /* moments between which all items are live */
	int n;
	struct placed_item items[CHUNK_ITEMS];
};

/* All placed items, sorted by offset and divided into chunks. */
struct placed_items {
	struct sr_arena *arena;
	SR_VEC(struct chunk *) chunks;
};

static void add_to_chunk(struct chunk *c, int position, struct placed_item x)
{
	memmove(&c->items[position + 1], &c->items[position], (size_t)(c->n - position) * sizeof *c->items);
	c->items[position] = x;
	c->max_end = c->n && c->max_end > x.end ? c->max_end : x.end;
	c->first = c->n && c->first < x.item->first ? c->first : x.item->first;
	c->last = c->n && c->last > x.item->last ? c->last : x.item->last;
	c->n++;
}

static struct chunk *insert_chunk(struct placed_items *placed, size_t position)
{
	sr_push(placed->arena, &placed->chunks, NULL);
	struct chunk **at = &placed->chunks.data[position];
	memmove(at + 1, at, (placed->chunks.n - 1 - position) * sizeof *at);
	return *at = SR_NEW(placed->arena, struct chunk);
}

/* Move the second half of a chunk to a new one behind it. */
static void split_chunk(struct placed_items *placed, size_t position)
{
	struct chunk *tail = insert_chunk(placed, position + 1), *head = placed->chunks.data[position], old = *head;
	head->n = 0;
	for (int i = 0; i < old.n; i++) {
		struct chunk *c = i < old.n / 2 ? head : tail;
		add_to_chunk(c, c->n, old.items[i]);
	}
}

/* Insert an item before all placed ones whose offset is not smaller. */
static void insert_item(struct placed_items *placed, const struct buffer_class *it)
{
	size_t k = 0;
	if (!placed->chunks.n)
		insert_chunk(placed, 0);
	while (k + 1 < placed->chunks.n && placed->chunks.data[k + 1]->items[0].offset < it->offset)
		k++;
	if (placed->chunks.data[k]->n == CHUNK_ITEMS) {
		split_chunk(placed, k);
		k += placed->chunks.data[k + 1]->items[0].offset < it->offset;
	}
	struct chunk *c = placed->chunks.data[k];
	int position = 0;
	while (position < c->n && c->items[position].offset < it->offset)
		position++;
	add_to_chunk(c, position, (struct placed_item){it->offset, it->offset + it->bytes, it});
}

/* Raise *at, where item `it` may be placed, above the conflicts with the items of a chunk. visited_end: largest end of the items
 * visited so far; *end_before: its value when *at was last raised. */
static void raise_offset(struct layout *l, const struct buffer_class *it, const struct chunk *c, bool keeps_ends, int64_t *at,
			 int64_t *visited_end, int64_t *end_before)
{
	int64_t end_of_item = checked_sum(l, *at, it->bytes);
	for (int i = 0; i < c->n && c->items[i].offset < end_of_item; i++) {
		const struct placed_item *placed = &c->items[i];
		if (placed->end > *at && (are_live_together(it, placed->item) || (keeps_ends && !is_nested(it, *at, placed->item)))) {
			*at = next_offset(it, *at, placed->item);
			end_of_item = checked_sum(l, *at, it->bytes);
			*end_before = *visited_end;
		}
		*visited_end = placed->end > *visited_end ? placed->end : *visited_end;
	}
}

/* Place the items in this order, each at the lowest offset that is free during its lifetime, and with `keeps_ends` only where it
 * straddles no end of a bound item. Return the end of the arena. Cost: n^2 comparisons at most. Chunks of items that end below the
 * offset, or are not live during the lifetime, are skipped. */
static int64_t place_in_order(struct layout *l, const int *order, bool keeps_ends)
{
	struct placed_items placed = {.arena = l->b->arena};
	int64_t end = l->base;
	for (size_t i = 0; i < l->n; i++) {
		struct buffer_class *it = &l->items[order[i]];
		int64_t at = l->base, end_before; /* end_before: largest end of the items visited before `at` was last raised */
		do { /* an offset that is raised for one item may straddle an end of an item before it */
			int64_t visited_end = end_before = l->base;
			for (size_t k = 0; k < placed.chunks.n; k++) {
				const struct chunk *c = placed.chunks.data[k];
				if (c->items[0].offset >= checked_sum(l, at, it->bytes))
					break;
				if (c->max_end <= at)
					visited_end = c->max_end > visited_end ? c->max_end : visited_end;
				else if (keeps_ends || (it->first <= c->last && c->first <= it->last))
					raise_offset(l, it, c, keeps_ends, &at, &visited_end, &end_before);
			}
		} while (keeps_ends && end_before > at);
		it->offset = at;
		insert_item(&placed, it);
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

/* ---- attempts ---- */

struct span {
	int64_t begin, end;
};

static int compare_spans(const void *x, const void *y)
{
	const struct span *a = x, *b = y;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Return true if an item begins before the offset and ends after it. spans: of all items, sorted by begin; each has the largest end
 * so far. */
static bool is_straddled(const struct span *spans, size_t n, int64_t offset)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (spans[middle].begin < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && spans[low - 1].end > offset;
}

/* Record the items' offsets and the bytes of the bound items that must be copied. */
static void record_attempt(struct layout *l, int64_t end)
{
	struct attempt a = {SR_NEW_ARRAY(l->b->arena, int64_t, l->n), end, 0};
	struct span *spans = SR_NEW_ARRAY(l->b->arena, struct span, l->n);
	for (size_t i = 0; i < l->n; i++) {
		a.offsets[i] = l->items[i].offset;
		spans[i] = (struct span){a.offsets[i], a.offsets[i] + l->items[i].bytes};
	}
	if (l->n)
		qsort(spans, l->n, sizeof *spans, compare_spans);
	for (size_t i = 1; i < l->n; i++)
		spans[i].end = spans[i].end > spans[i - 1].end ? spans[i].end : spans[i - 1].end;
	for (size_t i = 0; i < l->n; i++) {
		const struct buffer_class *it = &l->items[i];
		if (it->is_bound && (is_straddled(spans, l->n, it->offset) || is_straddled(spans, l->n, it->offset + it->bytes)))
			a.copied_bytes += it->bytes;
	}
	sr_push(l->b->arena, &l->attempts, a);
}

static int64_t smallest_end(const struct layout *l)
{
	int64_t end = l->attempts.data[0].end;
	for (size_t i = 1; i < l->attempts.n; i++)
		end = l->attempts.data[i].end < end ? l->attempts.data[i].end : end;
	return end;
}

/* Return the attempt with the fewest copied bytes, the smallest of equals, among those that are small enough. */
static const struct attempt *best_attempt(const struct layout *l)
{
	const struct attempt *best = NULL;
	int64_t smallest = smallest_end(l);
	for (size_t i = 0; i < l->attempts.n; i++) {
		const struct attempt *a = &l->attempts.data[i];
		if (a->end - smallest <= smallest / SLACK &&
		    (!best || a->copied_bytes < best->copied_bytes || (a->copied_bytes == best->copied_bytes && a->end < best->end)))
			best = a;
	}
	return best;
}

/* Move the item that ends last to the front of the order. */
static void promote_last_item(const struct layout *l, int *order)
{
	size_t last = 0;
	for (size_t i = 1; i < l->n; i++) {
		const struct buffer_class *it = &l->items[order[i]], *last_item = &l->items[order[last]];
		last = it->offset + it->bytes > last_item->offset + last_item->bytes ? i : last;
	}
	int item = order[last];
	memmove(order + 1, order, last * sizeof *order);
	order[0] = item;
}

/* Try layouts until one is small enough and copies nothing, in a bounded number of attempts. */
static void try_layouts(struct layout *l, int64_t lower_bound)
{
	enum { N_ORDERS = sizeof orders / sizeof *orders };
	size_t rounds = 1 + MAX_COMPARISONS / (l->n * l->n + 1);
	record_attempt(l, place_by_time(l));
	if (l->n > MAX_GREEDY_ITEMS)
		return;
	for (int i = 0; i < N_ORDERS && smallest_end(l) > lower_bound + lower_bound / TOLERANCE; i++)
		record_attempt(l, place_in_order(l, sort_items(l, orders[i]), false));
	for (int i = 0; i < N_ORDERS && best_attempt(l)->copied_bytes; i++) {
		int *order = sort_items(l, orders[i]);
		for (size_t k = 0; k < rounds && k < MAX_ROUNDS && best_attempt(l)->copied_bytes; k++) {
			record_attempt(l, place_in_order(l, order, true));
			promote_last_item(l, order);
		}
	}
}

bool sr_plan_assign_offsets(struct sr_plan_builder *b, const struct sr_buffer_classes *classes, struct sr_arena_size *size)
{
	size_t n = b->buffers.n;
	bool *is_bound = SR_NEW_ARRAY(b->arena, bool, n);
	struct layout l = {.b = b, .items = SR_NEW_ARRAY(b->arena, struct buffer_class, n)};
	for (size_t i = 0; i < n; i++)
		is_bound[classes->class_of[i]] |= b->uses.data[i] & (SR_USE_ARGUMENT | SR_USE_RESULT);
	for (size_t i = 0; i < n; i++) {
		bool is_permanent = (b->uses.data[i] & SR_USE_PERMANENT) != 0;
		if (is_permanent) {
			b->buffers.data[i].offset = l.base;
			l.base = checked_sum(&l, l.base, align_up(b->buffers.data[i].bytes));
		} else if (classes->class_of[i] == (int)i && classes->ranges[i].n) {
			l.items[l.n] = make_item(&l, (int)i, &classes->ranges[i]);
			l.items[l.n++].is_bound = is_bound[i];
		}
	}
	size->lower_bound = checked_sum(&l, l.base, peak_of_items(&l, &size->peak));
	try_layouts(&l, size->lower_bound);
	const struct attempt *best = best_attempt(&l);
	size->bytes = best->end;
	size->smallest = smallest_end(&l);
	for (size_t i = 0; i < l.n; i++)
		b->buffers.data[l.items[i].buffer].offset = best->offsets[i];
	for (size_t i = 0; i < n; i++) {
		int c = classes->class_of[i];
		b->buffers.data[i].offset = b->buffers.data[c].offset;
		/* A buffer that is never live, such as that of a slice that products read in place, has no memory. */
		if (!classes->ranges[c].n && !is_bound[c] && !(b->uses.data[i] & SR_USE_PERMANENT))
			b->buffers.data[i].bytes = 0;
	}
	return !l.has_overflowed;
}
