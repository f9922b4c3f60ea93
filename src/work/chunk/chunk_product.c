/* Matrix products of few rows: what shardrun-chunk-loops and shardrun-merge-products have in common. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "support/checked.h"
#include "work/chunk/chunk.h"
#include <string.h>

enum sr_status sr_chunk_read_mode(struct sr_context *ctx, const struct sr_pass_options *options, bool *is_on)
{
	const char *mode = sr_option_string(options, "mode");
	*is_on = strcmp(mode, "on") == 0;
	if (!*is_on && strcmp(mode, "auto") != 0 && strcmp(mode, "off") != 0)
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "mode is auto, on or off, not '%s'", mode);
	return SR_OK;
}

/* ---- one product ---- */

bool sr_chunk_product_sizes(struct sr_context *ctx, const struct sr_op *op, struct sr_chunk_sizes *s)
{
	int n_batch, n_lhs;
	if (!sr_op_is(op, SR_OP_stablehlo_dot_general))
		return false;
	sr_work_product_dims(ctx, op, &n_batch, &n_lhs);
	s->contracted = sr_work_contracted_elements(ctx, op);
	for (int side = 0; side < 2; side++) {
		const struct sr_type *t = sr_operand_type(op, side);
		if (n_batch || !s->contracted || !sr_type_elements(t, &s->free[side]) || t->rank >= SR_MAX_RANK)
			return false;
		s->free[side] /= s->contracted;
	}
	return sr_result_type(op, 0)->rank < SR_MAX_RANK;
}

bool sr_chunk_is_slow(int64_t min_work, const struct sr_chunk_sizes *s, int64_t rows)
{
	int64_t work;
	return rows <= SR_CHUNK_MAX_ROWS && !sr_mul_overflows(s->contracted * s->free[0], s->free[1], &work) && work >= min_work;
}

/* Fields of the dimension numbers: those of each operand, batching and contracting. */
static const char *const fields[4] = {SR_NAME_lhs_batching_dimensions, SR_NAME_rhs_batching_dimensions,
				      SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};

const int64_t *sr_chunk_contracting_dims(struct sr_context *ctx, const struct sr_op *op, int side, int64_t *n)
{
	const int64_t *dims = NULL;
	*n = 0;
	sr_struct_ints(ctx, sr_op_attr(op, SR_NAME_dot_dimension_numbers), fields[2 + side], &dims, n);
	return dims;
}

struct sr_op *sr_chunk_clone_product(struct sr_context *ctx, struct sr_op *op, struct sr_value *const operands[2],
				     const struct sr_attr *const contracting[2])
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers), *values[4];
	struct sr_op *copy = sr_op_clone(ctx, op, NULL);
	for (int side = 0; side < 2; side++) {
		sr_op_set_operand(copy, side, operands[side]);
		values[side] = sr_attr_field(numbers, fields[side]);
		values[2 + side] = contracting[side];
	}
	numbers = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), values);
	sr_op_set_attr(ctx, copy, SR_NAME_dot_dimension_numbers, numbers);
	return copy;
}

/* ---- products in a block ---- */

/* Return true for the conversion of a type whose sums do not overflow where the terms do not, as those of f16 can. */
static bool converts_wide_range(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_convert) &&
	       (sr_operand_type(op, 0)->dtype == SR_BF16 || sr_dtype_bytes(sr_operand_type(op, 0)->dtype) >= 4);
}

struct sr_op *sr_chunk_product_of_term(const struct sr_block *block, const struct sr_value *v)
{
	while (v->def && v->def->block == block && sr_value_has_one_use(v) && sr_dtype_is_float(v->type->dtype)) {
		if (sr_op_is(v->def, SR_OP_stablehlo_dot_general))
			return v->def;
		if (!sr_op_is(v->def, SR_OP_stablehlo_transpose) && !sr_op_is(v->def, SR_OP_stablehlo_reshape) &&
		    !converts_wide_range(v->def))
			return NULL;
		v = sr_operand(v->def, 0);
	}
	return NULL;
}

void sr_chunk_erase_unused_ops(struct sr_block *block)
{
	for (struct sr_op *op = block->last->prev, *previous; op; op = previous) {
		bool is_used = !sr_op_is_pure(op);
		previous = op->prev;
		for (int i = 0; i < op->n_results && !is_used; i++)
			is_used = sr_result(op, i)->uses;
		if (!is_used)
			sr_op_erase(op);
	}
}
