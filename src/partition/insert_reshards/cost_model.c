/* Cost model of reshards and computation, and the search for the cheapest axes of one op's factors.
 *
 * Candidates are compared by bytes on the wire per device (reshards of operands and results, reductions), plus the remaining
 * computation as bytes. No candidate may send more than upstream's choice. The search is a bounded local search: from upstream's
 * choice and from the present sharding of each tensor, change one factor at a time while that is cheaper. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "partition/partition.h"
#include "partition/reshard/reshard_plan.h"
#include "support/checked.h"
#include <math.h>

enum { MAX_FACTORS = 16 }; /* ops with more factors keep the axes that upstream's algorithm chooses */

struct sr_cost_model {
	struct sr_context *ctx;
	struct sr_op *module;
	bool is_simple;
	struct sr_machine machine;
	double bytes_per_s;                      /* bandwidth of the slowest link, in bytes per second on the wire */
	/* bytes on the wire that take as long as one operation, and as the latency of one collective */
	double bytes_per_operation, latency_bytes;
	double operations_per_byte; /* number of operations that take as long as writing one byte to memory */
	struct sr_mesh_links links; /* links of the mesh of the latest query */
	const int *order;           /* mesh axes in the order of placement, length: n_order; NULL: the mesh's own order */
	int64_t n_order;
	struct sr_map reshards;     /* memoized costs: map from a hash of (type, from, to) to struct reshard_cost_entry */
};

struct reshard_cost_entry {
	const struct sr_type *type;
	const struct sr_attr *sharding_before, *sharding_after;
	struct sr_reshard_cost cost;
	struct reshard_cost_entry *next; /* next entry with the same hash */
};

struct cost {
	double wire_bytes, score;
};

struct axes_search {
	struct sr_cost_model *costs;
	const struct sr_op_view *v;
	struct sr_op_view trial_view; /* view of the op for trying candidates, with a projection of its own */
	const struct sr_shardability *limits;
	double latency;   /* latency of a collective, in bytes that the link transfers in this time */
	double max_bytes; /* upper bound on the bytes of a candidate */
	struct sr_axes *best_axes;
	struct cost best_cost;
};

static bool is_permutation(const int64_t *axes, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = 0; k <= i; k++)
			if (axes[i] < 0 || axes[i] >= n || (k < i && axes[k] == axes[i]))
				return false;
	return true;
}

/* Read the order in which the module's mesh axes are placed on nodes: the user's, or the one that the search chose. */
static void read_axis_order(struct sr_cost_model *costs)
{
	const struct sr_attr *order_attr = sr_op_attr(costs->module, SR_AXIS_ORDER);
	const int64_t *axes = NULL;
	int64_t n = 0;
	if (!order_attr || !sr_attr_ints(costs->ctx, order_attr, &axes, &n) || !is_permutation(axes, n))
		return;
	int *order = SR_NEW_ARRAY(costs->ctx->arena, int, n);
	for (int64_t i = 0; i < n; i++)
		order[i] = (int)axes[i];
	costs->order = order;
	costs->n_order = n;
}

const int *sr_cost_model_axis_order(const struct sr_cost_model *costs, const struct sr_mesh *mesh)
{
	return costs->n_order == mesh->n_axes ? costs->order : NULL;
}

struct sr_cost_model *sr_cost_model_new(struct sr_context *ctx, struct sr_op *module, bool simple)
{
	struct sr_cost_model *costs = SR_NEW(ctx->arena, struct sr_cost_model);
	costs->ctx = ctx;
	costs->module = module;
	costs->is_simple = simple;
	if (ctx->machine)
		costs->machine = *ctx->machine;
	else
		sr_machine_default(&costs->machine);
	const struct sr_machine *machine = &costs->machine;
	costs->bytes_per_s = sr_cost_wire_bytes_per_second(machine);
	costs->bytes_per_operation = sr_cost_bytes_per_multiply_add(machine);
	costs->latency_bytes = sr_cost_bytes_per_latency(machine);
	costs->operations_per_byte = sr_cost_multiply_adds_per_byte(machine);
	sr_map_init(&costs->reshards, ctx->arena);
	read_axis_order(costs);
	return costs;
}

const struct sr_machine *sr_cost_model_machine(const struct sr_cost_model *costs)
{
	return &costs->machine;
}

