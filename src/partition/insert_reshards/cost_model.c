/* The cheapest axes for an op's factors: what the reshards of operands and results and the reductions send per device, and,
 * among choices that send no more than upstream's, what is left to compute.
 *
 * Costs are those of the routes that will be taken, by bytes on the wire (cost/cost.h). Starting from upstream's choice and from
 * each tensor as it lies, factors are changed one by one while that is cheaper. A bounded search: what it misses costs
 * bytes, never correctness. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "partition/partition.h"
#include "partition/reshard/reshard_plan.h"
#include "support/checked.h"
#include <math.h>

enum { MAX_FACTORS = 16 }; /* beyond them upstream's choice stands */

struct sr_cost_model {
	struct sr_context *ctx;
	struct sr_op *module;
	bool simple;
	double bytes_per_s;                      /* on the wire */
	double bytes_per_point, bytes_per_round; /* on the wire, that computing a point more, or a collective more, is worth */
	double points_per_byte;                  /* that is written to memory */
	struct sr_map known; /* array attribute of (type, from, to) -> struct sr_reshard_cost */
};

struct cost {
	double wire, score;
};

struct search {
	struct sr_cost_model *costs;
	const struct sr_op_view *v;
	struct sr_op_view trial; /* with a projection of its own */
	const struct sr_shardability *limits;
	double latency; /* of a collective, in bytes on the wire: added to its own bytes */
	double most; /* bytes that no choice may exceed */
	struct sr_axes *best;
	struct cost best_cost;
};

struct sr_cost_model *sr_cost_model_new(struct sr_context *ctx, struct sr_op *module, bool simple)
{
	struct sr_cost_model *costs = SR_NEW(ctx->arena, struct sr_cost_model);
	costs->ctx = ctx;
	costs->module = module;
	costs->simple = simple;
	struct sr_machine machine;
	if (!ctx->machine)
		sr_machine_default(&machine);
	const struct sr_machine *used = ctx->machine ? ctx->machine : &machine;
	costs->bytes_per_s = sr_cost_wire_bytes_per_second(used);
	costs->bytes_per_point = sr_cost_bytes_per_multiply_add(used);
	costs->bytes_per_round = sr_cost_bytes_per_latency(used);
	costs->points_per_byte = sr_cost_multiply_adds_per_byte(used);
	sr_map_init(&costs->known, ctx->arena);
	return costs;
}

double sr_cost_model_seconds(const struct sr_cost_model *costs, double bytes)
{
	return bytes / costs->bytes_per_s;
}

double sr_cost_model_compute_bytes(const struct sr_cost_model *costs, double points)
{
	return costs->bytes_per_point * points;
}

static double element_bytes(const struct sr_type *type)
{
	return type->dtype == SR_DTYPE_NONE ? 4 : sr_dtype_bytes(type->dtype);
}

double sr_cost_model_latency_bytes(const struct sr_cost_model *costs)
{
	return costs->bytes_per_round;
}

double sr_cost_model_loop_latency(const struct sr_cost_model *costs, const struct sr_op *op)
{
	return sr_op_parent_of(op, SR_OP_stablehlo_while) ? costs->bytes_per_round : 0;
}

/* Return the number of collectives that a step becomes: an all_gather is one for each dimension. */
static int collectives_of(const struct sr_reshard_plan *route, const struct sr_reshard_step *step)
{
	int n = 0;
	for (int d = 0; step->code == SR_OP_sdy_all_gather && d < route->rank; d++)
		n += step->axes[d].n > 0;
	return step->code == SR_OP_sdy_all_slice ? 0 : n > 1 ? n : 1;
}

