/* Values as iree-run-module's flags spell them, and printed the same way.
 *
 *	4xf32=1 2 3 4          2x2xi32=[[1 2][3 4]]     brackets and commas are spaces
 *	4xf32=7                one element for all      4xf32      zeros
 *	f32=3.14   3.14        a scalar; without a type it takes the one that is wanted
 *	2x2xi32=@raw.bin       the elements as bytes in a file
 *	@x.npy                 an .npy file
 *	@w.npz:KEY             an array of an archive, .npz or .safetensors; without :KEY the only one
 *
 * Types are MLIR's names, with si32 for i32, too. Complex elements are 1+2j. The value is parsed in full; ranks take their parts
 * with sr_slice_copy_in, or read them from the file. */
#ifndef SR_IO_TEXT_VALUE_H
#define SR_IO_TEXT_VALUE_H

#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/dtype.h"

enum sr_text_value_kind { SR_VALUE_ELEMENTS, SR_VALUE_ZEROS, SR_VALUE_RAW_FILE, SR_VALUE_NPY_FILE, SR_VALUE_ARCHIVE };

struct sr_text_value {
	enum sr_text_value_kind kind;
	enum sr_dtype type; /* SR_DTYPE_NONE for an .npy file and an archive */
	int rank;
	int64_t dims[SR_MAX_RANK];
	int64_t bytes;    /* of all elements */
	void *data;       /* ELEMENTS: row-major, in the arena */
	const char *path; /* files */
	const char *key;  /* of an archive; NULL: none is given */
};

/* `scalar` is the type of a lone number. `flag` ("--input=4xf32=1 2") stands in messages for the file. */
enum sr_status sr_text_value_parse(struct sr_diags *diags, struct sr_arena *arena, const char *flag, const char *text,
				   enum sr_dtype scalar, struct sr_text_value *value);
bool sr_text_has_type(const char *text); /* what stands before the first = (or all of it) is a type */
/* One element: false where the text is none of that type. Integers may fill all bits of a signless type (i8: -128..255). */
bool sr_element_parse(enum sr_dtype type, const char *text, size_t n, void *out);
void sr_element_print(struct sr_buf *buf, enum sr_dtype type, const void *element); /* floats by %G, as IREE prints them */
/* by the fewest digits that read back */
void sr_element_print_shortest(struct sr_buf *buf, enum sr_dtype type, const void *element);
/* "2x2xf32=[1 2][3 4]": at most `limit` elements, then "...". */
void sr_value_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank, const void *data, int64_t limit,
		    bool shortest);

#endif
