/* shardrun-search-shardings: choose shardings, within what users annotated, for the least cost of the whole function.
 *
 * The search starts from the strategy that is best for each op alone with propagation's shardings. Each mesh axis is added to, and
 * removed from, each set of corresponding dimensions, in the part of the program where that lowers the cost (a minimum cut); then
 * each op adapts to its neighbors. This is repeated until the cost no longer falls. The largest tensors come first: moving a batch
 * onto an idle axis is one change, though no op alone would gain from it.
 *
 * Requires: propagation done, calls inlined. Leaves: new shardings of results, sdy.reshard where a reader requires another.
 * Cost: about linear in ops times axes, per round. */
#include "partition/partition.h"
#include "partition/partition_passes.h"
#include "partition/search/search.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 8, MAX_WEIGHTS = 4, MAX_BISECTIONS = 5 };
enum { MAX_REFINED = 64 }; /* Maximum number of ops with a choice for which the answer is refined: for more it takes too long. */
/* Limit on the refinement's group moves, in units of sr_search.visits. */
enum { MAX_GROUP_MOVE_VISITS = 8000000 };
#define WEIGHT_STEP (1.0 / 64)
/* Ratio of costs: a refined answer may send more bytes if its cost is below REFINED_RATIO times that of the present one. If
 * arguments are unconstrained, every refined answer must meet this ratio, since it may hold larger arguments on a device. */
#define REFINED_RATIO 0.96
/* Ratio of costs and of operations: a rejected answer is used if both are below REJECTED_RATIO times those of the present one.
 * Costs of elementwise ops are not more exact than this. */
#define REJECTED_RATIO 0.6
#define ROUNDING 1e-12 /* relative error of sums of costs */
#define MIN_MEMORY_PRICE (1.0 / 100) /* Below this price, memory only decides between answers with equal bytes on the wire. */

/* Return the size of a node's largest tensor. Nodes are ordered by it, descending, since everything that corresponds to the largest
 * tensor changes with it. */
static int64_t largest_tensor(const struct sr_search_node *n)
{
	int64_t max_elements = 0;
	for (int t = 0; t < n->kind->view.n_tensors; t++)
		max_elements = n->kind->view.sizes[t] > max_elements ? n->kind->view.sizes[t] : max_elements;
	return max_elements;
}

struct seed {
	int node, factor;
};

struct seeds { /* list with the members of SR_VEC(struct seed) */
	struct seed *data;
	size_t n, cap;
};

struct ranked_node {
	int64_t elements;
	int node;
};

static int compare_elements(const void *a, const void *b)
{
	const struct ranked_node *x = a, *y = b;
	if (x->elements != y->elements)
		return (x->elements < y->elements) - (x->elements > y->elements);
	return (x->node > y->node) - (x->node < y->node);
}

static struct ranked_node *rank_nodes(struct sr_search *s, int *n)
{
	struct ranked_node *list = SR_NEW_ARRAY(s->arena, struct ranked_node, s->nodes.n);
	*n = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].kind)
			list[(*n)++] = (struct ranked_node){largest_tensor(&s->nodes.data[i]), (int)i};
	qsort(list, (size_t)*n, sizeof *list, compare_elements);
	return list;
}

static void clear_reached_factors(struct sr_search *s)
{
	s->axis_stamp = s->stamp;
	for (size_t i = 0; i < s->nodes.n; i++)
		s->nodes.data[i].reached_factors = 0;
}

/* Try the change at every factor that no earlier change of this axis has reached; return the gain. */
static double try_change_at_factors(struct sr_search *s, const struct ranked_node *order, int n, struct sr_axis_ref axis,
				    enum sr_axis_change how, int last_tick, struct seeds *scattering_seeds)
{
	double gain = 0;
	clear_reached_factors(s);
	for (int i = 0; i < n; i++) {
		const struct sr_search_node *node = &s->nodes.data[order[i].node];
		bool has_changed = sr_search_last_change(s, node) > last_tick;
		for (int f = 0; has_changed && f < node->kind->view.rule->n_factors; f++) {
			if (node->reached_factors & (1u << f))
				continue;
			sr_search_collect_region(s, order[i].node, f, axis, how);
			if (s->may_scatter)
				sr_push(s->arena, scattering_seeds, (struct seed){order[i].node, f});
			gain += sr_search_apply_best_subset(s, last_tick);
		}
	}
	return gain;
}

