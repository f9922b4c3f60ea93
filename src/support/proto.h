/* Protocol buffers' wire format: a cursor over the fields of a message, and functions that append fields to a buffer. No schema
 * and no generated code: callers know the field numbers.
 *
 *	struct sr_proto message = sr_proto_of(bytes, n);
 *	struct sr_proto_field f;
 *	while (sr_proto_next(&message, &f))
 *		switch (f.number) {
 *		case 1: name = sr_proto_string(arena, &f); break;
 *		case 2: read_shape(sr_proto_message(&f)); break;
 *		case 3: sr_proto_integers(arena, &f, &dims); break;
 *		}
 *	if (message.bad) ...
 *
 * Every read is checked against the end of the message. A malformed message ends early with `bad` set; a message nested in it has
 * a cursor and a flag of its own. Fields of an unexpected wire type read as 0, as an empty string or as an empty list. */
#ifndef SR_SUPPORT_PROTO_H
#define SR_SUPPORT_PROTO_H

#include "support/buf.h"
#include "support/integers.h"

enum sr_proto_wire { SR_PROTO_VARINT = 0, SR_PROTO_FIXED64 = 1, SR_PROTO_BYTES = 2, SR_PROTO_FIXED32 = 5 };

struct sr_proto { /* the rest of a message */
	const uint8_t *p, *end;
	bool bad; /* the message is malformed; nothing more is read */
};

struct sr_proto_field {
	uint32_t number; /* 1 or more */
	enum sr_proto_wire wire;
	uint64_t value;       /* VARINT, FIXED32, FIXED64: the bits */
	const uint8_t *bytes; /* BYTES: contents, which point into the message */
	size_t n;             /* BYTES: length */
};

static inline struct sr_proto sr_proto_of(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	return (struct sr_proto){p, n ? p + n : p, false};
}

/* Read the next field. False at the end of the message, or if it is malformed (then m->bad is set). */
bool sr_proto_next(struct sr_proto *m, struct sr_proto_field *f);
/* Read a varint. A malformed one sets m->bad and returns 0. */
uint64_t sr_proto_varint(struct sr_proto *m);

/* The value of a field as the schema's type. */
int64_t sr_proto_int(const struct sr_proto_field *f); /* int32, int64, uint32, enum */
bool sr_proto_bool(const struct sr_proto_field *f);
float sr_proto_float(const struct sr_proto_field *f);
double sr_proto_double(const struct sr_proto_field *f);
const char *sr_proto_string(struct sr_arena *arena, const struct sr_proto_field *f); /* a copy that ends with NUL */
struct sr_proto sr_proto_message(const struct sr_proto_field *f);
/* Append the elements of a repeated integer field, packed or not. False if the packed list is malformed. */
bool sr_proto_integers(struct sr_arena *arena, const struct sr_proto_field *f, sr_integers *out);

/* Append a field to a message that is being written. */
void sr_proto_put_int(struct sr_buf *out, uint32_t number, int64_t value); /* int32, int64, bool, enum; also if it is 0 */
void sr_proto_put_bytes(struct sr_buf *out, uint32_t number, const void *bytes, size_t n); /* string, bytes, message */
void sr_proto_put_integers(struct sr_buf *out, uint32_t number, const int64_t *values, size_t n); /* packed; nothing for n = 0 */

#endif
