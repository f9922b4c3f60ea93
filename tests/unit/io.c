/* Files by slices, .npy headers, textual values and comparisons. Files are made in a directory of their own under TMPDIR. */
#include "io/compare.h"
#include "io/input.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "io/slice.h"
#include "io/text_value.h"
#include "tests/unit/suite.h"
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct sr_arena *arena;
static struct sr_diags diags;
static char directory[64];

static void setup(void)
{
	arena = sr_arena_new();
	sr_diags_init(&diags, arena);
	strcpy(directory, "/tmp/sr_unit_io.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

static const char *path_of(const char *name)
{
	return sr_printf(arena, "%s/%s", directory, name);
}

static void teardown(void)
{
	static const char *const names[] = {"a.npy", "b.npy", "a.npy.part", "a.bin"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		unlink(path_of(names[i]));
	rmdir(directory);
	sr_arena_free(arena);
}

/* The one error that was reported; the list is empty after it. */
#define ck_error(words)                                                                                                    \
	do {                                                                                                               \
		ck_assert_int_eq(diags.n_errors, 1);                                                                       \
		ck_assert_msg(strstr(diags.first->message, words) != NULL, "'%s' is not in '%s'", words, diags.first->message); \
		sr_diags_clear(&diags);                                                                                    \
	} while (0)

static void put_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
}

static void put_and_open(const char *name, const void *bytes, size_t n, struct sr_file *f)
{
	put_file(path_of(name), bytes, n);
	ck_assert_int_eq(sr_file_open(&diags, path_of(name), f), SR_OK);
}

/* ---- slices ---- */

enum { A = 3, B = 4, C = 5, ALL = A * B * C };

static const int64_t abc[] = {A, B, C};

/* The array in file order: element (i, j, k) holds its row-major number plus 1. */
static void fill_file(const char *path, int64_t offset, bool fortran)
{
	int32_t numbers[ALL];
	char *bytes = sr_alloc(arena, (size_t)offset + sizeof numbers, 1);
	for (int i = 0; i < A; i++)
		for (int j = 0; j < B; j++)
			for (int k = 0; k < C; k++)
				numbers[fortran ? i + A * (j + B * k) : (i * B + j) * C + k] = (i * B + j) * C + k + 1;
	memcpy(bytes + offset, numbers, sizeof numbers);
	put_file(path, bytes, (size_t)offset + sizeof numbers);
}

/* What a buffer with a margin must hold: the slice in its corner, -1 elsewhere. */
static void check_buffer(const int32_t *buffer, const int64_t *start, const int64_t *size, const int64_t *local)
{
	for (int64_t n = 0; n < local[0] * local[1] * local[2]; n++) {
		int64_t i = n / (local[1] * local[2]), j = n / local[2] % local[1], k = n % local[2];
		bool in = i < size[0] && j < size[1] && k < size[2];
		int64_t expected = in ? ((i + start[0]) * B + j + start[1]) * C + k + start[2] + 1 : -1;
		ck_assert_int_eq(buffer[n], expected);
	}
}

static void for_all_slices(void (*check)(const int64_t *start, const int64_t *size, const int64_t *local, void *data), void *data)
{
	for (int code = 0; code < 7 * 11 * 16; code++) {
		int64_t start[3], size[3], local[3];
		int rest[] = {code % 7, code / 7 % 11, code / 77};
		for (int d = 0; d < 3; d++) { /* every start with every size; size 0 once */
			start[d] = 0;
			size[d] = rest[d];
			for (int64_t longest = abc[d]; size[d] > longest && longest > 0; longest--, start[d]++)
				size[d] -= longest;
		}
		for (int margin = 0; margin < 3; margin++) {
			local[0] = size[0] + (margin == 1);
			local[1] = size[1] + (margin == 2);
			local[2] = size[2] + margin;
			check(start, size, local, data);
		}
	}
}

struct slice_file {
	struct sr_file file;
	bool fortran;
};

static void check_read(const int64_t *start, const int64_t *size, const int64_t *local, void *data)
{
	struct slice_file *f = data;
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)];
	memset(buffer, -1, sizeof buffer);
	struct sr_slice slice = {3, 4, f->fortran, 6, abc, start, size, local};
	ck_assert_int_eq(sr_slice_read(&diags, &f->file, &slice, buffer), SR_OK);
	check_buffer(buffer, start, size, local);
}

