/* Read the shapes and literals of a HloModuleProto (xla_data.proto: ShapeProto, LayoutProto, LiteralProto). */
#include "support/checked.h"
#include "text/hlo/hlo.h"
#include <string.h>

enum { TYPE_TUPLE = 13, TYPE_OPAQUE = 14, TYPE_TOKEN = 17 }; /* values of PrimitiveType that are not element types */

bool sr_hlo_next_field(struct sr_hlo *h, struct sr_proto *m, struct sr_proto_field *f)
{
	if (sr_proto_next(m, f))
		return true;
	if (m->is_malformed)
		sr_hlo_malformed(h);
	return false;
}

void sr_hlo_malformed(struct sr_hlo *h)
{
	sr_parser_fail(&h->p, NULL, "the HloModuleProto is malformed or truncated here");
}

void sr_hlo_field_integers(struct sr_hlo *h, const struct sr_proto_field *f, sr_integers *out)
{
	if (!sr_proto_integers(h->arena, f, out))
		sr_hlo_malformed(h);
}

/* ---------------------------------------------------------------- shapes */

static void read_layout(struct sr_hlo *h, struct sr_proto m, sr_integers *order)
{
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == 1)
			sr_hlo_field_integers(h, &f, order);
}

/* Replace the extents that are marked as dynamic by SR_DYNAMIC, and store their values as bounds. XLA writes INT64_MIN for an
 * extent without bound. */
static void split_bounds(struct sr_hlo *h, sr_integers *extents, const sr_integers *is_dynamic, sr_integers *bounds)
{
	if (is_dynamic->n && is_dynamic->n != extents->n)
		sr_hlo_malformed(h);
	for (size_t i = 0; i < extents->n; i++) {
		bool is_unknown = is_dynamic->n && is_dynamic->data[i];
		int64_t n = extents->data[i];
		if (n < 0 && !(is_unknown && n == INT64_MIN))
			sr_parser_fail(&h->p, NULL, "a shape has the extent %lld", (long long)n);
		sr_push(h->arena, bounds, is_unknown && n >= 0 ? n : SR_DYNAMIC);
		extents->data[i] = is_unknown ? SR_DYNAMIC : n;
	}
}

const struct sr_hlo_shape *sr_hlo_proto_shape(struct sr_hlo *h, struct sr_proto m)
{
	sr_integers extents = {0}, is_dynamic = {0}, bounds = {0}, order = {0};
	sr_hlo_shapes elements = {0};
	int64_t number = 0;
	sr_parser_enter(&h->p);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		switch (f.number) {
		case 2:
			number = sr_proto_int(&f);
			break;
		case 3:
			sr_hlo_field_integers(h, &f, &extents);
			break;
		case 4:
			sr_push(h->arena, &elements, sr_hlo_proto_shape(h, sr_proto_message(&f)));
			break;
		case 5:
			read_layout(h, sr_proto_message(&f), &order);
			break;
		case 6:
			sr_hlo_field_integers(h, &f, &is_dynamic);
			break;
		}
	sr_parser_leave(&h->p);
	if (number == TYPE_TUPLE)
		return sr_hlo_tuple_shape(h, &elements, NULL);
	enum sr_dtype type = sr_hlo_dtype_of_number(number);
	if (number == TYPE_OPAQUE)
		sr_hlo_unsupported(h, NULL, "values of type opaque[] are not supported");
	if (!type && number != TYPE_TOKEN)
		sr_parser_fail(&h->p, NULL, "a shape has the unknown element type %lld", (long long)number);
	split_bounds(h, &extents, &is_dynamic, &bounds);
	struct sr_hlo_shape *shape = sr_hlo_leaf_shape(h, type, &extents, &bounds, NULL);
	if (type)
		sr_hlo_set_layout(h, shape, &order, NULL);
	return shape;
}

/* ---------------------------------------------------------------- literals */

struct elements { /* elements of a literal, in the order in which the literal stores them */
	enum sr_dtype type;
	size_t size; /* size of an element in bytes */
	char *data;
	int64_t n, max_n;
};

static void report_element_count(struct sr_hlo *h, int64_t n)
{
	sr_parser_fail(&h->p, NULL, "the constant has not as many elements as its shape, which has %lld", (long long)n);
}

static void add_varint(struct sr_hlo *h, struct elements *e, uint64_t v)
{
	if (e->n >= e->max_n)
		report_element_count(h, e->max_n);
	sr_element_set(e->type, e->data + (size_t)e->n++ * e->size, (int64_t)v, 0, 0);
}

