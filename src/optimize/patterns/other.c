/* Patterns of all ops (folding, tensors without elements), of tuples and of custom calls. */
#include "optimize/discardable.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

/* op of constants -> constant (fold.c). */
bool sr_pattern_fold(struct sr_rewriter *rw, struct sr_op *op)
{
	return op->n_results == 1 && sr_rewrite_to_constant(rw, op, sr_fold(rw->config->folder, op));
}

/* ---------------------------------------------------------------- tensors without elements */

static struct sr_value *empty_constant(struct sr_rewriter *rw, struct sr_op *anchor, const struct sr_type *t)
{
	struct sr_builder b = sr_rewrite_before(rw, anchor);
	struct sr_value *v = sr_build_constant(&b, sr_attr_dense(rw->ctx, t, NULL, 0));
	sr_rewrite_notify_inserted(rw, v->def);
	return v;
}

static bool is_empty(const struct sr_type *t)
{
	return t->dtype != SR_DTYPE_NONE && sr_match_empty(t);
}

/* Used results and operands without elements, of an op without side effects -> empty constants. */
bool sr_pattern_empty_tensors(struct sr_rewriter *rw, struct sr_op *op)
{
	bool has_changed = false;
	if (strcmp(op->info->dialect, "stablehlo") != 0 || sr_op_is(op, SR_OP_stablehlo_constant) ||
	    (!op->n_regions && !sr_op_has(op, SR_TERMINATOR) && !sr_op_is_pure(op)))
		return false;
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i);
		if (!v->uses || !is_empty(v->type))
			continue;
		sr_rewrite_replace_value(rw, v, empty_constant(rw, op, v->type));
		has_changed = true;
	}
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		if (!is_empty(v->type) || sr_value_def_of(v, SR_OP_stablehlo_constant))
			continue;
		sr_op_set_operand(op, i, empty_constant(rw, op, v->type));
		if (v->def)
			sr_rewrite_notify_modified(rw, v->def);
		has_changed = true;
	}
	if (has_changed)
		sr_rewrite_notify_modified(rw, op);
	return has_changed;
}

/* ---------------------------------------------------------------- tuples */

/* get_tuple_element(tuple(...)) -> the element. */
bool sr_pattern_element_of_tuple(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *tuple = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_tuple);
	return tuple && sr_rewrite_to_value(rw, op, sr_operand(tuple, (int)sr_op_int(op, SR_NAME_index, 0)));
}

/* tuple(get_tuple_element(t, 0), get_tuple_element(t, 1), ...) of all elements -> t. */
bool sr_pattern_tuple_of_elements(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *tuple = NULL;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *element = sr_value_def_of(sr_operand(op, i), SR_OP_stablehlo_get_tuple_element);
		if (!element || sr_op_int(element, SR_NAME_index, -1) != i || (tuple && sr_operand(element, 0) != tuple))
			return false;
		tuple = sr_operand(element, 0);
	}
	return tuple && sr_rewrite_to_value(rw, op, tuple);
}

/* ---------------------------------------------------------------- custom calls */

/* custom_call with a dictionary in the attribute mhlo.backend_config -> backend_config with api_version 4. */
bool sr_pattern_ffi_backend_config(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_attr *config = sr_op_attr(op, "mhlo.backend_config"), *own = sr_op_attr(op, SR_NAME_backend_config);
	if (!config || config->kind != SR_ATTR_DICT || sr_op_int(op, SR_NAME_api_version, 1) != 1 ||
	    (own && (own->kind != SR_ATTR_STRING || sr_interned_length(own->s))))
		return false;
	sr_op_remove_attr(rw->ctx, op, "mhlo.backend_config");
	sr_op_set_attr(rw->ctx, op, SR_NAME_backend_config, config);
	sr_op_set_attr(rw->ctx, op, SR_NAME_api_version, sr_attr_i32(rw->ctx, 4));
	sr_rewrite_notify_modified(rw, op);
	return true;
}
