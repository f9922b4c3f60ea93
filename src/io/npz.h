/* NumPy's .npz archives: zip files of .npy members. Members that numpy.savez stores are read in place, by slices; compressed ones
 * (numpy.savez_compressed) are refused, since a part of them cannot be found without reading all before it; so are encrypted ones
 * and two of one name. Zip64 is read.
 *
 *	sr_file_open(diags, "all.npz", &file); sr_npz_read_directory(diags, arena, &file, &npz);
 *	member = &npz.members[sr_npz_find(&npz, "w")];
 *	sr_npz_read_header(diags, &file, member, &npy); then as for an .npy file
 *
 * A member's checksum is of all its bytes. Ranks share them: each adds up its part, and who has all the sums compares:
 *
 *	sr_npz_checksum(diags, &file, &npy, rank, size, &sums[rank]); gather the sums; sr_npz_verify_checksum(diags, &file, member, &npy, sums, size); */
#ifndef SR_IO_NPZ_H
#define SR_IO_NPZ_H

#include "io/npy.h"

struct sr_npz_member {
	const char *name, *full_name; /* without .npy, and as written */
	int method; /* of compression; 0: stored */
	bool is_encrypted;
	uint32_t crc;   /* of all bytes */
	int64_t header; /* offset of the member's own header */
	int64_t bytes;  /* in the file */
};

struct sr_npz {
	struct sr_npz_member *members; /* [n], in the order of the directory; in the arena */
	int64_t n;
};

enum sr_status sr_npz_read_directory(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file, struct sr_npz *npz);
int64_t sr_npz_find(const struct sr_npz *npz, const char *name); /* -1 where there is no such member */
enum sr_status sr_npz_read_header(struct sr_diags *diags, struct sr_file *file, const struct sr_npz_member *member,
				  struct sr_npy *npy);
/* The checksum of part `part` of n_parts of the member whose header is npy; parts are of equal length, but for the last ones. */
enum sr_status sr_npz_checksum(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, int64_t part, int64_t n_parts,
			  uint32_t *sum);
/* The sum of all bytes, from the parts'. */
uint32_t sr_npz_combine_checksums(const struct sr_npy *npy, const uint32_t *sums, int64_t n_parts);
/* That the parts' sums are those of the bytes that were written. */
enum sr_status sr_npz_verify_checksum(struct sr_diags *diags, const struct sr_file *file, const struct sr_npz_member *member,
				 const struct sr_npy *npy, const uint32_t *sums, int64_t n_parts);

#endif
