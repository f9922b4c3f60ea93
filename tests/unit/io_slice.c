/* Slices of files: every slice of an array in both storage orders; full disks. */
#include "io/slice.h"
#include "tests/unit/io_case.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <unistd.h>

enum { A = 3, B = 4, C = 5, ALL = A * B * C };

static const int64_t abc[] = {A, B, C};

/* Write the array; element (i, j, k) is its row-major number plus 1. */
static void fill_file(const char *path, int64_t offset, bool is_fortran_order)
{
	int32_t numbers[ALL];
	char *bytes = sr_alloc(arena, (size_t)offset + sizeof numbers, 1);
	for (int i = 0; i < A; i++)
		for (int j = 0; j < B; j++)
			for (int k = 0; k < C; k++)
				numbers[is_fortran_order ? i + A * (j + B * k) : (i * B + j) * C + k] = (i * B + j) * C + k + 1;
	memcpy(bytes + offset, numbers, sizeof numbers);
	put_file(path, bytes, (size_t)offset + sizeof numbers);
}

/* Check that the slice is at the origin of a larger buffer whose other elements are -1. */
static void check_buffer(const int32_t *buffer, const int64_t *start, const int64_t *size, const int64_t *local_dims)
{
	for (int64_t n = 0; n < local_dims[0] * local_dims[1] * local_dims[2]; n++) {
		int64_t i = n / (local_dims[1] * local_dims[2]), j = n / local_dims[2] % local_dims[1], k = n % local_dims[2];
		bool in = i < size[0] && j < size[1] && k < size[2];
		int64_t expected = in ? ((i + start[0]) * B + j + start[1]) * C + k + start[2] + 1 : -1;
		ck_assert_int_eq(buffer[n], expected);
	}
}

static void for_all_slices(void (*check)(const int64_t *start, const int64_t *size, const int64_t *local_dims, void *data), void *data)
{
	for (int code = 0; code < 7 * 11 * 16; code++) {
		int64_t start[3], size[3], local_dims[3];
		int offsets[] = {code % 7, code / 7 % 11, code / 77};
		for (int d = 0; d < 3; d++) { /* try each start with each size, but size 0 with one start only */
			start[d] = 0;
			size[d] = offsets[d];
			for (int64_t longest = abc[d]; size[d] > longest && longest > 0; longest--, start[d]++)
				size[d] -= longest;
		}
		for (int margin = 0; margin < 3; margin++) {
			local_dims[0] = size[0] + (margin == 1);
			local_dims[1] = size[1] + (margin == 2);
			local_dims[2] = size[2] + margin;
			check(start, size, local_dims, data);
		}
	}
}

struct slice_file {
	struct sr_file file;
	bool fortran;
};

static void check_read(const int64_t *start, const int64_t *size, const int64_t *local_dims, void *data)
{
	struct slice_file *f = data;
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)];
	memset(buffer, -1, sizeof buffer);
	struct sr_slice slice = {3, 4, f->fortran, 6, abc, start, size, local_dims};
	ck_assert_int_eq(sr_slice_read(&diags, &f->file, &slice, buffer), SR_OK);
	check_buffer(buffer, start, size, local_dims);
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

static void check_copy(const int64_t *start, const int64_t *size, const int64_t *local_dims, void *data)
{
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)], array[ALL];
	for (int i = 0; i < ALL; i++)
		array[i] = i + 1;
	memset(buffer, -1, sizeof buffer);
	struct sr_slice slice = {3, 4, false, 0, abc, start, size, local_dims};
	sr_slice_copy_in(&slice, array, buffer);
	check_buffer(buffer, start, size, local_dims);
}

START_TEST(every_slice_copies_in_memory)
{
	for_all_slices(check_copy, NULL);
}
END_TEST

