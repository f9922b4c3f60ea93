/* Verify registered ops, in MLIR's order: attributes of other dialects; numbers of regions, results and operands;
 * the op's attributes; classes of operands and results; kinds of regions; the op's own constraints by type inference; declared
 * against inferred types. An enum attribute written as a number is replaced by the enumerator. */
#include "dialect/infer/infer.h"
#include <string.h>

struct count_range { /* required number of values: exactly `n`, or at least `n` if is_minimum is set */
	int n;
	bool is_minimum;
};

static struct count_range count_slots(const struct sr_slot *slots, int n)
{
	struct count_range c = {0};
	for (int i = 0; i < n; i++)
		if (slots[i].arity == SR_ARITY_ONE)
			c.n++;
		else
			c.is_minimum = true;
	return c;
}

static enum sr_status check_number(struct sr_op *op, struct sr_diags *diags, struct count_range expected, int n,
				   const char *value_kind, const char *one_word)
{
	if (expected.is_minimum ? n >= expected.n : n == expected.n)
		return SR_OK;
	if (expected.is_minimum)
		return sr_op_error(op, diags, SR_INVALID, "expected %d or more %ss, but found %d", expected.n, value_kind, n);
	if (expected.n == 0)
		return sr_op_error(op, diags, SR_INVALID, "requires zero %ss", value_kind);
	if (expected.n == 1)
		return sr_op_error(op, diags, SR_INVALID, "requires %s %s", one_word, value_kind);
	if (strcmp(value_kind, "operand") == 0)
		return sr_op_error(op, diags, SR_INVALID, "expected %d operands, but found %d", expected.n, n);
	return sr_op_error(op, diags, SR_INVALID, "expected %d %ss", expected.n, value_kind);
}

static enum sr_status check_numbers(struct sr_op *op, const struct sr_signature *s, struct sr_diags *diags)
{
	enum sr_status st = check_number(op, diags, count_slots(s->regions, s->n_regions), op->n_regions, "region", "one");
	if (!st)
		st = check_number(op, diags, count_slots(s->results, s->n_results), op->n_results, "result", "one");
	if (!st)
		st = check_number(op, diags, count_slots(s->operands, s->n_operands), op->n_operands, "operand", "a single");
	return st;
}

static const struct sr_attr *convert_number_to_enumerator(struct sr_context *ctx, const struct sr_attr_slot *slot,
							  const struct sr_attr *a)
{
	if (a->kind != SR_ATTR_INTEGER || slot->kind != SR_KIND_enum)
		return a;
	for (int i = 0; slot->def->values[i]; i++)
		if (a->i == i)
			return sr_attr_enum(ctx, slot->def->dialect, slot->def->name, slot->def->values[i]);
	return a;
}

static enum sr_status check_attributes(struct sr_context *ctx, struct sr_op *op, const struct sr_signature *s, struct sr_diags *diags)
{
	for (int i = 0; i < s->n_attrs; i++) {
		const struct sr_attr_slot *slot = &s->attrs[s->attrs_by_name[i]];
		if (!slot->is_optional && !sr_op_attr(op, slot->name))
			return sr_op_error(op, diags, SR_INVALID, "requires attribute '%s'", slot->name);
	}
	for (int i = 0; i < s->n_attrs; i++) {
		const struct sr_attr_slot *slot = &s->attrs[s->attrs_by_name[i]];
		const struct sr_attr *old_value = sr_op_attr(op, slot->name),
				     *a = old_value ? convert_number_to_enumerator(ctx, slot, old_value) : NULL;
		if (a != old_value)
			sr_op_set_attr(ctx, op, slot->name, a);
		if (a && !sr_attr_is_kind(a, slot))
			return sr_op_error(op, diags, SR_INVALID, "attribute '%s' failed to satisfy constraint: %s", slot->name,
					   sr_attr_kind_str(slot->kind));
	}
	return SR_OK;
}

static enum sr_status check_class(struct sr_context *ctx, struct sr_op *op, const struct sr_slot *slot, const struct sr_type *t,
				  const char *value_kind, int i, struct sr_diags *diags)
{
	if (sr_type_is_class(t, slot->class))
		return SR_OK;
	return sr_op_error(op, diags, SR_INVALID, "%s #%d must be %s%s, but got %s%s%s", value_kind, i,
			   slot->arity == SR_ARITY_VARIADIC ? "variadic of " : "", sr_type_class_str(ctx, slot->class), "'",
			   sr_type_string(ctx, t), "'");
}

static enum sr_status check_segments(struct sr_op *op, const struct sr_signature *s, struct sr_diags *diags, int *operands,
				     int *results)
{
	const int64_t *sizes = NULL, *result_sizes = NULL;
	int64_t n = 0, n_results = 0, segments[SR_MAX_OPERAND_GROUPS], result_segments[SR_MAX_OPERAND_GROUPS];
	if (s->has_operand_segments) {
		sizes = sr_op_segment_sizes(op, "operandSegmentSizes", segments, &n);
		result_sizes = sr_op_segment_sizes(op, "resultSegmentSizes", result_segments, &n_results);
	}
	if (!sr_slots_count(s->operands, s->n_operands, op->n_operands, sizes, n, operands))
		return sr_op_error(op, diags, SR_INVALID, "has %d operands, which do not divide into its groups of operands",
				   op->n_operands);
	if (!sr_slots_count(s->results, s->n_results, op->n_results, result_sizes, n_results, results))
		return sr_op_error(op, diags, SR_INVALID, "has %d results, which do not divide into its groups of results",
				   op->n_results);
	return SR_OK;
}

