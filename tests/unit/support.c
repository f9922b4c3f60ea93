/* src/support: arenas, maps, strings, diagnostics, element types, options. */
#include "support/streaming.h"
#include "support/checked.h"
#include "support/crc32.h"
#include "support/diag.h"
#include "support/dtype.h"
#include "support/float_mode.h"
#include "support/json.h"
#include "support/json_read.h"
#include "support/knobs/knobs.h"
#include "support/knobs/response.h"
#include "support/knobs/suggest.h"
#include "support/machine.h"
#include "support/map.h"
#include "support/vec.h"
#include "tests/unit/suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sr_arena *arena;

static void set_up(void)
{
	arena = sr_arena_new();
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	sr_arena_free(arena);
}

START_TEST(arena_memory_is_zeroed_and_aligned)
{
	for (size_t n = 0; n < 3000; n += 7) {
		unsigned char *p = sr_alloc(arena, n, 5);
		ck_assert_uint_eq((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < 5 * n; i++)
			ck_assert_uint_eq(p[i], 0);
		memset(p, 0xa5, 5 * n);
	}
	char *big_block = sr_alloc(arena, 1, 1 << 20), *small_block = sr_strdup(arena, "after");
	memset(big_block, 1, 1 << 20);
	ck_assert_str_eq(small_block, "after");
	ck_assert_uint_ge(sr_arena_used(arena), 1 << 20);
}
END_TEST

START_TEST(arena_unwinds_on_overflow)
{
	jmp_buf unwind;
	volatile int unwound = 0;
	ck_assert_ptr_null(sr_arena_guard(arena, &unwind));
	if (setjmp(unwind))
		unwound++;
	else
		sr_alloc(arena, SIZE_MAX / 2, 3);
	ck_assert_int_eq(unwound, 1);
	if (setjmp(unwind))
		unwound++;
	else
		sr_strndup(arena, "", SIZE_MAX);
	ck_assert_int_eq(unwound, 2);
	ck_assert_ptr_eq(sr_arena_guard(arena, NULL), &unwind);
}
END_TEST

/* Nested marks over several blocks: memory before a mark stays, memory after it is released, zeroed and reused. */
START_TEST(scratch_is_reused)
{
	struct sr_arena *scratch = sr_arena_scratch(arena);
	ck_assert_ptr_eq(sr_arena_scratch(arena), scratch);
	static const size_t sizes[] = {40, 300, 200 << 10, 5 << 20};
	char *first_block = sr_alloc(scratch, 1, 100), *first_address = NULL;
	memset(first_block, 7, 100);
	for (int round = 0; round < 50; round++) {
		struct sr_arena_position mark = sr_arena_mark(scratch);
		size_t scratch_bytes = sr_arena_used(scratch);
		for (int i = 0; i < 400; i++) {
			size_t n = sizes[i % 97 == 96 ? 3 : i % 31 == 30 ? 2 : i % 2];
			struct sr_arena_position inner_position = sr_arena_mark(scratch);
			char *p = sr_alloc(scratch, n, 1);
			ck_assert(!p[0] && !memcmp(p, p + 1, n - 1));
			memset(p, round + 1, n);
			first_address = !i && !round ? p : first_address;
			ck_assert(i || p == first_address);
			if (i % 3)
				sr_arena_release(scratch, inner_position);
		}
		sr_arena_release(scratch, mark);
		ck_assert_uint_eq(sr_arena_used(scratch), scratch_bytes);
	}
	ck_assert(first_block[0] == 7 && !memcmp(first_block, first_block + 1, 99));
}
END_TEST

START_TEST(scratch_unwinds_with_its_owner)
{
	jmp_buf unwind;
	volatile int unwound = 0;
	sr_arena_guard(arena, &unwind);
	if (setjmp(unwind))
		unwound++;
	else
		sr_alloc(sr_arena_scratch(arena), SIZE_MAX / 2, 3);
	ck_assert_int_eq(unwound, 1);
	sr_arena_guard(arena, NULL);
}
END_TEST

START_TEST(vectors_keep_their_elements)
{
	SR_VEC(int64_t) v = {0};
	for (int i = 0; i < 1000; i++)
		sr_push(arena, &v, i * 3);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(v.data[i], i * 3);
	ck_assert_int_eq(sr_pop(&v), 2997);
	ck_assert_uint_eq(v.n, 999);
}
END_TEST

START_TEST(maps_find_entries_in_insertion_order)
{
	static char keys[5000];
	struct sr_map map;
	sr_map_init(&map, arena);
	ck_assert_ptr_null(sr_map_get(&map, keys));
	for (int i = 0; i < 5000; i++)
		sr_map_put(&map, &keys[(i * 7) % 5000], &keys[i]);
	for (int i = 0; i < 5000; i += 2)
		sr_map_remove(&map, &keys[(i * 7) % 5000]);
	for (int i = 0; i < 5000; i++) {
		ck_assert_int_eq(sr_map_has(&map, &keys[(i * 7) % 5000]), i % 2);
		ck_assert_ptr_eq(sr_map_get(&map, &keys[(i * 7) % 5000]), i % 2 ? &keys[i] : NULL);
	}
	sr_map_put(&map, &keys[0], &keys[1]);
	ck_assert_ptr_eq(map.entries[map.n - 1].key, &keys[0]);
	ck_assert_ptr_eq(map.entries[1].key, &keys[7]);
	*sr_map_at(&map, &keys[0]) = &keys[2];
	ck_assert_ptr_eq(sr_map_get(&map, &keys[0]), &keys[2]);
}
END_TEST

START_TEST(equal_strings_are_one_pointer)
{
	struct sr_strings strings;
	sr_strings_init(&strings, arena);
	const char *first_names[600];
	for (int i = 0; i < 600; i++) {
		const char *text = sr_printf(arena, "name%d", i);
		first_names[i] = sr_strings_intern(&strings, text, strlen(text));
	}
	for (int i = 0; i < 600; i++) {
		const char *text = sr_printf(arena, "name%d", i);
		ck_assert_ptr_eq(sr_strings_intern(&strings, text, strlen(text)), first_names[i]);
		ck_assert_str_eq(first_names[i], text);
	}
	const char *nul = sr_strings_intern(&strings, "a\0b", 3);
	ck_assert_uint_eq(sr_interned_length(nul), 3);
	ck_assert_ptr_ne(nul, sr_strings_intern(&strings, "a\0c", 3));
	ck_assert_uint_eq(sr_interned_length(sr_strings_intern(&strings, "", 0)), 0);
}
END_TEST

START_TEST(products_are_checked_for_overflow)
{
	int64_t p;
	ck_assert(!sr_product_overflows((int64_t[]){2, 3, 4}, 3, &p) && p == 24);
	ck_assert(!sr_product_overflows((int64_t[]){INT64_MAX, 4, 0}, 3, &p) && p == 0);
	ck_assert(sr_product_overflows((int64_t[]){INT64_MAX, 2}, 2, &p));
	ck_assert(sr_product_overflows((int64_t[]){0, -1}, 2, &p));
	ck_assert(!sr_product_overflows(NULL, 0, &p) && p == 1);
	ck_assert_int_eq(sr_ceil_div(10, 4), 3);
}
END_TEST

START_TEST(buffers_grow)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	ck_assert_str_eq(sr_buf_string(&buf), "");
	for (int i = 0; i < 100; i++) {
		sr_buf_int(&buf, INT64_MIN + i);
		sr_buf_putc(&buf, ' ');
		sr_buf_printf(&buf, "%s", "x");
	}
	sr_buf_uint(&buf, UINT64_MAX);
	ck_assert_uint_eq(buf.n, 100 * 22 + 20);
	ck_assert_uint_eq(strlen(sr_buf_string(&buf)), buf.n);
	ck_assert_int_eq(strncmp(sr_buf_string(&buf), "-9223372036854775808 x", 22), 0);
}
END_TEST

