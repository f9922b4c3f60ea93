/* Write a zip file (PKWARE's APPNOTE 4.3) of uncompressed members: a local header before each member's data, and at the end the
 * directory, which repeats all headers. The time stamps are the earliest that the format can store, so that equal arrays give
 * equal files. */
#include "io/npz_write.h"
#include "io/unique_names.h"
#include "io/zip.h"
#include "support/checked.h"
#include <inttypes.h>
#include <string.h>

enum {
	ZIP_VERSION_20 = 20, /* zip version needed to read: 2.0 */
	ZIP_VERSION_45 = 45, /* zip version needed to read: 4.5, with zip64 */
	UTF8 = 1 << 11, /* flag bit: names are UTF-8 */
	DOS_EPOCH_DAY = 1 << 5 | 1, /* date of all members: 1 January 1980 */
	MAX_NAME_BYTES = 0xffff - 4,
};

static bool needs_zip64(int64_t x)
{
	return x >= (int64_t)UINT32_MAX;
}

static int64_t member_bytes(const struct sr_npz_array *a)
{
	return a->npy.end_offset - a->npy.header_offset;
}

/* Return the size of a local header. The member's name is the array's with .npy; a large member has its two lengths as a zip64
 * extra field. */
static int64_t local_header_bytes(const struct sr_npz_array *a, int64_t bytes)
{
	return SR_ZIP_LOCAL_BYTES + (int64_t)strlen(a->name) + 4 + (needs_zip64(bytes) ? 20 : 0);
}

/* Return the size of the zip64 extra field of a directory entry: both lengths and the offset, if they need 64 bits. */
static int extra_field_bytes(const struct sr_npz_array *a)
{
	int fields = (needs_zip64(member_bytes(a)) ? 2 : 0) + needs_zip64(a->header_offset);
	return fields ? 4 + 8 * fields : 0;
}

static bool needs_zip64_end(int64_t n, int64_t start, int64_t bytes)
{
	return n >= 0xffff || needs_zip64(start) || needs_zip64(bytes);
}

static int64_t directory_bytes(const struct sr_npz_array *arrays, int64_t n)
{
	int64_t bytes = 0;
	for (int64_t i = 0; i < n; i++)
		bytes += SR_ZIP_ENTRY_BYTES + (int64_t)strlen(arrays[i].name) + 4 + extra_field_bytes(&arrays[i]);
	return bytes;
}

static enum sr_status check_names(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				  const struct sr_npz_array *arrays, int64_t n)
{
	const char **names = SR_NEW_ARRAY(arena, const char *, n);
	for (int64_t i = 0; i < n; i++) {
		names[i] = arrays[i].name;
		if (strlen(names[i]) > MAX_NAME_BYTES)
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
	bool no_overflow = true;
	for (int64_t i = 0; !status && no_overflow && i < n; i++) {
		struct sr_npz_array *a = &arrays[i];
		status = sr_npy_layout(diags, arena, path, a->type, a->dims, a->rank, &a->npy);
		if (status)
			return status;
		a->header_offset = at;
		no_overflow = !sr_add_overflows(at, local_header_bytes(a, a->npy.end_offset), &at);
		a->npy.header_offset = at;
		a->npy.data_offset += at;
		no_overflow = no_overflow && !sr_add_overflows(at, a->npy.end_offset, &at);
		a->npy.end_offset = at;
	}
	if (status)
		return status;
	int64_t directory = no_overflow ? directory_bytes(arrays, n) : 0;
	if (!no_overflow || sr_add_overflows(at, directory + SR_ZIP_END_BYTES + SR_ZIP_END64_BYTES + SR_ZIP_LOCATOR64_BYTES, size))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "its arrays are too large for a file");
	*size = at + directory + SR_ZIP_END_BYTES + (needs_zip64_end(n, at, directory) ? SR_ZIP_END64_BYTES + SR_ZIP_LOCATOR64_BYTES : 0);
	return SR_OK;
}

/* Append an n-byte little-endian integer; bytes beyond the eighth are zero. */
static void put_little_endian(struct sr_buf *buf, int64_t x, int n)
{
	for (int i = 0; i < n; i++)
		sr_buf_putc(buf, i < 8 ? (char)((uint64_t)x >> 8 * i) : 0);
}

static void put_le32(struct sr_buf *buf, int64_t x)
{
	put_little_endian(buf, needs_zip64(x) ? (int64_t)UINT32_MAX : x, 4);
}