static double change_seeds(struct sr_search *s, const struct seeds *seeds, struct sr_axis_ref axis, enum sr_axis_change how,
			   int last_tick)
{
	double gain = 0;
	clear_reached_factors(s);
	for (size_t i = 0; i < seeds->n; i++) {
		sr_search_collect_region(s, seeds->data[i].node, seeds->data[i].factor, axis, how);
		gain += sr_search_apply_best_subset(s, last_tick);
	}
	return gain;
}

static struct sr_axis_ref full_axis(const struct sr_mesh *mesh, int a)
{
	return (struct sr_axis_ref){mesh->axes[a].name, 1, mesh->axes[a].size};
}

/* Run one round: try to add, to add scattered, and to remove each axis, then run coordinate descent. Returns the gain. ticks: tick
 * of each axis's last round of additions, then of removals, then of scattered additions; length: SR_AXIS_CHANGES * axes */
static double round_of_changes(struct sr_search *s, const struct ranked_node *order, int n, int *ticks)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	struct seeds *scattering_seeds = SR_NEW_ARRAY(s->arena, struct seeds, mesh->n_axes), no_seeds = {0};
	double gain = 0;
	for (int a = 0; a < mesh->n_axes; a++) {
		int last_tick = ticks[a];
		ticks[a] = s->tick;
		if (mesh->axes[a].size > 1)
			gain += try_change_at_factors(s, order, n, full_axis(mesh, a), SR_AXIS_ADD, last_tick,
						      &scattering_seeds[a]);
	}
	for (int a = 0; a < mesh->n_axes; a++) {
		int last_tick = ticks[2 * mesh->n_axes + a];
		ticks[2 * mesh->n_axes + a] = s->tick;
		gain += change_seeds(s, &scattering_seeds[a], full_axis(mesh, a), SR_AXIS_ADD_SCATTERED, last_tick);
	}
	for (int a = 0; a < mesh->n_axes; a++) {
		int last_tick = ticks[mesh->n_axes + a];
		ticks[mesh->n_axes + a] = s->tick;
		if (mesh->axes[a].size > 1)
			gain += try_change_at_factors(s, order, n, full_axis(mesh, a), SR_AXIS_REMOVE, last_tick, &no_seeds);
	}
	return gain + sr_search_coordinate_descent(s);
}

static void reset_to_first_strategies(struct sr_search *s)
{
	s->tick++;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		n->changed_tick = s->tick;
		if (n->kind)
			sr_search_set(s, n, n->first);
	}
}

/* Return true if no answer is cheaper than the present one at the present weights. */
static bool has_lowest_cost(struct sr_search *s)
{
	double lowest_cost = s->lowest_costs[s->count_collectives];
	return lowest_cost > 0 && sr_search_total_cost(s) <= (1 + ROUNDING) * lowest_cost;
}

/* Repeat rounds until the cost no longer falls. */
static void repeat_rounds(struct sr_search *s, const struct ranked_node *order, int n, int *ticks)
{
	double gain = 1 + sr_search_coordinate_descent(s);
	for (int round = 0; round < MAX_ROUNDS && gain > 0 && !has_lowest_cost(s); round++)
		gain = round_of_changes(s, order, n, ticks);
}

/* Drop an axis, or all axes, from all ops in the part of the function where that gains; return the gain. A sequence of small ops is
 * then computed on every device from operands that are gathered once, which would not pay for each op alone. */
static double drop_axes(struct sr_search *s)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	double gain = 0;
	for (int a = 0; a <= mesh->n_axes; a++) {
		sr_search_collect_without_axis(s, a < mesh->n_axes ? full_axis(mesh, a) : (struct sr_axis_ref){0});
		gain += sr_search_apply_best_subset(s, 0);
	}
	return gain;
}