START_TEST(json_is_indented_and_quoted)
{
	struct sr_buf buf;
	struct sr_json j;
	sr_buf_init(&buf, arena);
	sr_json_init(&j, &buf);
	sr_json_open(&j, NULL, '{');
	sr_json_string(&j, "mo\"del", "a\\b\n\x01\xff\xc3\xa9");
	sr_json_open(&j, "list", '[');
	sr_json_int(&j, NULL, -3);
	sr_json_double(&j, NULL, 0.1);
	sr_json_double(&j, NULL, INFINITY);
	sr_json_bool(&j, NULL, true);
	sr_json_string(&j, NULL, NULL);
	sr_json_close(&j);
	sr_json_open(&j, "empty", '{');
	sr_json_close(&j);
	sr_json_close(&j);
	ck_assert_str_eq(sr_buf_string(&buf),
			 "{\n  \"mo\\\"del\": \"a\\\\b\\n\\u0001\\ufffd\xc3\xa9\",\n  \"list\": [\n    -3,\n    0.1,\n    null,\n    true,\n"
			 "    null\n  ],\n  \"empty\": {}\n}\n");
}
END_TEST

static const char *diags_text(const struct sr_diags *diags)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	sr_diags_print(diags, out);
	fclose(out);
	const char *copy = sr_strdup(arena, text);
	free(text);
	return copy;
}

START_TEST(json_is_read_back)
{
	static const char text[] = " {\"plan\": {\"bytes\": 12, \"s\": -1.5e-3, \"none\": {}},\n \"list\": [true, null, "
				   "\"a\\\"\\u00e9\\n\\ud83d\\ude00\", []],"
				   " \"long\": 9007199254740993, \"shape\": [3, 0], \"longer\": 9223372036854775808} ";
	int64_t extents[2];
	int line;
	const struct sr_json_value *v = sr_json_read(arena, text, strlen(text), &line), *plan = sr_json_get(v, "plan"),
				   *list = sr_json_get(v, "list");
	ck_assert_ptr_nonnull(v);
	ck_assert(sr_json_get(plan, "bytes")->number == 12 && sr_json_get(plan, "s")->number == -1.5e-3);
	ck_assert_int_eq(sr_json_get(plan, "none")->kind, SR_JSON_OBJECT);
	ck_assert_ptr_null(sr_json_get(plan, "list"));
	ck_assert_uint_eq(list->n, 4);
	ck_assert(list->items[0].kind == SR_JSON_BOOL && list->items[0].number == 1 && list->items[1].kind == SR_JSON_NULL);
	ck_assert_str_eq(list->items[2].string, "a\"\xc3\xa9\n\U0001f600");
	ck_assert(sr_json_get(v, "long")->is_integer && sr_json_get(v, "long")->integer == 9007199254740993);
	ck_assert(!sr_json_get(v, "longer")->is_integer && !sr_json_get(plan, "s")->is_integer);
	ck_assert_int_eq(sr_json_int_list(sr_json_get(v, "shape"), extents, 2), 2);
	ck_assert(extents[0] == 3 && extents[1] == 0);
	ck_assert_int_eq(sr_json_int_list(sr_json_get(v, "shape"), extents, 1), -1);
	ck_assert_int_eq(sr_json_int_list(sr_json_get(v, "long"), extents, 2), -1);
	ck_assert_int_eq(sr_json_int_list(list, extents, 2), -1);
}
END_TEST