static void check_write(const int64_t *start, const int64_t *size, const int64_t *local_dims, void *data)
{
	struct slice_file *f = data;
	int32_t buffer[(A + 2) * (B + 2) * (C + 2)], bytes_before[ALL], bytes_after[ALL];
	for (size_t i = 0; i < sizeof buffer / 4; i++)
		buffer[i] = 1000 + (int32_t)i;
	memset(bytes_before, 0x55, sizeof bytes_before);
	ck_assert_int_eq(sr_file_write_at(&diags, &f->file, bytes_before, sizeof bytes_before, 6), SR_OK);
	struct sr_slice slice = {3, 4, f->fortran, 6, abc, start, size, local_dims};
	ck_assert_int_eq(sr_slice_write(&diags, &f->file, &slice, buffer), SR_OK);
	ck_assert_int_eq(sr_file_read_at(&diags, &f->file, bytes_after, sizeof bytes_after, 6), SR_OK);
	for (int n = 0; n < ALL; n++) {
		int64_t i = n / (B * C) - start[0], j = n / C % B - start[1], k = n % C - start[2];
		bool in = i >= 0 && i < size[0] && j >= 0 && j < size[1] && k >= 0 && k < size[2];
		int at = f->fortran ? n / (B * C) + A * (n / C % B + B * (n % C)) : n;
		ck_assert_int_eq(bytes_after[at], in ? 1000 + (i * local_dims[1] + j) * local_dims[2] + k : 0x55555555);
	}
}

START_TEST(every_slice_writes_and_touches_nothing_else)
{
	for (int is_fortran_order = 0; is_fortran_order < 2; is_fortran_order++) {
		struct slice_file f = {.fortran = is_fortran_order};
		ck_assert_int_eq(sr_file_create(&diags, path_of("a.bin"), 6 + ALL * 4, &f.file), SR_OK);
		for_all_slices(check_write, &f);
		sr_file_close(&diags, &f.file);
	}
}
END_TEST

START_TEST(adjacent_transfers_are_merged)
{
	static const int64_t dims[] = {64, 64}, start[] = {0, 16}, columns[] = {64, 16}, rows[] = {16, 64}, origin[] = {0, 0};
	static const int64_t padded[] = {64, 65}, all[] = {64, 64};
	float buffer[64 * 65];
	struct sr_file f;
	ck_assert_int_eq(sr_file_create(&diags, path_of("a.bin"), 64 * 64 * 4, &f), SR_OK);
	struct sr_slice slice = {2, 4, false, 0, dims, start, columns, NULL};
	f.n_transfers = 0;
	ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.n_transfers, 1); /* the gaps are shorter than a page, so they are read, too */
	f.n_transfers = f.bytes = 0;
	ck_assert_int_eq(sr_slice_write(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.n_transfers, 64);
	ck_assert_int_eq(f.bytes, 64 * 16 * 4); /* the gaps are not written, since they belong to other ranks */
	slice = (struct sr_slice){2, 4, false, 0, dims, origin, rows, NULL};
	f.n_transfers = f.bytes = 0;
	ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.n_transfers, 1);
	ck_assert_int_eq(f.bytes, 16 * 64 * 4);
	slice = (struct sr_slice){2, 4, false, 0, dims, origin, all, padded};
	f.n_transfers = 0;
	ck_assert_int_eq(sr_slice_write(&diags, &f, &slice, buffer), SR_OK);
	ck_assert_int_eq(f.n_transfers, 1); /* the rows have gaps in memory but are adjacent in the file */
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

