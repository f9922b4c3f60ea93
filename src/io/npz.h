/* NumPy's .npz archives: zip files of .npy members. Members stored by numpy.savez are read in place, slice by slice. Compressed
 * members (numpy.savez_compressed) are rejected, since a slice of them cannot be found without decompressing everything before
 * it; so are encrypted members and duplicate names. Zip64 is supported.
 *
 *	sr_file_open(diags, "all.npz", &file); sr_npz_read_directory(diags, arena, &file, &npz);
 *	member = &npz.members[sr_npz_find(&npz, "w")];
 *	sr_npz_read_header(diags, &file, member, &npy); then as for an .npy file
 *
 * A member's checksum covers all of its bytes. Ranks compute it in parallel: each computes the checksum of one chunk, and whoever
 * has all of them verifies the whole:
 *
 *	sr_npz_checksum(diags, &file, &npy, rank, size, &sums[rank]); gather the sums; sr_npz_verify_checksum(diags, &file, member, &npy, sums, size); */
#ifndef SR_IO_NPZ_H
#define SR_IO_NPZ_H

#include "io/npy.h"

struct sr_npz_member {
	const char *name, *full_name; /* name without the suffix .npy; name in the zip directory */
	int method; /* compression method; 0: stored uncompressed */
	bool is_encrypted;
	uint32_t crc;   /* CRC-32 of all bytes of the member */
	int64_t header_offset; /* byte offset of the member's local header */
	int64_t bytes;  /* bytes of the member's data as stored */
};

struct sr_npz {
	struct sr_npz_member *members; /* members in the order of the zip directory, in the arena; length n */
	int64_t n;
};

enum sr_status sr_npz_read_directory(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file, struct sr_npz *npz);
/* Return the index of the member with this name; -1 if there is none. */
int64_t sr_npz_find(const struct sr_npz *npz, const char *name);
enum sr_status sr_npz_read_header(struct sr_diags *diags, struct sr_file *file, const struct sr_npz_member *member,
				  struct sr_npy *npy);
/* Compute the CRC-32 of chunk `chunk` of n_chunks of the member with the header npy. Chunks have equal length, except for the last
 * ones. */
enum sr_status sr_npz_checksum(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, int64_t chunk,
			       int64_t n_chunks, uint32_t *sum);
/* Combine the checksums of the chunks into the checksum of all bytes. */
uint32_t sr_npz_combine_checksums(const struct sr_npy *npy, const uint32_t *sums, int64_t n_chunks);
/* Verify the member's checksum, given the checksums of its chunks. */
enum sr_status sr_npz_verify_checksum(struct sr_diags *diags, const struct sr_file *file, const struct sr_npz_member *member,
				      const struct sr_npy *npy, const uint32_t *sums, int64_t n_chunks);

#endif
