/* Read and write the wire format of protocol buffers. */
#include "support/proto.h"
#include <string.h>

uint64_t sr_proto_varint(struct sr_proto *m)
{
	uint64_t v = 0;
	for (int shift = 0; shift < 64 && m->p < m->end && !m->is_malformed; shift += 7) {
		uint8_t byte = *m->p++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	m->is_malformed = true;
	return 0;
}

/* Read a little-endian number of n bytes. */
static uint64_t read_fixed(struct sr_proto *m, size_t n)
{
	uint64_t v = 0;
	if ((size_t)(m->end - m->p) < n) {
		m->is_malformed = true;
		return 0;
	}
	for (size_t i = n; i-- > 0;)
		v = v << 8 | m->p[i];
	m->p += n;
	return v;
}

bool sr_proto_next(struct sr_proto *m, struct sr_proto_field *f)
{
	if (m->is_malformed || m->p >= m->end)
		return false;
	uint64_t tag = sr_proto_varint(m);
	*f = (struct sr_proto_field){.number = (uint32_t)(tag >> 3), .wire = (enum sr_proto_wire)(tag & 7)};
	m->is_malformed = m->is_malformed || tag >> 3 == 0 || tag >> 32 != 0;
	switch (f->wire) {
	case SR_PROTO_VARINT:
		f->value = sr_proto_varint(m);
		break;
	case SR_PROTO_FIXED64:
		f->value = read_fixed(m, 8);
		break;
	case SR_PROTO_FIXED32:
		f->value = read_fixed(m, 4);
		break;
	case SR_PROTO_BYTES:
		f->value = sr_proto_varint(m);
		m->is_malformed = m->is_malformed || f->value > (uint64_t)(m->end - m->p);
		f->bytes = m->p;
		f->n = m->is_malformed ? 0 : (size_t)f->value;
		m->p += f->n;
		f->value = 0;
		break;
	default: /* Reject groups, which proto3 does not have. */
		m->is_malformed = true;
	}
	return !m->is_malformed;
}

int64_t sr_proto_int(const struct sr_proto_field *f)
{
	return (int64_t)f->value;
}

bool sr_proto_bool(const struct sr_proto_field *f)
{
	return f->value != 0;
}

float sr_proto_float(const struct sr_proto_field *f)
{
	uint32_t bits = f->wire == SR_PROTO_FIXED32 ? (uint32_t)f->value : 0;
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

double sr_proto_double(const struct sr_proto_field *f)
{
	uint64_t bits = f->wire == SR_PROTO_FIXED64 ? f->value : 0;
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

const char *sr_proto_string(struct sr_arena *arena, const struct sr_proto_field *f)
{
	return sr_strndup(arena, f->n ? (const char *)f->bytes : "", f->n);
}

struct sr_proto sr_proto_message(const struct sr_proto_field *f)
{
	return sr_proto_of(f->bytes, f->n);
}

bool sr_proto_integers(struct sr_arena *arena, const struct sr_proto_field *f, sr_integers *out)
{
	if (f->wire != SR_PROTO_BYTES) {
		sr_push(arena, out, (int64_t)f->value);
		return true;
	}
	struct sr_proto list = sr_proto_message(f);
	while (list.p < list.end && !list.is_malformed) {
		int64_t v = (int64_t)sr_proto_varint(&list);
		if (!list.is_malformed)
			sr_push(arena, out, v);
	}
	return !list.is_malformed;
}

static void put_varint(struct sr_buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		sr_buf_putc(out, (char)(v | 0x80));
	sr_buf_putc(out, (char)v);
}

void sr_proto_put_int(struct sr_buf *out, uint32_t number, int64_t value)
{
	put_varint(out, (uint64_t)number << 3 | SR_PROTO_VARINT);
	put_varint(out, (uint64_t)value);
}

void sr_proto_put_bytes(struct sr_buf *out, uint32_t number, const void *bytes, size_t n)
{
	put_varint(out, (uint64_t)number << 3 | SR_PROTO_BYTES);
	put_varint(out, n);
	if (n)
		sr_buf_put(out, bytes, n);
}

void sr_proto_put_integers(struct sr_buf *out, uint32_t number, const int64_t *values, size_t n)
{
	struct sr_buf list;
	sr_buf_init(&list, out->arena);
	for (size_t i = 0; i < n; i++)
		put_varint(&list, (uint64_t)values[i]);
	if (n)
		sr_proto_put_bytes(out, number, list.data, list.n);
}