void sr_cost_model_set_links(struct sr_cost_model *costs, const struct sr_mesh_links *links)
{
	costs->links = *links;
	sr_map_init(&costs->reshards, costs->ctx->arena);
}

const struct sr_mesh_links *sr_cost_model_links(struct sr_cost_model *costs, const struct sr_mesh *mesh)
{
	if (costs->links.mesh != mesh) {
		costs->links = sr_mesh_links_of(&costs->machine, mesh);
		costs->links.order = sr_cost_model_axis_order(costs, mesh);
	}
	return &costs->links;
}

/* Return the cost of one collective, whose rounds within a node count as `latency` bytes. */
static double cost_of_collective(struct sr_cost_model *costs, const struct sr_mesh *mesh, enum sr_coll coll, double r,
				 struct sr_axes axes, double latency)
{
	struct sr_wire_cost cost = sr_cost_collective(sr_cost_model_links(costs, mesh), coll, r, axes);
	return cost.bytes + latency * cost.rounds;
}

double sr_cost_model_seconds(const struct sr_cost_model *costs, double bytes)
{
	return bytes / costs->bytes_per_s;
}

double sr_cost_model_compute_bytes(const struct sr_cost_model *costs, double operations)
{
	return costs->bytes_per_operation * operations;
}

static double element_bytes(const struct sr_type *type)
{
	return type->dtype == SR_DTYPE_NONE ? 4 : sr_dtype_bytes(type->dtype);
}

double sr_cost_model_latency_bytes(const struct sr_cost_model *costs)
{
	return costs->latency_bytes;
}

double sr_cost_model_loop_latency(const struct sr_cost_model *costs, const struct sr_op *op)
{
	return sr_op_parent_of(op, SR_OP_stablehlo_while) ? costs->latency_bytes : 0;
}

/* Return the number of collectives that a step becomes if it communicates: an all_gather becomes one per dimension. */
static int dims_gathered(const struct sr_reshard_plan *plan, const struct sr_reshard_step *step)
{
	int n = 0;
	for (int d = 0; step->code == SR_OP_sdy_all_gather && d < plan->rank; d++)
		n += step->axes[d].n > 0;
	return n > 1 ? n : 1;
}

static struct sr_reshard_cost cost_reshard(struct sr_cost_model *costs, const struct sr_type *type, struct sr_mesh_ref mesh,
					   const struct sr_attr *from, const struct sr_attr *to)
{
	struct sr_arena *arena = costs->ctx->scratch;
	struct sr_sharding *in = sr_sharding_resolve(arena, mesh.mesh, from->sharding),
			   *out = sr_sharding_resolve(arena, mesh.mesh, to->sharding);
	if (type->kind != SR_TYPE_TENSOR || in->rank != out->rank || in->rank != type->rank || !sr_type_is_static(type))
		return (struct sr_reshard_cost){0};
	struct sr_reshard_plan plan = {.arena = arena,
				 .mesh = mesh.mesh,
				 .rank = type->rank,
				 .shape = type->shape,
				 .in = in,
				 .out = out,
				 .is_same_mesh = true};
	(costs->is_simple ? sr_reshard_plan_simple : sr_reshard_plan_cheapest)(&plan, (int64_t)element_bytes(type));
	const struct sr_mesh_links *links = sr_cost_model_links(costs, mesh.mesh);
	struct sr_reshard_cost cost = {0};
	for (size_t i = 0; i < plan.steps.n; i++) {
		struct sr_wire_cost step = sr_reshard_step_cost(&plan, i, (int64_t)element_bytes(type), links);
		sr_wire_cost_add(&cost.steps, step);
		cost.rounds_by_dim += step.rounds * dims_gathered(&plan, &plan.steps.data[i]);
	}
	return cost;
}