START_TEST(every_slice_reads_in_both_orders)
{
	for (int fortran = 0; fortran < 2; fortran++) {
		struct slice_file f = {.fortran = fortran};
		fill_file(path_of("a.bin"), 6, fortran);
		ck_assert_int_eq(sr_file_open(&diags, path_of("a.bin"), &f.file), SR_OK);
		for_all_slices(check_read, &f);
		sr_file_close(&diags, &f.file);
	}
}
END_TEST

static void check_copy(const int64_t *start, const int64_t *size, const int64_t *local, void *data)
{
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)], array[ALL], back[ALL];
	for (int i = 0; i < ALL; i++)
		array[i] = i + 1;
	memset(buffer, -1, sizeof buffer);
	memcpy(back, array, sizeof back);
	struct sr_slice slice = {3, 4, false, 0, abc, start, size, local};
	sr_slice_copy_in(&slice, array, buffer);
	check_buffer(buffer, start, size, local);
	sr_slice_copy_out(&slice, back, buffer);
	ck_assert_mem_eq(back, array, sizeof back);
}

START_TEST(every_slice_copies_in_memory)
{
	for_all_slices(check_copy, NULL);
}
END_TEST

static void check_write(const int64_t *start, const int64_t *size, const int64_t *local, void *data)
{
	struct slice_file *f = data;
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)], before[ALL], after[ALL];
	for (size_t i = 0; i < sizeof buffer / 4; i++)
		buffer[i] = 1000 + (int32_t)i;
	memset(before, 0x55, sizeof before);
	ck_assert_int_eq(sr_file_write_at(&diags, &f->file, before, sizeof before, 6), SR_OK);
	struct sr_slice slice = {3, 4, f->fortran, 6, abc, start, size, local};
	ck_assert_int_eq(sr_slice_write(&diags, &f->file, &slice, buffer), SR_OK);
	ck_assert_int_eq(sr_file_read_at(&diags, &f->file, after, sizeof after, 6), SR_OK);
	for (int n = 0; n < ALL; n++) {
		int64_t i = n / (B * C) - start[0], j = n / C % B - start[1], k = n % C - start[2];
		bool in = i >= 0 && i < size[0] && j >= 0 && j < size[1] && k >= 0 && k < size[2];
		int at = f->fortran ? n / (B * C) + A * (n / C % B + B * (n % C)) : n;
		ck_assert_int_eq(after[at], in ? 1000 + (i * local[1] + j) * local[2] + k : 0x55555555);
	}
}

START_TEST(every_slice_writes_and_touches_nothing_else)
{
	for (int fortran = 0; fortran < 2; fortran++) {
		struct slice_file f = {.fortran = fortran};
		ck_assert_int_eq(sr_file_create(&diags, path_of("a.bin"), 6 + ALL * 4, &f.file), SR_OK);
		for_all_slices(check_write, &f);
		sr_file_close(&diags, &f.file);
	}
}
END_TEST

