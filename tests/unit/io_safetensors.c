/* Tables of safetensors files. */
#include "io/safetensors.h"
#include "tests/unit/io_case.h"
#include "tests/unit/io_files.h"
#include <string.h>
#include <unistd.h>

static enum sr_status read_table(const char *json, int n, struct sr_safetensors *tensors)
{
	struct sr_buf buf;
	struct sr_file f;
	sr_buf_init(&buf, arena);
	put_safetensors(&buf, json, n);
	put_and_open("a.bin", buf.data, buf.n, &f);
	enum sr_status status = sr_safetensors_read(&diags, arena, &f, tensors);
	sr_file_close(&diags, &f);
	return status;
}

START_TEST(tables_of_safetensors)
{
	struct sr_safetensors tensors;
	static const char json[] = "{\"__metadata__\":{\"format\":\"pt\"}, \"a\\\"b\" : {\"shape\":[2,3],\"dtype\":\"BF16\","
				   "\"data_offsets\":[0,12]},\"c\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[12,16]}}  ";
	ck_assert_int_eq(read_table(json, 16, &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 2);
	ck_assert_int_eq(sr_safetensors_find(&tensors, "a\"b"), 0);
	ck_assert_int_eq(sr_safetensors_find(&tensors, "d"), -1);
	ck_assert(tensors.tensors[0].type == SR_BF16 && tensors.tensors[0].rank == 2 && tensors.tensors[0].dims[1] == 3);
	ck_assert_int_eq(tensors.tensors[1].offset, 8 + (int64_t)strlen(json) + 12);
	ck_assert(tensors.tensors[1].rank == 0 && tensors.tensors[1].bytes == 4);
	ck_assert_int_eq(read_table("{}", 0, &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 0);
}
END_TEST

/* Return JSON of an F32 tensor. In the first tensor an opening brace precedes it. */
#define T(name, shape, offsets) "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" offsets "]}"

/* Byte ranges of tensors may be in any order, and empty. */
START_TEST(tables_cover_the_bytes)
{
	struct sr_safetensors tensors;
	ck_assert_int_eq(read_table("{" T("a", "4", "8,24") "," T("b", "2", "0,8") "," T("c", "0", "8,8") "," T("d", "0", "24,24") "}", 24, &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 4);
}
END_TEST

START_TEST(names_of_tensors_are_unescaped)
{
	static const struct {
		const char *json, *name; /* expected name; NULL: the JSON is no valid string */
	} cases[] = {{"\\\"\\\\\\/\\n\\t", "\"\\/\n\t"}, {"\\u0041\\u00e9\\u20aC", "A\u00e9\u20ac"}, {"\\ud83d\\ude00x", "\U0001f600x"},
		     {"\\ud83d", NULL}, {"\\ude00", NULL}, {"\\ud83d\\u0041", NULL}, {"\\u0000", NULL}, {"\\u00g0", NULL}, {"\\u00", NULL}, {"\\x", NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_safetensors tensors;
		const char *table = sr_printf(arena, "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", cases[i].json);
		ck_assert_msg(read_table(table, 1, &tensors) == (cases[i].name ? SR_OK : SR_USAGE), "%s", table);
		if (cases[i].name)
			ck_assert_str_eq(tensors.tensors[0].name, cases[i].name);
		else
			ck_error("invalid JSON");
	}
}
END_TEST

START_TEST(bad_tables_of_safetensors_are_refused)
{
	static const struct {
		const char *json;
		enum sr_status status;
		const char *words;
	} cases[] = {
		{"[]", SR_USAGE, "not a JSON object"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", SR_USAGE, "its shape requires 8 bytes"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[7],\"data_offsets\":[0,28]}}", SR_USAGE, "file has 24 bytes of data"},
		{"{\"a\":{\"dtype\":\"F4\",\"shape\":[7],\"data_offsets\":[0,28]}}", SR_UNSUPPORTED, "type 'F4'"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[7]}}", SR_USAGE, "without dtype, shape or data_offsets"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[9999999999,9999999999],\"data_offsets\":[0,4]}}", SR_USAGE, "overflows"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", SR_USAGE, "list of at most 16"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", SR_USAGE, "not a pair of numbers"},
		{" {}", SR_USAGE, "not a JSON object"},
		{"{} {}", SR_USAGE, "invalid JSON"},
		{"{\"__metadata__\":{\"a\":1}}", SR_USAGE, "__metadata__ is not an object of strings"},
		{"{\"a\":[]}", SR_USAGE, "a tensor is not an object"},
		{"{\"a\":{\"dtype\":1}}", SR_USAGE, "dtype is not a string"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]}}", SR_USAGE, "list of at most 16"},
		{"{}", SR_USAGE, "the bytes from 0 on belong to no tensor"},
		{"{" T("a", "3", "0,12") "," T("b", "4", "8,24") "}", SR_USAGE, "tensors 'a' and 'b' overlap"},
		{"{" T("a", "6", "0,24") "," T("b", "6", "0,24") "}", SR_USAGE, "overlap"},
		{"{" T("b", "3", "12,24") "," T("a", "2", "0,8") "}", SR_USAGE, "the bytes from 8 on, after tensor 'a', belong to no tensor"},
		{"{" T("a", "5", "0,20") "}", SR_USAGE, "the bytes from 20 on, after tensor 'a', belong to no tensor"},
		{"{" T("a", "3", "0,12") "," T("\\u0061", "3", "12,24") "}", SR_USAGE, "two tensors are called 'a'"},
		{"{\"__metadata__\":{},\"__metadata__\":{}," T("a", "6", "0,24") "}", SR_USAGE, "two tensors are called '__metadata__'"},
		{"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", SR_USAGE, "an unknown or duplicate key"},
		{"{\"a", SR_USAGE, "invalid JSON"},
		{"{\"a\\", SR_USAGE, "invalid JSON"},
	};
	struct sr_safetensors tensors;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_msg(read_table(cases[i].json, 24, &tensors) == cases[i].status, "%s", cases[i].json);
		ck_error(cases[i].words);
	}
	struct sr_file f;
	put_and_open("a.bin", "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, &f);
	ck_assert_int_eq(sr_safetensors_read(&diags, arena, &f, &tensors), SR_USAGE);
	ck_error("not a safetensors file");
	sr_file_close(&diags, &f);
}
END_TEST

