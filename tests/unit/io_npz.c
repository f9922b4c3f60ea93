/* .npz archives: members are read in place; compressed and invalid archives are refused. */
#include "io/npy.h"
#include "io/npz.h"
#include "io/npz_write.h"
#include "tests/unit/io_case.h"
#include "tests/unit/io_files.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_zip_and_open(struct zip properties, struct sr_file *f)
{
	struct sr_buf zip;
	sr_buf_init(&zip, arena);
	put_zip(&zip, properties);
	put_and_open("a.bin", zip.data, zip.n, f);
}

START_TEST(members_of_archives_are_read_in_place)
{
	for (int zip64 = 0; zip64 < 2; zip64++) {
		struct sr_file f;
		struct sr_npz npz;
		struct sr_npy npy;
		put_zip_and_open((struct zip){.zip64 = zip64}, &f);
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
		ck_error(zip64 ? "require only" : "its header and shape require");
		sr_file_close(&diags, &f);
	}
}
END_TEST

/* An entry whose zip64 field ends before the third of its three numbers. */
START_TEST(short_zip64_fields_are_refused)
{
	enum { NAME_LENGTH = 28, HEADER = 46, FIELD_SIZE = 2, TWO_NUMBERS = 16 };
	struct sr_buf zip;
	struct sr_file f;
	struct sr_npz npz;
	sr_buf_init(&zip, arena);
	put_zip(&zip, (struct zip){.zip64 = true});
	char *entry = zip.data;
	while (memcmp(entry, "PK\1\2", 4))
		entry++;
	entry[HEADER + entry[NAME_LENGTH] + FIELD_SIZE] = TWO_NUMBERS;
	put_and_open("a.bin", zip.data, zip.n, &f);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_USAGE);
	ck_error("an invalid entry in its directory");
	sr_file_close(&diags, &f);
}
END_TEST

START_TEST(compressed_and_damaged_archives_are_refused)
{
	struct sr_buf zip;
	struct sr_file f;
	struct sr_npz npz;
	struct sr_npy npy;
	sr_buf_init(&zip, arena);
	put_zip(&zip, (struct zip){.method = 8});
	put_and_open("a.bin", zip.data, zip.n, &f);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_OK);
	ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[0], &npy), SR_UNSUPPORTED);
	ck_error("member 'first' is compressed; write the file with numpy.savez");
	sr_file_close(&diags, &f);
	put_and_open("a.bin", zip.data, zip.n / 2, &f);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_USAGE);
	ck_error("no end record of a zip file");
	sr_file_close(&diags, &f);
}
END_TEST

/* Complete archives whose headers contradict each other are refused. */
START_TEST(contradictory_archives_are_refused)
{
	static const struct {
		struct zip how;
		enum sr_status directory, header;
		const char *words;
	} cases[] = {
		{{.same_names = true}, SR_USAGE, SR_OK, "two members are called 'first'"},
		{{.rest = 1}, SR_USAGE, SR_OK, "its directory does not end with its last entry"},
		{{.flags = 1}, SR_OK, SR_UNSUPPORTED, "member 'b' is encrypted"},
		{{.flags = 1 << 6 | 1}, SR_OK, SR_UNSUPPORTED, "member 'b' is encrypted"},
		{{.local_name = "c.npy"}, SR_OK, SR_USAGE, "the member 'b.npy' of its directory has another name in its local header"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sr_file f;
		struct sr_npz npz;
		struct sr_npy npy;
		put_zip_and_open(cases[i].how, &f);
		ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), cases[i].directory);
		if (!cases[i].directory)
			ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[1], &npy), cases[i].header);
		ck_error(cases[i].words);
		sr_file_close(&diags, &f);
	}
}
END_TEST

