/* The directory of a zip file (PKWARE's APPNOTE 4.3). The end record is searched backwards from the end of the file; it locates
 * the directory, whose entries locate the members. A field that does not fit in 32 bits has all bits set and its value in a zip64
 * record. */
#include "io/npz.h"
#include "io/unique_names.h"
#include "io/zip.h"
#include "support/checked.h"
#include "support/crc32.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_COMMENT_BYTES = 0xffff,
	ENCRYPTED = 1 | 1 << 6 | 1 << 13, /* flags of a zip entry: encrypted, strong encryption, encrypted directory */
};

static uint64_t read_le(const char *p, int n)
{
	uint64_t x = 0;
	for (int i = n - 1; i >= 0; i--)
		x = x << 8 | (unsigned char)p[i];
	return x;
}

static bool is_signature(const char *p, const char *signature)
{
	return memcmp(p, signature, SR_ZIP_SIGNATURE_BYTES) == 0;
}

static enum sr_status report_malformed(struct sr_diags *diags, const struct sr_file *file, const char *detail)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path}, "malformed .npz file: %s", detail);
}

struct directory {
	uint64_t offset, bytes, n;
};

static enum sr_status find_zip64_directory(struct sr_diags *diags, struct sr_file *file, const char *locator, struct directory *directory)
{
	char end[SR_ZIP_END64_BYTES];
	uint64_t offset = read_le(locator + 8, 8);
	if (offset > INT64_MAX - SR_ZIP_END64_BYTES)
		return report_malformed(diags, file, "no zip64 end record");
	enum sr_status status = sr_file_read_at(diags, file, end, sizeof end, (int64_t)offset);
	if (status)
		return status;
	if (!is_signature(end, SR_ZIP_END64))
		return report_malformed(diags, file, "no zip64 end record");
	*directory = (struct directory){read_le(end + 48, 8), read_le(end + 40, 8), read_le(end + 32, 8)};
	return SR_OK;
}

static enum sr_status find_directory(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				     struct directory *directory)
{
	int64_t max_tail = SR_ZIP_LOCATOR64_BYTES + SR_ZIP_END_BYTES + MAX_COMMENT_BYTES,
			n = file->size < max_tail ? file->size : max_tail;
	char *end_of_file = SR_NEW_ARRAY(arena, char, n);
	enum sr_status status = sr_file_read_at(diags, file, end_of_file, n, file->size - n);
	int64_t at = n - SR_ZIP_END_BYTES;
	while (!status && at >= 0 &&
	       !(is_signature(end_of_file + at, SR_ZIP_END) &&
		 (int64_t)read_le(end_of_file + at + 20, 2) == n - at - SR_ZIP_END_BYTES))
		at--;
	if (status || at < 0)
		return status ? status : report_malformed(diags, file, "no end record of a zip file");
	const char *end = end_of_file + at;
	*directory = (struct directory){read_le(end + 16, 4), read_le(end + 12, 4), read_le(end + 10, 2)};
	bool is_large = directory->offset == UINT32_MAX || directory->bytes == UINT32_MAX || directory->n == 0xffff;
	if (is_large && at >= SR_ZIP_LOCATOR64_BYTES && is_signature(end - SR_ZIP_LOCATOR64_BYTES, SR_ZIP_LOCATOR64))
		status = find_zip64_directory(diags, file, end - SR_ZIP_LOCATOR64_BYTES, directory);
	return status;
}

/* Read a zip64 record into `fields`, the entry's length, stored length and offset: for each of the three whose 32 bits are all set,
 * the record has a 64-bit value, in this order. */
static bool read_zip64(const char *extra_field, uint64_t n, uint64_t *fields[3])
{
	while (n >= 4) {
		uint64_t id = read_le(extra_field, 2), size = read_le(extra_field + 2, 2);
		if (size > n - 4)
			return false;
		if (id == 1) {
			const char *p = extra_field + 4, *end = p + size;
			for (int i = 0; i < 3; i++) {
				if (*fields[i] != UINT32_MAX)
					continue;
				if (end - p < 8)
					return false;
				*fields[i] = read_le(p, 8);
				p += 8;
			}
			return true;
		}
		extra_field += 4 + size;
		n -= 4 + size;
	}
	return false;
}

