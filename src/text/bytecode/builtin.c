/* Read attributes, locations and types of the builtin dialect from bytecode. Each entry is a code followed by the fields
 * that MLIR's BuiltinDialectBytecode.td lists. */
#include "text/bytecode/bytecode.h"
#include "support/checked.h"
#include <string.h>

typedef const struct sr_attr *attr_reader(struct sr_bytecode *b, struct sr_cursor *c);
typedef const struct sr_type *type_reader(struct sr_bytecode *b, struct sr_cursor *c);

static const struct sr_attr *read_array(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n;
	const struct sr_attr *const *list = sr_bytecode_attr_list(b, c, &n);
	return sr_attr_array(b->ctx, list, n);
}

const struct sr_attr *sr_bytecode_dict(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	int n = sr_cursor_count(b, c);
	struct sr_named_attr *entries = SR_NEW_ARRAY(b->arena, struct sr_named_attr, n);
	for (int i = 0; i < n; i++) {
		entries[i].name = sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of an attribute")->s;
		entries[i].value = sr_bytecode_attr(b, c);
	}
	const struct sr_attr *dict = sr_attr_dict(b->ctx, entries, n);
	for (int i = 1; i < dict->n; i++)
		if (dict->entries[i].name == dict->entries[i - 1].name)
			sr_bytecode_fail(b, at, "duplicate key '%s' in dictionary attribute", dict->entries[i].name);
	return dict;
}

static const struct sr_attr *read_string(struct sr_bytecode *b, struct sr_cursor *c)
{
	const char *s = sr_cursor_string(b, c);
	return sr_attr_string(b->ctx, s, sr_interned_length(s));
}

static const struct sr_attr *read_typed_string(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_attr a = {.kind = SR_ATTR_STRING, .s = sr_cursor_string(b, c)};
	a.type = sr_bytecode_type(b, c);
	return sr_attr_intern(b->ctx, &a);
}