struct sr_reshard_cost sr_cost_model_reshard(struct sr_cost_model *costs, struct sr_mesh_ref mesh, const struct sr_type *type,
					     const struct sr_attr *from, const struct sr_attr *to)
{
	from = from ? from : sr_replicated_on(costs->ctx, mesh, type);
	to = to ? to : sr_replicated_on(costs->ctx, mesh, type);
	if (from == to || sr_sdy_sharding_is_equivalent(from->sharding, to->sharding))
		return (struct sr_reshard_cost){0};
	uint64_t hash = sr_hash_mix(sr_hash_mix((uintptr_t)type, (uintptr_t)from), (uintptr_t)to);
	const void *key = (const void *)(uintptr_t)(hash | 1);
	struct reshard_cost_entry *first = sr_map_get(&costs->reshards, key), *memo_entry = first;
	while (memo_entry && (memo_entry->type != type || memo_entry->sharding_before != from || memo_entry->sharding_after != to))
		memo_entry = memo_entry->next;
	if (!memo_entry) {
		memo_entry = SR_NEW(costs->ctx->arena, struct reshard_cost_entry);
		*memo_entry = (struct reshard_cost_entry){type, from, to, cost_reshard(costs, type, mesh, from, to), first};
		sr_map_put(&costs->reshards, key, memo_entry);
	}
	return memo_entry->cost;
}

static double reshard_bytes(struct axes_search *s, const struct sr_type *type, const struct sr_attr *from, const struct sr_attr *to)
{
	struct sr_reshard_cost cost = sr_cost_model_reshard(s->costs, s->v->mesh, type, from, to);
	return cost.steps.bytes + s->latency * cost.steps.rounds;
}

double sr_cost_model_local_bytes(const struct sr_type *type, const struct sr_sdy_sharding *sharding, const struct sr_mesh *mesh)
{
	double bytes = element_bytes(type);
	for (int d = 0; d < type->rank && d < sharding->rank; d++)
		bytes *= (double)sr_ceil_div(type->shape[d], sr_sdy_dim_shards(sharding, mesh, d));
	return bytes;
}

/* Return true if the change of shards keeps the padded extents, so that every device's new shard is a part of its present one. */
static bool keeps_padding(const struct sr_op_view *v, const struct sr_type *type, const struct sr_sdy_sharding *source,
			  const struct sr_sdy_sharding *target)
{
	for (int d = 0; d < type->rank; d++) {
		int64_t a = sr_sdy_dim_shards(source, v->mesh.mesh, d), b = sr_sdy_dim_shards(target, v->mesh.mesh, d);
		if (a != b && sr_ceil_div(type->shape[d], a) * a != sr_ceil_div(type->shape[d], b) * b)
			return false;
	}
	return true;
}

/* Return true if the reduced value is then sliced along the reduced axes, so that one reduce_scatter both reduces and slices. */
static bool is_reduce_scatter(struct axes_search *s, int tensor, const struct sr_attr *source, const struct sr_axes reduced_axes)
{
	struct sr_arena *arena = s->v->ctx->scratch;
	const struct sr_attr *target = s->v->shardings[tensor];
	const struct sr_type *type = sr_op_view_value(s->v, tensor)->type;
	if (!target || reshard_bytes(s, type, source, target) > 0 || !keeps_padding(s->v, type, source->sharding, target->sharding))
		return false;
	struct sr_axes used_axes = sr_sharding_used_axes(arena, sr_sharding_resolve(arena, s->v->mesh.mesh,
										    target->sharding)), difference = {0};
	return sr_axes_difference(arena, reduced_axes, used_axes, &difference) && difference.n == 0;
}

static double reduction_bytes(struct axes_search *s, int tensor, const struct sr_attr *source, struct sr_axes reduced_axes)
{
	bool is_scatter = is_reduce_scatter(s, tensor, source, reduced_axes);
	double r = sr_cost_model_local_bytes(sr_op_view_value(s->v, tensor)->type, source->sharding, s->v->mesh.mesh);
	return cost_of_collective(s->costs, s->v->mesh.mesh, is_scatter ? SR_REDUCE_SCATTER : SR_ALL_REDUCE,
				   is_scatter ? r / (double)sr_axes_size(reduced_axes) : r, reduced_axes, s->latency);
}

/* Return true if an earlier operand is the same value resharded to the same sharding, so that the reshard need not be counted
 * again. */
static bool is_repeated(const struct axes_search *s, int tensor, const struct sr_attr *const *targets)
{
	for (int t = 0; t < tensor && tensor < s->v->rule->n_operands; t++)
		if (sr_op_view_value(s->v, t) == sr_op_view_value(s->v, tensor) && targets[t] == targets[tensor])
			return true;
	return false;
}

/* Return false for tensors of which only a small part is accessed: the operand of a dynamic_slice, operand and result of a
 * dynamic_update_slice. */
static bool is_mostly_accessed(const struct sr_op_view *v, int tensor)
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