/* Allow gathers and scatters to change from now on. Returns false if there are none. */
static bool allow_indexed(struct sr_search *s)
{
	bool has_indexed = false;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].kind && s->nodes.data[i].indexed) {
			sr_search_mark_changed(s, &s->nodes.data[i]);
			has_indexed = true;
		}
	s->may_change_indexed = true;
	return has_indexed;
}

/* Use the true weights of operations and latencies from now on. Returns the old weights for sr_search_restore_weights. */
static struct sr_search_weights set_true_weights(struct sr_search *s)
{
	struct sr_search_weights saved_weights = {s->operation_weight, s->latency_weight, s->memory_price};
	s->operation_weight = sr_cost_model_compute_bytes(s->costs, 1);
	s->latency_weight = sr_cost_model_latency_bytes(s->costs);
	return saved_weights;
}

/* Return the cost of the present answer at the true weights. */
static double true_cost(struct sr_search *s)
{
	struct sr_search_weights saved_weights = set_true_weights(s);
	double total_cost = sr_search_total_cost(s);
	sr_search_restore_weights(s, saved_weights);
	return total_cost;
}

static void save_strategies(const struct sr_search *s, struct sr_strategy **strategies)
{
	for (size_t i = 0; i < s->nodes.n; i++)
		strategies[i] = s->nodes.data[i].current;
}

static void set_strategies(struct sr_search *s, struct sr_strategy *const *strategies)
{
	for (size_t i = 0; i < s->nodes.n; i++)
		if (strategies[i])
			sr_search_set(s, &s->nodes.data[i], strategies[i]);
}

/* Drop axes and repeat the rounds with exact costs; keep the new shardings if they send no more bytes than before, both over all
 * trips of loops and in one: otherwise a small loop would be replicated because of the latency of its exchanges. */
static void drop_axes_and_repeat(struct sr_search *s, const struct ranked_node *order, int n, int *ticks)
{
	struct sr_strategy **before_drop = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	double max_bytes = sr_search_wire_bytes(s), max_bytes_once = sr_search_bytes_once(s);
	struct sr_search_weights saved_weights = set_true_weights(s);
	s->count_collectives = true;
	save_strategies(s, before_drop);
	if (!has_lowest_cost(s) && drop_axes(s) > 0)
		repeat_rounds(s, order, n, ticks);
	if (sr_search_wire_bytes(s) > max_bytes || sr_search_bytes_once(s) > max_bytes_once)
		set_strategies(s, before_drop);
	s->count_collectives = false;
	sr_search_restore_weights(s, saved_weights);
}

static void mark_all_changed(struct sr_search *s)
{
	s->tick++;
	for (size_t i = 0; i < s->nodes.n; i++)
		s->nodes.data[i].changed_tick = s->tick;
}

static void restore_strategies(struct sr_search *s, struct sr_strategy *const *strategies)
{
	mark_all_changed(s);
	set_strategies(s, strategies);
}

/* Mark all nodes as changed, and forget which changes of axes were tried. */
static void mark_all_for_retry(struct sr_search *s, int *ticks)
{
	mark_all_changed(s);
	for (int k = 0; k < SR_AXIS_CHANGES * s->mesh.mesh->n_axes; k++)
		ticks[k] = 0;
}

/* Repeat the rounds at true weights, for answers that send at most max_bytes bytes, or as many as the present answer if that sends
 * more. This shards computation that an answer found at low weights of operations leaves replicated. */
static void repeat_within_bytes(struct sr_search *s, double max_bytes, const struct ranked_node *order, int n, int *ticks)
{
	set_true_weights(s);
	mark_all_for_retry(s, ticks);
	s->remaining_bytes = fmax(max_bytes - sr_search_wire_bytes(s), 0);
	repeat_rounds(s, order, n, ticks);
	s->remaining_bytes = HUGE_VAL;
}

/* The cheapest answer, at true weights, of those that were rejected because they send too many bytes. */
struct rejected_answer {
	struct sr_strategy **strategies;
	double cost, operations;
};

