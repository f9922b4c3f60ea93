/* Values as text, inputs in every form, comparison with expected values. */
#include "io/compare.h"
#include "io/input.h"
#include "io/npy.h"
#include "io/text_value.h"
#include "tests/unit/io_case.h"
#include "tests/unit/io_files.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- textual values ---- */

static enum sr_status parse(const char *text, struct sr_text_value *value)
{
	return sr_text_value_parse(&diags, arena, "--input", text, SR_F32, value);
}

static const char *value_text(const struct sr_text_value *value, int64_t limit)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_value_print(&buf, value->type, value->dims, value->rank, value->data, limit, false);
	return sr_buf_string(&buf);
}

START_TEST(values_parse_and_print)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"4xf32=0 55 144 273", "4xf32=0 55 144 273"},
		{"2x2xi32=[[1 2][3 4]]", "2x2xi32=[1 2][3 4]"},
		{"2x2xsi32=1,2, 3,-4", "2x2xi32=[1 2][3 -4]"},
		{"1x2x2xf64=1 2 3 0.5", "1x2x2xf64=[[1 2][3 0.5]]"},
		{"f32=3.14", "f32=3.14"},
		{"3.14", "f32=3.14"},
		{"-inf", "f32=-INF"},
		{"3xbf16=1.5", "3xbf16=1.5 1.5 1.5"},
		{"2xcomplex<f32>=1+2j -3.5", "2xcomplex<f32>=1+2j -3.5+0j"},
		{"2xcomplex<f64>=2j 1e-3-4j", "2xcomplex<f64>=0+2j 0.001-4j"},
		{"3xi8=-128 255 0x7f", "3xi8=-128 -1 127"},
		{"2xui8=255 010", "2xui8=255 10"},
		{"1xui64=18446744073709551615", "1xui64=18446744073709551615"},
		{"2xi64=-9223372036854775808 5", "2xi64=-9223372036854775808 5"},
		{"3xi1=true false 1", "3xi1=1 0 1"},
		{"2xi4=-8 7", "2xi4=-8 7"},
		{"0xf32=", "0xf32="},
		{"2xf16=1e9 nan", "2xf16=INF NAN"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_text_value value;
		ck_assert_msg(parse(cases[i].in, &value) == SR_OK, "%s", cases[i].in);
		ck_assert_str_eq(value_text(&value, 1024), cases[i].out);
	}
}
END_TEST

START_TEST(values_print_up_to_a_limit)
{
	struct sr_text_value value;
	ck_assert_int_eq(parse("2x3xi32=1 2 3 4 5 6", &value), SR_OK);
	ck_assert_str_eq(value_text(&value, 6), "2x3xi32=[1 2 3][4 5 6]");
	ck_assert_str_eq(value_text(&value, 4), "2x3xi32=[1 2 3][4...]");
	ck_assert_str_eq(value_text(&value, 3), "2x3xi32=[1 2 3]...");
	ck_assert_str_eq(value_text(&value, 2), "2x3xi32=[1 2...]");
	ck_assert_str_eq(value_text(&value, 0), "2x3xi32=...");
}
END_TEST

START_TEST(values_in_files_and_zeros)
{
	struct sr_text_value value;
	ck_assert_int_eq(parse("@x.npy", &value), SR_OK);
	ck_assert(value.kind == SR_VALUE_NPY_FILE);
	ck_assert_str_eq(value.path, "x.npy");
	ck_assert_int_eq(parse("2x3xf16=@dir/raw=1.bin", &value), SR_OK);
	ck_assert(value.kind == SR_VALUE_RAW_FILE && value.bytes == 12 && value.type == SR_F16 && value.rank == 2);
	ck_assert_str_eq(value.path, "dir/raw=1.bin");
	ck_assert_int_eq(parse("4x2xf64", &value), SR_OK);
	ck_assert(value.kind == SR_VALUE_ZEROS && value.bytes == 64);
	ck_assert_int_eq(parse("0xf32", &value), SR_OK);
	ck_assert(value.kind == SR_VALUE_ZEROS && value.rank == 1 && value.bytes == 0);
}
END_TEST