/* Return the time of a convolution, in multiply-adds, divided by the product of the sizes of its rule's factors. The rule has no
 * factor for a window that moves over a longer dimension, and each position under a window is first copied for a product. */
static double convolution_work(const struct sr_cost_model *costs, const struct sr_op_view *v)
{
	double features = 1, product = 1;
	const struct sr_attr *numbers = sr_op_attr(v->op, SR_NAME_dimension_numbers),
			     *out = numbers ? sr_attr_field(numbers, SR_NAME_kernel_output_feature_dimension) : NULL;
	if (sr_local_kind_of(v->op) != SR_LOCAL_convolution || v->n_tensors != 3)
		return 1;
	double outputs = (double)v->sizes[2], kernel = (double)v->sizes[1];
	if (out && out->i < sr_operand(v->op, 1)->type->rank)
		features = (double)sr_operand(v->op, 1)->type->shape[out->i];
	for (int f = 0; f < v->rule->n_factors; f++)
		product *= (double)v->rule->sizes[f];
	double window = kernel / features, packed_elements = outputs / features * window;
	double copy_operations = packed_elements * costs->machine.product_flops_per_s[SR_PRODUCT_F32] /
				 (2 * costs->machine.packed_elements_per_s);
	return fmax(1, (outputs * window + copy_operations) / product);
}

/* Return the time of a sort per element of an operand, in multiply-adds; 1 for other ops. */
static double sort_work(const struct sr_cost_model *costs, const struct sr_op_view *v)
{
	const struct sr_type *type = v->op->n_operands ? sr_operand(v->op, 0)->type : NULL;
	int64_t elements, dim = sr_op_int(v->op, SR_NAME_dimension, -1);
	if (sr_local_kind_of(v->op) != SR_LOCAL_sort || !sr_type_elements(type, &elements) || !elements)
		return 1;
	struct sr_sort_work work = {.length = type->shape[dim < 0 ? dim + type->rank : dim]};
	work.rows = elements / work.length;
	for (int i = 0; i < v->op->n_operands; i++)
		work.row_bytes += (int64_t)element_bytes(sr_operand(v->op, i)->type);
	double multiply_add_s = costs->bytes_per_operation / costs->bytes_per_s;
	return fmax(1, sr_cost_of_sort(&costs->machine, &work).seconds / (double)elements / multiply_add_s);
}

/* Return the time of an FFT per element of its operand, in multiply-adds; 1 for other ops. */
static double fft_work(const struct sr_cost_model *costs, const struct sr_op_view *v)
{
	const int64_t *lengths;
	int64_t n, elements;
	double operations = 0;
	if (!sr_op_ints(v->ctx, v->op, SR_NAME_fft_length, &lengths, &n) || !n ||
	    !sr_type_elements(sr_operand_type(v->op, 0), &elements) || !elements)
		return 1;
	for (int64_t i = 0; i < n; i++)
		operations += sr_cost_fft_operations(lengths[i]) * element_bytes(sr_operand_type(v->op, 0)) / 8;
	struct sr_elementwise_work work = {.elements = {[SR_WORK_CHEAP] = operations * (double)elements}};
	double multiply_add_s = costs->bytes_per_operation / costs->bytes_per_s;
	return fmax(1, sr_cost_of_elementwise(&costs->machine, &work).seconds / (double)elements / multiply_add_s);
}

double sr_cost_model_operations(const struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_axes *axes)
{
	bool product = sr_op_is_contraction(v->op);
	double max_operations = 0;
	for (int t = 0; t < (product ? 1 : v->n_tensors); t++) {
		double operations = 1;
		if (!is_mostly_accessed(v, t))
			continue;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (product || v->p.tensors[t].factors[f].is_present)
				operations *= (double)sr_ceil_div(v->rule->sizes[f], sr_axes_size(axes[f]));
		max_operations = operations > max_operations ? operations : max_operations;
	}
	return max_operations * convolution_work(costs, v) * sort_work(costs, v) * fft_work(costs, v);
}

double sr_cost_model_operations_or_traffic(const struct sr_cost_model *costs, const struct sr_op_view *v,
					   const struct sr_axes *axes)
{
	double operations = sr_cost_model_operations(costs, v, axes), operations_per_element = 0;
	if (sr_op_is_contraction(v->op))
		return operations;
	for (int t = v->rule->n_operands; t < v->n_tensors; t++)
		operations_per_element = fmax(operations_per_element,
					      costs->operations_per_byte * element_bytes(sr_op_view_value(v, t)->type));
	return fmax(operations_per_element, 1) * operations;
}