START_TEST(large_slices_take_several_batches)
{
	static const int64_t dims[] = {1500, 700}, start[] = {100, 350}, size[] = {1300, 350}, local_dims[] = {1301, 353};
	struct sr_file f;
	struct sr_slice slice = {2, 4, true, 0, dims, start, size, local_dims};
	int32_t *array = SR_NEW_ARRAY(arena, int32_t, 1500 * 700), *buffer = SR_NEW_ARRAY(arena, int32_t, 1301 * 353);
	for (int i = 0; i < 1500 * 700; i++)
		array[i] = i;
	put_and_open("a.bin", array, 1500 * 700 * 4, &f);
	for (int is_fortran_order = 0; is_fortran_order < 2; is_fortran_order++) {
		slice.is_fortran_order = is_fortran_order;
		ck_assert_int_eq(sr_slice_read(&diags, &f, &slice, buffer), SR_OK);
		for (int64_t i = 0; i < 1300; i++)
			for (int64_t j = 0; j < 350; j++)
				ck_assert_int_eq(buffer[i * 353 + j],
						 is_fortran_order ? (j + 350) * 1500 + i + 100 : (i + 100) * 700 + j + 350);
	}
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(slices_outside_the_array_are_refused)
{
	static const int64_t dims[] = {4, 4}, huge_dims[] = {INT64_MAX, 4}, size[] = {2, 2}, narrow_local[] = {2, 1};
	int64_t end;
	struct sr_slice valid_slice = {2, 4, false, 128, dims, (int64_t[]){2, 2}, size, NULL}, s = valid_slice;
	ck_assert(sr_slice_is_valid(&valid_slice, &end));
	ck_assert_int_eq(end, 128 + 64);
	s.start = (int64_t[]){3, 2};
	ck_assert(!sr_slice_is_valid(&s, &end));
	s.start = (int64_t[]){-1, 2};
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = valid_slice;
	s.local_dims = narrow_local;
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = valid_slice;
	s.dims = huge_dims;
	ck_assert(!sr_slice_is_valid(&s, &end));
	s = valid_slice;
	s.offset = INT64_MAX - 10;
	ck_assert(!sr_slice_is_valid(&s, &end));
}
END_TEST

/* ---- files ---- */

START_TEST(missing_and_special_files_are_errors)
{
	struct sr_file f;
	ck_assert_int_eq(sr_file_open(&diags, path_of("none"), &f), SR_USAGE);
	ck_assert_str_eq(diags.first->place.file, path_of("none"));
	ck_error("No such file");
	ck_assert_int_eq(sr_file_open(&diags, path_of(""), &f), SR_USAGE);
	ck_error("is a folder; a regular file is required");
	ck_assert_int_eq(f.fd, -1);
	ck_assert_int_eq(mkfifo(path_of("a.bin"), 0600), 0);
	ck_assert_int_eq(sr_file_open(&diags, path_of("a.bin"), &f), SR_USAGE);
	ck_error("is a pipe; a regular file is required");
	ck_assert_int_eq(sr_file_open(&diags, "/dev/null", &f), SR_USAGE);
	ck_error("is a device; a regular file is required");
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
	ck_error("too large for a file");
	sr_file_close(&diags, &f);
	ck_assert_int_eq(sr_file_close(&diags, &f), SR_OK);
}
END_TEST

START_TEST(a_full_disk_leaves_no_file)
{
	struct sr_file f;
	struct rlimit old_limit, small_limit;
	const char *path = path_of("a.bin");
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
	small_limit = old_limit;
	small_limit.rlim_cur = 1 << 16;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small_limit), 0);
	signal(SIGXFSZ, SIG_IGN);
	enum sr_status status = sr_file_create(&diags, path, 1 << 20, &f);
	setrlimit(RLIMIT_FSIZE, &old_limit);
	ck_assert_int_eq(status, SR_USAGE);
	ck_error("cannot write 1048576 bytes");
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

TCase *io_slices(void)
{
	const TTest *const tests[] = {
		every_slice_reads_in_both_orders, every_slice_copies_in_memory, every_slice_writes_and_touches_nothing_else,
		adjacent_transfers_are_merged, wide_gaps_are_not_read, large_slices_take_several_batches,
		slices_outside_the_array_are_refused, missing_and_special_files_are_errors, a_short_file_names_both_lengths,
		a_full_disk_leaves_no_file,
	};
	return sr_io_case("slices", tests, sizeof tests / sizeof tests[0]);
}