START_TEST(transfers_are_joined_where_that_is_allowed)
{
	static const int64_t dims[] = {64, 64}, start[] = {0, 16}, columns[] = {64, 16}, rows[] = {16, 64}, zero[] = {0, 0};
	static const int64_t padded[] = {64, 65}, whole[] = {64, 64};
	float buffer[64 * 65];
	struct sr_file f;
	ck_assert_int_eq(sr_file_create(&diags, path_of("a.bin"), 64 * 64 * 4, &f), SR_OK);
	struct sr_slice slice = {2, 4, false, 0, dims, start, columns, NULL};
	f.calls = 0;
	ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.calls, 1); /* the gaps are shorter than a page */
	f.calls = f.bytes = 0;
	ck_assert_int_eq(sr_slice_write(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.calls, 64);
	ck_assert_int_eq(f.bytes, 64 * 16 * 4); /* the gaps are not ours */
	slice = (struct sr_slice){2, 4, false, 0, dims, zero, rows, NULL};
	f.calls = f.bytes = 0;
	ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.calls, 1);
	ck_assert_int_eq(f.bytes, 16 * 64 * 4);
	slice = (struct sr_slice){2, 4, false, 0, dims, zero, whole, padded};
	f.calls = 0;
	ck_assert_int_eq(sr_slice_write(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.calls, 1); /* rows apart in memory, adjacent in the file */
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(wide_gaps_are_not_read)
{
	static const int64_t dims[] = {8, 4096}, start[] = {0, 0}, size[] = {8, 16};
	double buffer[8 * 16];
	struct sr_file f;
	ck_assert_int_eq(sr_file_create(&diags, path_of("a.bin"), 8 * 4096 * 8, &f), SR_OK);
	struct sr_slice slice = {2, 8, false, 0, dims, start, size, NULL};
	ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.bytes, 8 * 16 * 8);
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(large_slices_cross_windows)
{
	static const int64_t dims[] = {1500, 700}, start[] = {100, 350}, size[] = {1300, 350}, local[] = {1301, 353};
	struct sr_file f;
	struct sr_slice slice = {2, 4, true, 0, dims, start, size, local};
	int32_t *array = SR_NEWS(arena, int32_t, 1500 * 700), *buffer = SR_NEWS(arena, int32_t, 1301 * 353);
	for (int i = 0; i < 1500 * 700; i++)
		array[i] = i;
	put_and_open("a.bin", array, 1500 * 700 * 4, &f);
	for (int fortran = 0; fortran < 2; fortran++) {
		slice.fortran = fortran;
		ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
		for (int64_t i = 0; i < 1300; i++)
			for (int64_t j = 0; j < 350; j++)
				ck_assert_int_eq(buffer[i * 353 + j],
						 fortran ? (j + 350) * 1500 + i + 100 : (i + 100) * 700 + j + 350);
	}
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(slices_outside_the_array_are_refused)
{
	static const int64_t dims[] = {4, 4}, huge[] = {INT64_MAX, 4}, size[] = {2, 2}, narrow[] = {2, 1};
	int64_t end;
	struct sr_slice good = {2, 4, false, 128, dims, (int64_t[]){2, 2}, size, NULL}, s = good;
	ck_assert(sr_slice_is_valid(&good, &end));
	ck_assert_int_eq(end, 128 + 64);
	s.start = (int64_t[]){3, 2};
	ck_assert(!sr_slice_is_valid(&s, &end));
	s.start = (int64_t[]){-1, 2};
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = good;
	s.local = narrow;
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = good;
	s.dims = huge;
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = good;
	s.offset = INT64_MAX - 10;
	ck_assert(!sr_slice_is_valid(&s, &end));
}
END_TEST

/* ---- files ---- */

START_TEST(missing_files_and_directories_are_errors)
{
	struct sr_file f;
	ck_assert_int_eq(sr_file_open(&diags, path_of("none"), &f), SR_USAGE);
	ck_assert_str_eq(diags.first->place.file, path_of("none"));
	ck_error("No such file");
	ck_assert_int_eq(sr_file_open(&diags, directory, &f), SR_USAGE);
	ck_error("not a regular file");
	ck_assert_int_eq(f.fd, -1);
}
END_TEST

START_TEST(a_short_file_names_both_lengths)
{
	struct sr_file f;
	char bytes[20];
	put_and_open("a.bin", "0123456789", 10, &f);
	ck_assert_int_eq(sr_file_read_at(&diags, &f, bytes, 12, 4), SR_USAGE);
	ck_error("file ends after 10 bytes, 16 expected");
	ck_assert_int_eq(sr_file_read_at(&diags, &f, bytes, 1, INT64_MAX), SR_USAGE);
	ck_error("as long");
	sr_file_close(&diags, &f);
	ck_assert_int_eq(sr_file_close(&diags, &f), SR_OK);
}
END_TEST

START_TEST(no_room_leaves_no_file)
{
	struct sr_file f;
	struct rlimit before, small;
	const char *path = path_of("a.bin");
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 1 << 16;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	signal(SIGXFSZ, SIG_IGN);
	enum sr_status status = sr_file_create(&diags, path, 1 << 20, &f);
	setrlimit(RLIMIT_FSIZE, &before);
	ck_assert_int_eq(status, SR_USAGE);
	ck_error("cannot write 1048576 bytes");
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* ---- .npy ---- */

static const char header_2x3_bf16[] = "\x93NUMPY\x01\x00v\x00{'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }"
				      "                                                          \n";

START_TEST(headers_are_numpys_byte_for_byte)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_npy_format_header(&buf, SR_BF16, (int64_t[]){2, 3}, 2);
	ck_assert_uint_eq(buf.n, 128);
	ck_assert_mem_eq(buf.data, header_2x3_bf16, 128);
	int64_t d = 12345, many[] = {d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, d};
	buf.n = 0;
	sr_npy_format_header(&buf, SR_F32, many, 16);
	ck_assert_uint_eq(buf.n, 256); /* 192 would do, but where nothing is left to pad numpy adds 64 */
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
			ck_assert_int_eq(npy.data, (int64_t)buf.n);
			ck_assert(sr_npy_accepts(&npy, (enum sr_dtype)t));
			ck_assert(!npy.fortran);
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
	ck_assert(npy.fortran && npy.rank == 2 && npy.dims[0] == 4 && npy.type == SR_I8);
	ck_assert_int_eq(parse_header("{'descr': '<c8', 'fortran_order': False, 'shape': (7,), }\n", 2, &npy), SR_OK);
	ck_assert(npy.type == SR_C64 && npy.rank == 1 && npy.data == 12 + 58);
	ck_assert_int_eq(parse_header("{'descr': '=f2', 'fortran_order': False, 'shape': (), }\n", 3, &npy), SR_OK);
	ck_assert(npy.type == SR_F16 && npy.rank == 0 && npy.end - npy.data == 2);
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
		{"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", SR_USAGE, "does not belong"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2), }", SR_USAGE, "no tuple"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", SR_USAGE, "no number"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", SR_USAGE, "no number"},
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

/* Any bytes give a status: mutations of a good header, under the sanitizers. */
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
	ck_error("file has 139 bytes, its header and shape ask for 140");
	sr_file_close(&diags, &f);
	put_and_open("a.npy", bytes, 128 + 13, &f);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f, 0, &npy), SR_USAGE);
	ck_error("file has 141 bytes, its header and shape ask for only 140");
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
	ck_assert_int_eq(npy.end, 140);
	ck_assert_int_eq(sr_npy_next(&diags, &f, &npy), SR_OK);
	ck_assert(npy.begin == 140 && npy.data == 268 && npy.end == 280);
	uint16_t buffer[6];
	ck_assert_int_eq(sr_npy_read_slice(&diags, &f, &npy, (int64_t[]){0, 0}, (int64_t[]){2, 3}, NULL, buffer), SR_OK);
	ck_assert_uint_eq(buffer[5], 0x0707);
	ck_assert_int_eq(sr_npy_next(&diags, &f, &npy), SR_NEXT);
	ck_assert_int_eq(diags.n_errors, 0);
	sr_file_close(&diags, &f);
}
END_TEST

