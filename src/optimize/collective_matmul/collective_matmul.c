/* shardrun-collective-matmul: decompose matrix products, with the all_gathers before them or the reductions over devices after
 * them, into chunks, so that one chunk is sent while another is computed (decomposed collective matmul: Wang et al., "Overlap
 * communication with dependent computation via decomposition", ASPLOS 2023).
 *
 *	%g = all_gather(%x : 4x8) along 0, %y = dot_general(%g : 16x8, %w : 8x5)
 *	%g0 = all_gather(%x[0:2]), %g1 = all_gather(%x[2:4]), %y0 = dot_general(%g0, %w), %y1 = dot_general(%g1, %w),
 *	%y = concatenate of %y0 and %y1, alternating two rows of each device's four
 *
 * Requires a local module of static shapes. Every element of a result remains the same sum, since only dimensions that no product
 * contracts are chunked, and the order over devices stays. Results are bit-identical if the product's kernel sums in an order that
 * does not depend on extents. Unlike in the paper, a chunk is a part of every device's block and not one device's block, so that
 * each chunk is sent by the best algorithm for its group, and any number of chunks is possible.
 *
 * An all_gather is chunked along a dimension that is not contracted by the product which reads it; a product along any dimension,
 * if its only user is a reduction over devices. Elementwise ops between chunked ops stay chunked, so that layers follow each other
 * chunk by chunk. Other users read the concatenated chunks. The number of chunks minimizes time between nodes (chunk_count.c), or
 * is `number` wherever possible. With `chunk-bytes`, only products of large gathered operands are decomposed, to hold fewer bytes
 * at once, and those of two gathered operands in panels (panels.c). Sets shardrun.decomposed_matmuls on the module. Cost: linear in
 * ops times chunks. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "optimize/optimize.h"
#include "optimize/pass_functions.h"
#include "optimize/collective_matmul/collective_matmul.h"
#include "support/gcd.h"

enum {
	MAX_CHAIN = 8,   /* maximum length of a chain of elementwise ops that is searched */
	MAX_USES = 64, /* maximum number of uses that are inspected for one op */
	MAX_PRODUCTS = 8    /* maximum number of products that are counted as users of one all_gather */
};

static const struct sr_chunking no_chunking = {.dim = -1};

static bool is_product(const struct sr_op *op)
{
	return sr_op_has(op, SR_MATMUL) && sr_op_attr(op, SR_NAME_dot_dimension_numbers) && sr_can_chunk_op(op);
}

/* Return the dimension along which op scatters, or -1 if op is not a reduce_scatter. */
static int scattered_dim(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_reduce_scatter) ? (int)sr_op_int(op, SR_NAME_scatter_dimension, 0) : -1;
}

static bool is_reduction(const struct sr_op *op)
{
	return (sr_op_is(op, SR_OP_stablehlo_all_reduce) || sr_op_is(op, SR_OP_stablehlo_reduce_scatter)) && op->n_operands == 1 &&
	       sr_can_chunk_op(op);
}

/* ---- all_gather ---- */

static bool contains(struct sr_op *const *ops, int n, const struct sr_op *op)
{
	int i = 0;
	while (i < n && ops[i] != op)
		i++;
	return i < n;
}

/* Collect the products (at most MAX_PRODUCTS) that read the gathered value without contracting dimension d and are not marked to be
 * chunked for another operand. *has_other_readers: true if the value has other uses, too. */
static int collect_products(const struct sr_matmul_decomposer *c, const struct sr_op *gather, int d, struct sr_op **products,
			    bool *has_other_readers)
{
	int n = 0, out, other_dim;
	*has_other_readers = false;
	for (const struct sr_use *use = sr_result(gather, 0)->uses; use; use = use->next) {
		if (n < MAX_PRODUCTS && use->owner->block == gather->block && is_product(use->owner) && !use->owner->mark &&
		    !contains(products, n, use->owner) &&
		    sr_matmul_result_dim(c->ctx, use->owner, sr_use_index(use), d, &out, &other_dim))
			products[n++] = use->owner;
		else
			*has_other_readers = true;
	}
	return n;
}