START_TEST(invalid_json_is_refused)
{
	static const char *const texts[] = {"", "{", "{\"a\"}", "{\"a\":}", "[1,]", "[1 2]", "{} x", "\"a",
					    "\"\\u12\"", "\"\\q\"", "tru",	    "1.2.3",  "{1: 2}", "\"a\nb\"", "[1}", "nul",
					    "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\u0000\"", "\"\\u00g0\""};
	int line;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert_msg(!sr_json_read(arena, texts[i], strlen(texts[i]), &line), "%s", texts[i]);
	ck_assert_ptr_null(sr_json_read(arena, "{\n\n\"a\": x}", 12, &line));
	ck_assert_int_eq(line, 3);
}
END_TEST

/* Arrays may be nested in 64 levels; the number of arrays beside each other has no limit. */
START_TEST(json_nesting_is_limited)
{
	enum { LEVELS = 64, N_VALUES = 200 };
	char nested[2 * LEVELS + 2], flat[3 * N_VALUES + 1];
	int line;
	memset(nested, '[', LEVELS + 1);
	memset(nested + LEVELS + 1, ']', LEVELS + 1);
	ck_assert_ptr_nonnull(sr_json_read(arena, nested + 1, 2 * LEVELS, &line));
	ck_assert_ptr_null(sr_json_read(arena, nested, sizeof nested, &line));
	for (int i = 0; i < N_VALUES; i++)
		memcpy(flat + 3 * i, i ? ",[]" : "[[]", 3);
	flat[3 * N_VALUES] = ']';
	ck_assert_uint_eq(sr_json_read(arena, flat, sizeof flat, &line)->n, N_VALUES);
}
END_TEST

START_TEST(diagnostics_of_two_lists_are_one)
{
	struct sr_diags diags, second_list;
	const char *text = "a\nop\n";
	sr_diags_init(&diags, arena);
	sr_diags_init(&second_list, arena);
	sr_diags_splice(&diags, &second_list);
	sr_report(&diags, SR_NOTE, (struct sr_src_loc){0}, "first");
	sr_diags_add_source(&second_list, "m.mlir", text, strlen(text));
	sr_error(&second_list, SR_INVALID, (struct sr_src_loc){"m.mlir", 2, 1}, "second");
	sr_diags_splice(&diags, &second_list);
	sr_report(&diags, SR_NOTE, (struct sr_src_loc){0}, "third");
	ck_assert_str_eq(diags_text(&diags), "note: first\nm.mlir:2:1: error: second\nop\n^\nnote: third\n");
	ck_assert_int_eq(diags.n_errors, 1);
	ck_assert_ptr_null(second_list.first);
}
END_TEST

START_TEST(diagnostics_show_the_line)
{
	struct sr_diags diags;
	sr_diags_init(&diags, arena);
	const char text[] = "first\n\tsecond line\nlast";
	sr_diags_add_source(&diags, "m.mlir", text, strlen(text));
	ck_assert_int_eq(sr_error(&diags, SR_INVALID, (struct sr_src_loc){"m.mlir", 2, 4}, "op %d", 7), SR_INVALID);
	sr_report(&diags, SR_NOTE, (struct sr_src_loc){"m.mlir", 3, 5}, "here");
	sr_report(&diags, SR_WARNING, (struct sr_src_loc){"m.mlir", 9, 1}, "beyond");
	sr_report(&diags, SR_ERROR, (struct sr_src_loc){0}, "no place");
	ck_assert_int_eq(diags.n_errors, 2);
	ck_assert_str_eq(diags_text(&diags), "m.mlir:2:4: error: op 7\n\tsecond line\n\t  ^\n"
					  "m.mlir:3:5: note: here\nlast\n    ^\n"
					  "m.mlir:9:1: warning: beyond\nerror: no place\n");
	sr_diags_clear(&diags);
	ck_assert_str_eq(diags_text(&diags), "");
	ck_assert_int_eq(diags.n_errors, 0);
}
END_TEST

static const enum sr_dtype small_floats[] = {SR_F4E2M1FN, SR_F6E2M3FN, SR_F6E3M2FN, SR_F8E3M4, SR_F8E4M3, SR_F8E4M3B11FNUZ, SR_F8E4M3FN,
					     SR_F8E4M3FNUZ, SR_F8E5M2, SR_F8E5M2FNUZ, SR_F8E8M0FNU, SR_BF16, SR_F16};
enum { N_SMALL_FLOATS = sizeof small_floats / sizeof *small_floats };

/* Every bit pattern of every format converts to double and back to itself, NaN to NaN. */
START_TEST(float_patterns_round_trip)
{
	enum sr_dtype t = small_floats[_i];
	for (uint64_t bits = 0; bits < 1ull << sr_dtypes[t].bits; bits++) {
		double x = sr_float_decode(t, bits);
		uint64_t encoded_bits = sr_float_encode(t, x);
		if (isnan(x))
			ck_assert(isnan(sr_float_decode(t, encoded_bits)));
		else
			ck_assert_uint_eq(encoded_bits, bits);
	}
}
END_TEST

/* A value between adjacent numbers of a format rounds to the nearer one; the midpoint rounds to the even bit pattern. */
START_TEST(floats_round_to_nearest_even)
{
	enum sr_dtype t = small_floats[_i];
	if (t == SR_F8E8M0FNU)
		return;
	uint64_t n_positive = 1ull << (sr_dtypes[t].bits - 1);
	for (uint64_t low = 0; low + 1 < n_positive; low++) {
		double a = sr_float_decode(t, low), b = sr_float_decode(t, low + 1), midpoint = a + (b - a) / 2;
		if (!isfinite(a) || !isfinite(b))
			continue;
		ck_assert_uint_eq(sr_float_encode(t, midpoint), low % 2 ? low + 1 : low);
		ck_assert_uint_eq(sr_float_encode(t, nextafter(midpoint, b)), low + 1);
		ck_assert_uint_eq(sr_float_encode(t, nextafter(midpoint, a)), low);
		ck_assert_uint_eq(sr_float_encode(t, -nextafter(midpoint, b)), n_positive | (low + 1));
	}
}
END_TEST