/* A 10x5 array over 4 ranks by 2 is written part by part under a temporary name, renamed and read back by other parts. */
START_TEST(ranks_write_one_file)
{
	static const int64_t dims[] = {10, 5}, local[] = {3, 3};
	const char *path = path_of("a.npy"), *part = sr_file_temporary_name(arena, path);
	struct sr_file f[2];
	struct sr_npy npy, theirs;
	ck_assert_int_eq(sr_npy_create(&diags, arena, part, SR_F64, dims, 2, &f[0], &npy), SR_OK);
	ck_assert_int_eq(sr_npy_layout(&diags, arena, path, SR_F64, dims, 2, &theirs), SR_OK);
	ck_assert_int_eq(sr_file_open_part(&diags, part, &f[1]), SR_OK);
	ck_assert_int_eq(f[1].size, theirs.end);
	for (int rank = 0; rank < 8; rank++) {
		int64_t start[] = {rank / 2 * 3, rank % 2 * 3};
		int64_t size[] = {start[0] + 3 > 10 ? 10 - start[0] : 3, start[1] + 3 > 5 ? 5 - start[1] : 3};
		double buffer[9];
		for (int i = 0; i < 9; i++)
			buffer[i] = (double)((start[0] + i / 3) * 5 + start[1] + i % 3);
		struct sr_npy *layout = rank ? &theirs : &npy;
		ck_assert_int_eq(sr_npy_write_slice(&diags, &f[rank != 0], layout, start, size, local, buffer), SR_OK);
	}
	ck_assert_int_eq(sr_file_close(&diags, &f[0]), SR_OK);
	ck_assert_int_eq(sr_file_close(&diags, &f[1]), SR_OK);
	ck_assert_int_eq(sr_file_rename(&diags, part, path), SR_OK);
	ck_assert_int_ne(access(part, F_OK), 0);
	double whole[50];
	ck_assert_int_eq(sr_file_open(&diags, path, &f[0]), SR_OK);
	ck_assert_int_eq(sr_npy_read_header(&diags, &f[0], 0, &npy), SR_OK);
	ck_assert_int_eq(sr_npy_check(&diags, &f[0], &npy, "argument 0", SR_F64, dims, 2), SR_OK);
	ck_assert_int_eq(sr_npy_read_slice(&diags, &f[0], &npy, (int64_t[]){0, 0}, dims, NULL, whole), SR_OK);
	for (int i = 0; i < 50; i++)
		ck_assert(whole[i] == i);
	ck_assert_int_eq(sr_npy_check(&diags, &f[0], &npy, "argument 0", SR_F32, (int64_t[]){10, 4}, 2), SR_USAGE);
	ck_error("holds 10x5xf64 (descr '<f8'), but argument 0 is 10x4xf32");
	sr_file_close(&diags, &f[0]);
}
END_TEST

