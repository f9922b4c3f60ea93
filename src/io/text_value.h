/* Parse and print values in the syntax of iree-run-module's flags.
 *
 *	4xf32=1 2 3 4          2x2xi32=[[1 2][3 4]]     brackets and commas separate like spaces
 *	4xf32=7                one element, repeated    4xf32      zeros
 *	f32=3.14   3.14        a scalar; without a type it gets the expected type
 *	2x2xi32=@raw.bin       the elements as bytes in a file
 *	@x.npy                 an .npy file
 *	@w.npz:KEY             an array of an archive, .npz or .safetensors; without :KEY the only one
 *
 * Types have MLIR's names; si32 is accepted for i32. Complex elements are written 1+2j. The text is parsed completely; each rank
 * then copies its slice with sr_slice_copy_in or reads it from the file. */
#ifndef SR_IO_TEXT_VALUE_H
#define SR_IO_TEXT_VALUE_H

#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/dtype.h"

enum sr_text_value_kind { SR_VALUE_ELEMENTS, SR_VALUE_ZEROS, SR_VALUE_RAW_FILE, SR_VALUE_NPY_FILE, SR_VALUE_ARCHIVE };

struct sr_text_value {
	enum sr_text_value_kind kind;
	enum sr_dtype type; /* element type; SR_DTYPE_NONE for an .npy file and an archive */
	int rank;
	int64_t dims[SR_MAX_RANK];
	int64_t bytes;    /* size of all elements in bytes */
	void *data;       /* elements in row-major order, in the arena, for kind SR_VALUE_ELEMENTS */
	const char *path; /* path of the file, for values in files */
	const char *key;  /* name of the array in an archive; NULL: not given */
};

/* Parse a value. `scalar` is the type of a number without a type. `flag` ("--input=4xf32=1 2") takes the place of the file name
 * in messages. */
enum sr_status sr_text_value_parse(struct sr_diags *diags, struct sr_arena *arena, const char *flag, const char *text,
				   enum sr_dtype scalar, struct sr_text_value *value);
bool sr_text_has_type(const char *text); /* Return true if the text before the first '=' (or all of it) is a type. */
/* Print an element with the fewest digits that parse back to the same value. */
void sr_element_print_shortest(struct sr_buf *buf, enum sr_dtype type, const void *element);
/* Print type and elements, "2x2xf32=[1 2][3 4]": at most `limit` elements, then "...". */
void sr_value_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank, const void *data, int64_t limit,
		    bool shortest);

#endif
