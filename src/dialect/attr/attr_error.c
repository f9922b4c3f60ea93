/* Check constraints within one attribute or type: tolerances of result_accuracy, dot algorithms, bounds of tensors, scales of
 * quantized types, contents of futures. Each check returns an error message; NULL if the constraint holds. */
#include "dialect/ops.h"
#include "dialect/sdy/propagation_edges.h"
#include "dialect/signature.h"
#include <string.h>

static double float_field(const struct sr_attr *a, const char *field)
{
	const struct sr_attr *f = sr_attr_field(a, field);
	return f && f->kind == SR_ATTR_FLOAT ? sr_float_decode(f->type->dtype, (uint64_t)f->i) : 0;
}

static int64_t int_field(const struct sr_attr *a, const char *field)
{
	const struct sr_attr *f = sr_attr_field(a, field);
	return f ? f->i : 0;
}

static const char *check_accuracy(struct sr_context *ctx, const struct sr_attr *a)
{
	double atol = float_field(a, "atol"), rtol = float_field(a, "rtol");
	int64_t ulps = int_field(a, "ulps");
	const struct sr_attr *mode = sr_attr_field(a, "mode");
	const char *name = mode && mode->kind == SR_ATTR_ENUM ? sr_attr_enum_name(mode) : "DEFAULT";
	if (atol < 0 || rtol < 0 || ulps < 0)
		return "Negative tolerance";
	if (strcmp(name, "TOLERANCE") != 0 && (atol != 0 || rtol != 0 || ulps != 0))
		return sr_printf(ctx->arena, "Invalid tolerances for ResultAccuracyAttr with mode %s, must be all zero.", name);
	return NULL;
}

/* Supported dot algorithms: operand type, accumulator type, number of primitive products. */
static const struct { const char *operand, *accumulator; int products; } algorithms[] = {
	{"f16", "f16", 1}, {"f16", "f32", 1}, {"bf16", "bf16", 1}, {"bf16", "f32", 1}, {"bf16", "f32", 3}, {"bf16", "f32", 6},
	{"bf16", "f32", 9}, {"tf32", "f32", 1}, {"tf32", "f32", 3}, {"f32", "f32", 1}, {"f64", "f64", 1},
};

static bool is_known_algorithm(const char *lhs, const char *rhs, const char *accumulator, int64_t products, bool is_imprecise)
{
	bool is_f8 = strncmp(lhs, "f8", 2) == 0 && strncmp(rhs, "f8", 2) == 0;
	if (is_f8 && strcmp(accumulator, "f32") == 0 && products == 1)
		return true;
	for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
		if (!is_imprecise && strcmp(lhs, algorithms[i].operand) == 0 && strcmp(rhs, algorithms[i].operand) == 0 &&
		    strcmp(accumulator, algorithms[i].accumulator) == 0 && products == algorithms[i].products)
			return true;
	return false;
}

static const char *check_algorithm(struct sr_context *ctx, const struct sr_attr *a)
{
	int64_t lhs = int_field(a, "lhs_component_count"), rhs = int_field(a, "rhs_component_count"),
		products = int_field(a, "num_primitive_operations");
	bool is_imprecise = int_field(a, "allow_imprecise_accumulation");
	static const char *const fields[] = {"lhs_precision_type", "rhs_precision_type", "accumulation_type"};
	const char *types[3];
	for (int i = 0; i < 3; i++) {
		const struct sr_attr *t = sr_attr_field(a, fields[i]);
		types[i] = t && t->kind == SR_ATTR_TYPE ? sr_type_string(ctx, t->type) : "";
	}
	if (lhs < 1)
		return "lhs component count must be positive";
	if (rhs < 1)
		return "rhs component count must be positive";
	if (products < 1)
		return "num primitive operations must be positive";
	if (lhs == 1 && rhs == 1 && is_known_algorithm(types[0], types[1], types[2], products, is_imprecise))
		return NULL;
	return sr_printf(ctx->arena,
			 "dot algorithm not known to be supported on any hardware: {lhs:'%s', rhs:'%s', accum:'%s', "
			 "lhs_components:%lld, rhs_components:%lld, primitive_ops:%lld, imprecise:%d}",
			 types[0], types[1], types[2], (long long)lhs, (long long)rhs, (long long)products, is_imprecise);
}

const char *sr_attr_struct_error(struct sr_context *ctx, const struct sr_attr *a)
{
	static const struct {
		const char *name;
		const char *(*error)(struct sr_context *ctx, const struct sr_attr *a);
	} checks[] = {{"dot_algorithm", check_algorithm},
		      {"propagation_edges", sr_propagation_edges_error},
		      {"result_accuracy", check_accuracy}};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (strcmp(a->def->name, checks[i].name) == 0)
			return checks[i].error(ctx, a);
	return NULL;
}

/* ---------------------------------------------------------------- types */

static const char *check_bounds(struct sr_context *ctx, const struct sr_type *t)
{
	const int64_t *v;
	int64_t n;
	if (!t->encoding || t->encoding->kind != SR_ATTR_STRUCT || strcmp(t->encoding->def->name, "type_extensions") != 0 ||
	    !sr_struct_ints(ctx, t->encoding, "bounds", &v, &n))
		return NULL;
	if (n != t->rank)
		return sr_printf(ctx->arena, "Bounds length is %lld, expected to be equal to rank(%d) of the tensor", (long long)n,
				 t->rank);
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] != SR_DYNAMIC && v[d] != SR_DYNAMIC)
			return sr_printf(
				ctx->arena,
				"Static dimension %d cannot have a bound, use ShapedType::kDynamic to indicate a missing bound", d);
	return NULL;
}

/* Check that the scales of a quantized type whose expressed type is f16 are between f16's smallest and largest positive values. */
static const char *check_scales(struct sr_context *ctx, const struct sr_quant *q)
{
	bool is_f16 = q->expressed_type == SR_F16;
	for (int i = 0; i < q->n && is_f16; i++)
		if (q->scales[i] > sr_float_decode(SR_F16, 0x7bff) || q->scales[i] < sr_float_decode(SR_F16, 1))
			return sr_printf(ctx->arena, "scale %e out of expressed type range", q->scales[i]);
	return NULL;
}

/* Check that all element types of a future, listed between its brackets, are ranked tensors. */
static const char *check_future(struct sr_context *ctx, const char *text)
{
	static const char prefix[] = "stablehlo.future<", tensor[] = "tensor<";
	if (strncmp(text, prefix, sizeof prefix - 1) != 0)
		return NULL;
	const char *s = text + sizeof prefix - 1;
	while (*s && *s != '>') {
		s += strspn(s, " ");
		const char *start = s;
		for (int depth = 0; *s && (depth > 0 || (*s != ',' && *s != '>')); s++)
			depth += (*s == '<') - (*s == '>');
		if (strncmp(start, tensor, sizeof tensor - 1) != 0)
			return sr_printf(ctx->arena, "future element type must be a ranked tensor, but got '%.*s'",
					 (int)(s - start), start);
		s += *s == ',';
	}
	return NULL;
}

const char *sr_type_error(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_quant q;
	if (t->kind == SR_TYPE_TENSOR)
		return check_bounds(ctx, t);
	if (t->kind != SR_TYPE_OPAQUE)
		return NULL;
	if (sr_type_quant_values(ctx, t, &q))
		return check_scales(ctx, &q);
	return check_future(ctx, t->text);
}
