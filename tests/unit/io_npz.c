/* .npz archives: members read in place, compressed and damaged ones refused. */
#include "io/npy.h"
#include "io/npz.h"
#include "tests/unit/io_case.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

TCase *io_npz(void)
{
	const TTest *const tests[] = {
		members_of_archives_are_read_in_place, compressed_and_damaged_archives_are_refused, damaged_archives_never_crash,
	};
	return sr_io_case("npz", tests, sizeof tests / sizeof tests[0]);
}
