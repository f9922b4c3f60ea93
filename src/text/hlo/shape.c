/* Read shapes with layouts: f32[4,<=8]{1,0}, (f32[4], token[]). Tilings and memory spaces are skipped. */
#include "text/hlo/hlo.h"
#include <string.h>

enum { MAX_LEAVES = 1 << 20 };

static const struct sr_hlo_primitive primitives[] = {
	{"pred", SR_I1, 1, 2, true},
	{"s2", SR_I2, 26, 26, false},
	{"s4", SR_I4, 21, 21, false},
	{"s8", SR_I8, 2, 15, false},
	{"s16", SR_I16, 3, 17, false},
	{"s32", SR_I32, 4, 4, true},
	{"s64", SR_I64, 5, 5, true},
	{"u2", SR_UI2, 27, 27, false},
	{"u4", SR_UI4, 22, 22, false},
	{"u8", SR_UI8, 6, 3, false},
	{"u16", SR_UI16, 7, 16, false},
	{"u32", SR_UI32, 8, 6, true},
	{"u64", SR_UI64, 9, 7, true},
	{"bf16", SR_BF16, 16, 13, false},
	{"f16", SR_F16, 10, 11, false},
	{"f32", SR_F32, 11, 8, false},
	{"f64", SR_F64, 12, 9, false},
	{"c64", SR_C64, 15, 12, false},
	{"c128", SR_C128, 18, 18, false},
	{"f4e2m1fn", SR_F4E2M1FN, 32, 32, false},
	{"f8e3m4", SR_F8E3M4, 29, 29, false},
	{"f8e4m3", SR_F8E4M3, 28, 28, false},
	{"f8e4m3b11fnuz", SR_F8E4M3B11FNUZ, 23, 23, false},
	{"f8e4m3fn", SR_F8E4M3FN, 20, 20, false},
	{"f8e4m3fnuz", SR_F8E4M3FNUZ, 25, 25, false},
	{"f8e5m2", SR_F8E5M2, 19, 19, false},
	{"f8e5m2fnuz", SR_F8E5M2FNUZ, 24, 24, false},
	{"f8e8m0fnu", SR_F8E8M0FNU, 33, 33, false},
};

static enum sr_dtype dtype_of_primitive(const char *name)
{
	for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
		if (!strcmp(primitives[i].name, name))
			return primitives[i].type;
	return SR_DTYPE_NONE;
}

const struct sr_hlo_primitive *sr_hlo_primitive_of(enum sr_dtype type)
{
	for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
		if (primitives[i].type == type)
			return &primitives[i];
	return NULL;
}

enum sr_dtype sr_hlo_dtype_of_number(int64_t number)
{
	for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
		if (primitives[i].primitive_type == number)
			return primitives[i].type;
	return SR_DTYPE_NONE;
}

