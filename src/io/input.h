/* A value given on the command line: text, zeros, raw bytes, an .npy file, or an array of an archive. It is opened and checked
 * once, then read slice by slice.
 *
 *	struct sr_input input;
 *	sr_input_open(diags, arena, NULL, "--input", "@x.npy", SR_F32, &input);
 *	sr_input_check(diags, &input, "argument 0", SR_F32, global, rank);
 *	sr_input_read_slice(diags, &input, slice.start, slice.size, slice.local, buffer);
 *	sr_input_close(&input); */
#ifndef SR_IO_INPUT_H
#define SR_IO_INPUT_H

#include "io/archive.h"
#include "io/npy.h"
#include "io/text_value.h"

struct sr_input_request {
	const char *description; /* what the value is for, in messages: "argument 0" */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;                 /* extents of the whole array in the file */
	/* first index and extents of the slice; extents of the row-major buffer to whose origin the slice is copied */
	const int64_t *start, *size, *local_dims;
};

struct sr_input {
	const char *flag;           /* flag or file name, for messages */
	/* type and shape, except those of an .npy file; after sr_input_open the kind is never SR_VALUE_ARCHIVE */
	struct sr_text_value value;
	struct sr_file file;	    /* open file, if the value is in a file */
	struct sr_npy npy;          /* header, if the value is an .npy file */
	int64_t offset;		    /* byte offset of the elements in a raw file */
	const struct sr_npz_member *member; /* archive member whose checksum the caller may verify; NULL: none */
};

/* Parse the text (see sr_text_value_parse), open its file and check header and length. Nothing stays open after an error.
 * `archives`: cache of tables of contents, for reading several arrays of one file; NULL: none. */
enum sr_status sr_input_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, enum sr_dtype scalar, struct sr_input *input);
/* Check that the value has this type and shape. `value_name` is the value's name in messages: "argument 0". */
enum sr_status sr_input_check(struct sr_diags *diags, const struct sr_input *input, const char *value_name, enum sr_dtype type,
			      const int64_t *dims, int rank);
/* Read the slice [start, start + size) into the origin of a row-major buffer with the extents `local` (NULL: size). */
enum sr_status sr_input_read_slice(struct sr_diags *diags, struct sr_input *input, const int64_t *start, const int64_t *size,
				   const int64_t *local_dims, void *dst);
void sr_input_close(struct sr_input *input);
/* Open, check, read and close the value. dst NULL: check only. Elements of fewer than 8 bits are sign- or zero-extended. */
enum sr_status sr_input_load(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, const struct sr_input_request *wanted, void *dst);

#endif
