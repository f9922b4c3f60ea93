/* Products whose operands are both gathered, in panels of the contracted dimension (SUMMA: van de Geijn and Watts, "SUMMA: Scalable
 * Universal Matrix Multiplication Algorithm", 1997), so that a device holds one panel of each operand instead of the gathered
 * matrices.
 *
 *	%a = all_gather(%x : 4x2) along 1, %b = all_gather(%w : 2x5) along 0, %y = dot_general(%a : 4x8, %b : 8x5)
 *	%y = loop for i = 0, 1: %a = all_gather(%x[:, i:i+1]), %b = all_gather(%w[i:i+1]), %y += dot_general(%a : 4x4, %b : 4x5)
 *
 * A panel has the same range of each block of the contracted dimension. There are as many blocks as the least common multiple of
 * the two groups' sizes, so that a panel of a device's shard is part of the same panel of both gathered values, also where the
 * groups differ in size. Every panel is sent once: the bytes sent are those of the two all_gathers. A result element is the sum of
 * the panels' sums, in f32 if the result's type is a narrower float; its last bits may differ from those of one product. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "optimize/collective_matmul/collective_matmul.h"
#include "support/gcd.h"
#include <string.h>

/* Minimum extent of a panel in the contracted dimension. Narrower panels read and write the result too often for their FLOPs. */
enum { MIN_PANEL = 128, MAX_PANELS = 256 };

struct panels {
	struct sr_op *product, *gathers[2];
	int dims[2];	     /* the contracted dimension in each operand */
	int64_t blocks, length; /* the contracted dimension has so many blocks of this extent */
	int64_t local_blocks[2]; /* number of those blocks in a device's shard of each operand */
	int64_t n, width;	     /* number of panels, 0: not divided; extent of a panel in each block */
	enum sr_dtype sum_type;
};

/* Return the number of devices over which operand `side` is gathered along its contracted dimension; 1 if along another one. */
static int64_t group_size(struct sr_context *ctx, const struct panels *p, int side)
{
	bool is_contracted = sr_op_int(p->gathers[side], SR_NAME_all_gather_dim, 0) == p->dims[side];
	return is_contracted ? sr_op_group_size(ctx, p->gathers[side]) : 1;
}

/* Choose the smallest number of panels that makes those of both operands together no larger than max_bytes, or else the largest
 * number. Return false if the dimension cannot be divided. */
static bool choose_panels(struct sr_context *ctx, struct panels *p, int64_t max_bytes)
{
	int64_t bytes[2], groups[2];
	if (!sr_matmul_contracted_dims(ctx, p->product, p->dims))
		return false;
	int64_t extent = sr_operand_type(p->product, 0)->shape[p->dims[0]];
	for (int side = 0; side < 2; side++) {
		groups[side] = group_size(ctx, p, side);
		if (groups[side] < 1 || extent % groups[side] || !sr_type_bytes(sr_operand_type(p->product, side), &bytes[side]))
			return false;
	}
	p->blocks = groups[0] / sr_gcd(groups[0], groups[1]) * groups[1]; /* divides the extent, since both groups do */
	p->length = extent / p->blocks;
	for (int side = 0; side < 2; side++)
		p->local_blocks[side] = p->blocks / groups[side];
	for (int64_t n = 2; n <= MAX_PANELS && p->length / n * p->blocks >= MIN_PANEL; n++) {
		if (p->length % n)
			continue;
		p->n = n;
		if (bytes[0] / n + bytes[1] / n <= max_bytes)
			break;
	}
	p->width = p->n ? p->length / p->n : 0;
	return p->n > 0;
}

/* Replace dimension dim of `shape` by two, of extents `blocks` and `length`, if there are several blocks. Return the rank. */
static int split_dim(int64_t *shape, int rank, int dim, int64_t blocks, int64_t length)
{
	shape[dim] = length;
	if (blocks == 1)
		return rank;
	memmove(shape + dim + 1, shape + dim, (size_t)(rank - dim) * sizeof *shape);
	shape[dim] = blocks;
	return rank + 1;
}

