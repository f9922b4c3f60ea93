/* .npy files: headers by numpy and others, invalid ones, arrays written by many ranks. */
#include "io/npy.h"
#include "io/output.h"
#include "tests/unit/io_case.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header_2x3_bf16[] = "\x93NUMPY\x01\x00v\x00{'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }"
				      "                                                          \n";

START_TEST(headers_are_numpys_byte_for_byte)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_npy_format_header(&buf, SR_BF16, (int64_t[]){2, 3}, 2);
	ck_assert_uint_eq(buf.n, 128);
	ck_assert_mem_eq(buf.data, header_2x3_bf16, 128);
	int64_t d = 12345, sixteen_dims[] = {d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, d};
	buf.n = 0;
	sr_npy_format_header(&buf, SR_F32, sixteen_dims, 16);
	ck_assert_uint_eq(buf.n, 256); /* 192 bytes hold the header; numpy pads by 64 more if nothing is left to pad */
}
END_TEST

START_TEST(headers_read_back)
{
	static const int64_t dims[SR_MAX_RANK] = {3, 1, 20, 0, 1LL << 40};
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		for (int rank = 0; rank <= SR_MAX_RANK; rank++) {
			struct sr_buf buf;
			struct sr_npy npy;
			sr_buf_init(&buf, arena);
			sr_npy_format_header(&buf, (enum sr_dtype)t, dims, rank);
			ck_assert_uint_eq(buf.n % 64, 0);
			ck_assert_int_eq(sr_npy_parse(&diags, "x", buf.data, (int64_t)buf.n, &npy), SR_OK);
			ck_assert_int_eq(npy.rank, rank);
			ck_assert_mem_eq(npy.dims, dims, (size_t)rank * 8);
			ck_assert_int_eq(npy.data_offset, (int64_t)buf.n);
			ck_assert(sr_npy_accepts(&npy, (enum sr_dtype)t));
			ck_assert(!npy.is_fortran_order);
			if (sr_dtypes[t].bits == 8 * sr_dtypes[t].bytes && npy.kind != 'V')
				ck_assert_int_eq(npy.type, t);
		}
}
END_TEST

static enum sr_status parse_header(const char *dictionary, int version, struct sr_npy *npy)
{
	struct sr_buf buf;
	size_t n = strlen(dictionary);
	sr_buf_init(&buf, arena);
	sr_buf_puts(&buf, "\x93NUMPY");
	sr_buf_putc(&buf, (char)version);
	sr_buf_putc(&buf, 0);
	for (int i = 0; i < (version == 1 ? 2 : 4); i++)
		sr_buf_putc(&buf, (char)(n >> 8 * i));
	sr_buf_put(&buf, dictionary, n);
	return sr_npy_parse(&diags, "x.npy", buf.data, (int64_t)buf.n, npy);
}

START_TEST(headers_of_other_writers)
{
	struct sr_npy npy;
	ck_assert_int_eq(parse_header("{\"shape\":(4L,2),'fortran_order' : True,'descr':'|i1'}", 1, &npy), SR_OK);
	ck_assert(npy.is_fortran_order && npy.rank == 2 && npy.dims[0] == 4 && npy.type == SR_I8);
	ck_assert_int_eq(parse_header("{'descr': '<c8', 'fortran_order': False, 'shape': (7,), }\n", 2, &npy), SR_OK);
	ck_assert(npy.type == SR_C64 && npy.rank == 1 && npy.data_offset == 12 + 58);
	ck_assert_int_eq(parse_header("{'descr': '=f2', 'fortran_order': False, 'shape': (), }\n", 3, &npy), SR_OK);
	ck_assert(npy.type == SR_F16 && npy.rank == 0 && npy.end_offset - npy.data_offset == 2);
	ck_assert_int_eq(parse_header("{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }\n", 1, &npy), SR_OK);
	ck_assert(sr_npy_accepts(&npy, SR_BF16) && !sr_npy_accepts(&npy, SR_F16) && !sr_npy_accepts(&npy, SR_I16));
	ck_assert_int_eq(parse_header("{'descr': '<V1', 'fortran_order': False, 'shape': (2,), }\n", 1, &npy), SR_OK);
	ck_assert(sr_npy_accepts(&npy, SR_F8E4M3FN) && sr_npy_accepts(&npy, SR_I4) && !sr_npy_accepts(&npy, SR_I8));
	ck_assert_int_eq(parse_header("{'descr': '<f1', 'fortran_order': False, 'shape': (2,), }\n", 1, &npy), SR_OK);
	ck_assert(sr_npy_accepts(&npy, SR_F8E5M2) && !sr_npy_accepts(&npy, SR_I8));
	ck_assert_int_eq(parse_header("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }\n", 1, &npy), SR_OK);
	ck_assert(sr_npy_accepts(&npy, SR_I1) && !sr_npy_accepts(&npy, SR_I8));
}
END_TEST