static const struct edge {
	enum sr_dtype type;
	double value;
	uint64_t bits;
} edges[] = {
	{SR_F8E4M3FN, 448, 0x7e}, {SR_F8E4M3FN, 464, 0x7e}, {SR_F8E4M3FN, 465, 0x7f}, {SR_F8E4M3FN, -INFINITY, 0xff},
	{SR_F8E4M3FNUZ, 240, 0x7f}, {SR_F8E4M3FNUZ, 1e9, 0x80}, {SR_F8E4M3FNUZ, -0.0, 0}, {SR_F8E4M3FNUZ, -1e-9, 0},
	{SR_F8E5M2, 57344, 0x7b}, {SR_F8E5M2, 61440, 0x7c}, {SR_F8E5M2, -INFINITY, 0xfc}, {SR_F8E5M2FNUZ, NAN, 0x80},
	{SR_F4E2M1FN, 1e9, 0x7}, {SR_F4E2M1FN, -INFINITY, 0xf}, {SR_F6E3M2FN, 28, 0x1f}, {SR_F6E2M3FN, 7.5, 0x1f},
	{SR_F8E8M0FNU, 1, 127}, {SR_F8E8M0FNU, 1.5, 128}, {SR_F8E8M0FNU, 1.4999, 127}, {SR_F8E8M0FNU, -1, 0xff}, {SR_F8E8M0FNU, 0, 0xff},
	{SR_F8E8M0FNU, 1e-300, 0}, {SR_F8E8M0FNU, 1e300, 0xff}, {SR_F8E3M4, 15.5, 0x6f}, {SR_F8E3M4, 16, 0x70}, {SR_F8E4M3, 240, 0x77},
	{SR_F8E4M3B11FNUZ, 30, 0x7f}, {SR_F16, 65504, 0x7bff}, {SR_F16, 65520, 0x7c00}, {SR_F16, 0x1p-25, 0}, {SR_F16, 0x1.8p-25, 1},
	{SR_F16, 5e-324, 0}, {SR_F16, NAN, 0x7e00}, {SR_BF16, 1e308, 0x7f80}, {SR_BF16, 0x1p-133, 1}, {SR_BF16, -0.0, 0x8000},
	{SR_F16, 1 + 0x1p-11 + 0x1p-40, 0x3c01}, /* rounding to f32 first would give 0x3c00 */
	{SR_F32, 1, 0x3f800000}, {SR_F64, 1, 0x3ff0000000000000},
};

START_TEST(floats_at_the_edges)
{
	const struct edge *e = &edges[_i];
	ck_assert_msg(sr_float_encode(e->type, e->value) == e->bits, "%s of %a: got %#llx, expected %#llx", sr_dtypes[e->type].name, e->value,
		      (unsigned long long)sr_float_encode(e->type, e->value), (unsigned long long)e->bits);
}
END_TEST

START_TEST(bf16_fast_paths_agree)
{
	for (uint32_t i = 0; i <= 0xffff; i++) {
		float exact_f32 = (float)sr_float_decode(SR_BF16, i);
		ck_assert(isnan(exact_f32) ? isnan(sr_bf16_to_f32((uint16_t)i)) : exact_f32 == sr_bf16_to_f32((uint16_t)i));
		for (uint32_t low = 0x7fff; low <= 0x8001; low++) {
			union {
				uint32_t u;
				float f;
			} v = {i << 16 | low};
			ck_assert_uint_eq(sr_f32_to_bf16(v.f), sr_float_encode(SR_BF16, v.f));
		}
	}
}
END_TEST

START_TEST(dtypes_are_found_by_name)
{
	for (int t = 1; t < SR_DTYPE_COUNT; t++)
		ck_assert_int_eq(sr_dtype_find(sr_dtypes[t].name, strlen(sr_dtypes[t].name)), t);
	ck_assert_int_eq(sr_dtype_find("f32x", 4), SR_DTYPE_NONE);
	ck_assert_int_eq(sr_dtype_bytes(SR_C128), 16);
}
END_TEST

START_TEST(elements_go_in_and_out)
{
	unsigned char element[16];
	int64_t i = 0;
	double d = 0, im = 0;
	for (int t = 1; t < SR_DTYPE_COUNT; t++) {
		int bits = sr_dtypes[t].bits;
		bool is_signed = sr_dtypes[t].class == SR_CLASS_SINT;
		sr_element_set((enum sr_dtype)t, element, is_signed ? -2 : 1, t == SR_F8E8M0FNU ? 2 : -1.5, 3);
		sr_element_get((enum sr_dtype)t, element, &i, &d, &im);
		if (sr_dtype_is_integer((enum sr_dtype)t))
			ck_assert_int_eq(i, is_signed ? -2 : 1);
		else
			ck_assert(d == (t == SR_F8E8M0FNU ? 2 : -1.5) && (!sr_dtype_is_complex((enum sr_dtype)t) || im == 3));
		if (sr_dtypes[t].class != SR_CLASS_SINT)
			continue;
		sr_element_set((enum sr_dtype)t, element, INT64_MAX, 0, 0);
		sr_element_get((enum sr_dtype)t, element, &i, NULL, NULL);
		ck_assert_int_eq(i, bits == 64 ? INT64_MAX : -1);
	}
	sr_element_set(SR_UI4, element, -1, 0, 0);
	ck_assert_uint_eq(element[0], 15);
	sr_element_set(SR_I4, element, 9, 0, 0);
	ck_assert_uint_eq(element[0], 0xf9);
	sr_element_set(SR_I1, element, 2, 0, 0);
	ck_assert_uint_eq(element[0], 1);
}
END_TEST

