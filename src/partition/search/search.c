/* shardrun-search-shardings: shardings between what users fixed, for the least cost of the whole function.
 *
 * It starts from what each op would do alone with propagation's shardings, and improves: every axis of the mesh is given to, and
 * taken from, each set of dimensions that are tied to each other, in the part of the program where that gains (a minimum cut), then
 * each op adapts to its neighbours; again until nothing gains. The greatest changes come first: a batch moved onto an idle axis is
 * one change, though no op would gain from it alone.
 *
 * Requires: propagation done, calls inlined. Leaves: shardings of results changed, sdy.reshard where a reader wants another. Cost:
 * about linear in the ops times the axes, for each round. */
#include "partition/partition_passes.h"
#include "partition/search/search.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 8, MAX_WEIGHTS = 4 };
#define LESS (1.0 / 64)
#define TIES (1.0 / 100) /* memory that is worth less decides only between answers that send alike */

/* Nodes by what they make, the largest first: what is tied to it is changed with it. */
static int64_t weight_of(const struct sr_search_node *n)
{
	int64_t most = 0;
	for (int t = 0; t < n->kind->view.n_tensors; t++)
		most = n->kind->view.sizes[t] > most ? n->kind->view.sizes[t] : most;
	return most;
}

struct seed {
	int node, factor;
};

struct seeds { /* as SR_VEC(struct seed), with a name */
	struct seed *data;
	size_t n, cap;
};

struct ranked {
	int64_t weight;
	int node;
};

static int by_weight(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->weight != y->weight)
		return (x->weight < y->weight) - (x->weight > y->weight);
	return (x->node > y->node) - (x->node < y->node);
}

static struct ranked *rank_nodes(struct sr_search *s, int *n)
{
	struct ranked *list = SR_NEWS(s->arena, struct ranked, s->nodes.n);
	*n = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].kind)
			list[(*n)++] = (struct ranked){weight_of(&s->nodes.data[i]), (int)i};
	qsort(list, (size_t)*n, sizeof *list, by_weight);
	return list;
}

static void forget_covered(struct sr_search *s)
{
	s->pass = s->stamp;
	for (size_t i = 0; i < s->nodes.n; i++)
		s->nodes.data[i].covered = 0;
}

/* Everywhere: whatever no earlier change with this axis was about. */
static double change_all(struct sr_search *s, const struct ranked *order, int n, struct sr_axis_ref axis, enum sr_axis_change how,
			 int since,
			 struct seeds *scattering)
{
	double gain = 0;
	forget_covered(s);
	for (int i = 0; i < n; i++) {
		const struct sr_search_node *node = &s->nodes.data[order[i].node];
		bool touched = sr_search_last_change(s, node) > since;
		for (int f = 0; touched && f < node->kind->view.rule->n_factors; f++) {
			if (node->covered & (1u << f))
				continue;
			sr_search_collect_region(s, order[i].node, f, axis, how);
			if (s->may_scatter)
				sr_push(s->arena, scattering, (struct seed){order[i].node, f});
			gain += sr_search_apply_best_part(s, since);
		}
	}
	return gain;
}

static double change_seeds(struct sr_search *s, const struct seeds *seeds, struct sr_axis_ref axis, enum sr_axis_change how)
{
	double gain = 0;
	forget_covered(s);
	for (size_t i = 0; i < seeds->n; i++) {
		sr_search_collect_region(s, seeds->data[i].node, seeds->data[i].factor, axis, how);
		gain += sr_search_apply_best_part(s, 0);
	}
	return gain;
}

static struct sr_axis_ref whole_axis(const struct sr_mesh *mesh, int a)
{
	return (struct sr_axis_ref){mesh->axes[a].name, 1, mesh->axes[a].size};
}

/* ticks[axis]: of its last turn at giving, then of that at taking. */
static double round_of_changes(struct sr_search *s, const struct ranked *order, int n, int *ticks)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	struct seeds *scattering = SR_NEWS(s->arena, struct seeds, mesh->n_axes), none = {0};
	double gain = 0;
	for (int a = 0; a < mesh->n_axes; a++) {
		int since = ticks[a];
		ticks[a] = s->tick;
		if (mesh->axes[a].size > 1)
			gain += change_all(s, order, n, whole_axis(mesh, a), SR_AXIS_ADD, since, &scattering[a]);
	}
	for (int a = 0; a < mesh->n_axes; a++)
		gain += change_seeds(s, &scattering[a], whole_axis(mesh, a), SR_AXIS_ADD_SCATTERED);
	for (int a = 0; a < mesh->n_axes; a++) {
		int since = ticks[mesh->n_axes + a];
		ticks[mesh->n_axes + a] = s->tick;
		if (mesh->axes[a].size > 1)
			gain += change_all(s, order, n, whole_axis(mesh, a), SR_AXIS_REMOVE, since, &none);
	}
	return gain + sr_search_coordinate_descent(s);
}