/* Parse one entry of at most n bytes at p; *entry_bytes is its length. Returns NULL, or an error message. */
static const char *read_entry(struct sr_arena *arena, const char *p, uint64_t n, struct sr_npz_member *member,
			      uint64_t *entry_bytes)
{
	if (n < SR_ZIP_ENTRY_BYTES || !is_signature(p, SR_ZIP_ENTRY))
		return "an invalid entry in its directory";
	uint64_t name_bytes = read_le(p + 28, 2), extra_bytes = read_le(p + 30, 2), comment_bytes = read_le(p + 32, 2);
	uint64_t length = read_le(p + 24, 4), stored_bytes = read_le(p + 20, 4), offset = read_le(p + 42, 4);
	*entry_bytes = SR_ZIP_ENTRY_BYTES + name_bytes + extra_bytes + comment_bytes;
	if (*entry_bytes > n)
		return "an invalid entry in its directory";
	bool is_large = length == UINT32_MAX || stored_bytes == UINT32_MAX || offset == UINT32_MAX;
	if (is_large && !read_zip64(p + SR_ZIP_ENTRY_BYTES + name_bytes, extra_bytes, (uint64_t *[]){&length, &stored_bytes, &offset}))
		return "an invalid entry in its directory";
	if (stored_bytes > INT64_MAX || offset > INT64_MAX)
		return "an invalid entry in its directory";
	member->method = (int)read_le(p + 10, 2);
	member->is_encrypted = read_le(p + 8, 2) & ENCRYPTED;
	member->crc = (uint32_t)read_le(p + 16, 4);
	member->header_offset = (int64_t)offset;
	member->bytes = (int64_t)stored_bytes;
	member->full_name = sr_strndup(arena, p + SR_ZIP_ENTRY_BYTES, name_bytes);
	if (memchr(member->full_name, '\0', name_bytes))
		return "a name with a NUL byte";
	if (member->method == 0 && length != stored_bytes)
		return "a stored member with two different lengths";
	if (name_bytes > 4 && strcmp(member->full_name + name_bytes - 4, ".npy") == 0)
		name_bytes -= 4;
	member->name = sr_strndup(arena, p + SR_ZIP_ENTRY_BYTES, name_bytes);
	return NULL;
}

/* Parse the n entries, which must fill the directory exactly. */
static enum sr_status read_entries(struct sr_diags *diags, struct sr_arena *arena, const struct sr_file *file, const char *bytes,
				   struct directory directory, struct sr_npz *npz)
{
	const char **names = SR_NEW_ARRAY(arena, const char *, directory.n);
	uint64_t at = 0, entry_bytes = 0;
	for (uint64_t i = 0; i < directory.n; i++, at += entry_bytes) {
		struct sr_npz_member *member = &npz->members[i];
		const char *error = read_entry(arena, bytes + at, directory.bytes - at, member, &entry_bytes);
		if (error)
			return report_malformed(diags, file, error);
		names[i] = member->name;
		npz->n++;
	}
	enum sr_status status = sr_check_unique_names(diags, arena, file->path, "members", names, directory.n);
	if (status)
		return status;
	return at == directory.bytes ? SR_OK : report_malformed(diags, file, "its directory does not end with its last entry");
}

enum sr_status sr_npz_read_directory(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file, struct sr_npz *npz)
{
	struct directory directory = {0};
	*npz = (struct sr_npz){0};
	enum sr_status status = find_directory(diags, arena, file, &directory);
	if (status)
		return status;
	uint64_t size = (uint64_t)file->size;
	if (directory.offset > size || directory.bytes > size - directory.offset ||
	    directory.n > directory.bytes / SR_ZIP_ENTRY_BYTES)
		return report_malformed(diags, file, "its directory is outside the file");
	char *bytes = SR_NEW_ARRAY(arena, char, directory.bytes);
	status = sr_file_read_at(diags, file, bytes, (int64_t)directory.bytes, (int64_t)directory.offset);
	if (status)
		return status;
	npz->members = SR_NEW_ARRAY(arena, struct sr_npz_member, directory.n);
	return read_entries(diags, arena, file, bytes, directory, npz);
}

int64_t sr_npz_find(const struct sr_npz *npz, const char *name)
{
	for (int64_t i = 0; i < npz->n; i++)
		if (strcmp(npz->members[i].name, name) == 0)
			return i;
	return -1;
}

