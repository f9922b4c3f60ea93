/* Build valid and invalid archives and tables, for tests and as initial inputs of the fuzz targets. */
#pragma once
#include "io/npy.h"
#include "support/crc32.h"
#include <string.h>

/* Append x as n little-endian bytes. */
static inline void put_number(struct sr_buf *buf, uint64_t x, int n)
{
	for (int i = 0; i < n; i++)
		sr_buf_putc(buf, i < 8 ? (char)(x >> 8 * i) : 0);
}

/* Properties of a zip file that numpy.savez does not write. */
struct zip {
	int method, flags;
	int rest; /* bytes of the directory after its last entry */
	bool zip64, wrong_crc, same_names;
	const char *local_name; /* name in the second member's local header; NULL: the same as in the zip directory */
};

struct zip_member {
	const char *name;
	struct sr_buf bytes;
	uint64_t begin;
};

static inline void put_zip_member(struct sr_buf *zip, struct zip how, struct zip_member *member, const char *name)
{
	member->begin = zip->n;
	sr_buf_put(zip, "PK\3\4", 4);
	put_number(zip, 20, 2);
	put_number(zip, (uint64_t)how.flags, 2);
	put_number(zip, 0, 18);
	put_number(zip, strlen(name), 2);
	put_number(zip, 20, 2);
	sr_buf_puts(zip, name);
	put_number(zip, 0, 20); /* length and contents of the extra field that numpy writes */
	sr_buf_put(zip, member->bytes.data, member->bytes.n);
}

static inline void put_zip_entry(struct sr_buf *zip, struct zip how, const struct zip_member *member)
{
	uint64_t bytes = member->bytes.n;
	sr_buf_put(zip, "PK\1\2", 4);
	put_number(zip, 0, 4);
	put_number(zip, (uint64_t)how.flags, 2);
	put_number(zip, (uint64_t)how.method, 2);
	put_number(zip, 0, 4);
	put_number(zip, sr_crc32(0, member->bytes.data, bytes) ^ how.wrong_crc, 4);
	put_number(zip, how.zip64 ? UINT32_MAX : bytes, 4);
	put_number(zip, how.zip64 ? UINT32_MAX : bytes, 4);
	put_number(zip, strlen(member->name), 2);
	put_number(zip, how.zip64 ? 28 : 0, 2);
	put_number(zip, 0, 10);
	put_number(zip, how.zip64 ? UINT32_MAX : member->begin, 4);
	sr_buf_puts(zip, member->name);
	if (!how.zip64)
		return;
	put_number(zip, 1 | 24 << 16, 4);
	put_number(zip, bytes, 8);
	put_number(zip, bytes, 8);
	put_number(zip, member->begin, 8);
}

static inline void put_zip_end(struct sr_buf *zip, bool zip64, uint64_t start)
{
	uint64_t bytes = zip->n - start, end = zip->n;
	if (zip64) {
		sr_buf_put(zip, "PK\6\6", 4);
		put_number(zip, 0, 20);
		put_number(zip, 2, 8);
		put_number(zip, 2, 8);
		put_number(zip, bytes, 8);
		put_number(zip, start, 8);
		sr_buf_put(zip, "PK\6\7", 4);
		put_number(zip, 0, 4);
		put_number(zip, end, 8);
		put_number(zip, 1, 4);
	}
	sr_buf_put(zip, "PK\5\6", 4);
	put_number(zip, 0, 4);
	put_number(zip, zip64 ? 0xffff : 2, 2);
	put_number(zip, zip64 ? 0xffff : 2, 2);
	put_number(zip, zip64 ? UINT32_MAX : bytes, 4);
	put_number(zip, zip64 ? UINT32_MAX : start, 4);
	put_number(zip, 3, 2);
	sr_buf_puts(zip, "end"); /* comment of the archive */
}

/* Append a zip file as numpy.savez writes it, with two members: 2x3xbf16 of 7s and a scalar f64 of 8. */
static inline void put_zip(struct sr_buf *zip, struct zip how)
{
	struct zip_member members[] = {{"first.npy"}, {how.same_names ? "first.npy" : "b.npy"}};
	for (int i = 0; i < 2; i++) {
		struct sr_buf *bytes = &members[i].bytes;
		sr_buf_init(bytes, zip->arena);
		sr_npy_format_header(bytes, i ? SR_F64 : SR_BF16, (int64_t[]){2, 3}, i ? 0 : 2);
		for (int k = 0; k < (i ? 8 : 12); k++)
			sr_buf_putc(bytes, (char)(7 + i));
		put_zip_member(zip, how, &members[i], i && how.local_name ? how.local_name : members[i].name);
	}
	uint64_t start = zip->n;
	for (int i = 0; i < 2; i++)
		put_zip_entry(zip, how, &members[i]);
	put_number(zip, 0, how.rest);
	put_zip_end(zip, how.zip64, start);
}

/* Append a safetensors file: the table, then n bytes of data. */
static inline void put_safetensors(struct sr_buf *file, const char *table, int n)
{
	put_number(file, strlen(table), 8);
	sr_buf_puts(file, table);
	for (int i = 0; i < n; i++)
		sr_buf_putc(file, (char)i);
}
