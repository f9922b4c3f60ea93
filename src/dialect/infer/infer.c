/* Help functions of the INFER column: type compatibility with unknown dimensions, lists of integers, messages. */
#include "dialect/infer/infer.h"
#include <string.h>

enum sr_status sr_infer_error(const struct sr_infer *in, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = sr_vprintf(in->diags->arena, format, args);
	va_end(args);
	return sr_op_error(in->op, in->diags, SR_INVALID, "%s", message);
}

bool sr_shapes_compatible(const struct sr_type *a, const struct sr_type *b)
{
	if (a->kind == SR_TYPE_UNRANKED || b->kind == SR_TYPE_UNRANKED)
		return true;
	if (!sr_is_ranked(a) || !sr_is_ranked(b))
		return a == b;
	if (a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (!sr_dims_compatible(a->shape[i], b->shape[i]))
			return false;
	return true;
}

/* Return true if the element types are equal or may be mixed: a quantized type with its expressed type, and quantized types with
 * equal storage and expressed types. */
bool sr_elements_compatible(const struct sr_type *a, const struct sr_type *b)
{
	struct sr_quant p, q;
	if (a == b)
		return true;
	bool pa = sr_type_quant(a, &p), qb = sr_type_quant(b, &q);
	if (pa && qb)
		return p.expressed_type == q.expressed_type && p.storage_type == q.storage_type && p.min == q.min && p.max == q.max;
	if (pa)
		return b->kind == SR_TYPE_FLOAT && b->dtype == p.expressed_type;
	return qb && a->kind == SR_TYPE_FLOAT && a->dtype == q.expressed_type;
}

static bool is_tensor(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TENSOR || t->kind == SR_TYPE_UNRANKED;
}

bool sr_types_compatible(const struct sr_type *a, const struct sr_type *b)
{
	if (a == b)
		return true;
	if (a->kind == SR_TYPE_TUPLE && b->kind == SR_TYPE_TUPLE) {
		if (a->n_inputs != b->n_inputs)
			return false;
		for (int i = 0; i < a->n_inputs; i++)
			if (!sr_types_compatible(a->inputs[i], b->inputs[i]))
				return false;
		return true;
	}
	return is_tensor(a) && is_tensor(b) && sr_elements_compatible(a->element, b->element) && sr_shapes_compatible(a, b);
}

/* Return a tensor encoding with the bounds of the dynamic dimensions; NULL if no dynamic dimension has a bound. */
static const struct sr_attr *bounds_encoding(struct sr_context *ctx, int rank, const int64_t *shape, const int64_t *bounds)
{
	int64_t *dynamic_bounds = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
	bool has_bound = false;
	for (int i = 0; i < rank; i++) {
		dynamic_bounds[i] = bounds && sr_is_dynamic(shape[i]) ? bounds[i] : SR_DYNAMIC;
		has_bound = has_bound || !sr_is_dynamic(dynamic_bounds[i]);
	}
	const struct sr_attr *list = has_bound ? sr_attr_i64s(ctx, dynamic_bounds, rank) : NULL;
	return has_bound ? sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "type_extensions"), &list) : NULL;
}

/* Lower each element of `bounds` to t's bound of that dimension, if that is less. */
static void tighten_bounds(const struct sr_type *t, int64_t *bounds)
{
	const int64_t *type_bounds = sr_type_bounds(t);
	for (int i = 0; type_bounds && i < t->rank; i++)
		if (sr_is_dynamic(bounds[i]) || (!sr_is_dynamic(type_bounds[i]) && type_bounds[i] < bounds[i]))
			bounds[i] = type_bounds[i];
}

