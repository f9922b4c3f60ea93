/* Read VHLO types from bytecode and convert them to builtin and StableHLO types. */
#include "text/bytecode/bytecode.h"
#include <string.h>

/* Types without fields: text of the type, indexed by code. */
static const char *const types_without_fields[] = {
	[0] = "i1", [2] = "bf16", [3] = "f16", [4] = "f32", [5] = "f64", [6] = "f8E4M3FN", [7] = "f8E5M2", [9] = "index", [10] = "i4",
	[11] = "i8", [12] = "i16", [13] = "i32", [14] = "i64", [15] = "ui4", [16] = "ui8", [17] = "ui16", [18] = "ui32", [19] = "ui64",
	[22] = "!stablehlo.token", [26] = "!shape.witness", [27] = "f8E4M3FNUZ", [28] = "f8E5M2FNUZ", [29] = "f8E4M3B11FNUZ", [31] = "i2",
	[32] = "ui2", [33] = "none", [34] = "tf32", [35] = "f8E4M3", [36] = "f8E3M4", [37] = "f4E2M1FN", [38] = "f6E2M3FN",
	[39] = "f6E3M2FN", [40] = "f8E8M0FNU",
};
enum {
	COMPLEX = 1,
	FUNCTION = 8,
	TENSOR = 20,
	TENSOR_WITH_ENCODING = 21,
	TUPLE = 23,
	QUANTIZED = 24,
	UNRANKED = 25,
	QUANTIZED_PER_AXIS = 30,
	BUFFER = 41,
	FUTURE = 42
};

static const int64_t *read_extents(struct sr_bytecode *b, struct sr_cursor *c, int *rank)
{
	const uint8_t *at = c->at;
	const int64_t *shape = sr_cursor_signed_list(b, c, rank);
	for (int i = 0; i < *rank; i++)
		if (shape[i] < 0 && shape[i] != SR_DYNAMIC)
			sr_bytecode_fail(b, at, "invalid tensor extent %lld", (long long)shape[i]);
	return shape;
}

static const struct sr_type *read_tensor(struct sr_bytecode *b, struct sr_cursor *c, bool has_encoding)
{
	int rank;
	const struct sr_attr *e = has_encoding ? sr_bytecode_attr(b, c) : NULL;
	const int64_t *shape = read_extents(b, c, &rank);
	return sr_type_tensor_of(b->ctx, sr_bytecode_element(b, c, false), rank, shape, e);
}

static const struct sr_type *read_function(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n_in, n_out;
	const struct sr_type *const *in = sr_bytecode_type_list(b, c, &n_in);
	const struct sr_type *const *out = sr_bytecode_type_list(b, c, &n_out);
	return sr_type_function(b->ctx, in, n_in, out, n_out);
}

static const struct sr_type *read_future(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_buf text;
	int n;
	const struct sr_type *const *list = sr_bytecode_type_list(b, c, &n);
	sr_buf_init(&text, b->arena);
	sr_buf_puts(&text, "!stablehlo.future<");
	for (int i = 0; i < n; i++)
		sr_buf_printf(&text, "%s%s", i ? ", " : "", sr_type_string(b->ctx, list[i]));
	sr_buf_putc(&text, '>');
	return sr_bytecode_type_text(b, sr_buf_string(&text));
}

static const struct sr_type *read_buffer(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_buf text;
	int rank;
	const int64_t *shape = read_extents(b, c, &rank);
	sr_buf_init(&text, b->arena);
	sr_buf_puts(&text, "memref<");
	for (int i = 0; i < rank; i++)
		if (shape[i] == SR_DYNAMIC)
			sr_buf_puts(&text, "?x");
		else
			sr_buf_printf(&text, "%lldx", (long long)shape[i]);
	sr_buf_printf(&text, "%s>", sr_type_string(b->ctx, sr_bytecode_element(b, c, false)));
	return sr_bytecode_type_text(b, sr_buf_string(&text));
}

/* Read a scale, the bits of a double, and append it to `text` with 18 significant digits; 17 would already be exact. */
static void read_scale(struct sr_bytecode *b, struct sr_cursor *c, struct sr_buf *text)
{
	uint64_t bits = sr_cursor_bits(b, c, 64);
	double v;
	memcpy(&v, &bits, sizeof v);
	if (!(v > 0) || v > 1.7976931348623157e308)
		sr_bytecode_fail(b, c->at, "the scale of a quantized type is not a positive number");
	sr_buf_printf(text, "%.17e", v);
}

