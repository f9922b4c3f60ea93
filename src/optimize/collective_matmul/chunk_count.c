/* Choice of the number of chunks for a collective and the products beside it, from the machine's bandwidths, latencies and FLOP
 * rates. */
#include "cost/cost.h"
#include "optimize/collective_matmul/collective_matmul.h"
#include <math.h>

/* Minimum fraction of the time that chunking must save: chunks in flight take memory, and must be concatenated. */
#define MIN_SAVING (1. / 16)

/* Return the number of nodes that a group of devices spans if devices are placed in order. *members_on_node: number of the group's
 * members on the first node. */
static int count_nodes(struct sr_matmul_decomposer *c, const int64_t *ids, int64_t n, int64_t *members_on_node)
{
	int64_t max_id = 0, first = sr_cost_node(&c->machine, ids[0]);
	int nodes = 0;
	for (int64_t i = 0; i < n; i++)
		max_id = ids[i] > max_id ? ids[i] : max_id;
	bool *is_counted = SR_NEW_ARRAY(c->ctx->scratch, bool, sr_cost_node(&c->machine, max_id) + 1);
	*members_on_node = 0;
	for (int64_t i = 0; i < n; i++) {
		if (ids[i] < 0)
			continue;
		int64_t node = sr_cost_node(&c->machine, ids[i]);
		*members_on_node += node == first;
		nodes += !is_counted[node];
		is_counted[node] = true;
	}
	return nodes;
}

/* Return the seconds that 1/n of a collective takes between nodes. Each node sends to each other node the data that the other
 * lacks, once for all members (collectives/hierarchy.h). */
double sr_collective_internode_seconds(struct sr_matmul_decomposer *c, struct sr_op *op, int n)
{
	int64_t members_on_node;
	struct sr_groups g;
	if (!c->machine.ranks_per_node || sr_op_groups(c->ctx, op, &g) || !g.n_groups || g.group_size <= 1)
		return 0;
	int nodes = count_nodes(c, g.ids, g.group_size, &members_on_node);
	if (nodes < 2)
		return 0;
	enum sr_coll coll = sr_op_is(op, SR_OP_stablehlo_all_gather)     ? SR_ALL_GATHER
			    : sr_op_is(op, SR_OP_stablehlo_all_reduce) ? SR_ALL_REDUCE
								       : SR_REDUCE_SCATTER;
	double sent_bytes = sr_cost_wire(coll, (double)sr_value_bytes(sr_result(op, 0)), nodes);
	if (coll != SR_REDUCE_SCATTER)
		/* each member of a node sends an equal block of the data that leaves the node */
		sent_bytes /= (double)members_on_node;
	struct sr_collective_work w = {0};
	w.rounds[SR_LINK_NETWORK] = coll == SR_ALL_REDUCE ? 2 : 1;
	w.messages[SR_LINK_NETWORK] = 2 * w.rounds[SR_LINK_NETWORK] * (nodes - 1);
	w.sent_bytes[SR_LINK_NETWORK] = (int64_t)fmin(sent_bytes / n, (double)(INT64_MAX / 2));
	return sr_cost_of_collective(&c->machine, &w).seconds;
}

/* Return the seconds of a product with 1/n of its rows. */
static double product_seconds(struct sr_matmul_decomposer *c, const struct sr_op *op, int n)
{
	const struct sr_type *x = sr_operand_type(op, 0), *y = sr_operand_type(op, 1);
	struct sr_product_work w = {.batch = 1, .m = 1, .n = 1, .k = 1, .dtype = sr_result_type(op, 0)->dtype};
	int out, other_dim;
	for (int d = 0; d < x->rank; d++) {
		if (!sr_matmul_result_dim(c->ctx, op, 0, d, &out, &other_dim))
			w.k *= x->shape[d];
		else if (other_dim >= 0)
			w.batch *= x->shape[d];
		else
			w.m *= x->shape[d];
	}
	for (int d = 0; d < y->rank; d++)
		if (sr_matmul_result_dim(c->ctx, op, 1, d, &out, &other_dim) && other_dim < 0)
			w.n *= y->shape[d];
	w.m = w.m / n + (w.m % n != 0);
	return sr_cost_of_product(&c->machine, &w).seconds;
}

/* Return the seconds of a pipeline of n chunks, in which the transfer of one chunk overlaps the computation of the next one. */
static double pipeline_seconds(struct sr_matmul_decomposer *c, struct sr_op *collective, struct sr_op *const *products,
			       int n_products, int n)
{
	double sent_seconds = sr_collective_internode_seconds(c, collective, n), computed_seconds = 0;
	for (int i = 0; i < n_products; i++)
		computed_seconds += product_seconds(c, products[i], n);
	return sent_seconds + computed_seconds + (n - 1) * fmax(sent_seconds, computed_seconds);
}

int sr_best_chunk_count(struct sr_matmul_decomposer *c, struct sr_op *collective, struct sr_op *const *products, int n_products,
			const struct sr_value *full_value, int max_chunks, int exact_count)
{
	int best_count = 0;
	if (max_chunks < 2 || exact_count > max_chunks)
		return 0;
	if (c->requested_chunks)
		return exact_count ? exact_count : c->requested_chunks < max_chunks ? c->requested_chunks : max_chunks;
	if (!(sr_collective_internode_seconds(c, collective, 1) > 0))
		return 0;
	double min_seconds = (1 - MIN_SAVING) * pipeline_seconds(c, collective, products, n_products, 1), copy_seconds = 0;
	if (full_value) {
		int64_t bytes = sr_value_bytes(full_value);
		struct sr_elementwise_work copy = {.read_bytes = bytes, .written_bytes = bytes};
		copy_seconds = sr_cost_of_elementwise(&c->machine, &copy).seconds;
	}
	for (int n = 2; n <= max_chunks; n *= 2) {
		double s = exact_count && n != exact_count ? INFINITY
						   : copy_seconds + pipeline_seconds(c, collective, products, n_products, n);
		if (s < min_seconds) {
			min_seconds = s;
			best_count = n;
		}
	}
	return best_count;
}