/* Return the cost of the op's form for these layouts, HUGE_VAL if no form can compute the op. A round counts as at least one byte,
 * so that of several permutes and one gather that send equally many bytes the gather is chosen. */
static double form_bytes(struct axes_search *s, const struct sr_attr *const *layouts)
{
	const struct sr_op_view *v = s->v;
	struct sr_form_query q = {.ctx = v->ctx, .arena = v->ctx->scratch, .module = v->module, .op = v->op, .mesh = v->mesh,
				  .costs = s->costs, .layouts = layouts, .max_listed = SR_FORM_MAX_LISTED};
	struct sr_wire_cost cost = {0};
	bool impossible;
	sr_form_cheapest(&q, &cost, &impossible);
	return impossible ? HUGE_VAL : cost.bytes + fmax(s->latency, 1) * cost.rounds;
}

/* Return the reduction axes along which tensor t must be reduced: those along which it is not unreduced. */
static struct sr_axes axes_without_unreduced(const struct sr_op_view *v, int t, struct sr_axes reduced_axes)
{
	const struct sr_attr *s = v->shardings[t];
	struct sr_axes remaining_axes;
	if (!s || !s->sharding->unreduced.n)
		return reduced_axes;
	struct sr_axes unreduced_axes = sr_axes_resolve(v->ctx->scratch, v->mesh.mesh, s->sharding->unreduced);
	return sr_axes_difference(v->ctx->scratch, reduced_axes, unreduced_axes, &remaining_axes) ? remaining_axes : reduced_axes;
}

static struct cost cost_of(struct axes_search *s, const struct sr_axes *axes)
{
	const struct sr_sharding_rule *rule = s->v->rule;
	const struct sr_attr *targets[64] = {NULL};
	bool is_changed[64] = {false};
	struct sr_axes reduced_axes = {0};
	struct cost cost = {0, 0};
	for (int f = 0; f < rule->n_factors; f++) {
		sr_op_view_set_factor(&s->trial_view, f, axes[f], is_changed);
		if (sr_index_list_has(rule->reduction, f))
			reduced_axes = sr_axes_concat(s->v->ctx->scratch, reduced_axes, axes[f]);
	}
	for (int t = 0; t < s->v->n_tensors; t++) {
		const struct sr_type *type = sr_op_view_value(s->v, t)->type;
		bool is_result = t >= rule->n_operands;
		if (type->kind != SR_TYPE_TENSOR)
			continue;
		targets[t] = sr_op_view_sharding(&s->trial_view, t);
		if (is_result)
			cost.wire_bytes += reshard_bytes(s, type, targets[t], s->v->shardings[t]);
		else if (!is_repeated(s, t, targets) && !sr_is_rematerializable(sr_op_view_value(s->v, t)))
			cost.wire_bytes += reshard_bytes(s, type, s->v->shardings[t], targets[t]);
		struct sr_axes axes_to_reduce = is_result ? axes_without_unreduced(s->v, t, reduced_axes) : (struct sr_axes){0};
		if (axes_to_reduce.n)
			cost.wire_bytes += reduction_bytes(s, t, targets[t], axes_to_reduce);
	}
	if (s->limits->needs_form)
		cost.wire_bytes += form_bytes(s, targets);
	cost.score = cost.wire_bytes + sr_cost_model_compute_bytes(s->costs, sr_cost_model_operations(s->costs, s->v, axes));
	return cost;
}

static struct sr_axes *copy_of(const struct axes_search *s, const struct sr_axes *axes)
{
	return sr_dup(s->v->ctx->scratch, axes, (size_t)s->v->rule->n_factors, sizeof *axes);
}

/* Evaluate a candidate. Returns true if it is the best so far. */
static bool try_candidate(struct axes_search *s, struct sr_axes *axes)
{
	sr_shardability_apply(s->v, s->limits, axes);
	struct cost cost = cost_of(s, axes);
	if (cost.wire_bytes > s->max_bytes || cost.score >= s->best_cost.score)
		return false;
	s->best_cost = cost;
	s->best_axes = copy_of(s, axes);
	return true;
}