START_TEST(bad_headers_are_refused)
{
	static const struct {
		const char *text;
		enum sr_status status;
		const char *words;
	} cases[] = {
		{"{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", SR_UNSUPPORTED, "big-endian numbers ('>f4')"},
		{"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", SR_UNSUPPORTED, "type '|O'"},
		{"{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", SR_UNSUPPORTED, "type '<U4'"},
		{"{'descr': '', 'fortran_order': False, 'shape': (2,), }", SR_UNSUPPORTED, "type ''"},
		{"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", SR_UNSUPPORTED, "records"},
		{"{'descr': '<f4', 'fortran_order': False, }", SR_USAGE, "missing"},
		{"{'descr': '<f4', 'fortran_order': 1, 'shape': (2,), }", SR_USAGE, "neither True nor False"},
		{"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", SR_USAGE, "unknown or duplicate key"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2), }", SR_USAGE, "not a tuple"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", SR_USAGE, "not a number"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", SR_USAGE, "not a number"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", SR_USAGE, "overflows"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387903,), }", SR_USAGE, "overflows"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), }", SR_UNSUPPORTED,
		 "16 dim"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x", SR_USAGE, "after"},
		{"{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }", SR_USAGE, "comma"},
		{"", SR_USAGE, "no dictionary"},
	};
	struct sr_npy npy;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_int_eq(parse_header(cases[i].text, 1, &npy), cases[i].status);
		ck_error(cases[i].words);
	}
	ck_assert_int_eq(parse_header("{}", 4, &npy), SR_UNSUPPORTED);
	ck_error("version 4");
	ck_assert_int_eq(sr_npy_parse(&diags, "x", "PK\3\4 and more", 13, &npy), SR_USAGE);
	ck_error("not an .npy file");
	ck_assert_int_eq(sr_npy_parse(&diags, "x", header_2x3_bf16, 100, &npy), SR_USAGE);
	ck_error("ends after 100 bytes, in its header of 128 bytes");
}
END_TEST

/* Mutations of a valid header return a status, under the sanitizers too. */
START_TEST(damaged_headers_never_crash)
{
	uint32_t seed = 1;
	struct sr_npy npy;
	for (int round = 0; round < 20000; round++) {
		char bytes[128];
		memcpy(bytes, header_2x3_bf16, sizeof bytes);
		for (int k = 0; k < 3; k++) {
			seed = seed * 1664525u + 1013904223u;
			bytes[(seed >> 8) % 70] = (char)(seed >> 24);
		}
		sr_npy_parse(&diags, "x", bytes, (int64_t)(seed % 129), &npy);
		sr_diags_clear(&diags);
	}
}
END_TEST

START_TEST(lengths_are_checked)
{
	struct sr_file f;
	struct sr_npy npy;
	char bytes[128 + 12 + 1] = {0};
	memcpy(bytes, header_2x3_bf16, 128);
	put_and_open("a.npy", bytes, 128 + 11, &f);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f, 0, &npy), SR_USAGE);
	ck_error("file has 139 bytes, its header and shape require 140");
	sr_file_close(&diags, &f);
	put_and_open("a.npy", bytes, 128 + 13, &f);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f, 0, &npy), SR_USAGE);
	ck_error("file has 141 bytes, its header and shape require only 140");
	sr_file_close(&diags, &f);
	put_and_open("a.npy", "", 0, &f);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f, 0, &npy), SR_USAGE);
	ck_error("not an .npy file");
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(arrays_follow_each_other)
{
	struct sr_file f;
	struct sr_npy npy;
	char bytes[2 * 140];
	memset(bytes, 7, sizeof bytes);
	memcpy(bytes, header_2x3_bf16, 128);
	memcpy(bytes + 140, header_2x3_bf16, 128);
	put_and_open("a.npy", bytes, sizeof bytes, &f);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f, 0, &npy), SR_OK);
	ck_assert_int_eq(npy.end_offset, 140);
	ck_assert_int_eq(sr_npy_next(&diags, &f, &npy), SR_OK);
	ck_assert(npy.header_offset == 140 && npy.data_offset == 268 && npy.end_offset == 280);
	uint16_t buffer[6];
	ck_assert_int_eq(sr_npy_read_slice(&diags, &f, &npy, (int64_t[]){0, 0}, (int64_t[]){2, 3}, NULL, buffer), SR_OK);
	ck_assert_uint_eq(buffer[5], 0x0707);
	ck_assert_int_eq(sr_npy_next(&diags, &f, &npy), SR_NEXT);
	ck_assert_int_eq(diags.n_errors, 0);
	sr_file_close(&diags, &f);
}
END_TEST