/* Append the fields that a local header and a directory entry share: from the version to the length of the name. */
static void put_common_header_fields(struct sr_buf *buf, const struct sr_npz_array *a, bool is_zip64)
{
	put_little_endian(buf, is_zip64 ? ZIP_VERSION_45 : ZIP_VERSION_20, 2);
	put_little_endian(buf, UTF8, 2);
	put_little_endian(buf, 0, 2); /* compression method: stored */
	put_little_endian(buf, 0, 2);
	put_little_endian(buf, DOS_EPOCH_DAY, 2);
	put_little_endian(buf, a->crc, 4);
	put_le32(buf, member_bytes(a));
	put_le32(buf, member_bytes(a));
	put_little_endian(buf, (int64_t)strlen(a->name) + 4, 2);
}

static void put_name(struct sr_buf *buf, const struct sr_npz_array *a)
{
	sr_buf_puts(buf, a->name);
	sr_buf_puts(buf, ".npy");
}

static void put_lengths(struct sr_buf *buf, const struct sr_npz_array *a)
{
	if (!needs_zip64(member_bytes(a)))
		return;
	put_little_endian(buf, member_bytes(a), 8);
	put_little_endian(buf, member_bytes(a), 8);
}

/* Append everything before the elements: the local header and the .npy header. */
static void put_local_header(struct sr_buf *buf, const struct sr_npz_array *a)
{
	bool is_zip64 = needs_zip64(member_bytes(a));
	sr_buf_puts(buf, SR_ZIP_LOCAL);
	put_common_header_fields(buf, a, is_zip64);
	put_little_endian(buf, is_zip64 ? 20 : 0, 2);
	put_name(buf, a);
	if (is_zip64)
		put_little_endian(buf, 1 | 16 << 16, 4);
	put_lengths(buf, a);
	sr_npy_format_header(buf, a->type, a->dims, a->rank);
}

static void put_entry(struct sr_buf *buf, const struct sr_npz_array *a)
{
	int n_extra = extra_field_bytes(a);
	sr_buf_puts(buf, SR_ZIP_ENTRY);
	put_little_endian(buf, n_extra ? ZIP_VERSION_45 : ZIP_VERSION_20, 2);
	put_common_header_fields(buf, a, n_extra);
	put_little_endian(buf, n_extra, 2);
	put_little_endian(buf, 0, 10); /* length of the comment, number of the disk, and attributes: all 0 */
	put_le32(buf, a->header_offset);
	put_name(buf, a);
	if (n_extra)
		put_little_endian(buf, 1 | (n_extra - 4) << 16, 4);
	put_lengths(buf, a);
	if (needs_zip64(a->header_offset))
		put_little_endian(buf, a->header_offset, 8);
}

static void put_end(struct sr_buf *buf, int64_t n, int64_t start, int64_t bytes)
{
	if (needs_zip64_end(n, start, bytes)) {
		sr_buf_puts(buf, SR_ZIP_END64);
		put_little_endian(buf, SR_ZIP_END64_BYTES - 12, 8);
		put_little_endian(buf, ZIP_VERSION_45 | ZIP_VERSION_45 << 16, 4);
		put_little_endian(buf, 0, 8); /* numbers of the archive's disks: always 0 */
		put_little_endian(buf, n, 8);
		put_little_endian(buf, n, 8);
		put_little_endian(buf, bytes, 8);
		put_little_endian(buf, start, 8);
		sr_buf_puts(buf, SR_ZIP_LOCATOR64);
		put_little_endian(buf, 0, 4);
		put_little_endian(buf, start + bytes, 8);
		put_little_endian(buf, 1, 4);
	}
	sr_buf_puts(buf, SR_ZIP_END);
	put_little_endian(buf, 0, 4);
	put_little_endian(buf, n < 0xffff ? n : 0xffff, 2);
	put_little_endian(buf, n < 0xffff ? n : 0xffff, 2);
	put_le32(buf, bytes);
	put_le32(buf, start);
	put_little_endian(buf, 0, 2);
}

enum sr_status sr_npz_write_headers(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				    const struct sr_npz_array *arrays, int64_t n)
{
	int64_t start = n ? arrays[n - 1].npy.end_offset : 0;
	struct sr_buf buf;
	enum sr_status status = SR_OK;
	sr_buf_init(&buf, arena);
	for (int64_t i = 0; !status && i < n; i++) {
		buf.n = 0;
		put_local_header(&buf, &arrays[i]);
		status = sr_file_write_at(diags, file, buf.data, (int64_t)buf.n, arrays[i].header_offset);
	}
	buf.n = 0;
	for (int64_t i = 0; i < n; i++)
		put_entry(&buf, &arrays[i]);
	put_end(&buf, n, start, directory_bytes(arrays, n));
	return status ? status : sr_file_write_at(diags, file, buf.data, (int64_t)buf.n, start);
}