struct options {
	bool verbose, run;
	int64_t repeats, bytes;
	double scale;
	const char *report;
	int mode;
	sr_strings_list input;
};

static const struct sr_knob rows[] = {
	{"verbose", 'v', SR_KNOB_BOOL, offsetof(struct options, verbose), NULL, NULL, NULL, "General", "Say more.", .may_differ = true},
	{"input", 0, SR_KNOB_LIST, offsetof(struct options, input), "VALUE", NULL, "SR_TEST_INPUT", "Values", "An argument."},
	{"run", 0, SR_KNOB_BOOL, offsetof(struct options, run), NULL, "true", NULL, "General", "Run it."},
	{"num-repeats", 'n', SR_KNOB_INT, offsetof(struct options, repeats), "N", "1", "SR_TEST_REPEATS", "General", "How often."},
	{"min-bytes", 'b', SR_KNOB_SIZE, offsetof(struct options, bytes), NULL, "32M", NULL, "General", "How much."},
	{"scale", 0, SR_KNOB_DOUBLE, offsetof(struct options, scale), NULL, NULL, NULL, "General", "A -factor.\n.x"},
	{"report", 0, SR_KNOB_STRING, offsetof(struct options, report), "FILE", NULL, NULL, "General", "Where to."},
	{"argument-mode", 0, SR_KNOB_CHOICE, offsetof(struct options, mode), "zeros|use_random|x", "use_random", NULL, "Values", "Which."},
};
static const struct sr_example examples[] = {{"shardtest -v a|b", "Say more of the words that are told apart by a bar, which may be broken."}};

static const struct sr_knobs knobs = {"shardtest", "shardtest [flags] FILE", "Test the knobs.", rows, sizeof rows / sizeof *rows,
				      examples,    sizeof examples / sizeof *examples};
static struct options options;
static struct sr_diags diags;
static sr_strings_list positional_arguments;

static bool record_pass(void *data, const char *name, const char *value, struct sr_suggest *s)
{
	if (strncmp(name, "sdy-", 4) || !strcmp(name, "sdy-pas")) {
		sr_suggest_offer(s, "sdy-pass");
		return false;
	}
	struct sr_buf *out = data;
	sr_buf_printf(out, "%s(%s)", name, value ? value : "");
	return true;
}

static struct sr_buf recorded_passes;

/* Parse a command line written in one string. */
static enum sr_status parse(const char *line)
{
	char *argv[20] = {(char *)"tool"}, *text = sr_strdup(arena, line);
	int argc = 1;
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	positional_arguments = (sr_strings_list){0};
	sr_diags_init(&diags, arena);
	sr_buf_init(&recorded_passes, arena);
	return sr_knobs_parse(&knobs, &options, argc, argv, arena, &diags, &positional_arguments, record_pass, &recorded_passes);
}

START_TEST(knobs_have_defaults)
{
	ck_assert_int_eq(parse("a.mlir -"), SR_OK);
	ck_assert(!options.verbose && options.run && options.repeats == 1 && options.bytes == 32 << 20);
	ck_assert(options.scale == 0 && !options.report && options.mode == 1 && options.input.n == 0);
	ck_assert_uint_eq(positional_arguments.n, 2);
	ck_assert_str_eq(positional_arguments.data[1], "-");
}
END_TEST

START_TEST(response_files_use_shell_quoting)
{
	static const struct {
		const char *text, *words; /* expected words, each followed by a bar; NULL: an error is expected */
		int line;
	} cases[] = {
		{"", ""}, {" a\tb\r\nc", "a|b|c|"}, {"# x\na #y\n#", "a|"}, {"a#b", "a#b|"}, {"a\\ b c\\\nd", "a b|cd|"},
		{"\"a 'b\" 'c \"d\\'x", "a 'b|c \"d\\x|"}, {"\"\\\"\\\\\\$\\x\\\ny\"", "\"\\$\\xy|"}, {"'' \"\"", "||"},
		 {"a \\\n b", "a|b|"},
		{"a\n\n 'b\n", NULL, 3}, {"\"a\\", NULL, 1}, {"\n\\", NULL, 2},
	};
	sr_diags_init(&diags, arena);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		sr_strings_list words = {0};
		struct sr_buf joined_words;
		sr_buf_init(&joined_words, arena);
		enum sr_status status = sr_response_split(arena, &diags, "f", cases[i].text, strlen(cases[i].text), &words);
		ck_assert_msg(status == (cases[i].words ? SR_OK : SR_USAGE), "%s", cases[i].text);
		for (size_t k = 0; k < words.n; k++)
			sr_buf_printf(&joined_words, "%s|", words.data[k]);
		if (cases[i].words)
			ck_assert_str_eq(sr_buf_string(&joined_words), cases[i].words);
		else
			ck_assert_int_eq(diags.first->place.line, cases[i].line);
		sr_diags_clear(&diags);
	}
	sr_strings_list words = {0};
	ck_assert_int_eq(sr_response_split(arena, &diags, "f", "a\0b", 3, &words), SR_USAGE);
}
END_TEST

START_TEST(knobs_take_every_spelling)
{
	ck_assert_int_eq(parse("-v --run=false --num_repeats 5 -b8 -scale=2.5 --input=@a.npy f --input - --report=r -argument_mode zeros"
			       " -sdy-x=a=b --sdy-y -- --run"),
			 SR_OK);
	ck_assert(options.verbose && !options.run && options.repeats == 5 && options.bytes == 8 && options.scale == 2.5);
	ck_assert(options.input.n == 2 && strcmp(options.input.data[0], "@a.npy") == 0 && strcmp(options.input.data[1], "-") == 0);
	ck_assert_str_eq(options.report, "r");
	ck_assert_int_eq(options.mode, 0);
	ck_assert_str_eq(sr_buf_string(&recorded_passes), "sdy-x(a=b)sdy-y()");
	ck_assert(positional_arguments.n == 2 && strcmp(positional_arguments.data[1], "--run") == 0);
}
END_TEST