/* Return the size of the groups of the reduce_scatter that is the only user of a product and scatters the result dimension for
 * dimension d of a gathered operand; 1 if there is none. */
static int64_t scatter_group_size(const struct sr_matmul_decomposer *c, const struct sr_op *product, const struct sr_op *gather, int d)
{
	const struct sr_use *use = sr_result(product, 0)->uses;
	int side = sr_operand(product, 0) == sr_result(gather, 0) ? 0 : 1, out, other_dim;
	if (!use || use->next || !is_reduction(use->owner) || !sr_matmul_result_dim(c->ctx, product, side, d, &out, &other_dim))
		return 1;
	int64_t size = scattered_dim(use->owner) == out ? sr_op_group_size(c->ctx, use->owner) : 1;
	return size > 0 ? size : 1;
}

/* Divide the blocks of an all_gather's operand and result such that a reduce_scatter of the product along the same dimension can be
 * chunked as well: the number of blocks of the result becomes a multiple of its group's size. */
static void divide_blocks(int64_t group_size, int64_t extent, struct sr_chunking *operand, struct sr_chunking *result)
{
	int64_t factor = group_size / sr_gcd(result->blocks, group_size);
	if (extent % (result->blocks * factor) || extent == result->blocks * factor) /* blocks of one element cannot be chunked */
		return;
	operand->blocks *= factor;
	result->blocks *= factor;
}

static bool chunk_gather_along(struct sr_matmul_decomposer *c, struct sr_op *op, int d)
{
	struct sr_op *products[MAX_PRODUCTS];
	bool has_other_readers, is_gather_dim = d == (int)sr_op_int(op, SR_NAME_all_gather_dim, 0);
	const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, 0));
	bool can_continue_chain = in && in->chunking.dim == d && (!is_gather_dim || in->chunking.blocks == 1);
	int n_products = collect_products(c, op, d, products, &has_other_readers);
	if (!n_products)
		return false;
	struct sr_chunking chunking = {d, can_continue_chain ? in->chunking.blocks : 1, 0}, result = chunking;
	if (is_gather_dim)
		result.blocks = sr_op_group_size(c->ctx, op);
	if (!can_continue_chain && result.blocks > 0)
		divide_blocks(scatter_group_size(c, products[0], op, d), sr_result_type(op, 0)->shape[d], &chunking, &result);
	chunking.n = result.n = sr_best_chunk_count(c, op, products, n_products, has_other_readers ? sr_result(op, 0) : NULL,
						    sr_max_chunks(sr_operand_type(op, 0), d, chunking.blocks),
						    can_continue_chain ? in->chunking.n : 0);
	if (!chunking.n || sr_max_chunks(sr_result_type(op, 0), d, result.blocks) < chunking.n)
		return false;
	sr_chunk_op(c, op, &chunking, result);
	for (int i = 0; i < n_products; i++)
		products[i]->mark = 1;
	return true;
}

/* Chunk an all_gather along the dimension in which its operand is chunked, or else along the first dimension that a product allows:
 * there the chunk's rows are contiguous. */
static void chunk_gather(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_chunked_value *in = op->n_operands == 1 ? sr_chunks_of(c, sr_operand(op, 0)) : NULL;
	bool is_chunked = op->n_operands != 1 || !sr_can_chunk_op(op) || (in && chunk_gather_along(c, op, in->chunking.dim));
	int rank = is_chunked ? 0 : sr_operand_type(op, 0)->rank;
	for (int d = 0; d < rank && !is_chunked; d++)
		is_chunked = chunk_gather_along(c, op, d);
}

/* ---- products ---- */

static bool chunk_product_along(struct sr_matmul_decomposer *c, struct sr_op *op, int side, struct sr_chunking chunking)
{
	struct sr_chunking chunkings[2] = {no_chunking, no_chunking}, result = chunking;
	int other_dim;
	if (!sr_matmul_result_dim(c->ctx, op, side, chunking.dim, &result.dim, &other_dim))
		return false;
	chunkings[side] = chunkings[!side] = chunking;
	chunkings[!side].dim = other_dim;
	sr_chunk_op(c, op, chunkings, result);
	c->products++;
	return true;
}