/* ---- textual values ---- */

static enum sr_status parse(const char *text, struct sr_text_value *value)
{
	return sr_text_value_parse(&diags, arena, "--input", text, SR_F32, value);
}

static const char *print(const struct sr_text_value *value, int64_t limit)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_value_print(&buf, value->type, value->dims, value->rank, value->data, limit);
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
		ck_assert_str_eq(print(&value, 1024), cases[i].out);
	}
}
END_TEST

START_TEST(values_print_up_to_a_limit)
{
	struct sr_text_value value;
	ck_assert_int_eq(parse("2x3xi32=1 2 3 4 5 6", &value), SR_OK);
	ck_assert_str_eq(print(&value, 6), "2x3xi32=[1 2 3][4 5 6]");
	ck_assert_str_eq(print(&value, 4), "2x3xi32=[1 2 3][4...]");
	ck_assert_str_eq(print(&value, 3), "2x3xi32=[1 2 3]...");
	ck_assert_str_eq(print(&value, 2), "2x3xi32=[1 2...]");
	ck_assert_str_eq(print(&value, 0), "2x3xi32=...");
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
		{"4xf33=1", "is no value"},
		{"f32 1", "is no value"},
		{"4yf32=1", "is no value"},
		{"?xf32=1", "is no value"},
		{"4xf32=1 2", "2 elements given, the shape has 4"},
		{"2xf32=1 2 3", "3 elements given, the shape has 2"},
		{"2xi32=1 2.5", "'2.5' is no value of type i32"},
		{"1xi8=256", "'256' is no value of type i8"},
		{"1xi8=-129", "'-129' is no value of type i8"},
		{"1xui8=-1", "'-1' is no value of type ui8"},
		{"1xi64=18446744073709551616", "no value of type i64"},
		{"1xi1=2", "no value of type i1"},
		{"1xf32=1.0.0", "no value of type f32"},
		{"2xf32=[1 2", "brackets"},
		{"2xf32=1] [2", "brackets"},
		{"9999999999x9999999999xf32=1", "overflows"},
		{"99999999999999999999xf32=1", "is no value"},
		{"1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32=1", "is no value"},
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
	ck_assert_msg(sr_input_open(&diags, arena, "--input", text, SR_F32, &input) == SR_OK, "%s", text);
	ck_assert_int_eq(sr_input_check(&diags, &input, "argument 0", SR_F32, (int64_t[]){3, 2}, 2), SR_OK);
	static const int64_t start[] = {1, 0}, size[] = {2, 2}, local[] = {2, 3};
	ck_assert_int_eq(sr_input_read_slice(&diags, &input, start, size, local, buffer), SR_OK);
	ck_assert_mem_eq(buffer, expected, sizeof buffer);
	ck_assert_int_eq(sr_input_next(&diags, &input), SR_NEXT);
	ck_assert_int_eq(sr_input_check(&diags, &input, "argument 2", SR_F32, (int64_t[]){2, 3}, 2), SR_USAGE);
	ck_error("argument 2 is 2x3xf32");
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

START_TEST(inputs_that_cannot_be_opened)
{
	struct sr_input input;
	put_file(path_of("a.bin"), "123456", 6);
	const char *raw = sr_printf(arena, "2xf32=@%s", path_of("a.bin"));
	ck_assert_int_eq(sr_input_open(&diags, arena, "--input", raw, SR_F32, &input), SR_USAGE);
	ck_error("file has 6 bytes, the shape asks for 8");
	ck_assert_int_eq(input.file.fd, -1);
	ck_assert_int_eq(sr_input_open(&diags, arena, "--input", "@/nowhere/x.npy", SR_F32, &input), SR_USAGE);
	ck_error("No such file");
	sr_input_close(&input);
}
END_TEST

/* ---- comparison ---- */

static struct sr_comparison compare_f32(float actual, float expected, const struct sr_tolerances *tolerances)
{
	struct sr_comparison result = {0};
	sr_compare(SR_F32, &actual, &expected, NULL, NULL, NULL, NULL, 0, tolerances, &result);
	return result;
}

START_TEST(tolerances_of_floats)
{
	const struct sr_tolerances *t = &sr_tolerances_default;
	struct sr_tolerances exact = sr_tolerances_default;
	exact.exact = true;
	ck_assert_int_eq(compare_f32(1.0f, 1.0001f, t).different, 0);
	ck_assert_int_eq(compare_f32(1.0f, 1.0002f, t).different, 1);
	ck_assert_int_eq(compare_f32(1e6f, 1e6f + 9, t).different, 0); /* by rtol */
	ck_assert_int_eq(compare_f32(1e6f, 1e6f + 12, t).different, 1);
	ck_assert_int_eq(compare_f32(1.0f, 1.0001f, &exact).different, 1);
	ck_assert_int_eq(compare_f32(0.0f, -0.0f, &exact).different, 0);
	ck_assert_int_eq(compare_f32(NAN, NAN, t).different, 0);
	ck_assert_int_eq(compare_f32(NAN, 1, t).different, 1);
	ck_assert(isinf(compare_f32(NAN, 1, t).largest));
	ck_assert_int_eq(compare_f32(INFINITY, INFINITY, t).different, 0);
	ck_assert_int_eq(compare_f32(INFINITY, -INFINITY, t).different, 1);
	ck_assert_int_eq(compare_f32(1e38f, INFINITY, t).different, 1);
	ck_assert(sr_tolerance_of(t, SR_BF16) == 0.01 && sr_tolerance_of(t, SR_F16) == 0.001);
	ck_assert(sr_tolerance_of(t, SR_C128) == 0.0001 && sr_tolerance_of(t, SR_I32) == 0);
}
END_TEST

START_TEST(integers_and_complex_numbers)
{
	static const uint64_t a[] = {UINT64_MAX, 5, 6}, e[] = {UINT64_MAX - 1, 5, 6};
	static const float ca[] = {1, 2, 3, 4}, ce[] = {1, 2.5f, 3.00001f, 4};
	struct sr_comparison ints = {0}, complexes = {0};
	sr_compare(SR_UI64, a, e, NULL, NULL, (int64_t[]){3}, NULL, 1, &sr_tolerances_default, &ints);
	ck_assert_int_eq(ints.different, 1);
	sr_compare(SR_C64, ca, ce, NULL, NULL, (int64_t[]){2}, NULL, 1, &sr_tolerances_default, &complexes);
	ck_assert_int_eq(complexes.different, 1);
	ck_assert(complexes.largest == 0.5 && complexes.first[0].index[0] == 0);
}
END_TEST

/* Two ranks hold the halves of a 4x6 array with a padded row; the first differences of both are in global order. */
START_TEST(ranks_merge_their_comparisons)
{
	static const int64_t dims[] = {4, 6}, size[] = {4, 3}, local[] = {5, 3};
	int32_t expected[15] = {0}, actual[2][15] = {{0}};
	struct sr_comparison results[2] = {{0}};
	struct sr_buf buf;
	actual[0][1 * 3 + 2] = -2; /* (1, 2) */
	actual[1][0 * 3 + 1] = 7;  /* (0, 4) */
	actual[1][4 * 3] = 9;      /* padding */
	for (int i = 9; i < 12; i++)
		actual[0][i] = actual[1][i] = 1; /* row 3 */
	for (int rank = 0; rank < 2; rank++)
		sr_compare(SR_I32, actual[rank], expected, dims, (int64_t[]){0, rank * 3}, size, local, 2, &sr_tolerances_default,
			   &results[rank]);
	sr_comparison_merge(&results[0], &results[1]);
	sr_buf_init(&buf, arena);
	sr_comparison_print(&buf, SR_I32, 2, &results[0]);
	ck_assert_str_eq(sr_buf_string(&buf), "8 of 24 elements differ, by up to 7: element at index 0,4 (7) does not match the "
					      "expected (0); at 1,2 (-2), expected (0); at 3,0 (1), expected (0); at 3,1 (1), "
					      "expected (0); at 3,2 (1), expected (0)");
}
END_TEST

/* ---- archives ---- */

static void put_number(struct sr_buf *buf, uint64_t x, int n)
{
	for (int i = 0; i < n; i++)
		sr_buf_putc(buf, i < 8 ? (char)(x >> 8 * i) : 0);
}

/* A zip file as numpy.savez makes it, of two members, 2x3xbf16 of 7s and a scalar f64 of 8s; with zip64 records if asked for. */
static void put_zip(struct sr_buf *zip, int method, bool zip64)
{
	static const char *const names[] = {"first.npy", "b.npy"};
	int64_t begin[2];
	struct sr_buf member[2];
	sr_buf_init(zip, arena);
	for (int i = 0; i < 2; i++) {
		sr_buf_init(&member[i], arena);
		sr_npy_format_header(&member[i], i ? SR_F64 : SR_BF16, (int64_t[]){2, 3}, i ? 0 : 2);
		for (int k = 0; k < (i ? 8 : 12); k++)
			sr_buf_putc(&member[i], (char)(7 + i));
		begin[i] = (int64_t)zip->n;
		sr_buf_put(zip, "PK\3\4", 4);
		put_number(zip, 0, 22);
		put_number(zip, strlen(names[i]), 2);
		put_number(zip, 20, 2);
		sr_buf_puts(zip, names[i]);
		put_number(zip, 0, 20); /* the extra field that numpy leaves there */
		sr_buf_put(zip, member[i].data, member[i].n);
	}
	uint64_t start = zip->n;
	for (int i = 0; i < 2; i++) {
		sr_buf_put(zip, "PK\1\2", 4);
		put_number(zip, 0, 6);
		put_number(zip, (uint64_t)method, 2);
		put_number(zip, 0, 8);
		put_number(zip, zip64 ? UINT32_MAX : member[i].n, 4);
		put_number(zip, zip64 ? UINT32_MAX : member[i].n, 4);
		put_number(zip, strlen(names[i]), 2);
		put_number(zip, zip64 ? 28 : 0, 2);
		put_number(zip, 0, 10);
		put_number(zip, zip64 ? UINT32_MAX : (uint64_t)begin[i], 4);
		sr_buf_puts(zip, names[i]);
		if (zip64) {
			put_number(zip, 1 | 24 << 16, 4);
			put_number(zip, member[i].n, 8);
			put_number(zip, member[i].n, 8);
			put_number(zip, (uint64_t)begin[i], 8);
		}
	}
	uint64_t bytes = zip->n - start, end = zip->n;
	if (zip64) {
		sr_buf_put(zip, "PK\6\6", 4);
		put_number(zip, 0, 28);
		put_number(zip, 2, 8);
		put_number(zip, bytes, 8);
		put_number(zip, start, 8);
		sr_buf_put(zip, "PK\6\7", 4);
		put_number(zip, 0, 4);
		put_number(zip, end, 8);
		put_number(zip, 1, 4);
	}
	sr_buf_put(zip, "PK\5\6", 4);
	put_number(zip, 0, 6);
	put_number(zip, zip64 ? 0xffff : 2, 2);
	put_number(zip, zip64 ? UINT32_MAX : bytes, 4);
	put_number(zip, zip64 ? UINT32_MAX : start, 4);
	put_number(zip, 3, 2);
	sr_buf_puts(zip, "end"); /* a comment */
}

START_TEST(members_of_archives_are_read_in_place)
{
	for (int zip64 = 0; zip64 < 2; zip64++) {
		struct sr_buf zip;
		struct sr_file f;
		struct sr_npz npz;
		struct sr_npy npy;
		put_zip(&zip, 0, zip64);
		put_and_open("a.bin", zip.data, zip.n, &f);
		ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_OK);
		ck_assert_int_eq(npz.n, 2);
		ck_assert_int_eq(sr_npz_find(&npz, "b"), 1);
		ck_assert_int_eq(sr_npz_find(&npz, "c"), -1);
		ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[0], &npy), SR_OK);
		ck_assert(npy.type == SR_BF16 && npy.rank == 2 && npy.dims[1] == 3);
		uint16_t buffer[4] = {0};
		ck_assert_int_eq(sr_npy_read_slice(&diags, &f, &npy, (int64_t[]){0, 1}, (int64_t[]){2, 2}, NULL, buffer), SR_OK);
		ck_assert_uint_eq(buffer[3], 0x0707);
		ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[1], &npy), SR_OK);
		ck_assert(npy.type == SR_F64 && npy.rank == 0);
		npz.members[0].bytes += zip64 ? 1 : -1;
		ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[0], &npy), SR_USAGE);
		ck_error(zip64 ? "ask for only" : "its header and shape ask for");
		sr_file_close(&diags, &f);
	}
}
END_TEST

