/* Tables of safetensors files. */
#include "io/safetensors.h"
#include "tests/unit/io_case.h"
#include <string.h>

static enum sr_status read_table(const char *json, struct sr_safetensors *tensors)
{
	struct sr_buf buf;
	struct sr_file f;
	sr_buf_init(&buf, arena);
	put_number(&buf, strlen(json), 8);
	sr_buf_puts(&buf, json);
	for (int i = 0; i < 24; i++)
		sr_buf_putc(&buf, (char)i);
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
	ck_assert_int_eq(read_table(json, &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 2);
	ck_assert_int_eq(sr_safetensors_find(&tensors, "a\"b"), 0);
	ck_assert_int_eq(sr_safetensors_find(&tensors, "d"), -1);
	ck_assert(tensors.at[0].type == SR_BF16 && tensors.at[0].rank == 2 && tensors.at[0].dims[1] == 3);
	ck_assert_int_eq(tensors.at[1].offset, 8 + (int64_t)strlen(json) + 12);
	ck_assert(tensors.at[1].rank == 0 && tensors.at[1].bytes == 4);
	ck_assert_int_eq(read_table("{}", &tensors), SR_OK);
	ck_assert_int_eq(tensors.n, 0);
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
		{"{\"a", SR_USAGE, "no name"},
		{"{\"a\\", SR_USAGE, "no name"},
	};
	struct sr_safetensors tensors;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_msg(read_table(cases[i].json, &tensors) == cases[i].status, "%s", cases[i].json);
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
		tables_of_safetensors, bad_tables_of_safetensors_are_refused,
	};
	return sr_io_case("safetensors", tests, sizeof tests / sizeof tests[0]);
}
