/* A zip file (PKWARE's APPNOTE 4.3) of stored members: a header before each one's bytes, behind the last the directory, which has
 * all headers again. Times are the first that the format knows, so that equal arrays make equal files. */
#include "io/npz_write.h"
#include "io/unique_names.h"
#include "io/zip.h"
#include "support/checked.h"
#include <inttypes.h>
#include <string.h>

enum {
	READ_BY_20 = 20, /* the version of zip */
	READ_BY_45 = 45, /* with zip64 */
	UTF8 = 1 << 11, /* the names are */
	FIRST_DAY = 1 << 5 | 1, /* of 1980 */
	MOST_NAME = 0xffff - 4,
};

static bool is_long(int64_t x)
{
	return x >= (int64_t)UINT32_MAX;
}

static int64_t bytes_of(const struct sr_npz_array *a)
{
	return a->npy.end - a->npy.begin;
}

/* The member's name is the array's and .npy; of long ones both lengths follow it. */
static int64_t local_bytes(const struct sr_npz_array *a, int64_t bytes)
{
	return SR_ZIP_LOCAL_BYTES + (int64_t)strlen(a->name) + 4 + (is_long(bytes) ? 20 : 0);
}

/* What an entry of the directory has in 64 bits: both lengths, and the place. */
static int extra_bytes(const struct sr_npz_array *a)
{
	int fields = (is_long(bytes_of(a)) ? 2 : 0) + is_long(a->header);
	return fields ? 4 + 8 * fields : 0;
}

static bool has_end64(int64_t n, int64_t start, int64_t bytes)
{
	return n >= 0xffff || is_long(start) || is_long(bytes);
}

static int64_t directory_bytes(const struct sr_npz_array *arrays, int64_t n)
{
	int64_t bytes = 0;
	for (int64_t i = 0; i < n; i++)
		bytes += SR_ZIP_ENTRY_BYTES + (int64_t)strlen(arrays[i].name) + 4 + extra_bytes(&arrays[i]);
	return bytes;
}

static enum sr_status check_names(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				  const struct sr_npz_array *arrays, int64_t n)
{
	const char **names = SR_NEWS(arena, const char *, n);
	for (int64_t i = 0; i < n; i++) {
		names[i] = arrays[i].name;
		if (strlen(names[i]) > MOST_NAME)
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "an array's name of %zu bytes is too long",
					strlen(names[i]));
	}
	return sr_check_unique_names(diags, arena, path, "arrays", names, (size_t)n);
}

enum sr_status sr_npz_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, struct sr_npz_array *arrays,
			     int64_t n, int64_t *size)
{
	enum sr_status status = check_names(diags, arena, path, arrays, n);
	int64_t at = 0;
	bool fits = true;
	for (int64_t i = 0; !status && fits && i < n; i++) {
		struct sr_npz_array *a = &arrays[i];
		status = sr_npy_layout(diags, arena, path, a->type, a->dims, a->rank, &a->npy);
		if (status)
			return status;
		a->header = at;
		fits = !sr_add_overflows(at, local_bytes(a, a->npy.end), &at);
		a->npy.begin = at;
		a->npy.data += at;
		fits = fits && !sr_add_overflows(at, a->npy.end, &at);
		a->npy.end = at;
	}
	if (status)
		return status;
	int64_t directory = fits ? directory_bytes(arrays, n) : 0;
	if (!fits || sr_add_overflows(at, directory + SR_ZIP_END_BYTES + SR_ZIP_END64_BYTES + SR_ZIP_LOCATOR64_BYTES, size))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "a file cannot be as long as its arrays ask for");
	*size = at + directory + SR_ZIP_END_BYTES + (has_end64(n, at, directory) ? SR_ZIP_END64_BYTES + SR_ZIP_LOCATOR64_BYTES : 0);
	return SR_OK;
}

/* n bytes, the lowest first; those behind the eighth are zero. */
static void put(struct sr_buf *buf, int64_t x, int n)
{
	for (int i = 0; i < n; i++)
		sr_buf_putc(buf, i < 8 ? (char)((uint64_t)x >> 8 * i) : 0);
}

static void put_32(struct sr_buf *buf, int64_t x)
{
	put(buf, is_long(x) ? (int64_t)UINT32_MAX : x, 4);
}