bool sr_hlo_is_shape(const struct sr_hlo *h)
{
	const char *s = h->at;
	if (s < h->p.end && *s == '(')
		return true;
	while (s < h->p.end && ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9')))
		s++;
	return s > h->at && s < h->p.end && *s == '[';
}

/* Read extents and bounds, e.g. [4,<=8,?]. The bound of a dynamic extent may be SR_DYNAMIC (none). */
static void read_dimensions(struct sr_hlo *h, sr_integers *extents, sr_integers *bounds)
{
	sr_hlo_expect(h, "[");
	while (!sr_hlo_accept(h, "]")) {
		if (extents->n && !sr_hlo_accept(h, ","))
			sr_hlo_expected(h, "',' or ']'");
		bool is_unknown = sr_hlo_accept(h, "?"), is_dynamic = sr_hlo_accept(h, "<=") || is_unknown;
		int64_t n = is_unknown ? SR_DYNAMIC : sr_hlo_count(h, "an extent");
		sr_push(h->arena, extents, is_dynamic ? SR_DYNAMIC : n);
		sr_push(h->arena, bounds, is_dynamic ? n : SR_DYNAMIC);
	}
}

static const struct sr_attr *bounds_encoding(struct sr_hlo *h, const sr_integers *bounds)
{
	struct sr_buf text;
	const struct sr_attr *attr = NULL;
	bool has_bound = false;
	sr_buf_init(&text, h->arena);
	sr_buf_puts(&text, "#stablehlo.bounds<");
	for (size_t i = 0; i < bounds->n; i++) {
		sr_buf_puts(&text, i ? ", " : "");
		if (bounds->data[i] == SR_DYNAMIC)
			sr_buf_putc(&text, '?');
		else
			sr_buf_int(&text, bounds->data[i]);
		has_bound |= bounds->data[i] != SR_DYNAMIC;
	}
	sr_buf_putc(&text, '>');
	if (has_bound && sr_parse_attr(h->ctx, sr_buf_string(&text), &attr))
		sr_parser_fail(&h->p, h->at, "the bounds of the shape cannot be read");
	return attr;
}

void sr_hlo_set_layout(struct sr_hlo *h, struct sr_hlo_shape *shape, const sr_integers *order, const char *position)
{
	uint64_t dims_seen = 0;
	for (size_t i = 0; i < order->n; i++) {
		int64_t d = order->data[i];
		if (d < 0 || d >= shape->type->rank || d > 63 || (dims_seen >> d & 1))
			sr_parser_fail(&h->p, position, "the layout is not a permutation of the shape's dimensions");
		dims_seen |= (uint64_t)1 << d;
	}
	if (order->n && order->n != (size_t)shape->type->rank)
		sr_parser_fail(&h->p, position, "the layout has %zu of the %d dimensions", order->n, shape->type->rank);
	shape->minor_to_major = order->n ? order->data : NULL;
}

/* Read a layout, e.g. {1,0:T(8,128)S(1)}. A digit, ':' or '}' after the brace distinguishes it from the start of a computation. */
static void read_layout(struct sr_hlo *h, struct sr_hlo_shape *shape)
{
	const char *open_brace = h->at;
	sr_integers order = {0};
	if (!sr_hlo_accept(h, "{"))
		return;
	if (!sr_hlo_is_digit(h) && !sr_hlo_is(h, ":") && !sr_hlo_is(h, "}")) {
		h->at = open_brace;
		return;
	}
	for (; sr_hlo_is_digit(h); sr_hlo_accept(h, ","))
		sr_push(h->arena, &order, sr_hlo_integer(h));
	sr_hlo_set_layout(h, shape, &order, open_brace);
	if (sr_hlo_is(h, ":"))
		while (h->at < h->p.end && *h->at != '}')
			h->at++;
	sr_hlo_expect(h, "}");
}

struct sr_hlo_shape *sr_hlo_leaf_shape(struct sr_hlo *h, enum sr_dtype type, const sr_integers *extents, const sr_integers *bounds,
				       const char *position)
{
	struct sr_hlo_shape *shape = SR_NEW(h->arena, struct sr_hlo_shape);
	if (extents->n > 63)
		sr_parser_fail(&h->p, position, "the shape has more than 63 dimensions");
	shape->type = type ? sr_type_tensor_of(h->ctx, sr_type_scalar(h->ctx, type), (int)extents->n, extents->data,
					       bounds_encoding(h, bounds))
			   : sr_type_intern(h->ctx, &(struct sr_type){.kind = SR_TYPE_TOKEN});
	shape->n_leaves = 1;
	return shape;
}

static const struct sr_hlo_shape *read_leaf(struct sr_hlo *h)
{
	const char *position = h->at, *name = sr_hlo_word(h, "a shape");
	sr_integers extents = {0}, bounds = {0};
	enum sr_dtype type = dtype_of_primitive(name);
	bool is_token = !strcmp(name, "token");
	if (!type && !is_token && !strcmp(name, "opaque"))
		sr_hlo_unsupported(h, position, "values of type opaque[] are not supported");
	if (!type && !is_token)
		sr_parser_fail(&h->p, position, "expected a shape, found '%s', which is not an element type", name);
	read_dimensions(h, &extents, &bounds);
	struct sr_hlo_shape *shape = sr_hlo_leaf_shape(h, type, &extents, &bounds, position);
	read_layout(h, shape);
	return shape;
}

const struct sr_hlo_shape *sr_hlo_tuple_shape(struct sr_hlo *h, const sr_hlo_shapes *elements, const char *position)
{
	struct sr_hlo_shape *shape = SR_NEW(h->arena, struct sr_hlo_shape);
	for (size_t i = 0; i < elements->n; i++) {
		shape->n_leaves += elements->data[i]->n_leaves;
		if (shape->n_leaves > MAX_LEAVES)
			sr_parser_fail(&h->p, position, "the tuple has more than %d elements", MAX_LEAVES);
	}
	shape->elements = elements->data;
	shape->n = (int)elements->n;
	return shape;
}

const struct sr_hlo_shape *sr_hlo_read_shape(struct sr_hlo *h)
{
	const char *position = h->at;
	if (!sr_hlo_accept(h, "("))
		return read_leaf(h);
	sr_hlo_shapes elements = {0};
	sr_parser_enter(&h->p);
	while (!sr_hlo_accept(h, ")")) {
		if (elements.n && !sr_hlo_accept(h, ","))
			sr_hlo_expected(h, "',' or ')'");
		sr_push(h->arena, &elements, sr_hlo_read_shape(h));
	}
	sr_parser_leave(&h->p);
	return sr_hlo_tuple_shape(h, &elements, position);
}

void sr_hlo_print_shape(const struct sr_hlo_shape *shape, struct sr_buf *out)
{
	if (!shape->type) {
		for (int i = 0; i < shape->n; i++) {
			sr_buf_putc(out, i ? ',' : '(');
			sr_hlo_print_shape(shape->elements[i], out);
		}
		sr_buf_puts(out, shape->n ? ")" : "()");
		return;
	}
	const struct sr_hlo_primitive *primitive = sr_hlo_primitive_of(shape->type->dtype);
	sr_buf_printf(out, "%s[", primitive ? primitive->name : "token");
	for (int i = 0; i < shape->type->rank; i++) {
		sr_buf_puts(out, i ? "," : "");
		if (shape->type->shape[i] == SR_DYNAMIC)
			sr_buf_putc(out, '?');
		else
			sr_buf_int(out, shape->type->shape[i]);
	}
	sr_buf_putc(out, ']');
	for (int i = 0; shape->minor_to_major && i < shape->type->rank; i++)
		sr_buf_printf(out, "%c%lld", i ? ',' : '{', (long long)shape->minor_to_major[i]);
	sr_buf_puts(out, shape->minor_to_major ? "}" : "");
}

const struct sr_hlo_shape *sr_hlo_leaf(const struct sr_hlo_shape *shape, int i)
{
	while (!shape->type)
		for (int e = 0; e < shape->n; e++) {
			if (i < shape->elements[e]->n_leaves) {
				shape = shape->elements[e];
				break;
			}
			i -= shape->elements[e]->n_leaves;
		}
	return shape;
}

void sr_hlo_leaf_types(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_types *out)
{
	if (shape->type)
		sr_push(h->arena, out, shape->type);
	for (int i = 0; i < shape->n; i++)
		sr_hlo_leaf_types(h, shape->elements[i], out);
}

const struct sr_hlo_shape *sr_hlo_subshape(const struct sr_hlo_shape *shape, const int64_t *path, size_t n, int *first_leaf)
{
	*first_leaf = 0;
	for (size_t i = 0; i < n; i++) {
		if (shape->type || path[i] < 0 || path[i] >= shape->n)
			return NULL;
		for (int64_t e = 0; e < path[i]; e++)
			*first_leaf += shape->elements[e]->n_leaves;
		shape = shape->elements[path[i]];
	}
	return shape;
}

const int64_t *sr_hlo_major_to_minor(struct sr_hlo *h, const struct sr_hlo_shape *shape, bool *is_row_major)
{
	int rank = shape->type->rank;
	int64_t *order = SR_NEW_ARRAY(h->arena, int64_t, rank), last_dim = -1;
	*is_row_major = true;
	for (int i = 0; i < rank; i++) {
		order[i] = shape->minor_to_major ? shape->minor_to_major[rank - 1 - i] : i;
		if (shape->type->shape[order[i]] == 1)
			continue;
		*is_row_major = *is_row_major && order[i] > last_dim;
		last_dim = order[i];
	}
	return order;
}