static enum sr_status check_types(struct sr_context *ctx, struct sr_op *op, const struct sr_signature *s, struct sr_diags *diags)
{
	int operands[SR_MAX_OPERAND_GROUPS], results[SR_MAX_OPERAND_GROUPS];
	enum sr_status st = check_segments(op, s, diags, operands, results);
	for (int slot = 0, i = 0; !st && slot < s->n_operands; slot++)
		for (int end = i + operands[slot]; !st && i < end; i++)
			st = check_class(ctx, op, &s->operands[slot], sr_operand(op, i)->type, "operand", i, diags);
	for (int slot = 0, i = 0; !st && slot < s->n_results; slot++)
		for (int end = i + results[slot]; !st && i < end; i++)
			st = check_class(ctx, op, &s->results[slot], op->results[i].type, "result", i, diags);
	return st;
}

static enum sr_status check_regions(struct sr_op *op, const struct sr_signature *s, struct sr_diags *diags)
{
	for (int i = 0; i < op->n_regions && s->n_regions > 0; i++) {
		const struct sr_slot *slot = &s->regions[i < s->n_regions ? i : s->n_regions - 1];
		if (slot->class != SR_REGION_any && !sr_region_block(op, i))
			return sr_op_error(op, diags, SR_INVALID,
					   "region #%d ('%s') failed to verify constraint: region with 1 blocks", i, slot->name);
	}
	return SR_OK;
}

static const char *describe_types(struct sr_context *ctx, const struct sr_type *const *types, int n)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	for (int i = 0; i < n; i++) {
		sr_buf_puts(&out, i ? ", '" : "'");
		sr_buf_puts(&out, sr_bounded_type_str(ctx, types[i]));
		sr_buf_putc(&out, '\'');
	}
	return sr_buf_string(&out);
}

enum sr_status sr_infer_mismatch(struct sr_infer *in, const struct sr_type *const *types, int n)
{
	const struct sr_op *op = in->op;
	in->is_verifying = false;
	const struct sr_type **declared_types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		declared_types[i] = op->results[i].type;
	return sr_infer_error(in, "inferred type(s) %s are incompatible with return type(s) of operation %s",
			      describe_types(in->ctx, types, n), describe_types(in->ctx, declared_types, op->n_results));
}

/* Return true if the static extents of `static_type` are within the bounds of `bounded_type`. */
static bool is_within_bounds(const struct sr_type *static_type, const struct sr_type *bounded_type)
{
	const int64_t *bounds = sr_is_ranked(static_type) && sr_is_ranked(bounded_type) ? sr_type_bounds(bounded_type) : NULL;
	for (int d = 0; bounds && d < bounded_type->rank; d++)
		if (!sr_is_dynamic(bounds[d]) && !sr_is_dynamic(static_type->shape[d]) && static_type->shape[d] > bounds[d])
			return false;
	return true;
}

static bool is_consistent_with_declared(const struct sr_type *inferred_type, const struct sr_type *declared_type)
{
	return sr_types_compatible(inferred_type, declared_type) && is_within_bounds(inferred_type, declared_type) &&
	       is_within_bounds(declared_type, inferred_type);
}

static enum sr_status infer_and_compare(struct sr_infer *in)
{
	enum sr_status st = sr_op_infer(in);
	in->is_verifying = in->is_verifying && st;
	for (int i = 0; i < in->op->n_results && !st; i++)
		if (!is_consistent_with_declared(in->types[i], in->op->results[i].type))
			st = sr_infer_mismatch(in, in->types, in->op->n_results);
	return st;
}

static enum sr_status check_inference(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags)
{
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		types[i] = op->results[i].type;
	struct sr_infer in = {ctx, op, types, diags, false};
	enum sr_status st = infer_and_compare(&in);
	/* As MLIR does, report the reason, then the op whose inference failed. */
	if (st && sr_op_has(op, SR_INFERRED_RESULT) && !in.is_verifying)
		sr_infer_error(&in, "failed to infer returned types");
	return st;
}

enum sr_status sr_op_verify(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags)
{
	const struct sr_signature *s = op->info->signature;
	enum sr_status st = sr_sdy_verify_attributes(ctx, op, diags);
	if (!st)
		st = check_numbers(op, s, diags);
	if (!st)
		st = check_attributes(ctx, op, s, diags);
	if (!st)
		st = check_types(ctx, op, s, diags);
	if (!st)
		st = check_regions(op, s, diags);
	if (!st)
		st = check_inference(ctx, op, diags);
	return st || !sr_op_is(op, SR_OP_func_func) ? st : sr_sdy_verify_func(ctx, op, diags);
}