static void start(struct sr_search *s)
{
	s->tick++;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		n->touched = s->tick;
		if (n->kind)
			sr_search_set(s, n, n->first);
	}
}

/* Changes until nothing gains any more. */
static void settle(struct sr_search *s, const struct ranked *order, int n, int *ticks)
{
	double gain = 1 + sr_search_coordinate_descent(s);
	for (int round = 0; round < MAX_ROUNDS && gain > 0; round++)
		gain = round_of_changes(s, order, n, ticks);
}

/* Drop an axis, or all axes, from all ops in the part of the function where that gains; return the gain. Small ops in a row are
 * computed on every device from operands that are gathered once, where each op alone would lose by it. */
static double drop_axes(struct sr_search *s)
{
	const struct sr_mesh *mesh = s->mesh.mesh;
	double gain = 0;
	for (int a = 0; a <= mesh->n_axes; a++) {
		sr_search_collect_without_axis(s, a < mesh->n_axes ? whole_axis(mesh, a) : (struct sr_axis_ref){0});
		gain += sr_search_apply_best_part(s, 0);
	}
	return gain;
}

/* What is indexed may change from here on. False: nothing is. */
static bool free_indexed(struct sr_search *s)
{
	bool any = false;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].kind && s->nodes.data[i].indexed) {
			sr_search_mark_changed(s, &s->nodes.data[i]);
			any = true;
		}
	s->settled = true;
	return any;
}

struct prices {
	double weight, round;
};

/* Price work and collectives at what they are worth. Returns the prices before, to be put back. */
static struct prices full_prices(struct sr_search *s)
{
	struct prices before = {s->weight, s->round};
	s->weight = sr_cost_model_compute_bytes(s->costs, 1);
	s->round = sr_cost_model_latency_bytes(s->costs);
	return before;
}

static void put_back(struct sr_search *s, struct prices before)
{
	s->weight = before.weight;
	s->round = before.round;
}

/* What the answer costs at full prices. */
static double worth(struct sr_search *s)
{
	struct prices before = full_prices(s);
	double total = sr_search_total_cost(s);
	put_back(s, before);
	return total;
}

/* Drop axes and settle again, at full prices, and keep the answer if it sends no more than before. */
static void drop_and_settle(struct sr_search *s, const struct ranked *order, int n, int *ticks)
{
	struct sr_strategy **answer = SR_NEWS(s->arena, struct sr_strategy *, s->nodes.n);
	double most = sr_search_wire_bytes(s);
	struct prices before = full_prices(s);
	s->exact = true;
	for (size_t i = 0; i < s->nodes.n; i++)
		answer[i] = s->nodes.data[i].now;
	if (drop_axes(s) > 0)
		settle(s, order, n, ticks);
	bool more = sr_search_wire_bytes(s) > most;
	for (size_t i = 0; more && i < s->nodes.n; i++)
		if (answer[i])
			sr_search_set(s, &s->nodes.data[i], answer[i]);
	s->exact = false;
	put_back(s, before);
}

/* Dividing work is worth bytes, but no answer may send more than the ops alone do: where it would, work counts for less, and in the
 * end the number of collectives, too, if that is still better than what the ops do alone. Of arguments that are whole the ops send
 * nothing: where they are free, or memory counts too, work counts as it is. */
void sr_search_improve(struct sr_search *s)
{
	int n, n_ticks = 2 * s->mesh.mesh->n_axes, *ticks = SR_NEWS(s->arena, int, n_ticks);
	const struct ranked *order = rank_nodes(s, &n);
	bool any = s->is_free || s->memory > TIES;
	double most = HUGE_VAL, alone = HUGE_VAL;
	full_prices(s);
	for (int i = 0; i < MAX_WEIGHTS; i++) {
		bool few = i > 1; /* collectives count for less */
		start(s);
		if (i == 0 && !any) {
			most = sr_search_wire_bytes(s);
			alone = sr_search_total_cost(s);
		}
		for (int k = 0; k < n_ticks; k++)
			ticks[k] = 0;
		s->settled = any;
		settle(s, order, n, ticks);
		if (!any && free_indexed(s))
			settle(s, order, n, ticks);
		drop_and_settle(s, order, n, ticks);
		if (sr_search_wire_bytes(s) <= most && (!few || worth(s) <= alone))
			return;
		s->weight *= LESS;
		s->round *= i > 0 ? LESS : 1;
	}
	start(s);
}

enum sr_status sr_search_layouts(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sr_arena *arena = sr_arena_scratch(ctx->scratch);
	struct sr_arena_position mark = sr_arena_mark(arena);
	struct sr_search s;
	if (sr_search_build_graph(&s, ctx, func, arena, options)) {
		sr_search_improve(&s);
		if (ctx->explain_partition)
			sr_search_explain(&s);
		sr_search_write(&s);
	}
	sr_arena_release(arena, mark);
	return SR_OK;
}