/* Return the number of operations on each device. */
static double count_operations(const struct sr_search *s)
{
	double operations = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].current)
			operations += s->nodes.data[i].executions * s->nodes.data[i].current->operations;
	return operations;
}

/* Keep the present answer as the rejected one if it is cheaper than all that were rejected before. */
static void record_rejected(struct sr_search *s, struct rejected_answer *rejected)
{
	double cost = true_cost(s);
	if (cost >= rejected->cost)
		return;
	rejected->cost = cost;
	rejected->operations = count_operations(s);
	save_strategies(s, rejected->strategies);
}

/* Use the rejected answer if it computes less and costs much less than the present one, which repeats computation on every
 * device. */
static void use_rejected_if_cheaper(struct sr_search *s, const struct rejected_answer *rejected)
{
	if (rejected->cost < REJECTED_RATIO * true_cost(s) && rejected->operations < REJECTED_RATIO * count_operations(s))
		restore_strategies(s, rejected->strategies);
}

/* ---- small programs ---- */

struct refinement {
	struct sr_search *s;
	const struct ranked_node *order;
	int n, *ticks;
	struct sr_answer_limits limits;
	struct sr_strategy **best_strategies; /* strategies of the cheapest answer so far */
	double lowest_cost;
};

/* Repeat rounds and group moves from the present answer until the cost no longer falls, sending at most r->limits.max_wire_bytes
 * bytes. / */
static void descend(struct refinement *r)
{
	struct sr_search *s = r->s;
	double gain = 1;
	for (int i = 0; i < MAX_ROUNDS && gain > 0; i++) {
		repeat_within_bytes(s, r->limits.max_wire_bytes, r->order, r->n, r->ticks);
		s->remaining_bytes = fmax(r->limits.max_wire_bytes - sr_search_wire_bytes(s), 0);
		gain = sr_search_group_moves(s);
		s->remaining_bytes = HUGE_VAL;
	}
}

/* Keep the present answer if it is the cheapest so far. Returns true if it is. */
static bool keep_if_best(struct refinement *r)
{
	double cost = sr_search_total_cost(r->s);
	if (cost >= r->lowest_cost || sr_search_wire_bytes(r->s) > r->limits.max_wire_bytes ||
	    sr_search_bytes_once(r->s) > r->limits.max_wire_bytes_once)
		return false;
	r->lowest_cost = cost;
	save_strategies(r->s, r->best_strategies);
	return true;
}

/* Take from the answer `candidate` all parts that improve the best answer. */
static void merge_candidate(struct refinement *r, struct sr_strategy *const *candidate)
{
	struct sr_search *s = r->s;
	restore_strategies(s, r->best_strategies);
	s->stamp++;
	s->region.n = 0;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *node = &s->nodes.data[i];
		if (!candidate[i] || candidate[i] == node->current)
			continue;
		node->seen_stamp = s->stamp;
		node->next = candidate[i];
		sr_push(s->arena, &s->region, (int)i);
	}
	s->remaining_bytes = fmax(r->limits.max_wire_bytes - sr_search_wire_bytes(s), 0);
	double gain = sr_search_apply_best_subset(s, 0);
	s->remaining_bytes = HUGE_VAL;
	if (gain > 0)
		descend(r);
	keep_if_best(r);
}

/* Set all nodes to their first strategies without the axis; an axis of size 0 stands for all axes. */
static void start_without_axis(struct sr_search *s, struct sr_axis_ref axis)
{
	reset_to_first_strategies(s);
	sr_search_collect_without_axis(s, axis);
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		struct sr_strategy *next = node->next;
		node->next = node->current;
		sr_search_set(s, node, next);
	}
}

/* Return true if the present answer is within the limits on bytes. */
static bool fits_limits(struct refinement *r)
{
	return sr_search_wire_bytes(r->s) <= r->limits.max_wire_bytes && sr_search_bytes_once(r->s) <= r->limits.max_wire_bytes_once;
}

