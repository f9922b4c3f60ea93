/* Selection of algorithms: rows that match a call, the default table, texts that are malformed, calls that are refused. Part of
 * collectives.c. */
#pragma once

static const char *selected_algorithm(const char *text, struct sr_coll_call call)
{
	struct sr_selection *selection;
	struct sr_schedule s;
	const struct sr_algorithm *row;
	const char *message;
	REQUIRE(sr_selection_parse(arena, text, &selection, &message) == SR_OK, "%s: %s", text, message);
	enum sr_status status = sr_select(selection, &call, arena, &s, &row);
	return status == SR_OK ? row->name : sr_printf(arena, "%d", status);
}

START_TEST(selection_takes_the_first_row_that_builds)
{
	const char *text = "all_reduce:0-4k:2-8:@recursive_doubling#all_reduce:bf16:@ordered#all_reduce:@ring";
	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 8, .count = 1023, .type = SR_F32};
	ck_assert_str_eq(selected_algorithm(text, call), "recursive_doubling");
	call.count = 1024;
	ck_assert_str_eq(selected_algorithm(text, call), "ring");
	call.count = 1023;
	call.n = 9;
	ck_assert_str_eq(selected_algorithm(text, call), "ring");
	call.type = SR_BF16;
	ck_assert_str_eq(selected_algorithm(text, call), "ordered");
	call = (struct sr_coll_call){.coll = SR_REDUCE_SCATTER, .n = 6, .count = 600, .type = SR_F32};
	ck_assert_str_eq(selected_algorithm("recursive_halving#pairwise", call), "pairwise");
	call.n = 4;
	ck_assert_str_eq(selected_algorithm("recursive_halving#pairwise", call), "recursive_halving");
	ck_assert_str_eq(selected_algorithm("mpi#pairwise", call), "pairwise");
	call.native = true;
	ck_assert_str_eq(selected_algorithm("mpi#pairwise", call), "mpi");
	call.in_place = true;
	ck_assert_str_eq(selected_algorithm("mpi#pairwise", call), "pairwise");
	call.in_place = false;
	call.carrier = SR_CARRIER_MPI;
	ck_assert_str_eq(selected_algorithm("*:shm:@ring#*:mpi:@pairwise", call), "pairwise");
	call = (struct sr_coll_call){.coll = SR_PERMUTE, .n = 2, .from = 1, .to = 1, .count = 1, .type = SR_F32, .in_place = true};
	ck_assert_str_eq(selected_algorithm("", call), "4");
}
END_TEST

START_TEST(defaults_cover_every_call)
{
	for (int coll = 0; coll < SR_COLL_COUNT; coll++)
		for (int n = 1; n <= 100; n += n < 10 ? 1 : 9)
			for (int64_t count = 0; count < 1000000; count = count * 10 + n) {
				struct sr_arena *a = sr_arena_new();
				struct sr_coll_call call = {
					.coll = (enum sr_coll)coll, .n = n, .count = count * n, .type = SR_BF16};
				struct sr_schedule s;
				const struct sr_algorithm *row;
				REQUIRE(sr_select(NULL, &call, a, &s, &row) == SR_OK, "coll %d n %d", coll, n);
				sr_arena_free(a);
			}
}
END_TEST