static const struct sr_attr *read_flat_symbol(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_attr_symbol(b->ctx, sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of a symbol")->s);
}

static const struct sr_attr *read_nested_symbol(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_attr a = {.kind = SR_ATTR_SYMBOL, .s = sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of a symbol")->s};
	a.n = sr_cursor_count(b, c);
	const struct sr_attr **list = SR_NEW_ARRAY(b->arena, const struct sr_attr *, a.n);
	for (int i = 0; i < a.n; i++)
		list[i] = sr_bytecode_attr_of(b, c, SR_ATTR_SYMBOL, "a symbol");
	a.list = list;
	return sr_attr_intern(b->ctx, &a);
}

static const struct sr_attr *read_type_attr(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_attr_type(b->ctx, sr_bytecode_type(b, c));
}

static const struct sr_attr *read_unit(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_attr_unit(b->ctx);
}

const struct sr_attr *sr_bytecode_number(struct sr_bytecode *b, struct sr_cursor *c, bool is_float)
{
	const uint8_t *at = c->at;
	const struct sr_type *type = sr_bytecode_type(b, c);
	if (is_float) {
		if (type->kind != SR_TYPE_FLOAT || type->dtype == SR_DTYPE_NONE)
			sr_bytecode_fail(b, at, "expected a float type, found %s", sr_type_string(b->ctx, type));
		struct sr_attr a = {.kind = SR_ATTR_FLOAT, .type = type, .i = (int64_t)sr_cursor_bits(b, c, sr_dtypes[type->dtype].bits)};
		return sr_attr_intern(b->ctx, &a);
	}
	if (type->kind != SR_TYPE_INTEGER && type->kind != SR_TYPE_INDEX)
		sr_bytecode_fail(b, at, "expected an integer type, found %s", sr_type_string(b->ctx, type));
	int width = type->kind == SR_TYPE_INDEX ? 64 : type->width;
	uint64_t v = sr_cursor_bits(b, c, width);
	if (width == 1 && type->sign == SR_SIGNLESS)
		return sr_attr_bool(b->ctx, v);
	if (width < 64 && type->sign != SR_UNSIGNED && v >> (width - 1))
		v |= ~(uint64_t)0 << width;
	return sr_attr_int(b->ctx, (int64_t)v, type);
}

static const struct sr_attr *read_integer(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_bytecode_number(b, c, false);
}

static const struct sr_attr *read_float(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_bytecode_number(b, c, true);
}

/* ---------------------------------------------------------------- locations */

static const struct sr_attr *read_call_site(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *list[2];
	list[0] = sr_bytecode_loc(b, c);
	list[1] = sr_bytecode_loc(b, c);
	return sr_attr_intern(b->ctx, &(struct sr_attr){.kind = SR_LOC_CALLSITE, .list = list, .n = 2});
}

static int read_line_or_column(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_cursor_index(b, c, INT32_MAX, "line or column");
}

static const struct sr_attr *read_file_line(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_attr a = {.kind = SR_LOC_FILE, .s = sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of a file")->s};
	a.line = read_line_or_column(b, c);
	a.col = read_line_or_column(b, c);
	return sr_attr_intern(b->ctx, &a);
}

/* Read a file range: up to four numbers. Three are line, column and end column on the same line; four are line, column, end line,
 * end column. */
static const struct sr_attr *read_file_range(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_attr a = {.kind = SR_LOC_FILE, .s = sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of a file")->s};
	const uint8_t *at = c->at;
	int v[4] = {0}, n = sr_cursor_count(b, c);
	if (n > 4)
		sr_bytecode_fail(b, at, "a file range location of %d numbers, expected at most 4", n);
	for (int i = 0; i < n; i++)
		v[i] = read_line_or_column(b, c);
	a.line = v[0];
	a.col = v[1];
	if (n >= 3) {
		a.end_line = n == 4 ? v[2] : v[0];
		a.end_col = n == 4 ? v[3] : v[2];
	}
	return sr_attr_intern(b->ctx, &a);
}

static const struct sr_attr *read_fused(struct sr_bytecode *b, struct sr_cursor *c, bool has_metadata)
{
	struct sr_attr a = {.kind = SR_LOC_FUSED, .n = sr_cursor_count(b, c)};
	const struct sr_attr **list = SR_NEW_ARRAY(b->arena, const struct sr_attr *, a.n);
	for (int i = 0; i < a.n; i++)
		list[i] = sr_bytecode_loc(b, c);
	a.list = list;
	if (has_metadata)
		a.value = sr_bytecode_attr(b, c);
	if (!has_metadata && a.n < 2)
		return a.n ? list[0] : b->ctx->unknown_loc;
	return sr_attr_intern(b->ctx, &a);
}

static const struct sr_attr *read_fused_loc(struct sr_bytecode *b, struct sr_cursor *c)
{
	return read_fused(b, c, false);
}

static const struct sr_attr *read_fused_loc_with_metadata(struct sr_bytecode *b, struct sr_cursor *c)
{
	return read_fused(b, c, true);
}

static const struct sr_attr *read_name_loc(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *list[1];
	struct sr_attr a = {.kind = SR_LOC_NAME, .list = list, .n = 1};
	a.s = sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of a location")->s;
	list[0] = sr_bytecode_loc(b, c);
	return sr_attr_intern(b->ctx, &a);
}

static const struct sr_attr *read_unknown_loc(struct sr_bytecode *b, struct sr_cursor *c)
{
	return b->ctx->unknown_loc;
}

/* ---------------------------------------------------------------- constants */

static const struct sr_attr *read_dense_array(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	const struct sr_type *element = sr_bytecode_type(b, c);
	uint64_t n = sr_cursor_varint(b, c);
	struct sr_cursor blob = sr_cursor_blob(b, c);
	uint64_t size = (uint64_t)sr_dtype_bytes(element->dtype), bytes = (uint64_t)(blob.end - blob.at);
	if (element->dtype == SR_DTYPE_NONE || bytes % size || bytes / size != n)
		sr_bytecode_fail(b, at, "an array of %llu elements of type %s cannot have %llu bytes", (unsigned long long)n,
				 sr_type_string(b->ctx, element), (unsigned long long)bytes);
	return sr_attr_dense_array(b->ctx, element, sr_dup(b->arena, blob.at, (size_t)bytes, 1), (int64_t)n);
}

/* Unpack a boolean tensor: 8 elements per byte, lowest bit first; a single byte 0xff or 0 is a splat. Older files have one byte
 * per element. */
static struct sr_cursor unpack_booleans(struct sr_bytecode *b, const struct sr_type *type, struct sr_cursor blob)
{
	int64_t n, n_bytes = blob.end - blob.at;
	if (!sr_type_elements(type, &n) || n < 1)
		return blob;
	bool is_splat = n_bytes == 1 && (blob.at[0] == 0xff || (blob.at[0] == 0 && n > 1));
	if (!is_splat && n_bytes == n && n != 1)
		return blob;
	if (!is_splat && n_bytes != n / 8 + (n % 8 != 0))
		sr_bytecode_fail(b, blob.at, "%lld bytes are the wrong size for a constant of type %s", (long long)n_bytes,
				 sr_type_string(b->ctx, type));
	uint8_t *out = SR_NEW_ARRAY(b->arena, uint8_t, is_splat ? 1 : n);
	if (is_splat)
		out[0] = blob.at[0] & 1;
	for (int64_t i = 0; !is_splat && i < n; i++)
		out[i] = blob.at[i / 8] >> (i % 8) & 1;
	return (struct sr_cursor){out, out + (is_splat ? 1 : n)};
}

const struct sr_attr *sr_bytecode_dense(struct sr_bytecode *b, const struct sr_type *type, struct sr_cursor blob)
{
	int64_t n = 0, expected_bytes = 0, size = sr_dtype_bytes(type->dtype);
	if (type->kind != SR_TYPE_TENSOR && type->kind != SR_TYPE_VECTOR)
		sr_bytecode_fail(b, blob.at, "expected a tensor or vector type for a constant, found %s",
				 sr_type_string(b->ctx, type));
	if (type->dtype == SR_I1)
		blob = unpack_booleans(b, type, blob);
	int64_t n_bytes = blob.end - blob.at;
	if (type->dtype == SR_DTYPE_NONE)
		sr_bytecode_unsupported(b, blob.at, "constants of type %s are not supported", sr_type_string(b->ctx, type));
	if (!sr_type_elements(type, &n) || sr_mul_overflows(n, size, &expected_bytes) ||
	    (n_bytes != expected_bytes && n_bytes != size))
		sr_bytecode_fail(b, blob.at, "%lld bytes are the wrong size for a constant of type %s", (long long)n_bytes,
				 sr_type_string(b->ctx, type));
	if (!n) /* MLIR stores the value of a splat even if the type has zero elements */
		n_bytes = 0;
	if (!sr_dtype_is_sub_byte(type->dtype))
		return sr_attr_dense(b->ctx, type, blob.at, n_bytes);
	void *data = sr_dup(b->arena, blob.at, (size_t)n_bytes, 1);
	sr_elements_extend(type->dtype, data, n_bytes);
	return sr_attr_dense(b->ctx, type, data, n_bytes);
}

static const struct sr_attr *read_dense(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_type *type = sr_bytecode_type(b, c);
	return sr_bytecode_dense(b, type, sr_cursor_blob(b, c));
}

static attr_reader *const attr_readers[] = {
    /* readers of attributes, indexed by code; NULL: not supported */
    read_array,
    sr_bytecode_dict,
    read_string,
    read_typed_string,
    read_flat_symbol,
    read_nested_symbol,
    read_type_attr,
    read_unit,
    read_integer,
    read_float,
    read_call_site,
    read_file_line,
    read_fused_loc,
    read_fused_loc_with_metadata,
    read_name_loc,
    read_unknown_loc,
    NULL /* unsupported: dense_resource */,
    read_dense_array,
    read_dense,
    NULL /* unsupported: array of strings */,
    NULL /* unsupported: sparse elements */,
    NULL /* unsupported: distinct */,
    read_file_range,
};

void sr_bytecode_builtin_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	if (code >= sizeof attr_readers / sizeof attr_readers[0] || !attr_readers[code])
		sr_bytecode_unsupported(b, at, "builtin attribute code %llu is not supported", (unsigned long long)code);
	out->attr = attr_readers[code](b, c);
}

/* ---------------------------------------------------------------- types */

static const struct sr_type *read_integer_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	uint64_t v = sr_cursor_varint(b, c);
	if ((v & 3) > SR_UNSIGNED || v >> 2 == 0 || v >> 2 >= 1 << 24)
		sr_bytecode_fail(b, at, "invalid integer type: width %llu, signedness %llu", (unsigned long long)(v >> 2),
				 (unsigned long long)(v & 3));
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_INTEGER, .width = (int)(v >> 2), .sign = (enum sr_sign)(v & 3)});
}