START_TEST(bad_values_are_refused)
{
	static const struct {
		const char *in, *words;
	} cases[] = {
		{"", "no file name"},
		{"@", "no file name"},
		{"4xf32=@", "no file name"},
		{"4xf33=1", "is not a value"},
		{"f32 1", "is not a value"},
		{"4yf32=1", "is not a value"},
		{"?xf32=1", "is not a value"},
		{"4xf32=1 2", "2 elements given, the shape has 4"},
		{"2xf32=1 2 3", "3 elements given, the shape has 2"},
		{"2xi32=1 2.5", "'2.5' is not a value of type i32"},
		{"1xi8=256", "'256' is not a value of type i8"},
		{"1xi8=-129", "'-129' is not a value of type i8"},
		{"1xui8=-1", "'-1' is not a value of type ui8"},
		{"1xi64=18446744073709551616", "not a value of type i64"},
		{"1xi1=2", "not a value of type i1"},
		{"1xf32=1.0.0", "not a value of type f32"},
		{"2xf32=[1 2", "brackets"},
		{"2xf32=1] [2", "brackets"},
		{"9999999999x9999999999xf32=1", "overflows"},
		{"99999999999999999999xf32=1", "is not a value"},
		{"1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32=1", "is not a value"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_text_value value;
		ck_assert_msg(parse(cases[i].in, &value) == SR_USAGE, "%s", cases[i].in);
		ck_error(cases[i].words);
	}
}
END_TEST

/* ---- inputs ---- */

static void check_input(const char *text, const float *expected)
{
	struct sr_input input;
	float buffer[2 * 3];
	for (int i = 0; i < 6; i++)
		buffer[i] = -1;
	ck_assert_msg(sr_input_open(&diags, arena, NULL, "--input", text, SR_F32, &input) == SR_OK, "%s", text);
	ck_assert_int_eq(sr_input_check(&diags, &input, "argument 0", SR_F32, (int64_t[]){3, 2}, 2), SR_OK);
	static const int64_t start[] = {1, 0}, size[] = {2, 2}, local_dims[] = {2, 3};
	ck_assert_int_eq(sr_input_read_slice(&diags, &input, start, size, local_dims, buffer), SR_OK);
	ck_assert_mem_eq(buffer, expected, sizeof buffer);
	ck_assert_int_eq(sr_input_check(&diags, &input, "argument 2", SR_F32, (int64_t[]){2, 3}, 2), SR_USAGE);
	ck_error("2x3xf32");
	sr_input_close(&input);
	ck_assert_int_eq(input.file.fd, -1);
}

START_TEST(inputs_of_every_form_read_alike)
{
	static const float numbers[] = {1, 2, 3, 4, 5, 6}, slice[] = {3, 4, -1, 5, 6, -1}, zeros[] = {0, 0, -1, 0, 0, -1};
	struct sr_file f;
	struct sr_npy npy;
	ck_assert_int_eq(sr_npy_create(&diags, arena, path_of("a.npy"), SR_F32, (int64_t[]){3, 2}, 2, &f, &npy), SR_OK);
	ck_assert_int_eq(sr_npy_write_slice(&diags, &f, &npy, (int64_t[]){0, 0}, npy.dims, NULL, numbers), SR_OK);
	ck_assert_int_eq(sr_file_close(&diags, &f), SR_OK);
	put_file(path_of("a.bin"), numbers, sizeof numbers);
	check_input("3x2xf32=[1 2][3 4][5 6]", slice);
	check_input(sr_printf(arena, "@%s", path_of("a.npy")), slice);
	check_input(sr_printf(arena, "3x2xf32=@%s", path_of("a.bin")), slice);
	check_input("3x2xf32", zeros);
}
END_TEST

/* Two tensors of 64 rows of 1024 bytes; only two rows of the second are read. */
START_TEST(only_the_slice_of_an_archive_is_read)
{
	enum { ROW = 1024, ROWS = 64 };
	static const char table[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[64,1024],\"data_offsets\":[0,65536]},"
				    "\"b.w\":{\"dtype\":\"U8\",\"shape\":[64,1024],\"data_offsets\":[65536,131072]}}";
	struct sr_buf buf;
	struct sr_input input;
	struct sr_archives archives = {NULL};
	uint8_t rows[2][ROW];
	sr_buf_init(&buf, arena);
	put_safetensors(&buf, table, 0);
	for (int i = 0; i < 2 * ROWS * ROW; i++)
		sr_buf_putc(&buf, (char)(i / ROW));
	put_file(path_of("w.safetensors"), buf.data, buf.n);
	const char *text = sr_printf(arena, "@%s:b.w", path_of("w.safetensors"));
	ck_assert_int_eq(sr_input_open(&diags, arena, &archives, "--input", text, SR_UI8, &input), SR_OK);
	ck_assert_ptr_nonnull(archives.first);
	ck_assert_int_eq(sr_input_read_slice(&diags, &input, (int64_t[]){10, 0}, (int64_t[]){2, ROW}, NULL, rows), SR_OK);
	ck_assert_int_eq(rows[0][5], ROWS + 10);
	ck_assert_int_eq(rows[1][5], ROWS + 11);
	ck_assert_int_eq(input.file.bytes, 2 * ROW);
	sr_input_close(&input);
}
END_TEST

START_TEST(inputs_that_cannot_be_opened)
{
	struct sr_input input;
	put_file(path_of("a.bin"), "123456", 6);
	const char *raw = sr_printf(arena, "2xf32=@%s", path_of("a.bin"));
	ck_assert_int_eq(sr_input_open(&diags, arena, NULL, "--input", raw, SR_F32, &input), SR_USAGE);
	ck_error("file has 6 bytes, the shape requires 8");
	ck_assert_int_eq(input.file.fd, -1);
	ck_assert_int_eq(sr_input_open(&diags, arena, NULL, "--input", "@/nowhere/x.npy", SR_F32, &input), SR_USAGE);
	ck_error("No such file");
	sr_input_close(&input);
}
END_TEST

/* ---- comparison ---- */

static struct sr_comparison compare_f32(float actual, float expected, const struct sr_tolerances *tolerances)
{
	struct sr_comparison result = {0};
	sr_compare_values(SR_F32, &actual, &expected, NULL, NULL, NULL, NULL, 0, tolerances, &result);
	return result;
}

START_TEST(tolerances_of_floats)
{
	const struct sr_tolerances *t = &sr_tolerances_default;
	struct sr_tolerances exact_tolerances = sr_tolerances_default;
	exact_tolerances.is_exact = true;
	ck_assert_int_eq(compare_f32(1.0f, 1.0001f, t).n_differing, 0);
	ck_assert_int_eq(compare_f32(1.0f, 1.0002f, t).n_differing, 1);
	ck_assert_int_eq(compare_f32(1e6f, 1e6f + 9, t).n_differing, 0); /* the difference is within the relative tolerance */
	ck_assert_int_eq(compare_f32(1e6f, 1e6f + 12, t).n_differing, 1);
	ck_assert_int_eq(compare_f32(1.0f, 1.0001f, &exact_tolerances).n_differing, 1);
	ck_assert_int_eq(compare_f32(0.0f, -0.0f, &exact_tolerances).n_differing, 0);
	ck_assert_int_eq(compare_f32(NAN, NAN, t).n_differing, 0);
	ck_assert_int_eq(compare_f32(NAN, 1, t).n_differing, 1);
	ck_assert(isinf(compare_f32(NAN, 1, t).max_distance));
	ck_assert_int_eq(compare_f32(INFINITY, INFINITY, t).n_differing, 0);
	ck_assert_int_eq(compare_f32(INFINITY, -INFINITY, t).n_differing, 1);
	ck_assert_int_eq(compare_f32(1e38f, INFINITY, t).n_differing, 1);
	ck_assert(sr_tolerance_of(t, SR_BF16) == 0.01 && sr_tolerance_of(t, SR_F16) == 0.001);
	ck_assert(sr_tolerance_of(t, SR_C128) == 0.0001 && sr_tolerance_of(t, SR_I32) == 0);
}
END_TEST

START_TEST(integers_and_complex_numbers)
{
	static const uint64_t a[] = {UINT64_MAX, 5, 6}, e[] = {UINT64_MAX - 1, 5, 6};
	static const float ca[] = {1, 2, 3, 4}, ce[] = {1, 2.5f, 3.00001f, 4};
	struct sr_comparison ints = {0}, complexes = {0};
	sr_compare_values(SR_UI64, a, e, NULL, NULL, (int64_t[]){3}, NULL, 1, &sr_tolerances_default, &ints);
	ck_assert_int_eq(ints.n_differing, 1);
	sr_compare_values(SR_C64, ca, ce, NULL, NULL, (int64_t[]){2}, NULL, 1, &sr_tolerances_default, &complexes);
	ck_assert_int_eq(complexes.n_differing, 1);
	ck_assert(complexes.max_distance == 0.5 && complexes.first_differences[0].index[0] == 0);
}
END_TEST

/* Two ranks hold halves of a 4x6 array with a padded row; the first differences of both are reported in global order. */
START_TEST(ranks_merge_their_comparisons)
{
	static const int64_t dims[] = {4, 6}, size[] = {4, 3}, local_dims[] = {5, 3};
	int32_t expected[15] = {0}, actual[2][15] = {{0}};
	struct sr_comparison results[2] = {{0}};
	struct sr_buf buf;
	actual[0][1 * 3 + 2] = -2; /* element (1, 2) of the global array */
	actual[1][0 * 3 + 1] = 7;  /* element (0, 4) of the global array */
	actual[1][4 * 3] = 9;      /* an element of the padding */
	for (int i = 9; i < 12; i++)
		actual[0][i] = actual[1][i] = 1; /* row 3 */
	for (int rank = 0; rank < 2; rank++)
		sr_compare_values(SR_I32, actual[rank], expected, dims, (int64_t[]){0, rank * 3}, size, local_dims, 2,
				  &sr_tolerances_default, &results[rank]);
	sr_comparison_merge(&results[0], &results[1]);
	sr_buf_init(&buf, arena);
	sr_comparison_print(&buf, SR_I32, 2, &results[0]);
	ck_assert_str_eq(sr_buf_string(&buf), "8 of 24 elements differ, by up to 7: element at index 0,4 (7) does not match the "
					      "expected (0); at 1,2 (-2), expected (0); at 3,0 (1), expected (0); at 3,1 (1), "
					      "expected (0); at 3,2 (1), expected (0)");
}
END_TEST

TCase *io_values(void)
{
	const TTest *const tests[] = {
		values_parse_and_print,		 values_print_up_to_a_limit,
		values_in_files_and_zeros,	 bad_values_are_refused,
		inputs_of_every_form_read_alike, only_the_slice_of_an_archive_is_read,
		inputs_that_cannot_be_opened,	 tolerances_of_floats,
		integers_and_complex_numbers,	 ranks_merge_their_comparisons,
	};
	return sr_io_case("values", tests, sizeof tests / sizeof tests[0]);
}