/* Find the member's data after its local header, whose name must equal the directory's. */
static enum sr_status find_data(struct sr_diags *diags, struct sr_file *file, const struct sr_npz_member *member, int64_t *data)
{
	char local_header[SR_ZIP_LOCAL_BYTES];
	enum sr_status status = sr_file_read_at(diags, file, local_header, sizeof local_header, member->header_offset);
	if (status)
		return status;
	if (!is_signature(local_header, SR_ZIP_LOCAL))
		return report_malformed(diags, file, "no member at the offset in its directory");
	int64_t name = (int64_t)read_le(local_header + 26, 2);
	*data = member->header_offset + SR_ZIP_LOCAL_BYTES + name + (int64_t)read_le(local_header + 28, 2);
	if (*data > file->size || member->bytes > file->size - *data)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
				"file has %" PRId64 " bytes, its member '%s' asks for %" PRId64 " from %" PRId64, file->size,
				member->name, member->bytes, *data);
	char stored_name[MAX_COMMENT_BYTES];
	status = sr_file_read_at(diags, file, stored_name, name, member->header_offset + SR_ZIP_LOCAL_BYTES);
	if (!status && ((size_t)name != strlen(member->full_name) || memcmp(stored_name, member->full_name, (size_t)name) != 0))
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
				  "malformed .npz file: the member '%s' of its directory has another name in its local header",
				  member->full_name);
	return status;
}

enum sr_status sr_npz_read_header(struct sr_diags *diags, struct sr_file *file, const struct sr_npz_member *member,
				  struct sr_npy *npy)
{
	int64_t data = 0;
	if (member->is_encrypted)
		return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){file->path}, "member '%s' is encrypted", member->name);
	if (member->method != 0)
		return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){file->path},
				"member '%s' is compressed; write the file with numpy.savez", member->name);
	enum sr_status status = find_data(diags, file, member, &data);
	return status ? status : sr_npy_read_header_within(diags, file, data, member->bytes, npy);
}

/* Return the end of chunk `chunk` of n_chunks, as bytes from the beginning of the member. */
static int64_t chunk_end(const struct sr_npy *npy, int64_t chunk, int64_t n_chunks)
{
	int64_t bytes = npy->end_offset - npy->header_offset, chunk_bytes = bytes / n_chunks + (bytes % n_chunks != 0), end;
	return sr_mul_overflows(chunk_bytes, chunk + 1, &end) || end > bytes ? bytes : end;
}

enum sr_status sr_npz_checksum(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, int64_t chunk,
			       int64_t n_chunks, uint32_t *sum)
{
	enum { BUFFER_BYTES = 1 << 20 };
	enum sr_status status = SR_OK;
	char *buffer = malloc(BUFFER_BYTES);
	*sum = 0;
	if (!buffer)
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){file->path}, "no memory for a checksum");
	int64_t end = npy->header_offset + chunk_end(npy, chunk, n_chunks);
	for (int64_t at = npy->header_offset + (chunk ? chunk_end(npy, chunk - 1, n_chunks) : 0); !status && at < end; at += BUFFER_BYTES) {
		int64_t n = end - at < BUFFER_BYTES ? end - at : BUFFER_BYTES;
		status = sr_file_read_at(diags, file, buffer, n, at);
		*sum = status ? 0 : sr_crc32(*sum, buffer, (size_t)n);
	}
	free(buffer);
	return status;
}

uint32_t sr_npz_combine_checksums(const struct sr_npy *npy, const uint32_t *sums, int64_t n_chunks)
{
	uint32_t sum = 0;
	int64_t begin = 0;
	for (int64_t i = 0; i < n_chunks; i++) {
		int64_t end = chunk_end(npy, i, n_chunks);
		sum = sr_crc32_join(sum, sums[i], (uint64_t)(end - begin));
		begin = end;
	}
	return sum;
}

enum sr_status sr_npz_verify_checksum(struct sr_diags *diags, const struct sr_file *file, const struct sr_npz_member *member,
				      const struct sr_npy *npy, const uint32_t *sums, int64_t n_chunks)
{
	uint32_t sum = sr_npz_combine_checksums(npy, sums, n_chunks);
	if (sum == member->crc)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
			"member '%s' is damaged: its bytes have the checksum %08" PRIx32 ", the archive says %08" PRIx32, member->name, sum,
			member->crc);
}