START_TEST(the_command_line_wins_over_the_environment)
{
	setenv("SR_TEST_REPEATS", "7", 1);
	setenv("SR_TEST_INPUT", "e", 1);
	ck_assert_int_eq(parse(""), SR_OK);
	ck_assert(options.repeats == 7 && options.input.n == 1);
	ck_assert_int_eq(parse("-n 9 --input=x --input=y"), SR_OK);
	ck_assert(options.repeats == 9 && options.input.n == 2 && *options.input.data[0] == 'x');
	setenv("SR_TEST_REPEATS", "many", 1);
	ck_assert_int_eq(parse(""), SR_USAGE);
	ck_assert_str_eq(diags_text(&diags), "error: SR_TEST_REPEATS: expected an integer, got 'many'\n");
	unsetenv("SR_TEST_REPEATS");
	unsetenv("SR_TEST_INPUT");
}
END_TEST

START_TEST(near_names_are_suggested)
{
	static const char *const pairs[][3] = {/* misspelled name, existing name, and whether the existing one is suggested */
					      {"mian", "main", "y"},	   {"Main", "main", "y"},	  {"model", "model.mlir", "y"},
					      {"modle.mlir", "model.mlir", "y"}, {"main", "double", ""}, {"x", "y", ""},
					      {"od", "do", "y"}, {"", "main", ""}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct sr_suggest s = sr_suggest_for(pairs[i][0], strlen(pairs[i][0]));
		sr_suggest_offer(&s, "something-else-altogether");
		sr_suggest_offer(&s, pairs[i][1]);
		ck_assert_msg(!s.nearest == !*pairs[i][2], "%s, %s", pairs[i][0], pairs[i][1]);
	}
	struct sr_suggest s = sr_suggest_for("maim", 4); /* of equally near candidates, the first one alphabetically is suggested */
	sr_suggest_offer(&s, "maix");
	sr_suggest_offer(&s, "main");
	ck_assert_str_eq(s.nearest, "main");
}
END_TEST

static const char *const bad_lines[][2] = {
	{"--num-repeat=2", "error: unknown flag '--num-repeat'; did you mean '--num-repeats'?\n"},
	{"-q", "error: unknown flag '-q'; --help lists the flags\n"},
	{"--completely-different", "error: unknown flag '--completely-different'; --help lists the flags\n"},
	{"--sdy-pas", "error: unknown flag '--sdy-pas'; did you mean '--sdy-pass'?\n"},
	{"--num-repeats", "error: --num-repeats: expected a value (N)\n"},
	{"--report=", "error: --report: expected a name (FILE), got ''\n"},
	{"--num-repeats=1x", "error: --num-repeats: expected an integer, got '1x'\n"},
	{"--num-repeats=99999999999999999999", "error: --num-repeats: expected an integer, got '99999999999999999999'\n"},
	{"--run=maybe", "error: --run: expected true or false, got 'maybe'\n"},
	{"-b 9999999G", NULL},
	{"-b 99999999999G", "error: -b: expected a size (a number, perhaps with K, M, G or T), got '99999999999G'\n"},
	{"--argument-mode=zero", "error: --argument-mode: expected one of zeros|use_random|x, got 'zero'\n"},
};

START_TEST(bad_flags_are_reported_once)
{
	const char *message = bad_lines[_i][1];
	ck_assert_int_eq(parse(bad_lines[_i][0]), message ? SR_USAGE : SR_OK);
	ck_assert_str_eq(diags_text(&diags), message ? message : "");
}
END_TEST

START_TEST(knobs_are_set_by_name)
{
	const char *nearest_name = NULL;
	sr_diags_init(&diags, arena);
	setenv("SR_TEST_REPEATS", "7", 1);
	ck_assert_int_eq(sr_knobs_begin(&knobs, &options, arena, &diags), SR_OK);
	unsetenv("SR_TEST_REPEATS");
	ck_assert_int_eq(options.repeats, 7);
	const struct sr_knob *knob = sr_knobs_find(&knobs, "num_repeats", &nearest_name);
	ck_assert_ptr_nonnull(knob);
	ck_assert_int_eq(sr_knobs_set(knob, &options, "my_num_repeats", "9", arena, &diags), SR_OK);
	ck_assert_int_eq(options.repeats, 9);
	ck_assert_int_eq(sr_knobs_set(knob, &options, "my_num_repeats", "x", arena, &diags), SR_USAGE);
	ck_assert_str_eq(diags_text(&diags), "error: my_num_repeats: expected an integer, got 'x'\n");
	ck_assert_ptr_null(sr_knobs_find(&knobs, "num_repeat", &nearest_name));
	ck_assert_str_eq(nearest_name, "num-repeats");
	ck_assert_ptr_null(sr_knobs_find(&knobs, "completely_different", &nearest_name));
	ck_assert_ptr_null(nearest_name);
}
END_TEST

static const char *written_text(void (*write)(const struct sr_knobs *, FILE *))
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	write(&knobs, out);
	fclose(out);
	const char *copy = sr_strdup(arena, text);
	free(text);
	return copy;
}

static void write_man(const struct sr_knobs *k, FILE *out)
{
	sr_knobs_man(k, ".SH EXTRA\nx\n", out);
}

static void write_values(const struct sr_knobs *k, FILE *out)
{
	sr_knobs_show(k, &options, out);
}