/* Repeat the rounds from the present answer. If the result is not within the limits on bytes, repeat them from there with
 * operations at a lower weight, which is the same as bytes at a higher one (a Lagrangian relaxation of the limit): bisection finds
 * the largest weight whose answer fits. This finds changes that are only possible together with others that save bytes. Stores the
 * answer, which may be outside of the limits, in `found`. */
static void repeat_at_largest_weight(struct refinement *r, struct sr_strategy **found)
{
	struct sr_search *s = r->s;
	struct sr_strategy **unlimited = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	double weight = 1, min_weight = 0, max_weight = 1;
	for (int i = 0; i < MAX_BISECTIONS && min_weight < max_weight; i++) {
		if (i > 0)
			restore_strategies(s, unlimited);
		s->operation_weight *= weight;
		mark_all_for_retry(s, r->ticks);
		repeat_rounds(s, r->order, r->n, r->ticks);
		set_true_weights(s);
		bool fits = fits_limits(r);
		if (i == 0)
			save_strategies(s, unlimited);
		if (i == 0 || fits)
			save_strategies(s, found);
		*(fits ? &min_weight : &max_weight) = weight;
		weight = (min_weight + max_weight) / 2;
	}
	restore_strategies(s, found);
}

/* Find the cheapest answer from several starts: the answer so far, the strategies of the ops alone, those without one axis, those
 * without any axes, and the best of these after group moves without a limit on bytes. */
static void refine_from_starts(struct refinement *r)
{
	struct sr_search *s = r->s;
	const struct sr_mesh *mesh = s->mesh.mesh;
	int n_starts = mesh->n_axes > 1 ? mesh->n_axes + 2 : mesh->n_axes + 1; /* a mesh of one axis: one start has no axes */
	struct sr_strategy ***candidates = SR_NEW_ARRAY(s->arena, struct sr_strategy **, n_starts + 1);
	keep_if_best(r);
	for (int i = 0; i <= n_starts; i++)
		candidates[i] = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	for (int i = 0; i < n_starts; i++) {
		if (i == 0)
			reset_to_first_strategies(s);
		else
			start_without_axis(s, i <= mesh->n_axes ? full_axis(mesh, i - 1) : (struct sr_axis_ref){0});
		repeat_at_largest_weight(r, candidates[i]);
		keep_if_best(r);
	}
	restore_strategies(s, r->best_strategies);
	if (sr_search_group_moves(s) > 0) {
		repeat_at_largest_weight(r, candidates[n_starts]);
		keep_if_best(r);
	}
	restore_strategies(s, r->best_strategies);
	descend(r);
	keep_if_best(r);
	for (int i = 0; i <= n_starts; i++)
		merge_candidate(r, candidates[i]);
	restore_strategies(s, r->best_strategies);
}

/* Refine the answer of a small program. The refined answer may send more bytes, up to those that the ops alone send, if its cost
 * is less than REFINED_RATIO times that of the present one. */
static void refine(struct refinement *r)
{
	struct sr_search *s = r->s;
	struct sr_strategy **strategies_before = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	r->best_strategies = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	r->lowest_cost = HUGE_VAL;
	s->max_visits = s->visits + MAX_GROUP_MOVE_VISITS;
	set_true_weights(s);
	s->count_collectives = true;
	r->limits = (struct sr_answer_limits){.cost = sr_search_total_cost(s),
					      .wire_bytes = sr_search_wire_bytes(s),
					      .ratio = REFINED_RATIO,
					      .max_wire_bytes = fmax(s->wire_bytes_alone, sr_search_wire_bytes(s)),
					      .max_wire_bytes_once = fmax(s->wire_bytes_alone_once, sr_search_bytes_once(s))};
	if (!sr_search_exhaustively(s, &r->limits)) {
		save_strategies(s, strategies_before);
		refine_from_starts(r);
		if (!sr_search_answer_fits(s, &r->limits, sr_search_total_cost(s)))
			restore_strategies(s, strategies_before);
	}
	s->count_collectives = false;
	s->max_visits = 0;
}

