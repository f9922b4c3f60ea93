/* Read VHLO attributes from bytecode and convert them to builtin and StableHLO attributes. */
#include "text/bytecode/bytecode.h"
#include <string.h>

typedef const struct sr_attr *vhlo_reader(struct sr_bytecode *b, struct sr_cursor *c);

static const struct sr_attr *read_array(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n;
	const struct sr_attr *const *list = sr_bytecode_attr_list(b, c, &n);
	return sr_attr_array(b->ctx, list, n);
}

static const struct sr_attr *read_boolean(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_attr_bool(b->ctx, sr_cursor_index(b, c, 2, "boolean"));
}

/* Read an enumerator of an enumeration whose first enumerator has the number `first`. */
static const struct sr_attr *read_enumerator(struct sr_bytecode *b, struct sr_cursor *c, const char *name, uint64_t first)
{
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", name);
	const uint8_t *at = c->at;
	uint64_t v = sr_cursor_varint(b, c), n = 0;
	while (def->values[n])
		n++;
	if (v < first || v - first >= n)
		sr_bytecode_fail(b, at, "%s has no enumerator %llu", name, (unsigned long long)v);
	return sr_attr_enum(b->ctx, "stablehlo", name, def->values[v - first]);
}

#define ENUMERATION(name, first)                                                          \
	static const struct sr_attr *name(struct sr_bytecode *b, struct sr_cursor *c)     \
	{                                                                                 \
		return read_enumerator(b, c, #name, first);                                    \
	}
ENUMERATION(comparison_direction, 0)
ENUMERATION(comparison_type, 0)
ENUMERATION(custom_call_api_version, 0)
ENUMERATION(fft_type, 0)
ENUMERATION(precision, 0)
ENUMERATION(rng_algorithm, 0)
ENUMERATION(rng_distribution, 1)
ENUMERATION(transpose, 0)
ENUMERATION(result_accuracy_mode, 0)
#undef ENUMERATION

static const struct sr_attr *read_float(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_bytecode_number(b, c, true);
}

static const struct sr_attr *read_integer(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_bytecode_number(b, c, false);
}

static const struct sr_attr *read_string(struct sr_bytecode *b, struct sr_cursor *c)
{
	const char *s = sr_cursor_string(b, c);
	return sr_attr_string(b->ctx, s, sr_interned_length(s));
}

static const struct sr_attr *read_type_attr(struct sr_bytecode *b, struct sr_cursor *c)
{
	return sr_attr_type(b->ctx, sr_bytecode_type(b, c));
}

static const struct sr_attr *make_struct(struct sr_bytecode *b, const char *name, const struct sr_attr *const *fields)
{
	return sr_attr_struct(b->ctx, sr_attr_def_find("stablehlo", name), fields);
}

static const struct sr_attr *read_integers(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n;
	const int64_t *v = sr_cursor_signed_list(b, c, &n);
	return sr_attr_i64s(b->ctx, v, n);
}

static const struct sr_attr *read_alias(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[3];
	fields[0] = read_integers(b, c);
	fields[1] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	fields[2] = read_integers(b, c);
	return make_struct(b, "output_operand_alias", fields);
}

static const struct sr_attr *read_tensor(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	const struct sr_type *type = sr_bytecode_type(b, c);
	struct sr_cursor blob = sr_cursor_blob(b, c);
	if (type->kind != SR_TYPE_TENSOR)
		sr_bytecode_fail(b, at, "a constant cannot have type %s", sr_type_string(b->ctx, type));
	return sr_bytecode_dense(b, type, blob);
}

static const struct sr_attr *read_type_extensions(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *field = read_integers(b, c);
	return make_struct(b, "type_extensions", &field);
}

/* Read a tolerance of result_accuracy; 0 becomes an absent field. */
static const struct sr_attr *read_tolerance(struct sr_bytecode *b, struct sr_cursor *c)
{
	struct sr_attr a = {.kind = SR_ATTR_FLOAT, .type = sr_type_scalar(b->ctx, SR_F64), .i = (int64_t)sr_cursor_bits(b, c, 64)};
	return a.i ? sr_attr_intern(b->ctx, &a) : NULL;
}

static const struct sr_attr *result_accuracy(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[4];
	fields[0] = read_tolerance(b, c);
	fields[1] = read_tolerance(b, c);
	int64_t ulps = sr_cursor_signed(b, c);
	fields[2] = ulps ? sr_attr_i64(b->ctx, ulps) : NULL;
	const uint8_t *at = c->at;
	fields[3] = sr_bytecode_attr_of(b, c, SR_ATTR_ENUM, "a mode of accuracy");
	if (fields[3]->def != sr_attr_def_find("stablehlo", "result_accuracy_mode"))
		sr_bytecode_fail(b, at, "expected a mode of accuracy");
	return make_struct(b, "result_accuracy", fields);
}

static const struct sr_attr *read_sub_axis_info(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[2];
	fields[0] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	fields[1] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	return make_struct(b, "sub_axis_info", fields);
}

/* Check that `a` is a StableHLO structure with this name, or a list of such structures, and return `a`. */
static const struct sr_attr *check_struct(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr *a, const char *name)
{
	bool is_list = a->kind == SR_ATTR_ARRAY;
	for (int i = 0; i < (is_list ? a->n : 1); i++)
		if (!sr_attr_is_struct(is_list ? a->list[i] : a, "stablehlo", name))
			sr_bytecode_fail(b, at, "expected #stablehlo.%s", name);
	return a;
}

static const struct sr_attr *read_struct_list(struct sr_bytecode *b, struct sr_cursor *c, const char *name)
{
	const uint8_t *at = c->at;
	return check_struct(b, at, sr_bytecode_attr_of(b, c, SR_ATTR_ARRAY, "a list"), name);
}

static const struct sr_attr *read_axis_ref(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[2] = {sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of an axis"), NULL};
	if (sr_cursor_varint(b, c)) {
		const uint8_t *at = c->at;
		fields[1] = check_struct(b, at, sr_bytecode_attr_of(b, c, SR_ATTR_STRUCT, "a sub-axis"), "sub_axis_info");
	}
	return make_struct(b, "axis_ref", fields);
}

static const struct sr_attr *read_mesh_axes(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	const struct sr_attr *fields[2] = {sr_bytecode_attr(b, c), NULL};
	if (fields[0]->kind == SR_ATTR_STRING)
		fields[0] = sr_attr_symbol(b->ctx, fields[0]->s);
	else if (fields[0]->kind != SR_ATTR_STRUCT)
		sr_bytecode_fail(b, at, "expected a mesh or the name of one");
	else
		check_struct(b, at, fields[0], "mesh");
	fields[1] = read_struct_list(b, c, "axis_ref");
	return make_struct(b, "replica_group_mesh_axes", fields);
}

static const struct sr_attr *read_mesh_axis(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[2] = {sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of an axis"), NULL};
	fields[1] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	return make_struct(b, "mesh_axis", fields);
}

static const struct sr_attr *read_mesh(struct sr_bytecode *b, struct sr_cursor *c)
{
	const struct sr_attr *fields[2] = {read_struct_list(b, c, "mesh_axis"), NULL};
	const uint8_t *at = c->at;
	fields[1] = sr_bytecode_optional_attr(b, c);
	if (fields[1] && (fields[1]->kind != SR_ATTR_DENSE || fields[1]->type->dtype != SR_I64))
		sr_bytecode_fail(b, at, "the device ids of a mesh are not a tensor of i64");
	return make_struct(b, "mesh", fields);
}

static vhlo_reader *const readers[] = {
	NULL, read_array, read_boolean, comparison_direction, comparison_type, custom_call_api_version, sr_bytecode_dict,
		fft_type, read_float,
	read_integer, read_alias, precision, rng_algorithm, rng_distribution, read_string, read_tensor, transpose, read_type_attr,
		read_type_extensions,
	result_accuracy_mode, result_accuracy, read_sub_axis_info, read_axis_ref, read_mesh_axes, read_mesh_axis, read_mesh,
};

void sr_bytecode_vhlo_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	if (code >= sizeof readers / sizeof readers[0] || !readers[code])
		sr_bytecode_unsupported(b, at,
					"unknown VHLO attribute code %llu: the artifact is newer than this version of shardrun",
					(unsigned long long)code);
	out->attr = readers[code](b, c);
}