START_TEST(knobs_print_themselves)
{
	const char *help = written_text(sr_knobs_help), *man = written_text(write_man);
	ck_assert_ptr_nonnull(strstr(help, "General:\n  -v, --verbose               Say more.\n      --run"));
	ck_assert_ptr_nonnull(strstr(help, "  -n, --num-repeats=N         How often.\n                              (default: 1; variable: SR_TEST_"));
	ck_assert_ptr_nonnull(strstr(help, "Values:\n      --input=VALUE "));
	ck_assert_ptr_nonnull(strstr(man, "A \\-factor.\n\\&.x\n"));
	ck_assert_ptr_nonnull(
	    strstr(man, ".SH EXAMPLES\nSay more of the words that are told apart by a bar, which may be\nbroken.\n.PP\n"
			".RS 4\n.nf\n\\fBshardtest \\-v a|\\:b\\fR\n.fi\n.RE\n"));
	ck_assert_ptr_nonnull(strstr(man, ".SH EXTRA\nx\n.SH SEE ALSO\n"));
	parse("--num-repeats=3 --input=a");
	const char *values = written_text(write_values);
	ck_assert_ptr_nonnull(strstr(values, "num-repeats                        3                    flag\n"));
	ck_assert_ptr_nonnull(strstr(values, "min-bytes                          32M                  default\n"));
	ck_assert_ptr_nonnull(strstr(values, "input                              a                    flag\n"));
}
END_TEST

/* Return the serialized settings of a command line, with bars in place of NULs. */
static const char *serialized_options(void)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_knobs_serialize(&knobs, &options, &buf);
	for (size_t i = 0; i < buf.n; i++)
		buf.data[i] = buf.data[i] ? buf.data[i] : '|';
	return sr_buf_string(&buf);
}

static const char *serialized_settings(const char *line)
{
	parse(line);
	return serialized_options();
}

START_TEST(settings_of_knobs_are_compared)
{
	ck_assert_str_eq(serialized_settings("--input=a --input=b --report=r -v"),
			 "--input (or SR_TEST_INPUT), use 1|'a'|--input (or SR_TEST_INPUT), use 2|'b'|--run|true|"
			 "--num-repeats (or SR_TEST_REPEATS)|1|--min-bytes|32M|--scale|0|--report|'r'|--argument-mode|use_random|");
	ck_assert_str_eq(serialized_settings("-v"), serialized_settings(""));
	const char *without_report = serialized_settings("");
	options.report = "";
	ck_assert_str_ne(serialized_options(), without_report);
	ck_assert_str_eq(serialized_settings("--num-repeats 1 --run"), serialized_settings(""));
	ck_assert_str_ne(serialized_settings("--scale 0.1"), serialized_settings("--scale 0.10000000000000002"));
	ck_assert_str_ne(serialized_settings("--input 'a"), serialized_settings("--input a'"));
}
END_TEST

START_TEST(sizes_are_parsed)
{
	int64_t n;
	ck_assert(sr_parse_size("0", &n) && n == 0);
	ck_assert(sr_parse_size("128M", &n) && n == 128 << 20);
	ck_assert(sr_parse_size("2kB", &n) && n == 2048);
	ck_assert(sr_parse_size("1GiB", &n) && n == 1 << 30);
	ck_assert(!sr_parse_size("", &n) && !sr_parse_size("-1", &n) && !sr_parse_size("1Q", &n) && !sr_parse_size("1KK", &n));
	ck_assert(!sr_parse_size("9000000T", &n));
}
END_TEST

START_TEST(lost_output_is_an_error)
{
	struct sr_diags messages;
	FILE *full_device = fopen("/dev/full", "w"), *null = fopen("/dev/null", "w");
	ck_assert(full_device && null);
	sr_diags_init(&messages, arena);
	fputs("text", null);
	ck_assert_int_eq(sr_flush_stream(&messages, null, "null"), SR_OK);
	ck_assert_int_eq(sr_flush_stream(&messages, full_device, "full"), SR_OK); /* no error is reported, since nothing was written */
	fputs("text", full_device);
	ck_assert_int_eq(sr_flush_stream(&messages, full_device, "full"), SR_USAGE);
	ck_assert_str_eq(messages.first->message, "cannot be written: No space left on device");
	ck_assert_int_eq(sr_flush_stream(&messages, full_device, "full"), SR_USAGE); /* later flushes report the write error, too */
	ck_assert_int_eq(messages.n_errors, 2);
	fclose(full_device);
	fclose(null);
}
END_TEST

START_TEST(statuses_have_names)
{
	ck_assert_str_eq(sr_status_name(SR_OK), "ok");
	ck_assert_str_eq(sr_status_name(SR_INTERNAL), "internal");
	ck_assert_str_eq(sr_status_name((enum sr_status)77), "unknown");
}
END_TEST

START_TEST(checksums_of_parts_combine)
{
	unsigned char bytes[300];
	ck_assert_uint_eq(sr_crc32(0, "123456789", 9), 0xcbf43926); /* the check value in catalogues of CRCs */
	ck_assert_uint_eq(sr_crc32(0, "", 0), 0);
	for (int i = 0; i < 300; i++)
		bytes[i] = (unsigned char)(i * i >> 3);
	uint32_t full_checksum = sr_crc32(0, bytes, 300);
	for (size_t n = 0; n <= 300; n++) {
		ck_assert_uint_eq(sr_crc32(sr_crc32(0, bytes, n), bytes + n, 300 - n), full_checksum);
		ck_assert_uint_eq(sr_crc32_join(sr_crc32(0, bytes, n), sr_crc32(0, bytes + n, 300 - n), 300 - n), full_checksum);
	}
}
END_TEST

