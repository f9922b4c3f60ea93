/* Build sharding rules factor by factor. */
#include "propagate/rules/rule_builder.h"

static int type_rank(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR ? type->rank : 0;
}

static struct sr_rule_tensor tensor_of(struct sr_arena *arena, const struct sr_type *type)
{
	int rank = type_rank(type);
	return (struct sr_rule_tensor){rank, SR_NEW_ARRAY(arena, sr_index_vec, rank)};
}

void sr_rule_builder_init(struct sr_rule_builder *b, struct sr_context *ctx, const struct sr_op *op)
{
	*b = (struct sr_rule_builder){.ctx = ctx, .n_operands = op->n_operands, .n_results = op->n_results};
	b->operands = SR_NEW_ARRAY(ctx->scratch, struct sr_rule_tensor, op->n_operands);
	b->results = SR_NEW_ARRAY(ctx->scratch, struct sr_rule_tensor, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		b->operands[i] = tensor_of(ctx->scratch, sr_operand_type(op, i));
	for (int i = 0; i < op->n_results; i++)
		b->results[i] = tensor_of(ctx->scratch, sr_result_type(op, i));
}

int sr_rule_factor(struct sr_rule_builder *b, int64_t size, enum sr_factor_kind kind)
{
	int factor = (int)b->sizes.n;
	sr_push(b->ctx->scratch, &b->sizes, size);
	if (kind != SR_FACTOR_PASS)
		sr_push(b->ctx->scratch, &b->kinds[kind], factor);
	return factor;
}

void sr_rule_block(struct sr_rule_builder *b, int factor)
{
	sr_push(b->ctx->scratch, &b->blocked, factor);
}

static void map_dim(struct sr_rule_builder *b, struct sr_rule_tensor *tensor, int64_t dim, int factor)
{
	if (dim < 0 || dim >= tensor->rank)
		return;
	sr_index_vec *at = &tensor->dims[dim];
	if (b->sizes.data[factor] != 1 || at->n == 0)
		sr_push(b->ctx->scratch, at, factor);
}

void sr_rule_operand(struct sr_rule_builder *b, int operand, int64_t dim, int factor)
{
	if (operand < b->n_operands)
		map_dim(b, &b->operands[operand], dim, factor);
}

void sr_rule_result(struct sr_rule_builder *b, int result, int64_t dim, int factor)
{
	if (result < b->n_results)
		map_dim(b, &b->results[result], dim, factor);
}

void sr_rule_all_operands(struct sr_rule_builder *b, int64_t dim, int factor)
{
	for (int i = 0; i < b->n_operands; i++)
		map_dim(b, &b->operands[i], dim, factor);
}

void sr_rule_all_results(struct sr_rule_builder *b, int64_t dim, int factor)
{
	for (int i = 0; i < b->n_results; i++)
		map_dim(b, &b->results[i], dim, factor);
}

void sr_rule_all(struct sr_rule_builder *b, int64_t dim, int factor)
{
	sr_rule_all_operands(b, dim, factor);
	sr_rule_all_results(b, dim, factor);
}

void sr_rule_pointwise_shape(struct sr_rule_builder *b, const int64_t *shape, int rank)
{
	for (int dim = 0; dim < rank; dim++)
		sr_rule_all(b, dim, sr_rule_factor(b, shape[dim], SR_FACTOR_PASS));
}

void sr_rule_pointwise_mismatch(struct sr_rule_builder *b, const struct sr_type *in, const struct sr_type *out,
				enum sr_factor_kind mismatch, bool is_blocked)
{
	for (int dim = 0; dim < in->rank && dim < out->rank; dim++) {
		bool is_equal = in->shape[dim] == out->shape[dim];
		int factor = sr_rule_factor(b, in->shape[dim], is_equal ? SR_FACTOR_PASS : mismatch);
		if (!is_equal && is_blocked)
			sr_rule_block(b, factor);
		sr_rule_all(b, dim, factor);
	}
}

/* Convert the mappings; a dimension without a factor gets one of size 1. */
static const struct sr_tensor_mapping *finish_tensors(struct sr_rule_builder *b, const struct sr_rule_tensor *tensors, int n)
{
	struct sr_arena *arena = b->ctx->scratch;
	struct sr_tensor_mapping *out = SR_NEW_ARRAY(arena, struct sr_tensor_mapping, n);
	for (int i = 0; i < n; i++) {
		struct sr_dim_mapping *dims = SR_NEW_ARRAY(arena, struct sr_dim_mapping, tensors[i].rank);
		for (int d = 0; d < tensors[i].rank; d++) {
			sr_index_vec *at = &tensors[i].dims[d];
			if (at->n == 0)
				sr_push(arena, at, sr_rule_factor(b, 1, SR_FACTOR_PASS));
			dims[d] = (struct sr_dim_mapping){at->data, (int)at->n};
		}
		out[i] = (struct sr_tensor_mapping){dims, tensors[i].rank};
	}
	return out;
}

static struct sr_index_list list_of(const sr_index_vec *v)
{
	return (struct sr_index_list){v->data, (int)v->n};
}

const struct sr_sharding_rule *sr_rule_finish(struct sr_rule_builder *b)
{
	struct sr_sharding_rule *rule = SR_NEW(b->ctx->scratch, struct sr_sharding_rule);
	rule->operands = finish_tensors(b, b->operands, b->n_operands);
	rule->results = finish_tensors(b, b->results, b->n_results);
	rule->n_operands = b->n_operands;
	rule->n_results = b->n_results;
	rule->sizes = b->sizes.data;
	rule->n_factors = (int)b->sizes.n;
	rule->reduction = list_of(&b->kinds[SR_FACTOR_REDUCTION]);
	rule->need_replication = list_of(&b->kinds[SR_FACTOR_REPLICATE]);
	rule->permutation = list_of(&b->kinds[SR_FACTOR_PERMUTATION]);
	rule->blocked = list_of(&b->blocked);
	return rule;
}
