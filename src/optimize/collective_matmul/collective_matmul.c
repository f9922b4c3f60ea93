/* shardrun-collective-matmul: products and the gathers before them, or the sums behind them, in pieces, so that one piece is sent while
 * another is computed.
 *
 *	%g = all_gather(%x : 4x8) along 0, %y = dot_general(%g : 16x8, %w : 8x5)
 *	%g0 = all_gather(%x[0:2]), %g1 = all_gather(%x[2:4]), %y0 = dot_general(%g0, %w), %y1 = dot_general(%g1, %w),
 *	%y = %y0 and %y1 put together, two rows of each device's four in turn
 *
 * Requires a local module of static shapes. Leaves the same sums, element by element, and their bits where a product's kernel has
 * one order for all sizes: only dimensions that no product sums over are cut, and an element is summed over devices as before.
 * Pieces are parts of every device's block, and no blocks that go round: so each is gathered, or summed, in the best way that its
 * devices have (once over each link between nodes, read in place within one), in as many pieces as pay, and in one order on all
 * devices.
 *
 * A gather is cut along a dimension that a product which reads it does not sum over; a product along any, where a sum over devices
 * is all that reads it. What is computed from pieces element by element on the way to the next product or collective stays in
 * pieces, so that layers follow each other piece by piece; other readers have them put together. By time between nodes (chunk_count.c),
 * or `number` pieces wherever there may be. The module says in shardrun.decomposed_matmuls of how many products it is made. Cost:
 * linear in ops, times pieces. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "optimize/optimize.h"
#include "optimize/pass_functions.h"
#include "optimize/collective_matmul/collective_matmul.h"

enum {
	FURTHEST = 8,   /* ops by element that are looked through */
	LOOKED_AT = 64, /* uses in all, for one op */
	PRODUCTS = 8    /* that read one gather, for its worth */
};

static const struct sr_chunking uncut = {.dim = -1};

static bool is_product(const struct sr_op *op)
{
	return sr_op_has(op, SR_MATMUL) && sr_op_attr(op, SR_NAME_dot_dimension_numbers) && sr_can_chunk_op(op);
}

/* Along which it scatters; -1: it leaves sums whole, or is none. */
static int scattered_dim(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_reduce_scatter) ? (int)sr_op_int(op, SR_NAME_scatter_dimension, 0) : -1;
}

static bool is_sum(const struct sr_op *op)
{
	return (sr_op_is(op, SR_OP_stablehlo_all_reduce) || sr_op_is(op, SR_OP_stablehlo_reduce_scatter)) && op->n_operands == 1 &&
	       sr_can_chunk_op(op);
}

/* ---- gathers ---- */

static bool is_among(struct sr_op *const *ops, int n, const struct sr_op *op)
{
	int i = 0;
	while (i < n && ops[i] != op)
		i++;
	return i < n;
}

/* The products that read it without a sum over dimension d and are not to be cut as another operand is (marked), at most so many;
 * *others: something else reads it, or one of them as its other operand, too. */
static int products_along(const struct sr_matmul_decomposer *c, const struct sr_op *gather, int d, struct sr_op **products, bool *others)
{
	int n = 0, out, other;
	*others = false;
	for (const struct sr_use *use = sr_result(gather, 0)->uses; use; use = use->next) {
		if (n < PRODUCTS && use->owner->block == gather->block && is_product(use->owner) && !use->owner->mark &&
		    !is_among(products, n, use->owner) && sr_matmul_result_dim(c->ctx, use->owner, sr_use_index(use), d, &out, &other))
			products[n++] = use->owner;
		else
			*others = true;
	}
	return n;
}

static bool cut_gather_along(struct sr_matmul_decomposer *c, struct sr_op *op, int d)
{
	struct sr_op *products[PRODUCTS];
	bool others, gathered = d == (int)sr_op_int(op, SR_NAME_all_gather_dim, 0);
	const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, 0));
	bool goes_on = in && in->cut.dim == d && (!gathered || in->cut.blocks == 1);
	int n_products = products_along(c, op, d, products, &others);
	if (!n_products)
		return false;
	struct sr_chunking cut = {d, goes_on ? in->cut.blocks : 1, 0}, result = cut;
	if (gathered)
		result.blocks = sr_op_group_size(c->ctx, op);
	cut.n = result.n = sr_best_chunk_count(c, op, products, n_products, others ? sr_result(op, 0) : NULL,
					   sr_max_chunks(sr_operand_type(op, 0), d, cut.blocks), goes_on ? in->cut.n : 0);
	if (!cut.n || sr_max_chunks(sr_result_type(op, 0), d, result.blocks) < cut.n)
		return false;
	sr_chunk_op(c, op, &cut, result);
	for (int i = 0; i < n_products; i++)
		products[i]->mark = 1;
	return true;
}

/* As its operand is cut, or along the first dimension that a product takes so: rows lie together. */
static void cut_gather(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_chunked_value *in = op->n_operands == 1 ? sr_chunks_of(c, sr_operand(op, 0)) : NULL;
	bool done = op->n_operands != 1 || !sr_can_chunk_op(op) || (in && cut_gather_along(c, op, in->cut.dim));
	int rank = done ? 0 : sr_operand_type(op, 0)->rank;
	for (int d = 0; d < rank && !done; d++)
		done = cut_gather_along(c, op, d);
}

/* ---- products ---- */