const struct sr_type *sr_types_merge(struct sr_context *ctx, const struct sr_type *const *types, int n)
{
	const struct sr_type *ranked_type = NULL;
	int64_t *shape = NULL, *bounds = NULL;
	for (int t = 0; t < n; t++) {
		if (!sr_is_ranked(types[t]))
			continue;
		if (!ranked_type) {
			ranked_type = types[t];
			shape = sr_dup(ctx->arena, ranked_type->shape, (size_t)ranked_type->rank, sizeof *shape);
			bounds = SR_NEW_ARRAY(ctx->arena, int64_t, ranked_type->rank);
			for (int i = 0; i < ranked_type->rank; i++)
				bounds[i] = SR_DYNAMIC;
		}
		if (!sr_shapes_compatible(ranked_type, types[t]))
			return NULL;
		for (int i = 0; i < ranked_type->rank; i++) {
			if (!sr_dims_compatible(shape[i], types[t]->shape[i]))
				return NULL;
			if (sr_is_dynamic(shape[i]))
				shape[i] = types[t]->shape[i];
		}
		tighten_bounds(types[t], bounds);
	}
	if (!ranked_type)
		return types[0];
	const struct sr_attr *encoding = bounds_encoding(ctx, ranked_type->rank, shape, bounds);
	bool has_other_encoding = ranked_type->encoding &&
				  !sr_type_bounds(ranked_type); /* keep encodings that are not bounds, such as sparse ones */
	return sr_type_tensor_of(ctx, types[0]->element, ranked_type->rank, shape,
				 has_other_encoding ? ranked_type->encoding : encoding);
}

const struct sr_type *sr_tensor_like(const struct sr_infer *in, const struct sr_type *element, const struct sr_type *shape_source)
{
	struct sr_type t = *shape_source;
	t.element = element;
	t.dtype = SR_DTYPE_NONE;
	return sr_type_intern(in->ctx, &t);
}

const struct sr_type *sr_bool_type(struct sr_context *ctx)
{
	return sr_type_scalar(ctx, SR_I1);
}

const char *sr_dims_str(struct sr_context *ctx, const int64_t *dims, int64_t n)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	for (int64_t i = 0; i < n; i++) {
		sr_buf_puts(&out, i ? ", " : "");
		if (sr_is_dynamic(dims[i]))
			sr_buf_putc(&out, '?');
		else
			sr_buf_int(&out, dims[i]);
	}
	return sr_buf_string(&out);
}

bool sr_is_unique(const int64_t *v, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (sr_list_has(v, i, v[i]))
			return false;
	return true;
}

bool sr_is_sorted(const int64_t *v, int64_t n)
{
	for (int64_t i = 1; i < n; i++)
		if (v[i - 1] > v[i])
			return false;
	return true;
}

bool sr_in_range(const int64_t *v, int64_t n, int64_t low, int64_t high)
{
	for (int64_t i = 0; i < n; i++)
		if (v[i] < low || v[i] >= high)
			return false;
	return true;
}

struct sr_ints sr_infer_ints(const struct sr_infer *in, const char *attr)
{
	struct sr_ints list = {0};
	sr_op_ints(in->ctx, in->op, attr, &list.v, &list.n);
	return list;
}

struct sr_ints sr_field_ints(const struct sr_infer *in, const struct sr_attr *structure, const char *field)
{
	struct sr_ints list = {0};
	sr_struct_ints(in->ctx, structure, field, &list.v, &list.n);
	return list;
}

int64_t sr_field_int(const struct sr_attr *structure, const char *field, int64_t default_value)
{
	const struct sr_attr *a = sr_attr_field(structure, field);
	return a ? a->i : default_value;
}

struct sr_block *sr_region_block(const struct sr_op *op, int region)
{
	struct sr_block *block = op->regions[region].first;
	return block && !block->next ? block : NULL;
}

/* ---------------------------------------------------------------- result types */

const int64_t *sr_type_bounds(const struct sr_type *t)
{
	const struct sr_attr *e = t->encoding;
	if (!e || e->kind != SR_ATTR_STRUCT || strcmp(e->def->name, "type_extensions") != 0)
		return NULL;
	const struct sr_attr *list = e->list[0];
	return list && list->dense && list->dense->n_bytes == 8 * (int64_t)t->rank ? list->dense->data : NULL;
}

