/* Conflicts between accesses of threads that execute a compiled loop. */
#pragma once
#include "codegen/loop_threads.h"

static bool conflict(struct sr_loop_access a, struct sr_loop_access b)
{
	struct sr_pending_accesses pending = {.n = 0};
	ck_assert(sr_access_add(&pending, &a) && sr_access_add(&pending, &a) && pending.n == 1);
	bool conflicts = sr_access_conflicts(&pending, &b);
	pending = (struct sr_pending_accesses){.n = 0};
	ck_assert(sr_access_add(&pending, &b));
	ck_assert(sr_access_conflicts(&pending, &a) == conflicts);
	return conflicts;
}

START_TEST(test_conflicts_of_threads)
{
	struct sr_loop_access rows = {.begin = 64, .end = 192, .by = SR_ACCESS_BY_ROWS, .units = 4, .unit_bytes = 32},
			      written = rows,
			      halves = rows, other = {.begin = 64, .end = 192, .by = SR_ACCESS_BY_ANY},
			      first = {.begin = 64, .end = 68, .is_written = true, .by = SR_ACCESS_BY_FIRST}, second = first,
			      by_all = {.begin = 64, .end = 68, .by = SR_ACCESS_BY_ALL};
	written.is_written = true;
	halves.units = 2;
	halves.unit_bytes = 64;
	second.begin += 32;
	second.end += 32;
	ck_assert(!conflict(rows, written) && !conflict(written, written) && !conflict(rows, other));
	ck_assert(conflict(written, halves) && conflict(written, other));
	ck_assert(!conflict(written, first)); /* the first unit is the first thread's */
	ck_assert(conflict(written, second));
	ck_assert(conflict(first, by_all) && conflict(written, by_all) && !conflict(by_all, by_all) && !conflict(by_all, rows));
	ck_assert(!conflict(first, first) && !conflict(first, second));
}
END_TEST