/* Return the operand of op that has dimension d of the result; *dim: its number in the operand. */
static int operand_of_result_dim(struct sr_matmul_decomposer *c, const struct sr_op *op, int d, int *dim)
{
	int out, other_dim;
	for (int side = 0; side < 2; side++)
		for (*dim = 0; *dim < sr_operand_type(op, side)->rank; ++*dim)
			if (sr_matmul_result_dim(c->ctx, op, side, *dim, &out, &other_dim) && out == d)
				return side;
	return -1;
}

/* Chunk a product for the reduction over devices that is its only user. */
static bool chunk_before_reduction(struct sr_matmul_decomposer *c, struct sr_op *op, struct sr_op *sum, int d)
{
	struct sr_chunking chunking = {.blocks = d == scattered_dim(sum) ? sr_op_group_size(c->ctx, sum) : 1};
	chunking.n = sr_best_chunk_count(c, sum, &op, 1, NULL, sr_max_chunks(sr_result_type(op, 0), d, chunking.blocks), 0);
	int side = chunking.n ? operand_of_result_dim(c, op, d, &chunking.dim) : -1;
	return side >= 0 && chunk_product_along(c, op, side, chunking);
}

static void chunk_product(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	for (int side = 0; side < 2; side++) {
		const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, side));
		if (in && chunk_product_along(c, op, side, in->chunking))
			return;
	}
	const struct sr_use *use = sr_result(op, 0)->uses;
	if (!use || use->next || use->owner->block != op->block || !is_reduction(use->owner))
		return;
	int rank = sr_result_type(op, 0)->rank, scatter_dim = scattered_dim(use->owner);
	bool is_chunked = false;
	for (int d = 0; d < rank && !is_chunked; d++)
		is_chunked = d != scatter_dim && chunk_before_reduction(c, op, use->owner, d);
	if (!is_chunked && scatter_dim >= 0)
		chunk_before_reduction(c, op, use->owner, scatter_dim);
}

/* ---- users of chunks ---- */

static void chunk_reduction(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, 0));
	if (!in || (!c->requested_chunks && !(sr_collective_internode_seconds(c, op, 1) > 0)))
		return;
	struct sr_chunking result = in->chunking;
	bool is_scattered = in->chunking.dim == scattered_dim(op);
	int64_t group_size = is_scattered ? sr_op_group_size(c->ctx, op) : 1;
	if (group_size < 1 || in->chunking.blocks % group_size)
		return;
	result.blocks /= group_size;
	if (sr_max_chunks(sr_result_type(op, 0), result.dim, result.blocks) >= result.n)
		sr_chunk_op(c, op, &in->chunking, result);
}

static bool is_elementwise(const struct sr_op *op)
{
	return sr_op_has(op, SR_ELEMENTWISE | SR_PURE) && !op->n_regions && sr_can_chunk_op(op);
}

/* Return true if a product or collective uses v, directly or through elementwise ops. *uses_left: number of uses that may still be
 * inspected. */
static bool reaches_chunkable(const struct sr_matmul_decomposer *c, const struct sr_value *v, int dim, int depth, int *uses_left)
{
	int out, other_dim;
	for (const struct sr_use *use = v->uses; use && *uses_left > 0; use = use->next) {
		const struct sr_op *op = use->owner;
		--*uses_left;
		if (is_product(op) ? sr_matmul_result_dim(c->ctx, op, sr_use_index(use), dim, &out, &other_dim)
		    : is_elementwise(op) ? depth && reaches_chunkable(c, sr_result(op, 0), dim, depth - 1, uses_left)
					: is_reduction(op) || sr_op_is(op, SR_OP_stablehlo_all_gather))
			return true;
	}
	return false;
}