static const struct sr_type *read_index_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_INDEX});
}

static const struct sr_type *read_none_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_NONE});
}

static const struct sr_type *read_function_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n_in, n_out;
	const struct sr_type *const *in = sr_bytecode_type_list(b, c, &n_in);
	const struct sr_type *const *out = sr_bytecode_type_list(b, c, &n_out);
	return sr_type_function(b->ctx, in, n_in, out, n_out);
}

static const struct sr_type *read_complex_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_COMPLEX, .element = sr_bytecode_element(b, c, true)});
}

static const struct sr_type *read_tensor_of(struct sr_bytecode *b, struct sr_cursor *c, const struct sr_attr *encoding)
{
	const uint8_t *at = c->at;
	int rank;
	const int64_t *shape = sr_cursor_signed_list(b, c, &rank);
	for (int i = 0; i < rank; i++)
		if (shape[i] < 0 && shape[i] != SR_DYNAMIC)
			sr_bytecode_fail(b, at, "invalid tensor extent %lld", (long long)shape[i]);
	return sr_type_tensor_of(b->ctx, sr_bytecode_element(b, c, false), rank, shape, encoding);
}

static const struct sr_type *read_tensor(struct sr_bytecode *b, struct sr_cursor *c)
{
	return read_tensor_of(b, c, NULL);
}