/* Several ranks compute parts of one checksum: as many ranks as the data has bytes, and more. */
START_TEST(checksums_are_shared_by_ranks)
{
	for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
		uint32_t sums[200];
		struct sr_file f;
		struct sr_npz npz;
		struct sr_npy npy;
		put_zip_and_open((struct zip){.wrong_crc = is_wrong}, &f);
		ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_OK);
		ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[1], &npy), SR_OK);
		for (int64_t n = 1; n <= 200; n++) {
			for (int64_t i = 0; i < n; i++)
				ck_assert_int_eq(sr_npz_checksum(&diags, &f, &npy, i, n, &sums[i]), SR_OK);
			ck_assert_int_eq(sr_npz_verify_checksum(&diags, &f, &npz.members[1], &npy, sums, n),
					 is_wrong ? SR_USAGE : SR_OK);
			if (is_wrong)
				ck_error("member 'b' is damaged: its bytes have the checksum");
		}
		sr_file_close(&diags, &f);
	}
}
END_TEST

/* An archive with any byte damaged returns a status. */
START_TEST(damaged_archives_never_crash)
{
	for (int zip64 = 0; zip64 < 2; zip64++) {
		struct sr_buf zip;
		struct sr_file f;
		sr_buf_init(&zip, arena);
		put_zip(&zip, (struct zip){.zip64 = zip64});
		put_and_open("a.bin", zip.data, zip.n, &f);
		int fd = open(path_of("a.bin"), O_WRONLY), n_failed = 0;
		for (size_t i = 0; i < zip.n; i++) {
			struct sr_npz npz;
			struct sr_npy npy;
			char wrong_byte = (char)(zip.data[i] ^ 0xff);
			ck_assert_int_eq(pwrite(fd, &wrong_byte, 1, (off_t)i), 1);
			if (sr_npz_read_directory(&diags, arena, &f, &npz))
				n_failed++;
			for (int64_t m = 0; m < npz.n; m++)
				sr_npz_read_header(&diags, &f, &npz.members[m], &npy);
			ck_assert_int_eq(pwrite(fd, &zip.data[i], 1, (off_t)i), 1);
			sr_diags_clear(&diags);
		}
		ck_assert_int_gt(n_failed, 10);
		close(fd);
		sr_file_close(&diags, &f);
	}
}
END_TEST

/* Read back what was written: names, types, offsets and checksums. */
static void check_read_back(const char *path, struct sr_npz_array *arrays, int64_t n)
{
	struct sr_file f;
	struct sr_npz npz;
	ck_assert_int_eq(sr_file_open(&diags, path, &f), SR_OK);
	ck_assert_int_eq(sr_npz_read_directory(&diags, arena, &f, &npz), SR_OK);
	ck_assert_int_eq(npz.n, n);
	for (int64_t i = 0; i < n; i++) {
		struct sr_npy npy;
		ck_assert_str_eq(npz.members[i].name, arrays[i].name);
		ck_assert_int_eq(sr_npz_read_header(&diags, &f, &npz.members[i], &npy), SR_OK);
		ck_assert(sr_npy_accepts(&npy, arrays[i].type) && npy.rank == arrays[i].rank && npy.data_offset == arrays[i].npy.data_offset);
		ck_assert(npy.end_offset == arrays[i].npy.end_offset && npz.members[i].crc == arrays[i].crc);
	}
	sr_file_close(&diags, &f);
}