START_TEST(streaming_copies_write_their_bytes_alone)
{
	enum { LENGTH = 700, OFFSETS = 65 };
	char source[LENGTH + OFFSETS], target[LENGTH + 2 * OFFSETS], expected[sizeof target];
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (char)(i * 7 + 1);
	for (size_t offset = 0; offset < OFFSETS; offset++)
		for (size_t n = 0; n <= LENGTH; n += n < 300 ? 1 : 37) {
			memset(target, 0, sizeof target);
			memset(expected, 0, sizeof expected);
			memcpy(expected + offset, source + offset / 3, n);
			sr_copy_streaming(target + offset, source + offset / 3, n);
			ck_assert(!memcmp(target, expected, sizeof target));
		}
	sr_streaming_fence();
}
END_TEST

START_TEST(evicted_lines_keep_their_bytes)
{
	enum { LENGTH = 1000, STEP = 37 };
	char data[LENGTH];
	for (size_t first = 0; first < LENGTH && sr_eviction_pays(); first += STEP)
		for (size_t n = 0; first + n <= LENGTH; n += STEP) {
			for (size_t i = 0; i < LENGTH; i++)
				data[i] = (char)(i * 5 + first + n);
			sr_evict_lines(data + first, n);
			for (size_t i = 0; i < LENGTH; i++)
				ck_assert_int_eq(data[i], (char)(i * 5 + first + n));
		}
}
END_TEST

#include "tests/unit/support_cache.h"
#include "tests/unit/support_proto.h"

START_TEST(computing_is_independent_of_the_hosts_mode)
{
#ifdef __x86_64__
	const unsigned denormal_operands_are_zero = 0x40;
	const unsigned host_mode = (_MM_MASK_MASK & ~(unsigned)_MM_MASK_DIV_ZERO) | _MM_ROUND_DOWN;
	unsigned mode = sr_float_mode();
	volatile float denormal = 1e-40f, third = 3, zero = 0, product, quotient, infinity;
	sr_float_mode_set(host_mode | denormal_operands_are_zero);
	unsigned before = sr_float_mode_begin(true);
	product = denormal * 1e10f;
	quotient = 1 / third;
	infinity = 1 / zero;
	sr_float_mode_set(before);
	unsigned restored = sr_float_mode();
	sr_float_mode_set(mode);
	ck_assert(product > 0.9e-30f && isinf(infinity));
	ck_assert(quotient == 0x1.555556p-2f);
	ck_assert_uint_eq(restored, host_mode | denormal_operands_are_zero);
#endif
}
END_TEST

static TCase *make_case(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("support");
	TCase *memory = make_case(suite, "memory");
	tcase_add_test(memory, arena_memory_is_zeroed_and_aligned);
	tcase_add_test(memory, arena_unwinds_on_overflow);
	tcase_add_test(memory, scratch_is_reused);
	tcase_add_test(memory, scratch_unwinds_with_its_owner);
	tcase_add_test(memory, vectors_keep_their_elements);
	tcase_add_test(memory, maps_find_entries_in_insertion_order);
	tcase_add_test(memory, equal_strings_are_one_pointer);
	tcase_add_test(memory, products_are_checked_for_overflow);
	tcase_add_test(memory, checksums_of_parts_combine);
	TCase *cache = make_case(suite, "cache");
	tcase_add_test(cache, digests_are_the_standards);
	tcase_add_test(cache, cache_returns_stored_entries);
	tcase_add_test(cache, corrupted_entry_is_a_miss);
	tcase_add_test(cache, a_cache_is_bounded);
	tcase_add_test(cache, processes_write_concurrently);
	TCase *proto = make_case(suite, "proto");
	tcase_add_test(proto, messages_are_read);
	tcase_add_test(proto, truncated_messages_end);
	tcase_add_test(proto, malformed_messages_are_refused);
	tcase_add_test(proto, written_messages_are_read_back);
	TCase *text = make_case(suite, "text");
	tcase_add_test(text, buffers_grow);
	tcase_add_test(text, json_is_indented_and_quoted);
	tcase_add_test(text, json_is_read_back);
	tcase_add_test(text, invalid_json_is_refused);
	tcase_add_test(text, json_nesting_is_limited);
	tcase_add_test(text, diagnostics_show_the_line);
	tcase_add_test(text, diagnostics_of_two_lists_are_one);
	tcase_add_test(text, lost_output_is_an_error);
	tcase_add_test(text, statuses_have_names);
	TCase *dtype = make_case(suite, "dtype");
	tcase_add_loop_test(dtype, float_patterns_round_trip, 0, N_SMALL_FLOATS);
	tcase_add_loop_test(dtype, floats_round_to_nearest_even, 0, N_SMALL_FLOATS);
	tcase_add_loop_test(dtype, floats_at_the_edges, 0, (int)(sizeof edges / sizeof *edges));
	tcase_add_test(dtype, bf16_fast_paths_agree);
	tcase_add_test(dtype, dtypes_are_found_by_name);
	tcase_add_test(dtype, elements_go_in_and_out);
	tcase_add_test(dtype, computing_is_independent_of_the_hosts_mode);
	TCase *flags = make_case(suite, "knobs");
	tcase_add_test(flags, near_names_are_suggested);
	tcase_add_test(flags, knobs_have_defaults);
	tcase_add_test(flags, knobs_take_every_spelling);
	tcase_add_test(flags, response_files_use_shell_quoting);
	tcase_add_test(flags, the_command_line_wins_over_the_environment);
	tcase_add_loop_test(flags, bad_flags_are_reported_once, 0, (int)(sizeof bad_lines / sizeof *bad_lines));
	tcase_add_test(flags, knobs_are_set_by_name);
	tcase_add_test(flags, knobs_print_themselves);
	tcase_add_test(flags, settings_of_knobs_are_compared);
	tcase_add_test(flags, sizes_are_parsed);
	tcase_add_test(flags, streaming_copies_write_their_bytes_alone);
	tcase_add_test(flags, evicted_lines_keep_their_bytes);
	return sr_run_suite(suite);
}