/* What a member's header and its entry in the directory have alike: from the version to the length of the name. */
static void put_common(struct sr_buf *buf, const struct sr_npz_array *a, bool is_zip64)
{
	put(buf, is_zip64 ? READ_BY_45 : READ_BY_20, 2);
	put(buf, UTF8, 2);
	put(buf, 0, 2); /* stored */
	put(buf, 0, 2);
	put(buf, FIRST_DAY, 2);
	put(buf, a->crc, 4);
	put_32(buf, bytes_of(a));
	put_32(buf, bytes_of(a));
	put(buf, (int64_t)strlen(a->name) + 4, 2);
}

static void put_name(struct sr_buf *buf, const struct sr_npz_array *a)
{
	sr_buf_puts(buf, a->name);
	sr_buf_puts(buf, ".npy");
}

static void put_lengths(struct sr_buf *buf, const struct sr_npz_array *a)
{
	if (!is_long(bytes_of(a)))
		return;
	put(buf, bytes_of(a), 8);
	put(buf, bytes_of(a), 8);
}

/* In front of the elements: the member's header, and the .npy file's. */
static void put_local(struct sr_buf *buf, const struct sr_npz_array *a)
{
	bool is_zip64 = is_long(bytes_of(a));
	sr_buf_puts(buf, SR_ZIP_LOCAL);
	put_common(buf, a, is_zip64);
	put(buf, is_zip64 ? 20 : 0, 2);
	put_name(buf, a);
	if (is_zip64)
		put(buf, 1 | 16 << 16, 4);
	put_lengths(buf, a);
	sr_npy_format_header(buf, a->type, a->dims, a->rank);
}

static void put_entry(struct sr_buf *buf, const struct sr_npz_array *a)
{
	int extra = extra_bytes(a);
	sr_buf_puts(buf, SR_ZIP_ENTRY);
	put(buf, extra ? READ_BY_45 : READ_BY_20, 2);
	put_common(buf, a, extra);
	put(buf, extra, 2);
	put(buf, 0, 10); /* comment, disk, attributes */
	put_32(buf, a->header);
	put_name(buf, a);
	if (extra)
		put(buf, 1 | (extra - 4) << 16, 4);
	put_lengths(buf, a);
	if (is_long(a->header))
		put(buf, a->header, 8);
}

static void put_end(struct sr_buf *buf, int64_t n, int64_t start, int64_t bytes)
{
	if (has_end64(n, start, bytes)) {
		sr_buf_puts(buf, SR_ZIP_END64);
		put(buf, SR_ZIP_END64_BYTES - 12, 8);
		put(buf, READ_BY_45 | READ_BY_45 << 16, 4);
		put(buf, 0, 8); /* disks */
		put(buf, n, 8);
		put(buf, n, 8);
		put(buf, bytes, 8);
		put(buf, start, 8);
		sr_buf_puts(buf, SR_ZIP_LOCATOR64);
		put(buf, 0, 4);
		put(buf, start + bytes, 8);
		put(buf, 1, 4);
	}
	sr_buf_puts(buf, SR_ZIP_END);
	put(buf, 0, 4);
	put(buf, n < 0xffff ? n : 0xffff, 2);
	put(buf, n < 0xffff ? n : 0xffff, 2);
	put_32(buf, bytes);
	put_32(buf, start);
	put(buf, 0, 2);
}

enum sr_status sr_npz_write_headers(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				  const struct sr_npz_array *arrays, int64_t n)
{
	int64_t start = n ? arrays[n - 1].npy.end : 0;
	struct sr_buf buf;
	enum sr_status status = SR_OK;
	sr_buf_init(&buf, arena);
	for (int64_t i = 0; !status && i < n; i++) {
		buf.n = 0;
		put_local(&buf, &arrays[i]);
		status = sr_file_write_at(diags, file, buf.data, (int64_t)buf.n, arrays[i].header);
	}
	buf.n = 0;
	for (int64_t i = 0; i < n; i++)
		put_entry(&buf, &arrays[i]);
	put_end(&buf, n, start, directory_bytes(arrays, n));
	return status ? status : sr_file_write_at(diags, file, buf.data, (int64_t)buf.n, start);
}
