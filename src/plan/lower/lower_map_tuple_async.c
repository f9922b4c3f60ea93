/* Lower map, select_and_scatter, tuples and asynchronous collectives. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "plan/lower/lower.h"
#include <string.h>

/* Lower map: run the body once on all elements together. */
enum sr_status sr_lower_map_body(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	struct sr_op *end = sr_block_terminator(body);
	int64_t outer = b->lanes, lanes = sr_plan_elements(b, sr_result(op, 0));
	if (!lanes)
		return SR_OK;
	for (int i = 0; i < op->n_operands; i++)
		sr_plan_bind_value(b, body->args[i], sr_plan_buffer_for(b, sr_operand(op, i)));
	b->lanes = lanes;
	enum sr_status status = sr_lower_block(b, body);
	b->lanes = outer;
	if (!status)
		sr_plan_bind_value(b, sr_result(op, 0), sr_plan_buffer_for(b, sr_operand(end, 0)));
	return status;
}

/* Return the comparison of a select body that consists of one compare of its two arguments; -1: the body is something else. */
static int select_comparison(const struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	struct sr_op *end = sr_block_terminator(body), *compare = end->n_operands == 1 ? sr_operand(end, 0)->def : NULL;
	if (!compare || compare->block != body || !sr_op_is(compare, SR_OP_stablehlo_compare))
		return -1;
	bool is_in_order = sr_operand(compare, 0) == body->args[0] && sr_operand(compare, 1) == body->args[1];
	bool is_swapped = sr_operand(compare, 0) == body->args[1] && sr_operand(compare, 1) == body->args[0];
	if ((!is_in_order && !is_swapped) || sr_comparison_type_is(compare, "TOTALORDER"))
		return -1;
	return (int)(is_in_order ? sr_comparison_of(compare) : sr_comparison_swapped(sr_comparison_of(compare)));
}

/* Lower select_and_scatter with general bodies: find the selected element of each window, then scatter the source to these
 * elements, with both as flat lists. */
static enum sr_status select_and_scatter_bodies(struct sr_plan_builder *b, struct sr_op *op, const struct sr_reduce_window_params *w)
{
	int64_t n = sr_plan_elements(b, sr_operand(op, 0)), places = sr_plan_elements(b, sr_operand(op, 1));
	enum sr_dtype type = sr_plan_dtype(sr_operand(op, 0));
	int in = sr_plan_buffer_for(b, sr_operand(op, 0)), source = sr_plan_buffer_for(b, sr_operand(op, 1)),
	    init = sr_plan_buffer_for(b, sr_operand(op, 2)), out = sr_plan_buffer_for(b, sr_result(op, 0));
	int selected_index = sr_plan_buffer(b, SR_I64, places), filled_init = sr_plan_buffer(b, type, n);
	struct sr_fill_params fill = {.n = n, .bytes = sr_dtype_bytes(type)};
	struct sr_body_instr select = {.kind = SR_BODY_SELECT, .k = 1, .u.window = *w}, scatter = {.kind = SR_BODY_SCATTER, .k = 1};
	scatter.u.scatter.g = (struct sr_gather_params){
		.operand_rank = 1, .indices_rank = 1, .out_rank = 1, .index_type = SR_I64, .bytes = fill.bytes,
		.index_vector_dim = 1, .n_index_map = 1, .operand = {n}, .indices = {places}, .out = {places},
		.slice_sizes = {1}, .out_operand_dim = {-1}, .batch_of_operand = {-1}};
	if (!n)
		return SR_OK;
	sr_plan_add_kernel(b, SR_KERNEL_FILL, type, n, (int[]){init, filled_init}, 2, &fill, sizeof fill);
	enum sr_status status = sr_lower_body_instr(b, op, 0, (int[]){in, selected_index}, 2, 1, &select);
	return status ? status : sr_lower_body_instr(b, op, 1, (int[]){filled_init, selected_index, source, out}, 4, 1, &scatter);
}

enum sr_status sr_lower_select_and_scatter(struct sr_plan_builder *b, struct sr_op *op)
{
	enum sr_dtype type = sr_plan_dtype(sr_operand(op, 0));
	struct sr_select_and_scatter_params p = {.select = select_comparison(op)};
	sr_lower_window_params(b, op, sr_operand(op, 1)->type, &p.window);
	p.window.monoid = sr_monoid_of(op, 1, 0);
	if (p.select < 0 || p.window.monoid < 0 || sr_dtype_is_complex(type))
		return select_and_scatter_bodies(b, op, &p.window);
	int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, 0)), sr_plan_buffer_for(b, sr_operand(op, 1)),
			 sr_plan_buffer_for(b, sr_operand(op, 2)), sr_plan_buffer_for(b, sr_result(op, 0))};
	int64_t groups = sr_select_and_scatter_groups(&p.window);
	sr_plan_add_kernel(b, SR_KERNEL_SELECT_AND_SCATTER, type, groups, buffers, 4, &p, sizeof p);
	return SR_OK;
}

/* ---- tuples: no run-time effect; an element is the operand of its stablehlo.tuple ---- */

static struct sr_value *resolve_tuple_element(struct sr_value *v)
{
	struct sr_op *def = v->def;
	struct sr_value *tuple = def && sr_op_is(def, SR_OP_stablehlo_get_tuple_element) ? resolve_tuple_element(sr_operand(def, 0)) : NULL;
	int64_t i = tuple ? sr_op_int(def, SR_NAME_index, 0) : 0;
	if (tuple && tuple->def && sr_op_is(tuple->def, SR_OP_stablehlo_tuple) && i >= 0 && i < tuple->def->n_operands)
		return resolve_tuple_element(sr_operand(tuple->def, (int)i));
	return v;
}

enum sr_status sr_lower_tuple_element(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *element = resolve_tuple_element(sr_result(op, 0));
	if (element == sr_result(op, 0))
		return sr_lower_unsupported(b, op, "takes an element of a tuple that no stablehlo.tuple created");
	if (element->type->kind == SR_TYPE_TENSOR)
		sr_plan_bind_value(b, sr_result(op, 0), sr_plan_buffer_for(b, element));
	return SR_OK;
}

/* ---- collectives ---- */

/* Lower async_start: the collective is executed here; async_done returns its value. */
enum sr_status sr_lower_async_start(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	for (int i = 0; i < op->n_operands; i++)
		sr_plan_bind_value(b, body->args[i], sr_plan_buffer_for(b, sr_operand(op, i)));
	return sr_lower_block(b, body);
}

enum sr_status sr_lower_async_done(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_op *start = sr_operand(op, 0)->def;
	if (!start || !sr_op_is(start, SR_OP_stablehlo_async_start))
		return sr_lower_unsupported(b, op, "has an operand that no stablehlo.async_start defines");
	struct sr_op *end = sr_block_terminator(start->regions[0].first);
	for (int i = 0; i < op->n_results && i < end->n_operands; i++)
		sr_plan_bind_value(b, sr_result(op, i), sr_plan_buffer_for(b, sr_operand(end, i)));
	return SR_OK;
}