/* Find the best strategies. Computation is counted in bytes on the wire, but the answer must not send more bytes than the ops with
 * the strategies that are best for each alone, over all trips of loops and in one trip. If it would, operations and finally
 * latencies get a lower weight, as long as the answer is still better than the ops alone. An answer that sends more bytes is used
 * if all others cost much more because they repeat computation on every device. The weight is 1 if memory has a price or if
 * arguments are unconstrained, since the ops alone then send nothing. */
static void find_strategies(struct sr_search *s, const struct ranked_node *order, int n, int *ticks)
{
	bool count_in_full = s->has_unconstrained || s->memory_price > MIN_MEMORY_PRICE;
	double max_bytes = s->wire_bytes_alone = HUGE_VAL, max_bytes_once = s->wire_bytes_alone_once = HUGE_VAL,
	       alone_cost = HUGE_VAL;
	struct rejected_answer rejected = {SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n), HUGE_VAL, HUGE_VAL};
	set_true_weights(s);
	for (int i = 0; i < MAX_WEIGHTS; i++) {
		reset_to_first_strategies(s);
		if (i == 0 && !count_in_full) {
			max_bytes = s->wire_bytes_alone = sr_search_wire_bytes(s);
			max_bytes_once = s->wire_bytes_alone_once = sr_search_bytes_once(s);
			alone_cost = sr_search_total_cost(s);
		}
		mark_all_for_retry(s, ticks);
		s->may_change_indexed = count_in_full;
		repeat_rounds(s, order, n, ticks);
		if (!count_in_full && allow_indexed(s))
			repeat_rounds(s, order, n, ticks);
		drop_axes_and_repeat(s, order, n, ticks);
		bool sends_more = sr_search_wire_bytes(s) > max_bytes || sr_search_bytes_once(s) > max_bytes_once;
		if (!sends_more && (i == 0 || true_cost(s) <= alone_cost)) {
			if (i > 0)
				repeat_within_bytes(s, 0, order, n, ticks);
			use_rejected_if_cheaper(s, &rejected);
			return;
		}
		record_rejected(s, &rejected);
		s->lowest_costs[0] = s->lowest_costs[1] = 0;
		s->operation_weight *= WEIGHT_STEP;
		s->latency_weight *= i > 0 ? WEIGHT_STEP : 1;
	}
	reset_to_first_strategies(s);
	repeat_within_bytes(s, 0, order, n, ticks);
	use_rejected_if_cheaper(s, &rejected);
}

/* Set all nodes to their first strategies. Returns true if no answer is cheaper, however collectives are counted. */
static bool start_is_cheapest(struct sr_search *s)
{
	reset_to_first_strategies(s);
	set_true_weights(s);
	if (sr_search_total_cost(s) <= (1 + ROUNDING) * sr_search_min_total_cost(s))
		return true;
	bool is_cheapest = true;
	for (int counts = 1; counts >= 0; counts--) {
		s->count_collectives = counts;
		s->lowest_costs[counts] = sr_search_lowest_cost(s);
		is_cheapest = is_cheapest && has_lowest_cost(s);
	}
	return is_cheapest;
}

void sr_search_improve(struct sr_search *s)
{
	int n, *ticks = SR_NEW_ARRAY(s->arena, int, SR_AXIS_CHANGES * s->mesh.mesh->n_axes);
	const struct ranked_node *order = rank_nodes(s, &n);
	if (start_is_cheapest(s))
		return;
	find_strategies(s, order, n, ticks);
	s->lowest_costs[0] = s->lowest_costs[1] = 0;
	if (n <= MAX_REFINED)
		refine(&(struct refinement){.s = s, .order = order, .n = n, .ticks = ticks});
}

/* ---- several nodes ---- */

/* Cost links from now on for the placement of the mesh on the machine's nodes with axis a outermost. Stores the placement's order
 * of axes in `order`. */
static void cost_with_outermost_axis(struct sr_search *s, struct sr_mesh_links *links, int a, int *order)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	int n = 0;
	order[n++] = a;
	for (int i = 0; i < mesh->n_axes; i++)
		if (i != a)
			order[n++] = i;
	links->order = order;
	sr_search_set_links(s, links);
}

