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
 * the panels' sums, in f32 if the result's type is a narrower float; its last bits may differ from those of one product.
 *
 * A large result is added to in strips, by a second loop, so that no second value of its size is live:
 *
 *	loop for j = 0, 1: %y[2 * j:2 * j + 2] += dot_general(%a[2 * j:2 * j + 2], %b) */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "optimize/collective_matmul/collective_matmul.h"
#include "support/gcd.h"
#include <string.h>

/* MIN_PANEL: minimum extent of a panel in the contracted dimension. Narrower panels read and write the result too often for their
 * FLOPs. MIN_STRIP: minimum extent of a strip. For shorter strips the other operand is read too often. */
enum { MIN_PANEL = 128, MAX_PANELS = 256, MIN_STRIP = 64, MAX_STRIPS = 64 };

/* Strips of the result along one of its dimensions, which comes from one operand. */
struct strips {
	int64_t n, height; /* number of strips, 1: the result is one strip; extent of a strip */
	int side, operand_dim, result_dim;
};

struct panels {
	struct sr_op *product, *gathers[2];
	int dims[2];	     /* the contracted dimension in each operand */
	int64_t blocks, length; /* the contracted dimension has so many blocks of this extent */
	int64_t local_blocks[2]; /* number of those blocks in a device's shard of each operand */
	int64_t n, width;	     /* number of panels, 0: not divided; extent of a panel in each block */
	struct strips strips;
	const struct sr_type *sum_type;
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

/* Choose the dimension of the result, from one operand only, that has the largest extent. */
static void choose_strip_dim(struct sr_context *ctx, const struct sr_op *product, struct strips *strips)
{
	for (int side = 0; side < 2; side++) {
		const struct sr_type *type = sr_operand_type(product, side);
		for (int d = 0, out, other_dim; d < type->rank; d++)
			if (sr_matmul_result_dim(ctx, product, side, d, &out, &other_dim) && other_dim < 0 &&
			    type->shape[d] > strips->height)
				*strips = (struct strips){1, type->shape[d], side, d, out};
	}
}

/* Choose the smallest number of strips that makes one no larger than max_bytes, or else the largest number. */
static void choose_strips(struct sr_context *ctx, struct panels *p, int64_t max_bytes)
{
	int64_t bytes, extent;
	p->strips = (struct strips){.n = 1};
	choose_strip_dim(ctx, p->product, &p->strips);
	extent = p->strips.height;
	for (int64_t n = 2; sr_type_bytes(p->sum_type, &bytes) && bytes / p->strips.n > max_bytes; n++) {
		if (n > MAX_STRIPS || extent / n < MIN_STRIP)
			break;
		if (extent % n == 0)
			p->strips.n = n;
	}
	p->strips.height = extent / p->strips.n;
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

/* Build a loop of n iterations that passes on a counter and a sum. Return it; *body: builder of its body, whose block has the
 * counter and the sum as arguments, and which finish_loop completes. */
static struct sr_op *build_loop(struct sr_builder *b, int64_t n, struct sr_value *sum, struct sr_builder *body)
{
	struct sr_builder regions[2];
	struct sr_value *state[] = {sr_build_scalar(b, SR_I64, 0), sum};
	struct sr_op *loop = sr_build_while(b, state, 2, regions);
	struct sr_value *goes_on = sr_build_compare(&regions[0], regions[0].block->args[0], SR_LT,
						    sr_build_scalar(&regions[0], SR_I64, n), NULL);
	sr_build(&regions[0], SR_OP_stablehlo_return, &goes_on, 1, NULL, 0, NULL, 0);
	*body = regions[1];
	return loop;
}

static void finish_loop(struct sr_builder *body, struct sr_value *sum)
{
	struct sr_value *counter = body->block->args[0];
	struct sr_value *next[] = {sr_build_binary(body, SR_OP_stablehlo_add, counter, sr_build_scalar(body, SR_I64, 1)), sum};
	sr_build(body, SR_OP_stablehlo_return, next, 2, NULL, 0, NULL, 0);
}

/* Build the first index of an iteration's `extent` elements. */
static struct sr_value *first_index(struct sr_builder *body, int64_t extent)
{
	return sr_build_binary(body, SR_OP_stablehlo_multiply, body->block->args[0], sr_build_scalar(body, SR_I64, extent));
}

/* Build the sum plus the product of these operands. */
static struct sr_value *add_product(struct sr_builder *b, const struct panels *p, struct sr_value *const operands[2],
				    struct sr_value *sum)
{
	struct sr_op *product = sr_op_clone(b->ctx, p->product, NULL);
	for (int side = 0; side < 2; side++)
		sr_op_set_operand(product, side, operands[side]);
	product->results[0].type = sum->type;
	sr_op_append(b->block, product);
	return sr_build_binary(b, SR_OP_stablehlo_add, sum, sr_result(product, 0));
}

/* Build the sum plus the product of these panels, strip by strip. */
static struct sr_value *add_in_strips(struct sr_builder *b, const struct panels *p, struct sr_value *const panels[2],
				      struct sr_value *sum)
{
	const struct strips *s = &p->strips;
	struct sr_builder body;
	struct sr_value *operands[2] = {panels[0], panels[1]};
	if (s->n == 1)
		return add_product(b, p, panels, sum);
	struct sr_op *loop = build_loop(b, s->n, sum, &body);
	struct sr_value *first = first_index(&body, s->height), *old_sum = body.block->args[1];
	operands[s->side] = sr_build_dynamic_slice_dim(&body, panels[s->side], s->operand_dim, first, s->height);
	struct sr_value *strip = sr_build_dynamic_slice_dim(&body, old_sum, s->result_dim, first, s->height);
	strip = add_product(&body, p, operands, strip);
	finish_loop(&body, sr_build_update_slice_dim(&body, old_sum, strip, s->result_dim, first));
	return sr_result(loop, 1);
}

bool sr_compute_in_panels(struct sr_matmul_decomposer *c, struct sr_op *product, struct sr_op *const *gathers)
{
	const struct sr_type *type = sr_result_type(product, 0);
	bool is_narrow_float = sr_dtype_is_float(type->dtype) && sr_dtypes[type->dtype].bits < 32;
	struct panels p = {.product = product, .gathers = {gathers[0], gathers[1]}};
	p.sum_type = is_narrow_float ? sr_type_tensor(c->ctx, SR_F32, type->rank, type->shape) : type;
	if ((is_narrow_float && sr_op_attr(product, "algorithm")) || !choose_panels(c->ctx, &p, c->min_bytes))
		return false;
	choose_strips(c->ctx, &p, c->min_bytes);
	struct sr_builder b = {.ctx = c->ctx, .block = product->block, .loc = product->loc, .anchor = product}, body;
	struct sr_op *loop = build_loop(&b, p.n, sr_build_integer(&b, p.sum_type, 0), &body);
	struct sr_value *first = first_index(&body, p.width), *panels[2];
	for (int side = 0; side < 2; side++)
		panels[side] = gather_panel(&body, &p, side, first);
	finish_loop(&body, add_in_strips(&body, &p, panels, body.block->args[1]));
	struct sr_value *sum = sr_result(loop, 1);
	sr_value_replace_all(sr_result(product, 0), is_narrow_float ? sr_build_convert(&b, sum, type->dtype) : sum);
	sr_op_erase(product);
	for (int side = 0; side < 2; side++)
		sr_op_erase(gathers[side]);
	c->products++;
	return true;
}