static struct sr_reshard_cost route_cost(struct sr_cost_model *costs, const struct sr_type *type, struct sr_mesh_ref mesh,
				       const struct sr_attr *from,
			  const struct sr_attr *to)
{
	struct sr_arena *arena = costs->ctx->scratch;
	struct sr_sharding *in = sr_sharding_resolve(arena, mesh.mesh, from->sharding),
			   *out = sr_sharding_resolve(arena, mesh.mesh, to->sharding);
	if (type->kind != SR_TYPE_TENSOR || in->rank != out->rank || in->rank != type->rank || !sr_type_is_static(type))
		return (struct sr_reshard_cost){0};
	struct sr_reshard_plan route = {.arena = arena,
				 .mesh = mesh.mesh,
				 .rank = type->rank,
				 .shape = type->shape,
				 .in = in,
				 .out = out,
				 .same_mesh = true};
	(costs->simple ? sr_reshard_plan_quick : sr_reshard_plan_cheapest)(&route, (int64_t)element_bytes(type));
	struct sr_reshard_cost cost = {.bytes = sr_reshard_plan_bytes(&route, (int64_t)element_bytes(type))};
	for (size_t i = 0; i < route.steps.n; i++) {
		cost.rounds += route.steps.data[i].code != SR_OP_sdy_all_slice;
		cost.collectives += collectives_of(&route, &route.steps.data[i]);
	}
	return cost;
}

struct sr_reshard_cost sr_cost_model_reshard(struct sr_cost_model *costs, struct sr_mesh_ref mesh, const struct sr_type *type,
				      const struct sr_attr *from,
			const struct sr_attr *to)
{
	from = from ? from : sr_replicated_on(costs->ctx, mesh, type);
	to = to ? to : sr_replicated_on(costs->ctx, mesh, type);
	if (from == to || sr_sdy_sharding_is_equivalent(from->sharding, to->sharding))
		return (struct sr_reshard_cost){0};
	const struct sr_attr *parts[] = {sr_attr_type(costs->ctx, type), from, to}, *key = sr_attr_array(costs->ctx, parts, 3);
	struct sr_reshard_cost *known = sr_map_get(&costs->known, key);
	if (!known) {
		known = SR_NEW(costs->ctx->arena, struct sr_reshard_cost);
		*known = route_cost(costs, type, mesh, from, to);
		sr_map_put(&costs->known, key, known);
	}
	return *known;
}

static double reshard_bytes(struct search *s, const struct sr_type *type, const struct sr_attr *from, const struct sr_attr *to)
{
	struct sr_reshard_cost cost = sr_cost_model_reshard(s->costs, s->v->mesh, type, from, to);
	return cost.bytes + s->latency * cost.rounds;
}

double sr_cost_model_local_bytes(const struct sr_type *type, const struct sr_sdy_sharding *sharding, const struct sr_mesh *mesh)
{
	double bytes = element_bytes(type);
	for (int d = 0; d < type->rank && d < sharding->rank; d++)
		bytes *= (double)sr_ceil_div(type->shape[d], sr_sdy_dim_shards(sharding, mesh, d));
	return bytes;
}

/* Slicing leaves each device elements that it has: padding shifts nothing. */
static bool keeps_padding(const struct sr_op_view *v, const struct sr_type *type, const struct sr_sdy_sharding *has,
			  const struct sr_sdy_sharding *wanted)
{
	for (int d = 0; d < type->rank; d++) {
		int64_t a = sr_sdy_dim_shards(has, v->mesh.mesh, d), b = sr_sdy_dim_shards(wanted, v->mesh.mesh, d);
		if (a != b && sr_ceil_div(type->shape[d], a) * a != sr_ceil_div(type->shape[d], b) * b)
			return false;
	}
	return true;
}

/* Whether what is reduced is cut along the same axes right after: one reduce_scatter. */
static bool scatters(struct search *s, int tensor, const struct sr_attr *has, const struct sr_axes reduced)
{
	struct sr_arena *arena = s->v->ctx->scratch;
	const struct sr_attr *wanted = s->v->given[tensor];
	const struct sr_type *type = sr_op_view_value(s->v, tensor)->type;
	if (!wanted || reshard_bytes(s, type, has, wanted) > 0 || !keeps_padding(s->v, type, has->sharding, wanted->sharding))
		return false;
	struct sr_axes used = sr_sharding_used_axes(arena, sr_sharding_resolve(arena, s->v->mesh.mesh,
									       wanted->sharding)), missing = {0};
	return sr_axes_difference(arena, reduced, used, &missing) && missing.n == 0;
}