/* Record the order of placement as an attribute of the module for later passes. */
static void write_order(struct sr_search *s, const int *order)
{
	int n = s->mesh.mesh->n_axes;
	int64_t *axes = SR_NEW_ARRAY(s->ctx->scratch, int64_t, n);
	for (int i = 0; i < n; i++)
		axes[i] = order[i];
	sr_op_set_attr(s->ctx, s->module, SR_AXIS_ORDER, sr_attr_i64s(s->ctx, axes, n));
}

struct placement_search {
	struct sr_search *s;
	const struct ranked_node *nodes;
	int n_nodes, *ticks;
	struct sr_strategy **best_strategies; /* strategies of the cheapest answer so far */
	double lowest_cost;
};

/* Repeat the rounds, beginning with the shardings `start`; keep the result if it is the cheapest so far. Returns true if it is. */
static bool repeat_rounds_from(struct placement_search *p, struct sr_strategy *const *start)
{
	struct sr_search *s = p->s;
	restore_strategies(s, start);
	for (int k = 0; k < SR_AXIS_CHANGES * s->mesh.mesh->n_axes; k++)
		p->ticks[k] = 0;
	repeat_rounds(s, p->nodes, p->n_nodes, p->ticks);
	double cost = sr_search_total_cost(s);
	if (cost >= p->lowest_cost)
		return false;
	p->lowest_cost = cost;
	save_strategies(s, p->best_strategies);
	return true;
}

/* On several nodes: continue from the answer for one node at the costs of the links between nodes, for each placement with
 * another axis outermost (the axis along which the nodes differ), or only for the placement that the user chose. For the best
 * placement, also start from the strategies of the ops alone. Keep the cheapest answer. */
static void improve_placement(struct sr_search *s)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	struct sr_mesh_links links = sr_mesh_links_of(sr_cost_model_machine(s->costs), mesh);
	if (!sr_mesh_links_span_nodes(&links))
		return;
	struct placement_search p = {
	    .s = s, .ticks = SR_NEW_ARRAY(s->arena, int, SR_AXIS_CHANGES * mesh->n_axes), .lowest_cost = HUGE_VAL};
	struct sr_strategy **start = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n),
			   **first = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	int *order = SR_NEW_ARRAY(s->arena, int, mesh->n_axes), outermost = 0;
	p.best_strategies = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n);
	p.nodes = rank_nodes(s, &p.n_nodes);
	const int *axis_order = sr_cost_model_axis_order(s->costs, mesh);
	save_strategies(s, start);
	set_true_weights(s);
	for (int a = 0; !axis_order && a < mesh->n_axes; a++) {
		cost_with_outermost_axis(s, &links, a, order);
		if (mesh->axes[a].size > 1 && repeat_rounds_from(&p, start))
			outermost = a;
	}
	if (axis_order) {
		links.order = axis_order;
		sr_search_set_links(s, &links);
		repeat_rounds_from(&p, start);
	} else {
		cost_with_outermost_axis(s, &links, outermost, order);
		write_order(s, order);
	}
	for (size_t i = 0; i < s->nodes.n; i++)
		first[i] = s->nodes.data[i].kind ? s->nodes.data[i].first : NULL;
	repeat_rounds_from(&p, first);
	restore_strategies(s, p.best_strategies);
}

static void export_problem(struct sr_search *s)
{
	set_true_weights(s);
	s->count_collectives = true;
	sr_search_export(s);
}

enum sr_status sr_search_layouts(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sr_arena *arena = sr_arena_scratch(ctx->scratch);
	struct sr_arena_position mark = sr_arena_mark(arena);
	struct sr_search s;
	if (sr_search_build_graph(&s, ctx, func, arena, options)) {
		sr_search_improve(&s);
		improve_placement(&s);
		if (ctx->explain_partition)
			sr_search_explain(&s);
		if (sr_option_bool(options, "export"))
			export_problem(&s);
		sr_search_write(&s);
	}
	sr_arena_release(arena, mark);
	return SR_OK;
}