START_TEST(archives_are_written)
{
	struct sr_npz_array arrays[] = {{"first", SR_BF16, 2, (int64_t[]){2, 3}, {{0}}, 0, 0},
					{"\u00e9.b/c", SR_F64, 0, (int64_t[]){0}, {{0}}, 0, 0},
					{"none", SR_I4, 1, (int64_t[]){0}, {{0}}, 0, 0}};
	struct sr_file f;
	int64_t size;
	const uint16_t rows[6] = {1, 2, 3, 4, 5, 6};
	ck_assert_int_eq(sr_npz_layout(&diags, arena, path_of("w.npz"), arrays, 3, &size), SR_OK);
	ck_assert_int_eq(sr_file_create(&diags, path_of("w.npz"), size, &f), SR_OK);
	for (int pass = 0; pass < 2; pass++) {
		ck_assert_int_eq(sr_npz_write_headers(&diags, arena, &f, arrays, 3), SR_OK);
		ck_assert_int_eq(sr_npy_write_slice(&diags, &f, &arrays[0].npy, (int64_t[]){0, 0}, (int64_t[]){2, 3}, NULL, rows),
				 SR_OK);
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(sr_npz_checksum(&diags, &f, &arrays[i].npy, 0, 1, &arrays[i].crc), SR_OK);
	}
	ck_assert_int_ne(arrays[0].crc, 0);
	sr_file_close(&diags, &f);
	ck_assert_int_eq(f.size, size);
	check_read_back(path_of("w.npz"), arrays, 3);
	ck_assert_int_eq(sr_npz_layout(&diags, arena, path_of("w.npz"), arrays, 0, &size), SR_OK);
	ck_assert_int_eq(size, 22);
}
END_TEST

/* Lengths and offsets beyond 32 bits, in a sparse file. */
START_TEST(long_archives_are_written_as_zip64)
{
	struct sr_npz_array arrays[] = {{"short", SR_I8, 1, (int64_t[]){3}, {{0}}, 0, 1},
					{"long", SR_F32, 2, (int64_t[]){1 << 15, 1 << 15}, {{0}}, 0, 2},
					{"far", SR_I8, 1, (int64_t[]){3}, {{0}}, 0, 3}};
	struct sr_file f;
	int64_t size;
	ck_assert_int_eq(sr_npz_layout(&diags, arena, path_of("l.npz"), arrays, 3, &size), SR_OK);
	ck_assert_int_gt(arrays[2].header_offset, (int64_t)1 << 32);
	ck_assert_int_eq(sr_file_create(&diags, path_of("l.npz"), 0, &f), SR_OK);
	ck_assert_int_eq(ftruncate(f.fd, size), 0);
	ck_assert_int_eq(sr_npz_write_headers(&diags, arena, &f, arrays, 3), SR_OK);
	sr_file_close(&diags, &f);
	check_read_back(path_of("l.npz"), arrays, 3);
}
END_TEST

START_TEST(unsupported_types_are_not_written_to_archives)
{
	struct sr_npz_array arrays[] = {{"a", SR_I8, 1, (int64_t[]){3}, {{0}}, 0, 0}, {"a", SR_I8, 0, (int64_t[]){0}, {{0}}, 0, 0}};
	char name[70000] = "";
	int64_t size;
	ck_assert_int_eq(sr_npz_layout(&diags, arena, path_of("w.npz"), arrays, 2, &size), SR_USAGE);
	ck_error("two arrays are called 'a'");
	memset(name, 'x', sizeof name - 1);
	arrays[1].name = name;
	ck_assert_int_eq(sr_npz_layout(&diags, arena, path_of("w.npz"), arrays, 2, &size), SR_USAGE);
	ck_error("an array's name of 69999 bytes is too long");
	arrays[1] = (struct sr_npz_array){"b", SR_I8, 1, (int64_t[]){INT64_MAX - 100}, {{0}}, 0, 0};
	ck_assert_int_ne(sr_npz_layout(&diags, arena, path_of("w.npz"), arrays, 2, &size), SR_OK);
}
END_TEST

TCase *io_npz(void)
{
	const TTest *const tests[] = {
		members_of_archives_are_read_in_place, compressed_and_damaged_archives_are_refused,
		contradictory_archives_are_refused,     checksums_are_shared_by_ranks, damaged_archives_never_crash,
		short_zip64_fields_are_refused, archives_are_written, long_archives_are_written_as_zip64,
		unsupported_types_are_not_written_to_archives,
	};
	return sr_io_case("npz", tests, sizeof tests / sizeof tests[0]);
}
