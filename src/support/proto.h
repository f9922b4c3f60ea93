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
 *	if (message.is_malformed) ...
 *
 * Every read is checked against the end of the message. A malformed message ends early with is_malformed set; a nested message
 * has a separate cursor and flag. Fields of an unexpected wire type read as 0, as an empty string or as an empty list. */
#ifndef SR_SUPPORT_PROTO_H
#define SR_SUPPORT_PROTO_H

#include "support/buf.h"
#include "support/integers.h"

enum sr_proto_wire { SR_PROTO_VARINT = 0, SR_PROTO_FIXED64 = 1, SR_PROTO_BYTES = 2, SR_PROTO_FIXED32 = 5 };

struct sr_proto { /* a cursor: the unread bytes of a message */
	const uint8_t *p, *end;
	bool is_malformed; /* true if the message is malformed; nothing more is read then */
};

struct sr_proto_field {
	uint32_t number; /* field number, 1 or more */
	enum sr_proto_wire wire;
	uint64_t value;       /* for VARINT, FIXED32 and FIXED64: the bits of the value */
	const uint8_t *bytes; /* for BYTES: contents, which point into the message */
	size_t n;             /* for BYTES: number of bytes */
};

static inline struct sr_proto sr_proto_of(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	return (struct sr_proto){p, n ? p + n : p, false};
}

/* Read the next field. Return false at the end of the message, or if the message is malformed (then m->is_malformed is set). */
bool sr_proto_next(struct sr_proto *m, struct sr_proto_field *f);
/* Read a varint. If it is malformed, set m->is_malformed and return 0. */
uint64_t sr_proto_varint(struct sr_proto *m);

/* Functions that return the value of a field as the type in its schema. */
int64_t sr_proto_int(const struct sr_proto_field *f); /* Return a value of type int32, int64, uint32 or enum. */
bool sr_proto_bool(const struct sr_proto_field *f);
float sr_proto_float(const struct sr_proto_field *f);
double sr_proto_double(const struct sr_proto_field *f);
/* Return a copy of a string field, with a NUL appended. */
const char *sr_proto_string(struct sr_arena *arena, const struct sr_proto_field *f);
struct sr_proto sr_proto_message(const struct sr_proto_field *f);
/* Append the elements of a repeated integer field, packed or not. Return false if a packed list is malformed. */
bool sr_proto_integers(struct sr_arena *arena, const struct sr_proto_field *f, sr_integers *out);

/* Functions that append a field to a message that is being written. */
/* Append a field of type int32, int64, bool or enum, even if it is 0. */
void sr_proto_put_int(struct sr_buf *out, uint32_t number, int64_t value);
/* Append a field of type string, bytes or message. */
void sr_proto_put_bytes(struct sr_buf *out, uint32_t number, const void *bytes, size_t n);
/* Append a packed repeated field; nothing for n = 0. */
void sr_proto_put_integers(struct sr_buf *out, uint32_t number, const int64_t *values, size_t n);

#endif