static void chunk_elementwise(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_type *type = sr_result_type(op, 0);
	const struct sr_chunked_value *in = NULL;
	struct sr_chunking *chunkings = SR_NEW_ARRAY(c->ctx->scratch, struct sr_chunking, op->n_operands);
	int uses_left = MAX_USES;
	for (int i = 0; i < op->n_operands && !in; i++)
		in = sr_operand_type(op, i)->rank == type->rank ? sr_chunks_of(c, sr_operand(op, i)) : NULL;
	if (!in || !reaches_chunkable(c, sr_result(op, 0), in->chunking.dim, MAX_CHAIN, &uses_left))
		return;
	for (int i = 0; i < op->n_operands; i++) /* scalar operands (of select and clamp) are not chunked */
		chunkings[i] = sr_operand_type(op, i)->rank == type->rank ? in->chunking : no_chunking;
	sr_chunk_op(c, op, chunkings, in->chunking);
}

/* ---- to save memory ---- */

static bool is_large(const struct sr_matmul_decomposer *c, const struct sr_value *v)
{
	int64_t bytes;
	return sr_type_bytes(v->type, &bytes) && bytes >= c->min_bytes;
}

/* Return the all_gather that defines operand `side` of a product, if its value is large and has no other use; else NULL. */
static struct sr_op *large_gather_of(const struct sr_matmul_decomposer *c, const struct sr_op *product, int side)
{
	const struct sr_value *v = sr_operand(product, side);
	struct sr_op *gather = v->def;
	bool is_gathered = gather && sr_op_is(gather, SR_OP_stablehlo_all_gather) && gather->block == product->block;
	is_gathered = is_gathered && gather->n_operands == 1 && sr_can_chunk_op(gather);
	return is_gathered && !v->uses->next && is_large(c, v) ? gather : NULL;
}

/* Chunk a product whose gathered operands, or whose result before a reduction over devices, are large. */
static void shrink_product(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	struct sr_op *gathers[2] = {large_gather_of(c, op, 0), large_gather_of(c, op, 1)};
	if (gathers[0] && gathers[1] && sr_compute_in_panels(c, op, gathers))
		return;
	for (int side = 0; side < 2; side++)
		if (gathers[side] && !sr_chunks_of(c, sr_operand(op, !side)))
			chunk_gather(c, gathers[side]);
	if (sr_chunks_of(c, sr_operand(op, 0)) || sr_chunks_of(c, sr_operand(op, 1)) || is_large(c, sr_result(op, 0)))
		chunk_product(c, op);
}

static void read_op(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	if (is_product(op))
		(c->min_bytes ? shrink_product : chunk_product)(c, op);
	else if (sr_op_is(op, SR_OP_stablehlo_all_gather) && !c->min_bytes)
		chunk_gather(c, op);
	else if (is_reduction(op))
		chunk_reduction(c, op);
	else if (is_elementwise(op))
		chunk_elementwise(c, op);
}

/* Chunk the ops of a region of a function, loop or branch, in program order. */
static void read_region(struct sr_matmul_decomposer *c, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next)
			op->mark = 0;
		for (struct sr_op *op = block->first, *next; op; op = next) {
			next = op->next;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				read_region(c, &op->regions[i]);
			read_op(c, op);
		}
	}
}

enum sr_status sr_run_collective_matmul(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_matmul_decomposer c = {.ctx = ctx};
	struct sr_machine core;
	int64_t requested = sr_option_int(options, "number");
	c.requested_chunks = requested < 2 ? 0 : requested < SR_MAX_CHUNKS ? (int)requested : SR_MAX_CHUNKS;
	c.min_bytes = sr_option_int(options, "chunk-bytes");
	sr_machine_default(&core);
	const struct sr_machine *machine = ctx->machine ? ctx->machine : &core;
	sr_machine_of_rank(machine, machine->ranks_per_node, &c.machine);
	sr_map_init(&c.chunked, ctx->scratch);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			read_region(&c, &op->regions[0]);
	sr_chunk_cleanup(&c);
	sr_op_set_attr(ctx, module, SR_DECOMPOSED_MATMULS, c.products ? sr_attr_i64(ctx, c.products) : NULL);
	return SR_OK;
}