static void print_quantized_head(struct sr_bytecode *b, struct sr_buf *text, bool is_signed, const struct sr_type *storage_type,
				 int64_t min, int64_t max, const struct sr_type *expressed_type)
{
	sr_buf_init(text, b->arena);
	sr_buf_printf(text, "!quant.uniform<%s%d<%lld:%lld>:%s", is_signed ? "i" : "u", storage_type->width, (long long)min,
		      (long long)max, sr_type_string(b->ctx, expressed_type));
}

static void check_storage(struct sr_bytecode *b, const uint8_t *at, const struct sr_type *storage_type)
{
	if (storage_type->kind != SR_TYPE_INTEGER || storage_type->width > 32)
		sr_bytecode_fail(b, at, "a quantized type cannot be stored as %s", sr_type_string(b->ctx, storage_type));
}

static const struct sr_type *read_quantized(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_buf text, value;
	const uint8_t *at = c->at;
	bool is_signed = sr_cursor_varint(b, c) & 1;
	const struct sr_type *storage_type = sr_bytecode_type(b, c), *expressed_type = sr_bytecode_type(b, c);
	check_storage(b, at, storage_type);
	sr_buf_init(&value, b->arena);
	read_scale(b, c, &value);
	int64_t zero_point = sr_cursor_signed(b, c), min = sr_cursor_signed(b, c), max = sr_cursor_signed(b, c);
	print_quantized_head(b, &text, is_signed, storage_type, min, max, expressed_type);
	sr_buf_printf(&text, ", %s:%lld>", sr_buf_string(&value), (long long)zero_point);
	return sr_bytecode_type_text(b, sr_buf_string(&text));
}

static const struct sr_type *read_quantized_per_axis(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_buf text;
	const uint8_t *at = c->at;
	bool is_signed = sr_cursor_varint(b, c) & 1;
	const struct sr_type *storage_type = sr_bytecode_type(b, c), *expressed_type = sr_bytecode_type(b, c);
	check_storage(b, at, storage_type);
	int axis = sr_cursor_index(b, c, INT32_MAX, "dimension");
	int64_t min = sr_cursor_signed(b, c), max = sr_cursor_signed(b, c);
	int n = sr_cursor_count(b, c), n_zero_points;
	const char **scales = SR_NEW_ARRAY(b->arena, const char *, n);
	for (int i = 0; i < n; i++) {
		struct sr_buf value;
		sr_buf_init(&value, b->arena);
		read_scale(b, c, &value);
		scales[i] = sr_buf_string(&value);
	}
	const int64_t *zero_points = sr_cursor_signed_list(b, c, &n_zero_points);
	if (n_zero_points != n || n == 0)
		sr_bytecode_fail(b, at, "a quantized type has %d scales but %d zero points", n, n_zero_points);
	print_quantized_head(b, &text, is_signed, storage_type, min, max, expressed_type);
	sr_buf_printf(&text, ":%d, {", axis);
	for (int i = 0; i < n; i++)
		sr_buf_printf(&text, "%s%s:%lld", i ? ", " : "", scales[i], (long long)zero_points[i]);
	sr_buf_puts(&text, "}>");
	return sr_bytecode_type_text(b, sr_buf_string(&text));
}

static const struct sr_type *read_tuple(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n;
	const struct sr_type *const *list = sr_bytecode_type_list(b, c, &n);
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = list, .n_inputs = n});
}

static const struct sr_type *read_type_of_element(struct sr_bytecode *b, struct sr_cursor *c, enum sr_type_kind kind)
{
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = kind, .element = sr_bytecode_element(b, c, kind == SR_TYPE_COMPLEX)});
}

void sr_bytecode_vhlo_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	if (code < sizeof types_without_fields / sizeof types_without_fields[0] && types_without_fields[code]) {
		out->type = sr_bytecode_type_text(b, types_without_fields[code]);
		return;
	}
	switch (code) {
	case COMPLEX:
		out->type = read_type_of_element(b, c, SR_TYPE_COMPLEX);
		break;
	case FUNCTION:
		out->type = read_function(b, c);
		break;
	case TENSOR:
	case TENSOR_WITH_ENCODING:
		out->type = read_tensor(b, c, code == TENSOR_WITH_ENCODING);
		break;
	case TUPLE:
		out->type = read_tuple(b, c);
		break;
	case QUANTIZED:
		out->type = read_quantized(b, c);
		break;
	case UNRANKED:
		out->type = read_type_of_element(b, c, SR_TYPE_UNRANKED);
		break;
	case QUANTIZED_PER_AXIS:
		out->type = read_quantized_per_axis(b, c);
		break;
	case BUFFER:
		out->type = read_buffer(b, c);
		break;
	case FUTURE:
		out->type = read_future(b, c);
		break;
	default:
		sr_bytecode_unsupported(b, at, "unknown VHLO type code %llu: the artifact is newer than this version of shardrun",
					(unsigned long long)code);
	}
}
