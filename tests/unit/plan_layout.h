/* Layout of buffers in memory: buffers that are live at the same time never overlap, memory is reused, and buffers use gaps in
 * the lifetimes of others. */
#pragma once
#include "plan/place/assign_offsets.h"
#include "plan/place/gaps.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static bool bytes_overlap(struct sr_buffer a, struct sr_buffer b)
{
	return a.bytes && b.bytes && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/* Return true if both live ranges contain a common time. */
static bool ranges_overlap(struct sr_ranges a, struct sr_ranges b)
{
	for (int64_t i = 0; i < a.n; i++)
		for (int64_t k = 0; k < b.n; k++)
			if (a.data[i].from / 2 <= b.data[k].to / 2 && b.data[k].from / 2 <= a.data[i].to / 2)
				return true;
	return false;
}

static struct sr_plan_builder *empty_plan_builder(struct sr_buffer_classes *classes, int n)
{
	struct sr_plan_builder *b = SR_NEW(ctx->arena, struct sr_plan_builder);
	b->ctx = ctx, b->arena = ctx->arena;
	classes->class_of = SR_NEW_ARRAY(ctx->arena, int, n);
	classes->ranges = SR_NEW_ARRAY(ctx->arena, struct sr_ranges, n);
	for (int i = 0; i < n; i++)
		classes->class_of[i] = i;
	return b;
}

/* Build a program of n buffers with random live ranges, some with holes, and random sizes. */
static struct sr_plan_builder *random_lives(unsigned *state, struct sr_buffer_classes *classes, int n)
{
	struct sr_plan_builder *b = empty_plan_builder(classes, n);
	for (int i = 0; i < n; i++) {
		int buffer = sr_plan_buffer(b, SR_F32, (int64_t)(1 + rand_r(state) % 5 * (rand_r(state) % 90)));
		struct sr_ranges *r = &classes->ranges[buffer];
		if (rand_r(state) % 8 == 0)
			sr_plan_add_use(b, buffer, SR_USE_PERMANENT);
		else if (rand_r(state) % 4 == 0)
			sr_plan_add_use(b, buffer, SR_USE_RESULT);
		r->n = rand_r(state) % 4;
		r->data = SR_NEW_ARRAY(ctx->arena, struct sr_range, r->n);
		int64_t at = rand_r(state) % 40;
		for (int64_t k = 0; k < r->n; k++) {
			r->data[k] = (struct sr_range){at, at + rand_r(state) % 12};
			at = r->data[k].to + 2 + rand_r(state) % 20;
		}
	}
	return b;
}

START_TEST(live_buffers_never_overlap)
{
	unsigned state = 1;
	for (int round = 0; round < 300; round++) {
		int n = 1 + rand_r(&state) % 60;
		struct sr_buffer_classes classes;
		struct sr_arena_size size;
		struct sr_plan_builder *b = random_lives(&state, &classes, n);
		sr_plan_assign_offsets(b, &classes, &size);
		ck_assert_int_le(size.lower_bound, size.bytes);
		for (int i = 0; i < n; i++) {
			bool always = b->uses.data[i] & SR_USE_PERMANENT;
			if (!always && !classes.ranges[i].n)
				continue;
			ck_assert_int_eq(b->buffers.data[i].offset % 64, 0);
			ck_assert_int_le(b->buffers.data[i].offset + b->buffers.data[i].bytes, size.bytes);
			for (int k = 0; k < i; k++) {
				bool is_permanent = b->uses.data[k] & SR_USE_PERMANENT,
				     overlap_is_checked = always || is_permanent ||
							  ranges_overlap(classes.ranges[i], classes.ranges[k]);
				ck_assert_msg((!is_permanent && !classes.ranges[k].n) || !overlap_is_checked ||
						  !bytes_overlap(b->buffers.data[i], b->buffers.data[k]),
					      "round %d: buffers %d and %d overlap", round, k, i);
			}
		}
	}
}
END_TEST

static struct sr_arena_size lay_out_buffers(int n, int64_t stride, int64_t length, int64_t elements)
{
	struct sr_buffer_classes classes;
	struct sr_arena_size size;
	struct sr_plan_builder *b = empty_plan_builder(&classes, n);
	for (int i = 0; i < n; i++) {
		struct sr_range r = {i * stride, i * stride + length};
		sr_plan_buffer(b, SR_F32, elements);
		classes.ranges[i] = (struct sr_ranges){sr_dup(ctx->arena, &r, 1, sizeof r), 1};
	}
	sr_plan_assign_offsets(b, &classes, &size);
	return size;
}

START_TEST(bytes_are_reused)
{
	ck_assert_int_eq(lay_out_buffers(100, 2, 2, 16).bytes, 2 * 64); /* each buffer is live together with the next one only */
}
END_TEST

/* With many buffers the layout places them in order of time, to limit its duration. */
START_TEST(many_buffers_are_placed)
{
	struct sr_arena_size size = lay_out_buffers(200000, 2, 200, 16);
	ck_assert_int_eq(size.lower_bound, 101 * 64);
	ck_assert_int_eq(size.bytes, size.lower_bound);
}
END_TEST

/* A buffer uses the memory of another one in a gap of that one's lifetime. */
START_TEST(holes_in_lifetimes_are_used)
{
	struct sr_buffer_classes classes;
	struct sr_arena_size size;
	struct sr_plan_builder *b = empty_plan_builder(&classes, 2);
	classes.ranges[sr_plan_buffer(b, SR_F32, 32)] = (struct sr_ranges){(struct sr_range[]){{2, 5}, {20, 25}}, 2};
	classes.ranges[sr_plan_buffer(b, SR_F32, 32)] = (struct sr_ranges){(struct sr_range[]){{8, 15}}, 1};
	sr_plan_assign_offsets(b, &classes, &size);
	ck_assert_int_eq(size.bytes, 128);
}
END_TEST

/* No buffer straddles an end of a result if a layout without that is as small. Placed in order of time, the second buffer would begin at
 * offset 64 and straddle the end of the result, which would begin at offset 0. */
START_TEST(ends_of_results_are_not_straddled)
{
	struct sr_buffer_classes classes;
	struct sr_arena_size size;
	struct sr_plan_builder *b = empty_plan_builder(&classes, 3);
	classes.ranges[sr_plan_buffer(b, SR_F32, 16)] = (struct sr_ranges){(struct sr_range[]){{2, 10}}, 1};
	classes.ranges[sr_plan_buffer(b, SR_F32, 32)] = (struct sr_ranges){(struct sr_range[]){{6, 16}}, 1};
	classes.ranges[sr_plan_buffer(b, SR_F32, 32)] = (struct sr_ranges){(struct sr_range[]){{20, 40}}, 1};
	sr_plan_add_use(b, 2, SR_USE_RESULT);
	sr_plan_assign_offsets(b, &classes, &size);
	ck_assert_int_eq(size.bytes, 192);
	for (int i = 0; i < 2; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[i], *result = &b->buffers.data[2];
		bool is_inside = buffer->offset >= result->offset &&
				 buffer->offset + buffer->bytes <= result->offset + result->bytes;
		ck_assert_msg(is_inside || !bytes_overlap(*buffer, *result), "buffer %d", i);
	}
}
END_TEST

/* A buffer that is never live has no bytes, with which it would straddle an end of an argument. An argument keeps its bytes. */
START_TEST(a_buffer_that_is_never_live_has_no_memory)
{
	struct sr_buffer_classes classes;
	struct sr_arena_size size;
	struct sr_plan_builder *b = empty_plan_builder(&classes, 3);
	classes.ranges[sr_plan_buffer(b, SR_F32, 16)] = (struct sr_ranges){(struct sr_range[]){{2, 10}}, 1};
	classes.ranges[sr_plan_buffer(b, SR_F32, 32)] = (struct sr_ranges){NULL, 0};
	classes.ranges[sr_plan_buffer(b, SR_F32, 48)] = (struct sr_ranges){NULL, 0};
	sr_plan_add_use(b, 0, SR_USE_ARGUMENT);
	sr_plan_add_use(b, 2, SR_USE_ARGUMENT);
	sr_plan_assign_offsets(b, &classes, &size);
	ck_assert_int_eq(b->buffers.data[0].bytes, 64);
	ck_assert_int_eq(b->buffers.data[1].bytes, 0);
	ck_assert_int_eq(b->buffers.data[2].bytes, 192);
}
END_TEST

/* Allocation from gaps compared with a map of bytes: the smallest free range that is large enough, the first among equals. */
START_TEST(gaps_fit_best)
{
	enum { BYTES = 200 };
	struct sr_gaps gaps;
	bool is_allocated[BYTES + 1] = {false};
	unsigned state = 3;
	sr_gaps_init(&gaps, ctx->arena);
	sr_gaps_release(&gaps, 0, BYTES);
	is_allocated[BYTES] = true;
	for (int round = 0; round < 20000; round++) {
		int64_t n = 1 + rand_r(&state) % 12, offset = -1, best_offset = -1, best_n = BYTES + 1;
		for (int64_t at = 0, end; at < BYTES; at = end + 1) {
			for (end = at; !is_allocated[end]; end++)
				;
			if (end - at >= n && end - at < best_n)
				best_offset = at, best_n = end - at;
		}
		ck_assert_int_eq(sr_gaps_allocate(&gaps, n, &offset), best_offset >= 0);
		ck_assert_int_eq(offset, best_offset);
		if (best_offset >= 0)
			memset(is_allocated + best_offset, true, (size_t)n);
		int64_t begin = rand_r(&state) % BYTES, stop = begin;
		while (is_allocated[stop] && stop < BYTES && stop - begin < 20)
			is_allocated[stop++] = false;
		sr_gaps_release(&gaps, begin, stop - begin);
	}
}
END_TEST