static bool cut_product_along(struct sr_matmul_decomposer *c, struct sr_op *op, int side, struct sr_chunking cut)
{
	struct sr_chunking cuts[2] = {uncut, uncut}, result = cut;
	int other;
	if (!sr_matmul_result_dim(c->ctx, op, side, cut.dim, &result.dim, &other))
		return false;
	cuts[side] = cuts[!side] = cut;
	cuts[!side].dim = other;
	sr_chunk_op(c, op, cuts, result);
	c->products++;
	return true;
}

/* The side and its dimension that become dimension d of the result. */
static int side_of(struct sr_matmul_decomposer *c, const struct sr_op *op, int d, int *dim)
{
	int out, other;
	for (int side = 0; side < 2; side++)
		for (*dim = 0; *dim < sr_operand_type(op, side)->rank; ++*dim)
			if (sr_matmul_result_dim(c->ctx, op, side, *dim, &out, &other) && out == d)
				return side;
	return -1;
}

/* For the sum over devices that alone reads it. */
static bool cut_before_sum(struct sr_matmul_decomposer *c, struct sr_op *op, struct sr_op *sum, int d)
{
	struct sr_chunking cut = {.blocks = d == scattered_dim(sum) ? sr_op_group_size(c->ctx, sum) : 1};
	cut.n = sr_best_chunk_count(c, sum, &op, 1, NULL, sr_max_chunks(sr_result_type(op, 0), d, cut.blocks), 0);
	int side = cut.n ? side_of(c, op, d, &cut.dim) : -1;
	return side >= 0 && cut_product_along(c, op, side, cut);
}

static void cut_product(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	for (int side = 0; side < 2; side++) {
		const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, side));
		if (in && cut_product_along(c, op, side, in->cut))
			return;
	}
	const struct sr_use *use = sr_result(op, 0)->uses;
	if (!use || use->next || use->owner->block != op->block || !is_sum(use->owner))
		return;
	int rank = sr_result_type(op, 0)->rank, scattered = scattered_dim(use->owner);
	bool done = false;
	for (int d = 0; d < rank && !done; d++)
		done = d != scattered && cut_before_sum(c, op, use->owner, d);
	if (!done && scattered >= 0)
		cut_before_sum(c, op, use->owner, scattered);
}

/* ---- what reads pieces ---- */

static void cut_sum(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_chunked_value *in = sr_chunks_of(c, sr_operand(op, 0));
	if (!in || (!c->asked && !(sr_collective_internode_seconds(c, op, 1) > 0)))
		return;
	struct sr_chunking result = in->cut;
	bool scattered = in->cut.dim == scattered_dim(op);
	if (scattered && in->cut.blocks != sr_op_group_size(c->ctx, op))
		return;
	if (scattered)
		result.blocks = 1;
	if (sr_max_chunks(sr_result_type(op, 0), result.dim, result.blocks) >= result.n)
		sr_chunk_op(c, op, &in->cut, result);
}

static bool is_by_element(const struct sr_op *op)
{
	return sr_op_has(op, SR_ELEMENTWISE | SR_PURE) && !op->n_regions && sr_can_chunk_op(op);
}

/* A product or a collective reads it, or what is computed from it by element. *left: how many uses more are looked at. */
static bool leads_on(const struct sr_matmul_decomposer *c, const struct sr_value *v, int dim, int far, int *left)
{
	int out, other;
	for (const struct sr_use *use = v->uses; use && *left > 0; use = use->next) {
		const struct sr_op *op = use->owner;
		--*left;
		if (is_product(op) ? sr_matmul_result_dim(c->ctx, op, sr_use_index(use), dim, &out, &other)
		    : is_by_element(op) ? far && leads_on(c, sr_result(op, 0), dim, far - 1, left)
					: is_sum(op) || sr_op_is(op, SR_OP_stablehlo_all_gather))
			return true;
	}
	return false;
}

static void cut_by_element(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	const struct sr_type *type = sr_result_type(op, 0);
	const struct sr_chunked_value *in = NULL;
	struct sr_chunking *cuts = SR_NEWS(c->ctx->scratch, struct sr_chunking, op->n_operands);
	int left = LOOKED_AT;
	for (int i = 0; i < op->n_operands && !in; i++)
		in = sr_operand_type(op, i)->rank == type->rank ? sr_chunks_of(c, sr_operand(op, i)) : NULL;
	if (!in || !leads_on(c, sr_result(op, 0), in->cut.dim, FURTHEST, &left))
		return;
	for (int i = 0; i < op->n_operands; i++) /* a select's or a clamp's scalars stay */
		cuts[i] = sr_operand_type(op, i)->rank == type->rank ? in->cut : uncut;
	sr_chunk_op(c, op, cuts, in->cut);
}

static void read_op(struct sr_matmul_decomposer *c, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_stablehlo_all_gather))
		cut_gather(c, op);
	else if (is_product(op))
		cut_product(c, op);
	else if (is_sum(op))
		cut_sum(c, op);
	else if (is_by_element(op))
		cut_by_element(c, op);
}

/* Blocks that run as they stand. */
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
	int64_t asked = sr_option_int(options, "number");
	c.asked = asked < 2 ? 0 : asked < SR_MAX_CHUNKS ? (int)asked : SR_MAX_CHUNKS;
	sr_machine_default(&core);
	const struct sr_machine *machine = ctx->machine ? ctx->machine : &core;
	sr_machine_of_rank(machine, machine->ranks_per_node, &c.machine);
	sr_map_init(&c.pieces, ctx->scratch);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			read_region(&c, &op->regions[0]);
	sr_chunk_cleanup(&c);
	sr_op_set_attr(ctx, module, SR_DECOMPOSED_MATMULS, c.products ? sr_attr_i64(ctx, c.products) : NULL);
	return SR_OK;
}