static double reduction_bytes(struct search *s, int tensor, const struct sr_attr *has, struct sr_axes reduced)
{
	double n = (double)sr_axes_size(reduced),
	       r = sr_cost_model_local_bytes(sr_op_view_value(s->v, tensor)->type, has->sharding, s->v->mesh.mesh);
	/* a reduce_scatter of r bytes sends what an all_gather to r bytes does */
	return sr_cost_wire(scatters(s, tensor, has, reduced) ? SR_ALL_GATHER : SR_ALL_REDUCE, r, n) + s->latency;
}

/* An operand that stands twice is resharded once. */
static bool is_repeated(const struct search *s, int tensor, const struct sr_attr *const *targets)
{
	for (int t = 0; t < tensor && tensor < s->v->rule->n_operands; t++)
		if (sr_op_view_value(s->v, t) == sr_op_view_value(s->v, tensor) && targets[t] == targets[tensor])
			return true;
	return false;
}

/* A dynamic_slice reads, and a dynamic_update_slice writes, no more of its operand than the slice has. */
static bool is_touched(const struct sr_op_view *v, int tensor)
{
	switch (sr_local_kind_of(v->op)) {
	case SR_LOCAL_dynamic_slice:
		return tensor >= v->rule->n_operands;
	case SR_LOCAL_dynamic_update_slice:
		return tensor == 1;
	default:
		return true;
	}
}

double sr_cost_model_operations(const struct sr_op_view *v, const struct sr_axes *axes)
{
	bool product = sr_op_is_contraction(v->op);
	double most = 0;
	for (int t = 0; t < (product ? 1 : v->n_tensors); t++) {
		double points = 1;
		if (!is_touched(v, t))
			continue;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (product || v->p.tensors[t].factors[f].present)
				points *= (double)sr_ceil_div(v->rule->sizes[f], sr_axes_size(axes[f]));
		most = points > most ? points : most;
	}
	return most;
}

double sr_cost_model_operations_or_traffic(const struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_axes *axes)
{
	double points = sr_cost_model_operations(v, axes), a_point = 0;
	if (sr_op_is_contraction(v->op))
		return points;
	for (int t = v->rule->n_operands; t < v->n_tensors; t++)
		a_point = fmax(a_point, costs->points_per_byte * element_bytes(sr_op_view_value(v, t)->type));
	return fmax(a_point, 1) * points;
}

static struct cost cost_of(struct search *s, const struct sr_axes *axes)
{
	const struct sr_sharding_rule *rule = s->v->rule;
	const struct sr_attr *targets[64] = {NULL};
	bool changed[64] = {false};
	struct sr_axes reduced = {0};
	struct cost cost = {0, 0};
	for (int f = 0; f < rule->n_factors; f++) {
		sr_op_view_set_factor(&s->trial, f, axes[f], changed);
		if (sr_index_list_has(rule->reduction, f))
			reduced = sr_axes_concat(s->v->ctx->scratch, reduced, axes[f]);
	}
	for (int t = 0; t < s->v->n_tensors; t++) {
		const struct sr_type *type = sr_op_view_value(s->v, t)->type;
		bool result = t >= rule->n_operands;
		if (type->kind != SR_TYPE_TENSOR)
			continue;
		targets[t] = sr_op_view_sharding(&s->trial, t);
		if (result)
			cost.wire += reshard_bytes(s, type, targets[t], s->v->given[t]);
		else if (!is_repeated(s, t, targets) && !sr_is_rematerializable(sr_op_view_value(s->v, t)))
			cost.wire += reshard_bytes(s, type, s->v->given[t], targets[t]);
		if (result && reduced.n)
			cost.wire += reduction_bytes(s, t, targets[t], reduced);
	}
	cost.score = cost.wire + sr_cost_model_compute_bytes(s->costs, sr_cost_model_operations(s->v, axes));
	return cost;
}

static struct sr_axes *copy_of(const struct search *s, const struct sr_axes *axes)
{
	return sr_dup(s->v->ctx->scratch, axes, (size_t)s->v->rule->n_factors, sizeof *axes);
}

/* True: it is the best so far. */
static bool offer(struct search *s, struct sr_axes *axes)
{
	sr_shardability_apply(s->v, s->limits, axes);
	struct cost cost = cost_of(s, axes);
	if (cost.wire > s->most || cost.score >= s->best_cost.score)
		return false;
	s->best_cost = cost;
	s->best = copy_of(s, axes);
	return true;
}