START_TEST(malformed_selections_say_why)
{
	static const char *const cases[][2] = {
		{"all_reduce:@zigzag", "unknown algorithm 'zigzag' in 'all_reduce:@zigzag'"},
		{"zigzag", "unknown algorithm 'zigzag' in 'zigzag'"},
		{"all_gather:@ordered", "unknown algorithm 'ordered' in 'all_gather:@ordered'"},
		{"all_reduces:@ring", "unknown collective 'all_reduces' in 'all_reduces:@ring'"},
		{"all_reduce:4k:@ring", "malformed field '4k' in 'all_reduce:4k:@ring'"},
		{"all_reduce:8-4:@ring", "malformed field '8-4' in 'all_reduce:8-4:@ring'"},
		{"all_reduce:0-1:0-1:0-1:@ring", "malformed field '0-1' in 'all_reduce:0-1:0-1:0-1:@ring'"},
		{"all_reduce:f33:@ring", "malformed field 'f33' in 'all_reduce:f33:@ring'"},
		{"all_reduce:0-1", "expected '@' and an algorithm at the end of 'all_reduce:0-1'"},
		{"all_reduce:@ring:0-1", "expected '@' and an algorithm at the end of 'all_reduce:@ring:0-1'"},
		{"all_reduce:", "expected '@' and an algorithm at the end of 'all_reduce:'"},
		{"ring##ring", "empty row"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sr_selection *selection;
		const char *message;
		ck_assert_int_eq(sr_selection_parse(arena, cases[i][0], &selection, &message), SR_USAGE);
		ck_assert_str_eq(message, cases[i][1]);
	}
}
END_TEST

START_TEST(selection_prints_and_parses_back)
{
	struct sr_selection *selection, *reparsed_selection;
	struct sr_buf printed_text, reprinted_text;
	const char *message;
	sr_buf_init(&printed_text, arena);
	sr_buf_init(&reprinted_text, arena);
	ck_assert_int_eq(sr_selection_parse(arena, "all_reduce:4k-inf:2-8:bf16:mpi:@ring#pairwise", &selection, &message), SR_OK);
	sr_selection_print(selection, &printed_text);
	char *text = sr_strdup(arena, sr_buf_string(&printed_text));
	ck_assert_ptr_eq(strstr(text, "all_reduce:4096-inf:2-8:bf16:mpi:@ring\n*:0-inf:0-inf:@pairwise\n"), text);
	for (char *p = text; *p; p++)
		*p = *p == '\n' && p[1] ? '#' : *p == '\n' ? 0 : *p;
	ck_assert_int_eq(sr_selection_parse(arena, text, &reparsed_selection, &message), SR_OK);
	sr_selection_print(reparsed_selection, &reprinted_text);
	ck_assert_int_gt(reprinted_text.n, printed_text.n); /* the default rows are printed once more */
	ck_assert(!memcmp(printed_text.data, reprinted_text.data, printed_text.n));
}
END_TEST

START_TEST(rows_are_unique_and_documented)
{
	struct sr_buf buf;
	for (int i = 0; i < sr_n_algorithms; i++) {
		const struct sr_algorithm *a = &sr_algorithms[i];
		ck_assert_ptr_eq(sr_algorithm_find(a->coll, a->name, strlen(a->name)), a);
		ck_assert_int_gt(strlen(a->doc), 10);
		ck_assert_int_gt(strlen(a->source), 5);
	}
	sr_buf_init(&buf, arena);
	sr_algorithms_list(&buf);
	ck_assert_ptr_nonnull(strstr(sr_buf_string(&buf), "all_reduce\n"));
	ck_assert_ptr_nonnull(strstr(sr_buf_string(&buf), "  recursive_halving "));
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
	const struct sr_algorithm *ring = sr_algorithm_find(SR_REDUCE_SCATTER, "ring", 4);
	struct sr_coll_call call = {.coll = SR_REDUCE_SCATTER, .n = 3, .count = 7, .type = SR_F32};
	struct sr_schedule s;
	ck_assert_int_eq(sr_algorithm_build(ring, &call, arena, &s), SR_INTERNAL);
	call.count = 6;
	call.member = 3;
	ck_assert_int_eq(sr_algorithm_build(ring, &call, arena, &s), SR_INTERNAL);
	call.member = 0;
	call.monoid = SR_MONOID_AND;
	ck_assert_int_eq(sr_algorithm_build(ring, &call, arena, &s), SR_UNSUPPORTED);
	call.monoid = SR_MONOID_ADD;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(SR_ALL_REDUCE, "ring", 4), &call, arena, &s), SR_NEXT);
	ck_assert_int_eq(sr_algorithm_build(ring, &call, arena, &s), SR_OK);
}
END_TEST