/* Four ranks write a 10x5 array in 4 x 2 slices under a temporary name, rename the file, and read other slices of it. */
START_TEST(ranks_write_one_file)
{
	static const int64_t dims[] = {10, 5}, local_dims[] = {3, 3};
	const char *path = path_of("a.npy"), *temporary = sr_file_temporary_name(arena, path, 0);
	struct sr_file f[2];
	struct sr_npy npy, peer_npy;
	ck_assert_int_eq(sr_npy_create(&diags, arena, temporary, SR_F64, dims, 2, &f[0], &npy), SR_OK);
	ck_assert_int_eq(sr_npy_layout(&diags, arena, path, SR_F64, dims, 2, &peer_npy), SR_OK);
	ck_assert_int_eq(sr_file_open_for_writing(&diags, temporary, &f[1]), SR_OK);
	ck_assert_int_eq(f[1].size, peer_npy.end_offset);
	for (int rank = 0; rank < 8; rank++) {
		int64_t start[] = {rank / 2 * 3, rank % 2 * 3};
		int64_t size[] = {start[0] + 3 > 10 ? 10 - start[0] : 3, start[1] + 3 > 5 ? 5 - start[1] : 3};
		double buffer[9];
		for (int i = 0; i < 9; i++)
			buffer[i] = (double)((start[0] + i / 3) * 5 + start[1] + i % 3);
		struct sr_npy *layout = rank ? &peer_npy : &npy;
		ck_assert_int_eq(sr_npy_write_slice(&diags, &f[rank != 0], layout, start, size, local_dims, buffer), SR_OK);
	}
	ck_assert_int_eq(sr_file_close(&diags, &f[0]), SR_OK);
	ck_assert_int_eq(sr_file_close(&diags, &f[1]), SR_OK);
	ck_assert_int_eq(sr_file_rename(&diags, temporary, path), SR_OK);
	ck_assert_int_ne(access(temporary, F_OK), 0);
	double elements[50];
	ck_assert_int_eq(sr_file_open(&diags, path, &f[0]), SR_OK);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f[0], 0, &npy), SR_OK);
	ck_assert_int_eq(sr_npy_check(&diags, &f[0], &npy, "argument 0", SR_F64, dims, 2), SR_OK);
	ck_assert_int_eq(sr_npy_read_slice(&diags, &f[0], &npy, (int64_t[]){0, 0}, dims, NULL, elements), SR_OK);
	for (int i = 0; i < 50; i++)
		ck_assert(elements[i] == i);
	ck_assert_int_eq(sr_npy_check(&diags, &f[0], &npy, "argument 0", SR_F32, (int64_t[]){10, 4}, 2), SR_USAGE);
	ck_error("holds 10x5xf64 (descr '<f8'), but argument 0 is 10x4xf32");
	sr_file_close(&diags, &f[0]);
}
END_TEST

/* A failed output removes its own temporary files and no others. */
START_TEST(outputs_that_fail_remove_their_own_files)
{
	static const int64_t dims[] = {2};
	const char *missing_path = path_of("none/x.npy"), *temporary = sr_file_temporary_name(arena, path_of("a.npy"), 0);
	struct sr_output valid_output = {path_of("a.npy"), SR_F32, 1, dims},
			 bad[] = {{path_of("b.npy"), SR_F32, 1, dims}, {missing_path, SR_F32, 1, dims}};
	ck_assert_int_eq(sr_outputs_create(&diags, arena, &valid_output, 1), SR_OK);
	ck_assert_int_eq(sr_outputs_create(&diags, arena, bad, 2), SR_USAGE);
	sr_outputs_remove(arena, bad, 2);
	ck_assert_int_ne(access(sr_file_temporary_name(arena, bad[0].path, 0), F_OK), 0);
	ck_assert_int_eq(access(temporary, F_OK), 0);
	ck_assert_int_eq(sr_outputs_finish(&diags, arena, &valid_output, 1), SR_OK);
	ck_assert_int_eq(access(valid_output.path, F_OK), 0);
	ck_assert_int_ne(access(temporary, F_OK), 0);
	unlink(valid_output.path);
}
END_TEST

TCase *io_npy(void)
{
	const TTest *const tests[] = {
		headers_are_numpys_byte_for_byte, headers_read_back, headers_of_other_writers, bad_headers_are_refused,
		damaged_headers_never_crash, lengths_are_checked, arrays_follow_each_other, ranks_write_one_file,
		outputs_that_fail_remove_their_own_files,
	};
	return sr_io_case("npy", tests, sizeof tests / sizeof tests[0]);
}