/* Gather the panel of operand `side` that begins at this index of each block. */
static struct sr_value *gather_panel(struct sr_builder *b, const struct panels *p, int side, struct sr_value *first)
{
	struct sr_op *gather = sr_op_clone(b->ctx, p->gathers[side], NULL);
	struct sr_value *local = sr_operand(gather, 0);
	const struct sr_type *type = sr_result_type(gather, 0);
	int64_t shape[SR_MAX_RANK + 1], blocks = p->local_blocks[side];
	int dim = p->dims[side], rank = local->type->rank;
	memcpy(shape, local->type->shape, (size_t)rank * sizeof *shape);
	int split_rank = split_dim(shape, rank, dim, blocks, p->length);
	struct sr_value *panel = sr_build_reshape(b, local, split_rank, shape);
	panel = sr_build_dynamic_slice_dim(b, panel, dim + (blocks > 1), first, p->width);
	memcpy(shape, local->type->shape, (size_t)rank * sizeof *shape);
	shape[dim] = blocks * p->width;
	sr_op_set_operand(gather, 0, sr_build_reshape(b, panel, rank, shape));
	memcpy(shape, type->shape, (size_t)rank * sizeof *shape);
	shape[dim] = p->blocks * p->width;
	gather->results[0].type = sr_type_with_shape(b->ctx, type, rank, shape);
	sr_op_append(b->block, gather);
	return sr_result(gather, 0);
}

/* Build the loop's body: add the product of one panel to the sum. */
static void build_body(struct sr_builder *b, const struct panels *p)
{
	struct sr_value *i = b->block->args[0], *sum = b->block->args[1];
	struct sr_value *first = sr_build_binary(b, SR_OP_stablehlo_multiply, i, sr_build_scalar(b, SR_I64, p->width));
	struct sr_op *product = sr_op_clone(b->ctx, p->product, NULL);
	for (int side = 0; side < 2; side++)
		sr_op_set_operand(product, side, gather_panel(b, p, side, first));
	product->results[0].type = sum->type;
	sr_op_append(b->block, product);
	struct sr_value *next[] = {sr_build_binary(b, SR_OP_stablehlo_add, i, sr_build_scalar(b, SR_I64, 1)),
				   sr_build_binary(b, SR_OP_stablehlo_add, sum, sr_result(product, 0))};
	sr_build(b, SR_OP_stablehlo_return, next, 2, NULL, 0, NULL, 0);
}

bool sr_compute_in_panels(struct sr_matmul_decomposer *c, struct sr_op *product, struct sr_op *const *gathers)
{
	const struct sr_type *type = sr_result_type(product, 0);
	bool is_narrow_float = sr_dtype_is_float(type->dtype) && sr_dtypes[type->dtype].bits < 32;
	struct panels p = {.product = product, .gathers = {gathers[0], gathers[1]}};
	p.sum_type = is_narrow_float ? SR_F32 : type->dtype;
	if ((is_narrow_float && sr_op_attr(product, "algorithm")) || !choose_panels(c->ctx, &p, c->min_bytes))
		return false;
	struct sr_builder b = {.ctx = c->ctx, .block = product->block, .loc = product->loc, .anchor = product}, regions[2];
	struct sr_value *state[] = {sr_build_scalar(&b, SR_I64, 0),
				    sr_build_integer(&b, sr_type_tensor(c->ctx, p.sum_type, type->rank, type->shape), 0)};
	struct sr_op *loop = sr_build_while(&b, state, 2, regions);
	struct sr_value *goes_on = sr_build_compare(&regions[0], regions[0].block->args[0], SR_LT,
						    sr_build_scalar(&regions[0], SR_I64, p.n), NULL);
	sr_build(&regions[0], SR_OP_stablehlo_return, &goes_on, 1, NULL, 0, NULL, 0);
	build_body(&regions[1], &p);
	struct sr_value *sum = sr_result(loop, 1);
	sr_value_replace_all(sr_result(product, 0), is_narrow_float ? sr_build_convert(&b, sum, type->dtype) : sum);
	sr_op_erase(product);
	for (int side = 0; side < 2; side++)
		sr_op_erase(gathers[side]);
	c->products++;
	return true;
}
