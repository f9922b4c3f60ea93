/* Products read what is transposed for them as it lies: the transposition goes into their dimension numbers. And they make what is
 * transposed behind them as it is wanted: their sides change places. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "work/work.h"

struct turned {
	const struct sr_type *source;
	const int64_t *permutation;
};

/* Do the dimensions of a group, in order, lie in the source like one? */
static bool is_one(const struct turned *t, const int64_t *group, int64_t n)
{
	int64_t next = -1; /* dimension before the one that was seen last, those of extent 1 left out */
	for (int64_t i = n - 1; i >= 0; i--) {
		int64_t d = t->permutation[group[i]];
		if (t->source->shape[d] == 1)
			continue;
		if (next >= 0 && d != next)
			return false;
		for (next = d - 1; next >= 0 && t->source->shape[next] == 1; next--)
			;
		next = next < 0 ? t->source->rank : next; /* nothing lies before the first */
	}
	return true;
}

static const char *const fields[4] = {SR_NAME_lhs_batching_dimensions, SR_NAME_rhs_batching_dimensions,
				      SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};

/* The product's operand is the transposition's source, whose dimensions that stay come out in the same order. */
static bool read_source(struct sr_context *ctx, struct sr_op *product, int side, struct sr_op *transpose, const struct turned *t)
{
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers), *made[4];
	int64_t stays[SR_MAX_RANK], n_stays = 0, last = -1;
	bool taken[SR_MAX_RANK] = {false}, good = true;
	for (int f = 0; f < 4; f++) {
		const int64_t *dims;
		int64_t n, *mapped;
		made[f] = sr_attr_field(numbers, fields[f]);
		if (f % 2 != side || !made[f] || !sr_struct_ints(ctx, numbers, fields[f], &dims, &n))
			continue;
		mapped = SR_NEWS(ctx->arena, int64_t, n + 1);
		for (int64_t i = 0; i < n; i++) {
			mapped[i] = t->permutation[dims[i]];
			taken[dims[i]] = true;
		}
		good = good && is_one(t, dims, n);
		made[f] = sr_attr_i64s(ctx, mapped, n);
	}
	for (int d = 0; d < t->source->rank; d++) {
		if (taken[d])
			continue;
		good = good && t->permutation[d] > last;
		last = t->permutation[d];
		stays[n_stays++] = d;
	}
	if (!good || !is_one(t, stays, n_stays))
		return false;
	sr_op_set_attr(ctx, product, SR_NAME_dot_dimension_numbers, sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), made));
	sr_op_set_operand(product, side, sr_operand(transpose, 0));
	return true;
}

/* What is said of each side, and is no dimension, is said of both. */
static bool sides_are_alike(const struct sr_op *product)
{
	const struct sr_attr *precisions = sr_op_attr(product, SR_NAME_precision_config);
	return sr_operand_type(product, 0)->dtype == sr_operand_type(product, 1)->dtype &&
	       (!precisions || precisions->n != 2 || precisions->list[0] == precisions->list[1]);
}

/* The transposition puts the right side's dimensions of a product's result, which are its last, before the left side's. */
static bool exchanges_sides(struct sr_context *ctx, const struct sr_op *product, const int64_t *permutation)
{
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers);
	const struct sr_type *out = sr_result_type(product, 0);
	int64_t n[4] = {0}, batch, left;
	const int64_t *dims[4];
	for (int f = 0; f < 4; f++)
		if (!sr_struct_ints(ctx, numbers, fields[f], &dims[f], &n[f]))
			n[f] = 0;
	batch = n[0];
	left = sr_operand_type(product, 0)->rank - batch - n[2];
	for (int64_t d = 0, right = out->rank - batch - left; d < out->rank; d++)
		if (permutation[d] != (d < batch ? d : d < batch + right ? d + left : d - right))
			return false;
	/* where it becomes the right side, the left one still has rows that stand */
	for (int64_t i = 0; i < n[2]; i++)
		if (dims[2][i] == sr_operand_type(product, 0)->rank - 1)
			return false;
	return true;
}

/* Beside the transposition. */
static bool is_product(const struct sr_op *op, const struct sr_op *transpose)
{
	return sr_op_has(op, SR_MATMUL) && sr_op_attr(op, SR_NAME_dot_dimension_numbers) && op->block == transpose->block;
}

bool sr_work_fold_transpose_into_producer(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_op *product = sr_operand(op, 0)->def;
	const struct sr_attr *numbers, *made[4];
	const int64_t *permutation;
	int64_t n;
	if (!product || !is_product(product, op) || sr_result(product, 0)->uses->next || !sides_are_alike(product) ||
	    !sr_op_ints(ctx, op, SR_NAME_permutation, &permutation, &n) || !exchanges_sides(ctx, product, permutation))
		return false;
	numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers);
	for (int f = 0; f < 4; f++)
		made[f] = sr_attr_field(numbers, fields[f ^ 1]);
	sr_op_set_attr(ctx, product, SR_NAME_dot_dimension_numbers, sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), made));
	sr_op_set_operands(ctx, product, (struct sr_value *[]){sr_operand(product, 1), sr_operand(product, 0)}, 2);
	sr_result(product, 0)->type = sr_result_type(op, 0);
	sr_value_replace_all(sr_result(op, 0), sr_result(product, 0));
	return true;
}

bool sr_work_fold_transpose_into_readers(struct sr_context *ctx, struct sr_op *op)
{
	struct turned t = {.source = sr_operand(op, 0)->type};
	int64_t n;
	if (!sr_type_elements(t.source, &n) || n < SR_WORK_LARGE_ELEMENTS || !sr_op_ints(ctx, op, SR_NAME_permutation, &t.permutation, &n))
		return false;
	bool turns = false;
	for (struct sr_use *use = sr_result(op, 0)->uses, *next; use; use = next) {
		next = use->next;
		if (is_product(use->owner, op))
			turns = read_source(ctx, use->owner, sr_use_index(use), op, &t) || turns;
	}
	return turns && !sr_result(op, 0)->uses;
}
