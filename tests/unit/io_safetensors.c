/* Tables of safetensors files. */
#include "io/safetensors.h"
#include "tests/unit/io_case.h"
#include "tests/unit/io_files.h"
#include <string.h>

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
	ck_assert(tensors.at[0].type == SR_BF16 && tensors.at[0].rank == 2 && tensors.at[0].dims[1] == 3);
	ck_assert_int_eq(tensors.at[1].offset, 8 + (int64_t)strlen(json) + 12);
	ck_assert(tensors.at[1].rank == 0 && tensors.at[1].bytes == 4);
	ck_assert_int_eq(read_table("{}", 0, &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 0);
}
END_TEST

/* A table's tensor of F32, after the opening brace for the first. */
#define T(name, shape, offsets) "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" offsets "]}"

/* Ranges may come in any order, and be empty. */
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
		const char *json, *name; /* NULL: no string */
	} cases[] = {{"\\\"\\\\\\/\\n\\t", "\"\\/\n\t"}, {"\\u0041\\u00e9\\u20aC", "A\u00e9\u20ac"}, {"\\ud83d\\ude00x", "\U0001f600x"},
		     {"\\ud83d", NULL}, {"\\ude00", NULL}, {"\\ud83d\\u0041", NULL}, {"\\u0000", NULL}, {"\\u00g0", NULL}, {"\\u00", NULL}, {"\\x", NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_safetensors tensors;
		const char *table = sr_printf(arena, "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", cases[i].json);
		ck_assert_msg(read_table(table, 1, &tensors) == (cases[i].name ? SR_OK : SR_USAGE), "%s", table);
		if (cases[i].name)
			ck_assert_str_eq(tensors.at[0].name, cases[i].name);
		else
			ck_error("no name");
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
		{"[]", SR_USAGE, "no object"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", SR_USAGE, "its shape asks for 8 bytes"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[7],\"data_offsets\":[0,28]}}", SR_USAGE, "file has 24 bytes of data"},
		{"{\"a\":{\"dtype\":\"F4\",\"shape\":[7],\"data_offsets\":[0,28]}}", SR_UNSUPPORTED, "type 'F4'"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[7]}}", SR_USAGE, "without dtype, shape or data_offsets"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[9999999999,9999999999],\"data_offsets\":[0,4]}}", SR_USAGE, "overflows"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", SR_USAGE, "list of at most 16"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", SR_USAGE, "no two numbers"},
		{" {}", SR_USAGE, "no object"},
		{"{} {}", SR_USAGE, "text behind its end"},
		{"{}", SR_USAGE, "the bytes from 0 on belong to no tensor"},
		{"{" T("a", "3", "0,12") "," T("b", "4", "8,24") "}", SR_USAGE, "tensors 'a' and 'b' overlap"},
		{"{" T("a", "6", "0,24") "," T("b", "6", "0,24") "}", SR_USAGE, "overlap"},
		{"{" T("b", "3", "12,24") "," T("a", "2", "0,8") "}", SR_USAGE, "the bytes from 8 on, behind tensor 'a', belong to no tensor"},
		{"{" T("a", "5", "0,20") "}", SR_USAGE, "the bytes from 20 on, behind tensor 'a', belong to no tensor"},
		{"{" T("a", "3", "0,12") "," T("\\u0061", "3", "12,24") "}", SR_USAGE, "two tensors are called 'a'"},
		{"{\"__metadata__\":{},\"__metadata__\":{}," T("a", "6", "0,24") "}", SR_USAGE, "two tensors are called '__metadata__'"},
		{"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", SR_USAGE, "a key that does not belong there"},
		{"{\"a", SR_USAGE, "no name"},
		{"{\"a\\", SR_USAGE, "no name"},
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

TCase *io_safetensors(void)
{
	const TTest *const tests[] = {
		tables_of_safetensors, tables_cover_the_bytes, names_of_tensors_are_unescaped, bad_tables_of_safetensors_are_refused,
	};
	return sr_io_case("safetensors", tests, sizeof tests / sizeof tests[0]);
}
