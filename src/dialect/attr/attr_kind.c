/* Decide whether an attribute is of a kind of classes.def, and name the kinds in messages. */
#include "dialect/signature.h"
#include <string.h>

static const struct { const char *name, *description; } kinds[] = {
#define ATTR_KIND(id, description) {#id, description},
#include "dialect/classes.def"
};

int sr_attr_kind_find(const char *name, size_t n)
{
	for (int i = 0; i < SR_KIND_COUNT; i++)
		if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, name, n) == 0)
			return i;
	return -1;
}

const char *sr_attr_kind_str(int kind)
{
	return kinds[kind].description;
}

static bool is_integer(const struct sr_attr *a, int width, enum sr_sign sign)
{
	if (a->kind != SR_ATTR_INTEGER || !a->type)
		return false;
	return a->type->kind == SR_TYPE_INTEGER && a->type->width == width && a->type->sign == sign;
}

static bool is_float(const struct sr_attr *a, enum sr_dtype t)
{
	return a->kind == SR_ATTR_FLOAT && a->type && a->type->dtype == t;
}

static bool is_dense(const struct sr_attr *a, enum sr_type_kind element, int width)
{
	if (a->kind != SR_ATTR_DENSE || a->type->kind != SR_TYPE_TENSOR || a->type->element->kind != element)
		return false;
	return element != SR_TYPE_INTEGER || (a->type->element->width == width && a->type->element->sign == SR_SIGNLESS);
}

static bool is_dense_array(const struct sr_attr *a, int width)
{
	return a->kind == SR_ATTR_DENSE_ARRAY && a->type->kind == SR_TYPE_INTEGER && a->type->width == width;
}

static bool is_array_of(const struct sr_attr *a, bool (*predicate)(const struct sr_attr *a))
{
	if (a->kind != SR_ATTR_ARRAY)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!predicate(a->list[i]))
			return false;
	return true;
}

static bool is_def(const struct sr_attr *a, enum sr_attr_kind kind, const char *name)
{
	return a->kind == kind && strcmp(a->def->name, name) == 0;
}

static bool is_dict(const struct sr_attr *a)
{
	return a->kind == SR_ATTR_DICT;
}

static bool is_flat_symbol(const struct sr_attr *a)
{
	return a->kind == SR_ATTR_SYMBOL && a->n == 0;
}

static bool is_alias(const struct sr_attr *a)
{
	return sr_attr_is_struct(a, "stablehlo", "output_operand_alias");
}

static bool is_all_to_all_param(const struct sr_attr *a)
{
	return sr_attr_is_struct(a, "sdy", "all_to_all_param");
}

static bool is_precision(const struct sr_attr *a)
{
	return is_def(a, SR_ATTR_ENUM, "precision");
}

static bool is_layout(const struct sr_attr *a)
{
	return is_dense(a, SR_TYPE_INDEX, 0) && a->type->rank == 1;
}

static bool is_tiling(const struct sr_attr *a)
{
	return is_array_of(a, is_layout);
}

static bool is_elements(const struct sr_attr *a)
{
	return a->kind == SR_ATTR_DENSE || a->kind == SR_ATTR_RESOURCE;
}

static bool is_of_def(const struct sr_attr *a, enum sr_attr_kind kind, const struct sr_attr_def *def)
{
	if (a->kind != kind || (def && a->def != def))
		return false;
	for (int i = 0; kind == SR_ATTR_STRUCT && i < a->def->n_fields; i++)
		if (a->list[i] ? !sr_attr_is_kind(a->list[i], &a->def->fields[i]) : !a->def->fields[i].is_optional)
			return false;
	return true;
}

bool sr_attr_is_struct(const struct sr_attr *a, const char *dialect, const char *name)
{
	const struct sr_attr_def *def = sr_attr_def_find(dialect, name);
	return a && def && is_of_def(a, SR_ATTR_STRUCT, def);
}

static bool is_list_of_def(const struct sr_attr *a, const struct sr_attr_def *def)
{
	if (a->kind != SR_ATTR_ARRAY)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!is_of_def(a->list[i], SR_ATTR_STRUCT, def))
			return false;
	return true;
}