static const struct sr_type *read_tensor_with_encoding(struct sr_bytecode *b, struct sr_cursor *c)
{
	return read_tensor_of(b, c, sr_bytecode_attr(b, c));
}

static const struct sr_type *read_tuple(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n;
	const struct sr_type *const *list = sr_bytecode_type_list(b, c, &n);
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = list, .n_inputs = n});
}

static const struct sr_type *read_unranked(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_UNRANKED, .element = sr_bytecode_element(b, c, false)});
}

static type_reader *const type_readers[] = {
    /* readers of types, indexed by code; NULL: not supported */
    read_integer_type,
    read_index_type,
    read_function_type,
    [9] = read_complex_type,
    [12] = read_none_type,
    read_tensor,
    read_tensor_with_encoding,
    read_tuple,
    [18] = read_unranked,
};

/* Float types by code, which have no fields. SR_DTYPE_NONE: another type, or one that is not supported. */
static const enum sr_dtype float_types[] = {
    [3] = SR_BF16, SR_F16, SR_F32, SR_F64,
    [22] = SR_F8E5M2, SR_F8E4M3, SR_F8E4M3FN, SR_F8E5M2FNUZ, SR_F8E4M3FNUZ, SR_F8E4M3B11FNUZ, SR_F8E3M4, SR_F4E2M1FN, SR_F6E2M3FN,
    SR_F6E3M2FN, SR_F8E8M0FNU,
};

void sr_bytecode_builtin_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	enum sr_dtype float_type = code < sizeof float_types / sizeof *float_types ? float_types[code] : SR_DTYPE_NONE;
	type_reader *read = code < sizeof type_readers / sizeof *type_readers ? type_readers[code] : NULL;
	if (float_type == SR_DTYPE_NONE && !read)
		sr_bytecode_unsupported(b, at, "builtin type code %llu is not supported", (unsigned long long)code);
	out->type = read ? read(b, c) : sr_type_scalar(b->ctx, float_type);
}