/* Return tensors of every element width. */
static struct sr_safetensors make_tensors(bool is_reversed)
{
	static struct sr_safetensor at[4], tensors[] = {{.name = "flags", .type = SR_I1, .rank = 1, .dims = {3}},
						      {.name = "b\"16", .type = SR_BF16, .rank = 2, .dims = {2, 3}},
						      {.name = "none", .type = SR_F64, .rank = 2, .dims = {0, 5}},
						      {.name = "a", .type = SR_C64, .rank = 0}};
	for (int i = 0; i < 4; i++)
		at[i] = tensors[is_reversed ? 3 - i : i];
	return (struct sr_safetensors){at, 4};
}

/* Two processes write rows of one file; names, types, shapes and bytes are read back. */
START_TEST(tensors_are_written_by_shards)
{
	struct sr_safetensors tensors = make_tensors(false), reread, laid_out;
	struct sr_buf head;
	struct sr_file f, second_file;
	int64_t size;
	uint16_t rows[2][4] = {{1, 2, 3, 99}, {4, 5, 6, 99}}, column[6] = {0};
	sr_buf_init(&head, arena);
	ck_assert_int_eq(sr_safetensors_create(&diags, arena, path_of("a.safetensors"), &tensors, &f), SR_OK);
	const int64_t offset = tensors.tensors[1].offset;
	laid_out = make_tensors(false);
	ck_assert_int_eq(sr_safetensors_layout(&diags, arena, path_of("a.safetensors"), &laid_out, &head, &size), SR_OK);
	ck_assert_int_eq(laid_out.tensors[1].offset, offset);
	ck_assert_int_eq(size, f.size);
	ck_assert_int_eq(head.n % 8, 0);
	ck_assert_int_eq(sr_file_open_for_writing(&diags, path_of("a.safetensors"), &second_file), SR_OK);
	for (int64_t i = 0; i < 2; i++)
		ck_assert_int_eq(sr_safetensor_write_slice(&diags, i ? &second_file : &f, &laid_out.tensors[1], (int64_t[]){i, 0},
							   (int64_t[]){1, 3}, (int64_t[]){1, 4}, rows[i]),
				 SR_OK);
	sr_file_close(&diags, &second_file);
	sr_file_close(&diags, &f);
	ck_assert_int_eq(sr_file_open(&diags, path_of("a.safetensors"), &f), SR_OK);
	ck_assert_int_eq(sr_safetensors_read(&diags, arena, &f, &reread), SR_OK);
	ck_assert_int_eq(reread.n, 4);
	for (int64_t i = 0; i < 4; i++) {
		int64_t k = sr_safetensors_find(&reread, laid_out.tensors[i].name);
		ck_assert(k >= 0 && reread.tensors[k].type == laid_out.tensors[i].type &&
			  reread.tensors[k].rank == laid_out.tensors[i].rank);
		ck_assert(reread.tensors[k].offset == laid_out.tensors[i].offset &&
			  reread.tensors[k].offset % sr_dtype_bytes(reread.tensors[k].type) == 0);
	}
	ck_assert_int_eq(sr_safetensor_read_slice(&diags, &f, &reread.tensors[sr_safetensors_find(&reread, "b\"16")],
						  (int64_t[]){0, 0}, (int64_t[]){2, 3}, NULL, column),
			 SR_OK);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(column[i], i + 1);
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(the_table_does_not_depend_on_the_order_of_tensors)
{
	struct sr_buf heads[2];
	int64_t size;
	for (int i = 0; i < 2; i++) {
		struct sr_safetensors tensors = make_tensors(i);
		sr_buf_init(&heads[i], arena);
		ck_assert_int_eq(sr_safetensors_layout(&diags, arena, "a", &tensors, &heads[i], &size), SR_OK);
	}
	ck_assert(heads[0].n == heads[1].n && !memcmp(heads[0].data, heads[1].data, heads[0].n));
	ck_assert_ptr_nonnull(strstr(sr_buf_string(&heads[0]) + 8,
				     "{\"a\":{\"dtype\":\"C64\",\"shape\":[],\"data_offsets\":[0,8]},\"none\":"));
}
END_TEST

START_TEST(unsupported_types_are_not_written_to_safetensors)
{
	static const struct {
		struct sr_safetensor at[2];
		int n;
		enum sr_status status;
		const char *words;
	} cases[] = {
		{{{.name = "a", .type = SR_C128}}, 1, SR_UNSUPPORTED, "tensor 'a' is of complex<f64>"},
		{{{.name = "a", .type = SR_I4}}, 1, SR_UNSUPPORTED, "tensor 'a' is of i4"},
		{{{.name = "a", .type = SR_F32}, {.name = "a", .type = SR_I8}}, 2, SR_USAGE, "two tensors are called 'a'"},
		{{{.name = "__metadata__", .type = SR_F32}}, 1, SR_USAGE, "no tensor can be called"},
		{{{.name = "a", .type = SR_F32, .rank = 2, .dims = {INT64_MAX, 2}}}, 1, SR_USAGE, "overflows"},
		{{{.name = "a", .type = SR_I8, .rank = 1, .dims = {INT64_MAX}}, {.name = "b", .type = SR_I8}}, 2, SR_USAGE,
		 "too large for a file"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_safetensor at[2] = {cases[i].at[0], cases[i].at[1]};
		struct sr_safetensors tensors = {at, cases[i].n};
		struct sr_file f;
		ck_assert_int_eq(sr_safetensors_create(&diags, arena, "refused.safetensors", &tensors, &f), cases[i].status);
		ck_error(cases[i].words);
		ck_assert_int_ne(access("refused.safetensors", F_OK), 0);
	}
}
END_TEST

TCase *io_safetensors(void)
{
	const TTest *const tests[] = {
		tables_of_safetensors, tables_cover_the_bytes, names_of_tensors_are_unescaped, bad_tables_of_safetensors_are_refused,
		tensors_are_written_by_shards, the_table_does_not_depend_on_the_order_of_tensors,
			unsupported_types_are_not_written_to_safetensors,
	};
	return sr_io_case("safetensors", tests, sizeof tests / sizeof tests[0]);
}