bool sr_attr_is_kind(const struct sr_attr *a, const struct sr_attr_slot *slot)
{
	switch ((enum sr_attr_class)slot->kind) {
	case SR_KIND_aliases: return is_array_of(a, is_alias);
	case SR_KIND_all_to_all_params: return is_array_of(a, is_all_to_all_param);
	case SR_KIND_array: return a->kind == SR_ATTR_ARRAY;
	case SR_KIND_axes: return a->kind == SR_ATTR_AXES;
	case SR_KIND_axes_list: return a->kind == SR_ATTR_AXES_LIST;
	case SR_KIND_bool: return a->kind == SR_ATTR_BOOL;
	case SR_KIND_bools: return is_dense_array(a, 1);
	case SR_KIND_dense_i64: return is_dense(a, SR_TYPE_INTEGER, 64);
	case SR_KIND_dict: return is_dict(a);
	case SR_KIND_dicts: return is_array_of(a, is_dict);
	case SR_KIND_elements: return is_elements(a);
	case SR_KIND_enum: return is_of_def(a, SR_ATTR_ENUM, slot->def);
	case SR_KIND_f32: return is_float(a, SR_F32);
	case SR_KIND_f64: return is_float(a, SR_F64);
	case SR_KIND_function: return a->kind == SR_ATTR_TYPE && a->type->kind == SR_TYPE_FUNCTION;
	case SR_KIND_groups: return is_dense(a, SR_TYPE_INTEGER, 64) || is_def(a, SR_ATTR_STRUCT, "replica_group_mesh_axes");
	case SR_KIND_i32: return is_integer(a, 32, SR_SIGNLESS);
	case SR_KIND_i32_non_negative: return is_integer(a, 32, SR_SIGNLESS) && a->i >= 0;
	case SR_KIND_i32_positive: return is_integer(a, 32, SR_SIGNLESS) && a->i > 0;
	case SR_KIND_i32s: return is_dense_array(a, 32);
	case SR_KIND_i64: return is_integer(a, 64, SR_SIGNLESS);
	case SR_KIND_i64_non_negative: return is_integer(a, 64, SR_SIGNLESS) && a->i >= 0;
	case SR_KIND_i64_positive: return is_integer(a, 64, SR_SIGNLESS) && a->i > 0;
	case SR_KIND_i64s: return is_dense_array(a, 64);
	case SR_KIND_layouts: return is_array_of(a, is_layout);
	case SR_KIND_manual_axes: return a->kind == SR_ATTR_AXES;
	case SR_KIND_mesh: return a->kind == SR_ATTR_MESH;
	case SR_KIND_mesh_or_symbol: return is_flat_symbol(a) || a->kind == SR_ATTR_MESH || sr_attr_is_struct(a, "stablehlo", "mesh");
	case SR_KIND_pairs:
		return is_dense(a, SR_TYPE_INTEGER, 64) || sr_attr_is_struct(a, "shardrun", "permute_along") ||
		       sr_attr_is_struct(a, "shardrun", "permute_between");
	case SR_KIND_precisions: return is_array_of(a, is_precision);
	case SR_KIND_sharding: return a->kind == SR_ATTR_SHARDING;
	case SR_KIND_shardings: return a->kind == SR_ATTR_SHARDINGS;
	case SR_KIND_string: return a->kind == SR_ATTR_STRING;
	case SR_KIND_string_or_dict: return a->kind == SR_ATTR_STRING || is_dict(a);
	case SR_KIND_struct: return is_of_def(a, SR_ATTR_STRUCT, slot->def);
	case SR_KIND_structs: return is_list_of_def(a, slot->def);
	case SR_KIND_symbol: return is_flat_symbol(a);
	case SR_KIND_symbols: return is_array_of(a, is_flat_symbol);
	case SR_KIND_tilings: return is_array_of(a, is_tiling);
	case SR_KIND_type: return a->kind == SR_ATTR_TYPE;
	case SR_KIND_typed:
		return a->kind == SR_ATTR_INTEGER || a->kind == SR_ATTR_FLOAT || is_elements(a) || a->kind == SR_ATTR_BOOL;
	case SR_KIND_ui32: return is_integer(a, 32, SR_UNSIGNED);
	case SR_KIND_ui64: return is_integer(a, 64, SR_UNSIGNED);
	case SR_KIND_unit: return a->kind == SR_ATTR_UNIT;
	case SR_KIND_COUNT: break;
	}
	return false;
}