/* A factor's axes cut to what no other factor has. */
static struct sr_axes free_part(const struct search *s, const struct sr_axes *axes, int factor, struct sr_axes wanted)
{
	for (int f = 0; f < s->v->rule->n_factors && wanted.n; f++)
		if (f != factor)
			wanted = sr_axes_prefix_without_overlaps(s->v->ctx->scratch, wanted, axes[f]);
	return wanted;
}

/* A tensor as it lies, then what is left of the others. */
static struct sr_axes *as_it_lies(struct search *s, int first)
{
	const struct sr_op_view *v = s->v;
	struct sr_axes *axes = SR_NEWS(v->ctx->scratch, struct sr_axes, v->rule->n_factors);
	for (int i = 0; i < v->n_tensors; i++) {
		const struct sr_factor_sharding *factors = v->p.tensors[(first + i) % v->n_tensors].factors;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (factors[f].present && axes[f].n == 0)
				axes[f] = free_part(s, axes, f, factors[f].axes);
	}
	return axes;
}

/* Change one factor to what a tensor has there, or to nothing, taking the axes from the others if need be. */
static bool improve_factor(struct search *s, int factor)
{
	const struct sr_op_view *v = s->v;
	bool better = false;
	for (int t = -1; t < v->n_tensors; t++) {
		const struct sr_factor_sharding *has = t < 0 ? NULL : &v->p.tensors[t].factors[factor];
		struct sr_axes wanted = has ? has->axes : (struct sr_axes){0};
		if (has && (!has->present || sr_axes_equal(wanted, s->best[factor])))
			continue;
		struct sr_axes *keeping = copy_of(s, s->best), *taking = copy_of(s, s->best);
		keeping[factor] = free_part(s, keeping, factor, wanted);
		better = offer(s, keeping) || better;
		taking[factor] = wanted;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (f != factor)
				taking[f] = sr_axes_prefix_without_overlaps(v->ctx->scratch, taking[f], wanted);
		better = offer(s, taking) || better;
	}
	return better;
}

static void improve(struct search *s)
{
	bool better = true;
	for (int round = 0; better && round < 4; round++) {
		better = false;
		for (int f = 0; f < s->v->rule->n_factors; f++)
			if (!s->limits->whole[f])
				better = improve_factor(s, f) || better;
	}
}

static struct search searched(struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_shardability *limits,
			      sr_axes_per_factor first)
{
	struct search s = {.costs = costs, .v = v, .trial = *v, .limits = limits, .best = first, .best_cost.wire = HUGE_VAL};
	if (v->rule->n_factors > MAX_FACTORS || v->n_tensors > 64)
		return s;
	s.latency = sr_cost_model_loop_latency(costs, v->op);
	s.trial.p.tensors = sr_dup(v->ctx->scratch, v->p.tensors, (size_t)v->n_tensors, sizeof *v->p.tensors);
	for (int t = 0; t < v->n_tensors; t++)
		s.trial.p.tensors[t].factors =
			sr_dup(v->ctx->scratch, v->p.tensors[t].factors, (size_t)v->rule->n_factors,
			       sizeof *v->p.tensors[t].factors);
	s.best_cost = cost_of(&s, first);
	s.most = s.best_cost.wire;
	if (s.most == 0)
		return s;
	improve(&s);
	for (int t = 0; t < v->n_tensors && t < 8; t++)
		if (offer(&s, as_it_lies(&s, t)))
			improve(&s);
	return s;
}

sr_axes_per_factor sr_cheapest_axes(struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_shardability *limits,
				    sr_axes_per_factor first)
{
	return searched(costs, v, limits, first).best;
}

double sr_cheapest_axes_bytes(struct sr_reshard_inserter *c, const struct sr_op_view *v)
{
	struct sr_op_view view = *v;
	struct sr_shardability limits = sr_shardability_of(&view);
	struct sr_axes *axes = sr_common_axes(&view);
	sr_shardability_apply(&view, &limits, axes);
	return searched(c->costs, &view, &limits, axes).best_cost.wire;
}