START_TEST(compressed_and_damaged_archives_are_refused)
{
	struct sr_buf zip;
	struct sr_file f;
	struct sr_npz npz;
	struct sr_npy npy;
	put_zip(&zip, 8, false);
	put_and_open("a.bin", zip.data, zip.n, &f);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_OK);
	ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[0], &npy), SR_UNSUPPORTED);
	ck_error("member 'first' is compressed; write the file with numpy.savez");
	sr_file_close(&diags, &f);
	put_and_open("a.bin", zip.data, zip.n / 2, &f);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_USAGE);
	ck_error("no end of a zip file");
	sr_file_close(&diags, &f);
}
END_TEST

/* Every byte of an archive, damaged: a status each time. */
START_TEST(damaged_archives_never_crash)
{
	for (int zip64 = 0; zip64 < 2; zip64++) {
		struct sr_buf zip;
		struct sr_file f;
		put_zip(&zip, 0, zip64);
		put_and_open("a.bin", zip.data, zip.n, &f);
		int fd = open(path_of("a.bin"), O_WRONLY), failed = 0;
		for (size_t i = 0; i < zip.n; i++) {
			struct sr_npz npz;
			struct sr_npy npy;
			char bad = (char)(zip.data[i] ^ 0xff);
			ck_assert_int_eq(pwrite(fd, &bad, 1, (off_t)i), 1);
			if (sr_npz_read_directory(&diags, arena, &f, &npz))
				failed++;
			for (int64_t m = 0; m < npz.n && npz.members[npz.n - 1].name; m++)
				sr_npz_read_header(&diags, &f, &npz.members[m], &npy);
			ck_assert_int_eq(pwrite(fd, &zip.data[i], 1, (off_t)i), 1);
			sr_diags_clear(&diags);
		}
		ck_assert_int_gt(failed, 10);
		close(fd);
		sr_file_close(&diags, &f);
	}
}
END_TEST

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

int main(void)
{
	const TTest *const tests[] = {
		every_slice_reads_in_both_orders, every_slice_copies_in_memory, every_slice_writes_and_touches_nothing_else,
		transfers_are_joined_where_that_is_allowed, wide_gaps_are_not_read, large_slices_cross_windows,
		slices_outside_the_array_are_refused, missing_files_and_directories_are_errors, a_short_file_names_both_lengths,
		no_room_leaves_no_file, headers_are_numpys_byte_for_byte, headers_read_back, headers_of_other_writers,
		bad_headers_are_refused, damaged_headers_never_crash, lengths_are_checked, arrays_follow_each_other,
		ranks_write_one_file,
		values_parse_and_print, values_print_up_to_a_limit, values_in_files_and_zeros, bad_values_are_refused,
		tolerances_of_floats, integers_and_complex_numbers, ranks_merge_their_comparisons,
		members_of_archives_are_read_in_place, compressed_and_damaged_archives_are_refused, damaged_archives_never_crash,
		inputs_of_every_form_read_alike, inputs_that_cannot_be_opened, tables_of_safetensors,
		bad_tables_of_safetensors_are_refused,
	};
	return sr_run_tests("io", tests, sizeof tests / sizeof tests[0], setup, teardown);
}
