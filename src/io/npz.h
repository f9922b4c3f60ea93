/* NumPy's .npz archives: zip files of .npy members. Members that numpy.savez stores are read in place, by slices; compressed ones
 * (numpy.savez_compressed) are refused, since a part of them cannot be found without reading all before it. Zip64 is read.
 *
 *	sr_file_open(diags, "all.npz", &file); sr_npz_read_directory(diags, arena, &file, &npz);
 *	sr_npz_read_header(diags, &file, &npz.members[sr_npz_find(&npz, "w")], &npy); then as for an .npy file */
#ifndef SR_IO_NPZ_H
#define SR_IO_NPZ_H

#include "io/npy.h"

struct sr_npz_member {
	const char *name; /* without .npy */
	int method;       /* of compression; 0: stored */
	int64_t header;   /* offset of the member's own header */
	int64_t bytes;    /* in the file */
};

struct sr_npz {
	struct sr_npz_member *members; /* [n], in the order of the directory; in the arena */
	int64_t n;
};

enum sr_status sr_npz_read_directory(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file, struct sr_npz *npz);
int64_t sr_npz_find(const struct sr_npz *npz, const char *name); /* -1 where there is no such member */
enum sr_status sr_npz_read_header(struct sr_diags *diags, struct sr_file *file, const struct sr_npz_member *member,
				  struct sr_npy *npy);

#endif