/* Print a tensor encoding: bounds as #stablehlo.bounds<?, 4>, other encodings as they are stored. */
static void write_encoding(void *data, const struct sr_attr *attr, struct sr_buf *out)
{
	const struct sr_type *t = data;
	const int64_t *bounds = sr_type_bounds(t);
	if (!bounds) {
		sr_buf_printf(out, "#%s", attr->kind == SR_ATTR_OPAQUE ? attr->s : "");
		return;
	}
	for (int d = 0; d < t->rank; d++) {
		sr_buf_puts(out, d ? ", " : "#stablehlo.bounds<");
		if (sr_is_dynamic(bounds[d]))
			sr_buf_putc(out, '?');
		else
			sr_buf_int(out, bounds[d]);
	}
	sr_buf_putc(out, '>');
}

const char *sr_bounded_type_str(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	if (t->kind == SR_TYPE_TENSOR)
		sr_type_print_with(t, &out, write_encoding, (void *)t);
	else
		sr_type_print(t, &out);
	return sr_buf_string(&out);
}

int64_t sr_dimension_upper_bound(const struct sr_type *t, int64_t dim)
{
	const int64_t *bounds = sr_type_bounds(t);
	return !sr_is_dynamic(t->shape[dim]) ? t->shape[dim] : bounds ? bounds[dim] : SR_DYNAMIC;
}

const struct sr_type *sr_infer_tensor(const struct sr_infer *in, const struct sr_type *element_source, int rank,
				      const int64_t *shape, const int64_t *bounds)
{
	return sr_type_tensor_of(in->ctx, element_source->element, rank, shape, bounds_encoding(in->ctx, rank, shape, bounds));
}

bool sr_value_ints(struct sr_context *ctx, const struct sr_value *v, struct sr_ints *out)
{
	*out = (struct sr_ints){0};
	if (!v->def || !sr_op_has(v->def, SR_CONSTANT))
		return false;
	const struct sr_attr *value = sr_op_attr(v->def, "value");
	return value && value->kind == SR_ATTR_DENSE && sr_attr_ints(ctx, value, &out->v, &out->n);
}

/* ---------------------------------------------------------------- lists of dimensions */

enum sr_status sr_check_distinct(struct sr_infer *in, struct sr_ints a, const char *a_name, struct sr_ints b, const char *b_name)
{
	for (int64_t i = 0; i < a.n + b.n; i++) {
		int64_t x = i < a.n ? a.v[i] : b.v[i - a.n];
		bool is_duplicate = sr_list_has(a.v, i < a.n ? i : a.n, x) || (i >= a.n && sr_list_has(b.v, i - a.n, x));
		if (is_duplicate)
			return sr_infer_error(in, "has duplicated dimension from %s and %s: %lld", a_name, b_name, (long long)x);
	}
	return SR_OK;
}

enum sr_status sr_check_index_range(struct sr_infer *in, struct sr_ints list, const char *name, int64_t bound, const char *bound_name)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] < 0 || list.v[i] >= bound)
			return sr_infer_error(in, "Expects each element of %s to be in range [0, %s) i.e. [0, %lld). got: %lld.",
					      name, bound_name, (long long)bound, (long long)list.v[i]);
	return SR_OK;
}

/* ---------------------------------------------------------------- formatting */

const char *sr_attr_str(struct sr_context *ctx, const struct sr_attr *a)
{
	const int64_t *v;
	int64_t n;
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	if (a->kind == SR_ATTR_INTEGER)
		sr_buf_printf(&out, "%lld : %s", (long long)a->i, sr_type_string(ctx, a->type));
	else if (a->kind == SR_ATTR_DENSE && sr_attr_ints(ctx, a, &v, &n))
		sr_buf_printf(&out, "dense<[%s]> : %s", sr_dims_str(ctx, v, n), sr_type_string(ctx, a->type));
	for (int i = 0; a->kind == SR_ATTR_ARRAY && i < a->n; i++)
		sr_buf_printf(&out, "%s%s", i ? ", " : "[", sr_attr_str(ctx, a->list[i]));
	if (a->kind == SR_ATTR_ARRAY)
		sr_buf_puts(&out, a->n ? "]" : "[]");
	return sr_buf_string(&out);
}
