/* One value given on the command line, whatever its form: text, zeros, raw bytes, an .npy file, an array of an archive. Opened and
 * checked once, then read by slices.
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
	const char *what; /* who wants it, for messages: "argument 0" */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;                 /* of the whole value */
	const int64_t *start, *size, *local; /* the part, and the extents of the row-major buffer whose origin it goes to */
};

struct sr_input {
	const char *flag;           /* for messages about text */
	struct sr_text_value value; /* type and shape of what is no .npy file; an archive's array is one of the other two files */
	struct sr_file file;	    /* of files; otherwise closed */
	struct sr_npy npy;          /* of an .npy file */
	int64_t offset;		    /* of the first byte of a raw one */
	const struct sr_npz_member *member; /* whose checksum is to be compared; NULL: there is none */
};

/* As sr_text_value_parse; files are opened, their headers and lengths checked. Closed again where it fails. `archives`: whose
 * tables were read already, for more than one array of a file; NULL: none. */
enum sr_status sr_input_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, enum sr_dtype scalar, struct sr_input *input);
/* That it is of this type and shape; `what` is who wants it: "argument 0". */
enum sr_status sr_input_check(struct sr_diags *diags, const struct sr_input *input, const char *what, enum sr_dtype type,
			      const int64_t *dims, int rank);
/* The slice [start, start + size) into the origin of a row-major buffer of the extents local (NULL: size). */
enum sr_status sr_input_read_slice(struct sr_diags *diags, struct sr_input *input, const int64_t *start, const int64_t *size,
				   const int64_t *local, void *dst);
void sr_input_close(struct sr_input *input);
/* All of it: opened, checked, read, closed. dst NULL: it is not read. Elements of fewer bits than a byte are extended. */
enum sr_status sr_input_load(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, const struct sr_input_request *wanted, void *dst);

#endif