/* Return the longest prefix of the axes `target` that no factor but this one uses. */
static struct sr_axes unused_prefix(const struct axes_search *s, const struct sr_axes *axes, int factor, struct sr_axes target)
{
	for (int f = 0; f < s->v->rule->n_factors && target.n; f++)
		if (f != factor)
			target = sr_axes_prefix_without_overlaps(s->v->ctx->scratch, target, axes[f]);
	return target;
}

/* Return the axes by factor of the present sharding of tensor `first`, completed by unused axes of the other tensors. */
static struct sr_axes *axes_of_tensor(struct axes_search *s, int first)
{
	const struct sr_op_view *v = s->v;
	struct sr_axes *axes = SR_NEW_ARRAY(v->ctx->scratch, struct sr_axes, v->rule->n_factors);
	for (int i = 0; i < v->n_tensors; i++) {
		const struct sr_factor_sharding *factors = v->p.tensors[(first + i) % v->n_tensors].factors;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (factors[f].is_present && axes[f].n == 0)
				axes[f] = unused_prefix(s, axes, f, factors[f].axes);
	}
	return axes;
}

/* Try other axes for one factor: those that shard it in each tensor, and no axes. If other factors use some of these axes, one
 * candidate leaves the axes to those factors, and another one removes the axes from them. */
static bool improve_factor(struct axes_search *s, int factor)
{
	const struct sr_op_view *v = s->v;
	bool has_improved = false;
	for (int t = -1; t < v->n_tensors; t++) {
		const struct sr_factor_sharding *has = t < 0 ? NULL : &v->p.tensors[t].factors[factor];
		struct sr_axes target = has ? has->axes : (struct sr_axes){0};
		if (has && (!has->is_present || sr_axes_equal(target, s->best_axes[factor])))
			continue;
		struct sr_axes *axes_if_left = copy_of(s, s->best_axes), *axes_if_taken = copy_of(s, s->best_axes);
		axes_if_left[factor] = unused_prefix(s, axes_if_left, factor, target);
		has_improved = try_candidate(s, axes_if_left) || has_improved;
		axes_if_taken[factor] = target;
		for (int f = 0; f < v->rule->n_factors; f++)
			if (f != factor)
				axes_if_taken[f] = sr_axes_prefix_without_overlaps(v->ctx->scratch, axes_if_taken[f], target);
		has_improved = try_candidate(s, axes_if_taken) || has_improved;
	}
	return has_improved;
}

static void improve_axes(struct axes_search *s)
{
	bool has_improved = true;
	for (int round = 0; has_improved && round < 4; round++) {
		has_improved = false;
		for (int f = 0; f < s->v->rule->n_factors; f++)
			if (!s->limits->must_replicate[f])
				has_improved = improve_factor(s, f) || has_improved;
	}
}

static struct axes_search run_search(struct sr_cost_model *costs, const struct sr_op_view *v,
				     const struct sr_shardability *shardability, sr_axes_per_factor first)
{
	struct axes_search s = {
	    .costs = costs, .v = v, .trial_view = *v, .limits = shardability, .best_axes = first, .best_cost.wire_bytes = HUGE_VAL};
	if (v->rule->n_factors > MAX_FACTORS || v->n_tensors > 64)
		return s;
	s.latency = sr_cost_model_loop_latency(costs, v->op);
	s.trial_view.p.tensors = sr_dup(v->ctx->scratch, v->p.tensors, (size_t)v->n_tensors, sizeof *v->p.tensors);
	for (int t = 0; t < v->n_tensors; t++)
		s.trial_view.p.tensors[t].factors =
			sr_dup(v->ctx->scratch, v->p.tensors[t].factors, (size_t)v->rule->n_factors,
			       sizeof *v->p.tensors[t].factors);
	s.best_cost = cost_of(&s, first);
	s.max_bytes = s.best_cost.wire_bytes;
	if (s.max_bytes == 0)
		return s;
	improve_axes(&s);
	for (int t = 0; t < v->n_tensors && t < 8; t++)
		if (try_candidate(&s, axes_of_tensor(&s, t)))
			improve_axes(&s);
	return s;
}

sr_axes_per_factor sr_cheapest_axes(struct sr_cost_model *costs, const struct sr_op_view *v,
				    const struct sr_shardability *shardability, sr_axes_per_factor first)
{
	return run_search(costs, v, shardability, first).best_axes;
}