static void add_bytes(struct sr_hlo *h, struct elements *e, const void *bytes, size_t n)
{
	const struct sr_dtype_info *info = &sr_dtypes[e->type];
	if (n % e->size || n / e->size > (uint64_t)(e->max_n - e->n))
		report_element_count(h, e->max_n);
	if (info->bits < 8 && (info->class == SR_CLASS_SINT || info->class == SR_CLASS_UINT)) {
		/* Each byte holds one element, of which only the low bits are used. */
		int shift = 64 - info->bits;
		for (size_t i = 0; i < n; i++) {
			uint64_t high = (uint64_t)((const uint8_t *)bytes)[i] << shift;
			add_varint(h, e, info->class == SR_CLASS_SINT ? (uint64_t)((int64_t)high >> shift) : high >> shift);
		}
		return;
	}
	if (n)
		memcpy(e->data + (size_t)e->n * e->size, bytes, n);
	e->n += (int64_t)(n / e->size);
}

static void add_field(struct sr_hlo *h, struct elements *e, const struct sr_proto_field *f, bool is_varint)
{
	if (f->wire != SR_PROTO_BYTES) { /* the list is not in packed encoding */
		if (f->wire == SR_PROTO_VARINT)
			add_varint(h, e, f->value);
		else
			add_bytes(h, e, &f->value, f->wire == SR_PROTO_FIXED32 ? 4 : 8);
		return;
	}
	if (!is_varint) {
		add_bytes(h, e, f->bytes, f->n);
		return;
	}
	struct sr_proto list = sr_proto_message(f);
	while (list.p < list.end) {
		uint64_t v = sr_proto_varint(&list);
		if (list.is_malformed)
			sr_hlo_malformed(h);
		add_varint(h, e, v);
	}
}

/* Copy elements that are stored in the order of a layout to row-major order. */
static char *to_row_major(struct sr_hlo *h, const struct sr_hlo_shape *shape, const struct elements *e)
{
	int rank = shape->type->rank;
	const int64_t *extents = shape->type->shape;
	int64_t *stride = SR_NEW_ARRAY(h->arena, int64_t, rank), *index = SR_NEW_ARRAY(h->arena, int64_t, rank), step = 1;
	char *out = sr_alloc(h->arena, (size_t)e->n * e->size + 1, 1);
	for (int i = 0; i < rank; i++) {
		stride[shape->minor_to_major[i]] = step;
		step *= extents[shape->minor_to_major[i]];
	}
	for (int64_t k = 0, stored_index = 0; k < e->n; k++) {
		memcpy(out + (size_t)k * e->size, e->data + (size_t)stored_index * e->size, e->size);
		for (int d = rank - 1; d >= 0; d--) {
			stored_index += stride[d];
			if (++index[d] < extents[d])
				break;
			stored_index -= stride[d] * extents[d];
			index[d] = 0;
		}
	}
	return out;
}

static const struct sr_attr *read_array(struct sr_hlo *h, struct sr_proto m, const struct sr_hlo_shape *shape,
					const struct sr_hlo_shape *literal_shape)
{
	const struct sr_type *type = shape->type;
	int64_t bytes;
	struct elements e = {.type = type->dtype};
	if (type->kind != SR_TYPE_TENSOR || !sr_type_elements(type, &e.max_n) || !sr_type_bytes(type, &bytes))
		sr_parser_fail(&h->p, NULL, "a constant cannot have type %s", sr_type_string(h->ctx, type));
	if (!literal_shape || literal_shape->type != type)
		sr_parser_fail(&h->p, NULL, "the constant has another shape than its literal");
	if (e.max_n > m.end - m.p) /* check before memory is allocated: each element takes at least one byte */
		report_element_count(h, e.max_n);
	const struct sr_hlo_primitive *primitive = sr_hlo_primitive_of(type->dtype);
	e.size = (size_t)sr_dtype_bytes(type->dtype);
	e.data = sr_alloc(h->arena, (size_t)bytes + 1, 1);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if ((int64_t)f.number == primitive->literal_field)
			add_field(h, &e, &f, primitive->is_varint);
	if (e.n != e.max_n)
		report_element_count(h, e.max_n);
	bool is_row_major = true;
	if (literal_shape->minor_to_major)
		sr_hlo_major_to_minor(h, literal_shape, &is_row_major);
	return sr_attr_dense(h->ctx, type, is_row_major ? e.data : to_row_major(h, literal_shape, &e), bytes);
}

void sr_hlo_proto_literal(struct sr_hlo *h, struct sr_proto m, const struct sr_hlo_shape *shape, sr_attrs *out)
{
	enum { SHAPE = 1, TUPLE = 10 };
	const struct sr_hlo_shape *literal_shape = NULL;
	int n = 0;
	struct sr_proto first_pass = m;
	sr_parser_enter(&h->p);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &first_pass, &f);) {
		if (f.number == SHAPE)
			literal_shape = sr_hlo_proto_shape(h, sr_proto_message(&f));
		if (f.number != TUPLE || shape->type)
			continue;
		if (n >= shape->n)
			report_element_count(h, shape->n);
		sr_hlo_proto_literal(h, sr_proto_message(&f), shape->elements[n++], out);
	}
	sr_parser_leave(&h->p);
	if (shape->type)
		sr_push(h->arena, out, read_array(h, m, shape, literal_shape));
	else if (n != shape->n)
		report_element_count(h, shape->n);
}
