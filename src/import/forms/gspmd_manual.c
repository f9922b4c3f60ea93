/* Convert GSPMD's manual regions to sdy.manual_computation. Custom call @SPMDFullToShardShape (entry) makes a device's shard of a
 * global value, @SPMDShardToFullShape (exit) makes a global value of shards; everything computed from entries to exits is local:
 *
 *	%1 = custom_call @Sharding(%0) {mhlo.sharding = "{devices=[4,2]<=[8]}"}
 *	%2 = custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"}
 *	%3 = call @body(%2)
 *	%4 = custom_call @Sharding(%3) {mhlo.sharding = "{manual}"}
 *	%5 = custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[4,2]<=[8]}"}
 *
 * becomes
 *
 *	%5 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[...] manual_axes=... (%2) {
 *		%3 = func.call @body(%2)
 *		sdy.return %3
 *	}
 *
 * One manual computation is a connected component of a block's ops, connected by local values (union-find). Constants that it
 * uses are cloned into it, other outside values become replicated operands. Its manual axes are those of the manual subgroup,
 * minus axes that were manual outside. Entries and exits that cannot form one region are an error. */
#include "import/forms/gspmd.h"
#include "dialect/attr_names.h"
#include <inttypes.h>

typedef SR_VEC(struct sr_op *) op_vec;
typedef SR_VEC(struct sr_value *) value_vec;
typedef SR_VEC(const struct sr_attr *) attr_vec;

/* Union-find over the ops of a block: each op maps to another op of its component, the representative to itself. */
struct components {
	struct sr_gspmd *g;
	struct sr_block *block;
	struct sr_map parent; /* union-find: maps an op to an op closer to the representative */
	struct sr_op *user;    /* op whose component is being joined with those of its operands' definitions */
};

static bool is_entry(const struct sr_op *op)
{
	return sr_is_custom_call_to(op, "SPMDFullToShardShape") && op->n_operands == 1 && op->n_results == 1;
}

static bool is_exit(const struct sr_op *op)
{
	return sr_is_custom_call_to(op, "SPMDShardToFullShape") && op->n_operands == 1 && op->n_results == 1;
}

/* ---------------------------------------------------------------- connected components */

static struct sr_op *representative(struct components *s, struct sr_op *op)
{
	struct sr_op *parent = sr_map_get(&s->parent, op);
	while (parent && parent != op) {
		op = parent;
		parent = sr_map_get(&s->parent, op);
	}
	return parent;
}

static void union_ops(struct components *s, struct sr_op *op, struct sr_op *joined_op)
{
	struct sr_op *a = representative(s, op), *b = representative(s, joined_op);
	if (!a)
		sr_map_put(&s->parent, op, op);
	sr_map_put(&s->parent, b ? b : joined_op, a ? a : op);
}

/* Join s->user with the ops that define the local operands of op, which is s->user or nested in it. */
static bool union_with_sources(void *data, struct sr_op *op)
{
	struct components *s = data;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_op *def = sr_operand(op, i)->def;
		if (def && def->block == s->block && !is_exit(def) && representative(s, def))
			union_ops(s, s->user, def);
	}
	return true;
}

static void find_connected_ops(struct components *s)
{
	for (struct sr_op *op = s->block->first; op; op = op->next) {
		s->user = op;
		if (is_entry(op) || is_exit(op))
			union_ops(s, op, op);
		if (!is_entry(op))
			sr_walk(op, union_with_sources, s);
	}
}

/* ---------------------------------------------------------------- building one manual computation */

struct manual {
	struct sr_gspmd *g;
	op_vec entries, exits, inner_ops; /* the ops of the component, in the order of the block */
	struct sr_op *first, *last;
	struct sr_block *block; /* block that contains the component's ops */
	struct sr_gspmd_mesh *mesh;
	struct sr_axes axes;
	struct sr_op *insertion_point; /* the manual computation is inserted before this op; NULL: at the end of the block */
	struct sr_op *op;
	struct sr_block *body;
	value_vec operands;
	attr_vec in_shardings;
	struct sr_map body_values; /* maps a value outside of the computation to the value in its body */
};

static enum sr_status report_unsupported(struct manual *m, struct sr_op *op, const char *reason)
{
	return sr_op_error(op, &m->g->ctx->diags, SR_UNSUPPORTED, "cannot be part of a manual computation: %s", reason);
}

/* Return the @Sharding call that defines operand 0 of an entry or exit; NULL if another op defines it. */
static struct sr_op *annotation_call(const struct sr_op *op)
{
	struct sr_op *def = sr_operand(op, 0)->def;
	return def && sr_is_custom_call_to(def, "Sharding") && def->n_operands == 1 ? def : NULL;
}

static const struct sr_tiling *read_tiling(struct manual *m, const struct sr_op *op)
{
	return op ? sr_gspmd_tile(m->g, sr_op_attr(op, SR_MHLO_SHARDING)) : NULL;
}

/* Return the sharding of the global value that enters or leaves, including manual axes; NULL if there is none. */
static const struct sr_tiling *global_tiling(struct manual *m, const struct sr_op *op)
{
	if (!is_entry(op))
		return read_tiling(m, op);
	struct sr_value *v = sr_operand(op, 0);
	struct sr_op *func = v->def ? NULL : v->block->region->op;
	if (v->def)
		return read_tiling(m, v->def);
	bool is_argument = func && sr_op_is(func, SR_OP_func_func);
	return is_argument ? sr_gspmd_tile(m->g, sr_func_arg_attr(func, v->index, SR_MHLO_SHARDING)) : NULL;
}

static const struct sr_tiling *local_tiling(struct manual *m, const struct sr_op *op)
{
	return read_tiling(m, is_entry(op) ? op : annotation_call(op));
}

/* Find one mesh for all shardings of the computation, and its manual axes. */
static void find_axes(struct manual *m)
{
	SR_VEC(const struct sr_tiling *) tilings = {0};
	struct sr_axes boundary_axes[2] = {{0}};
	const op_vec *const boundaries[] = {&m->entries, &m->exits};
	for (int e = 0; e < 2; e++)
		for (size_t i = 0; i < boundaries[e]->n; i++) {
			sr_push(m->g->ctx->arena, &tilings, global_tiling(m, boundaries[e]->data[i]));
			sr_push(m->g->ctx->arena, &tilings, local_tiling(m, boundaries[e]->data[i]));
		}
	m->mesh = sr_gspmd_find_mesh(m->g, tilings.data, (int)tilings.n);
	if (!m->mesh) {
		m->g->status = report_unsupported(m, m->first, "no mesh expresses all its shardings");
		return;
	}
	for (size_t i = 0; i < tilings.n; i++) {
		struct sr_axes axes = {0};
		if (tilings.data[i])
			axes = sr_gspmd_subgroup(m->g, m->mesh, tilings.data[i], SR_TILING_MANUAL);
		if (axes.n > 0)
			boundary_axes[i % 2] = axes;
	}
	if (!sr_axes_difference(m->g->ctx->arena, boundary_axes[1], boundary_axes[0], &m->axes) || m->axes.n == 0)
		m->g->status = report_unsupported(m, m->first, "its calls specify no manual axes");
	for (int i = 0; i < m->axes.n && !m->g->status; i++)
		if (m->axes.refs[i].size != sr_mesh_axis_size(m->mesh->mesh, m->axes.refs[i].axis))
			m->g->status = report_unsupported(m, m->first, "only a sub-axis is manual");
}

/* Set the insertion point: before the first op that uses the result of an exit, else after the last op of the component. */
static void find_insertion_point(struct manual *m)
{
	m->insertion_point = m->last->next;
	for (size_t i = 0; i < m->exits.n; i++)
		for (struct sr_use *use = sr_result(m->exits.data[i], 0)->uses; use; use = use->next) {
			struct sr_op *user = sr_op_ancestor_in(m->block, use->owner);
			if (user && (!m->insertion_point || sr_op_is_before(user, m->insertion_point)))
				m->insertion_point = user;
		}
}

/* Return true if the manual axes come first in each dimension and the local extents match the sharding. */
static bool matches_sharding(const struct manual *m, const struct sr_sdy_sharding *s, const struct sr_type *global_type,
			     const struct sr_type *local_type)
{
	if (global_type->kind != SR_TYPE_TENSOR || local_type->kind != SR_TYPE_TENSOR || global_type->rank != local_type->rank)
		return false;
	for (int d = 0; d < s->rank; d++) {
		int64_t shards = 1, extent;
		bool has_free_axis = false;
		for (int i = 0; i < s->dims[d].axes.n; i++) {
			struct sr_axis_ref ref = sr_axis_resolve(m->mesh->mesh, s->dims[d].axes.refs[i]);
			bool manual = sr_axes_has(m->axes, ref);
			if (manual && has_free_axis)
				return false;
			has_free_axis = has_free_axis || !manual;
			shards *= manual ? ref.size : 1;
		}
		if (__builtin_mul_overflow(local_type->shape[d], shards, &extent) || extent != global_type->shape[d])
			return false;
	}
	return true;
}

/* Return the sharding of the global value at an entry or exit. */
static const struct sr_attr *boundary_sharding(struct manual *m, struct sr_op *op)
{
	static const struct sr_tiling replicated_tiling = {.kind = SR_TILING_REPLICATED};
	const struct sr_type *operand_type = sr_operand(op, 0)->type, *result_type = sr_result(op, 0)->type;
	const struct sr_type *global_type = is_entry(op) ? operand_type : result_type,
			     *local_type = is_entry(op) ? result_type : operand_type;
	const struct sr_tiling *t = global_tiling(m, op);
	const struct sr_op *call = is_entry(op) ? annotation_call(op) : op;
	const struct sr_attr *a = sr_gspmd_sharding(m->g, op, m->mesh, t ? t : &replicated_tiling, global_type,
						    call ? sr_gspmd_unspecified_dims(m->g->ctx, call)
							: (struct sr_gspmd_open_dims){0});
	if (!m->g->status && (!a || !matches_sharding(m, a->sharding, global_type, local_type)))
		m->g->status = sr_op_error(op, &m->g->ctx->diags, SR_INVALID,
					   "has a shard of type %s that its sharding does not produce from %s",
					   sr_type_string(m->g->ctx, local_type), sr_type_string(m->g->ctx, global_type));
	return a;
}

/* Add operand v to the computation and return the new block argument. */
static struct sr_value *add_operand(struct manual *m, struct sr_value *v, const struct sr_type *local_type,
				    const struct sr_attr *sharding)
{
	struct sr_op *def = v->def && v->def->block == m->block ? v->def : NULL;
	if (def && m->insertion_point && !sr_op_is_before(def, m->insertion_point))
		m->g->status = report_unsupported(m, def, "its result is used before the position of the manual computation");
	sr_push(m->g->ctx->arena, &m->operands, v);
	sr_push(m->g->ctx->arena, &m->in_shardings, sharding);
	return sr_block_add_arg(m->g->ctx, m->body, local_type, v->def ? v->def->loc : v->loc);
}

static void add_entries(struct manual *m)
{
	for (size_t i = 0; i < m->entries.n && !m->g->status; i++) {
		struct sr_op *entry = m->entries.data[i], *call = annotation_call(entry);
		const struct sr_attr *sharding = boundary_sharding(m, entry);
		if (m->g->status)
			return;
		struct sr_value *global_value = call ? sr_operand(call, 0) : sr_operand(entry, 0);
		struct sr_value *arg = add_operand(m, global_value, sr_result(entry, 0)->type, sharding);
		sr_value_replace_all(sr_result(entry, 0), arg);
		sr_op_erase(entry);
		if (call && !sr_result(call, 0)->uses)
			sr_op_erase(call);
	}
}

/* ---------------------------------------------------------------- the body */

/* Return true if v depends on no arguments: v is a constant, an iota, partition_id, or the result of a pure op on such values. */
static bool can_clone(const struct sr_value *v)
{
	if (!v->def || !sr_op_is_pure(v->def) || v->def->n_regions > 0 || is_entry(v->def) || is_exit(v->def))
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!can_clone(sr_operand(v->def, i)))
			return false;
	return true;
}

static void clone_into_body(struct manual *m, struct sr_op *op, struct sr_op *anchor)
{
	if (sr_map_has(&m->body_values, sr_result(op, 0)))
		return;
	for (int i = 0; i < op->n_operands; i++)
		clone_into_body(m, sr_operand(op, i)->def, anchor);
	struct sr_op *clone = sr_op_clone(m->g->ctx, op, &m->body_values);
	for (int i = 0; i < op->n_results; i++)
		sr_map_put(&m->body_values, sr_result(op, i), sr_result(clone, i));
	sr_op_insert_before(anchor, clone);
}

static struct sr_value *replicated_operand(struct manual *m, struct sr_op *user, struct sr_value *v)
{
	static const struct sr_tiling replicated_tiling = {.kind = SR_TILING_REPLICATED};
	const struct sr_attr *sharding = sr_gspmd_sharding(m->g, user, m->mesh, &replicated_tiling, v->type,
							   (struct sr_gspmd_open_dims){0});
	if (!sharding) {
		m->g->status = report_unsupported(m, user, "it uses a value from outside that is not a tensor");
		return v;
	}
	return add_operand(m, v, v->type, sharding);
}

/* Replace op's operands defined outside by values of the body. */
static bool capture_operands(void *data, struct sr_op *op)
{
	struct manual *m = data;
	for (int i = 0; i < op->n_operands && !m->g->status; i++) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_block *block = sr_value_block(v);
		if (block == m->body || (block && sr_op_is_ancestor(m->op, block->region->op)))
			continue;
		if (!sr_map_has(&m->body_values, v) && can_clone(v))
			clone_into_body(m, v->def, sr_op_ancestor_in(m->body, op));
		else if (!sr_map_has(&m->body_values, v))
			sr_map_put(&m->body_values, v, replicated_operand(m, op, v));
		sr_op_set_operand(op, i, sr_map_get(&m->body_values, v));
	}
	return !m->g->status;
}

/* Move the component's ops into the body and end it with an sdy.return of the exits' operands. */
static void fill_body(struct manual *m)
{
	struct sr_context *ctx = m->g->ctx;
	struct sr_value **values = SR_NEW_ARRAY(ctx->arena, struct sr_value *, m->exits.n);
	for (size_t i = 0; i < m->exits.n; i++)
		values[i] = sr_operand(m->exits.data[i], 0);
	for (size_t i = 0; i < m->inner_ops.n; i++) {
		sr_op_unlink(m->inner_ops.data[i]);
		sr_op_append(m->body, m->inner_ops.data[i]);
	}
	sr_op_append(m->body, sr_build_sdy_return(ctx, m->first->loc, values, (int)m->exits.n));
}

/* Set the computation's operands and attributes, replace the exits' results by its results, and erase the exits. */
static void finish_op(struct manual *m, const struct sr_attr *out_shardings)
{
	struct sr_context *ctx = m->g->ctx;
	struct sr_sdy_axes axes = sr_axes_to_sdy(ctx->arena, m->mesh->mesh, m->axes);
	sr_op_set_operands(ctx, m->op, m->operands.data, (int)m->operands.n);
	sr_op_set_attr(ctx, m->op, SR_NAME_in_shardings, sr_attr_shardings(ctx, m->in_shardings.data, (int)m->in_shardings.n));
	sr_op_set_attr(ctx, m->op, SR_NAME_out_shardings, out_shardings);
	sr_op_set_attr(ctx, m->op, SR_NAME_manual_axes, sr_attr_axes(ctx, axes.refs, axes.n));
	for (size_t i = 0; i < m->exits.n; i++) {
		sr_value_replace_all(sr_result(m->exits.data[i], 0), sr_result(m->op, (int)i));
		sr_op_erase(m->exits.data[i]);
	}
}

static void build_op(struct manual *m)
{
	struct sr_context *ctx = m->g->ctx;
	const struct sr_attr **out_shardings = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, m->exits.n);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, m->exits.n);
	for (size_t i = 0; i < m->exits.n && !m->g->status; i++) {
		out_shardings[i] = boundary_sharding(m, m->exits.data[i]);
		types[i] = sr_result(m->exits.data[i], 0)->type;
	}
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_manual_computation), .loc = m->first->loc, .results = types,
				  .n_results = (int)m->exits.n, .n_regions = 1};
	m->op = sr_op_new(ctx, &spec);
	m->body = sr_block_new(ctx, &m->op->regions[0]);
	sr_map_init(&m->body_values, ctx->arena);
	if (m->insertion_point)
		sr_op_insert_before(m->insertion_point, m->op);
	else
		sr_op_append(m->block, m->op);
	m->insertion_point = m->op;
	add_entries(m);
	if (m->g->status)
		return;
	fill_body(m);
	sr_walk(m->op, capture_operands, m);
	if (!m->g->status)
		finish_op(m, sr_attr_shardings(ctx, out_shardings, (int)m->exits.n));
}

/* ---------------------------------------------------------------- all manual computations of a block */

static void build_computation(struct components *s, struct sr_op *root)
{
	struct manual m = {.g = s->g, .block = s->block};
	struct sr_arena *arena = s->g->ctx->arena;
	for (struct sr_op *op = s->block->first; op; op = op->next) {
		if (representative(s, op) != root)
			continue;
		m.first = m.first ? m.first : op;
		m.last = op;
		sr_push(arena, is_entry(op) ? &m.entries : is_exit(op) ? &m.exits : &m.inner_ops, op);
		if (sr_op_has(op, SR_TERMINATOR))
			s->g->status = report_unsupported(&m, op, "it is the block's terminator");
	}
	if (!s->g->status)
		find_axes(&m);
	if (s->g->status)
		return;
	find_insertion_point(&m);
	build_op(&m);
}

static void process_block(struct sr_gspmd *g, struct sr_block *block)
{
	struct components s = {.g = g, .block = block};
	op_vec roots = {0};
	sr_map_init(&s.parent, g->ctx->arena);
	find_connected_ops(&s);
	for (struct sr_op *op = block->first; op; op = op->next)
		if (sr_map_has(&s.parent, op) && representative(&s, op) == op)
			sr_push(g->ctx->arena, &roots, op);
	for (size_t i = 0; i < roots.n && !g->status; i++)
		build_computation(&s, roots.data[i]);
}

struct blocks {
	struct sr_gspmd *g;
	SR_VEC(struct sr_block *) list; /* the blocks that contain entries or exits, inner blocks before outer ones */
};

static bool find_block(void *data, struct sr_op *op)
{
	struct blocks *b = data;
	bool is_known = false;
	for (size_t i = 0; i < b->list.n; i++)
		is_known = is_known || b->list.data[i] == op->block;
	if (!is_known && (is_entry(op) || is_exit(op)))
		sr_push(b->g->ctx->arena, &b->list, op->block);
	return true;
}

void sr_gspmd_import_manual(struct sr_gspmd *g)
{
	struct blocks blocks = {.g = g};
	sr_walk_post(g->module, find_block, &blocks);
	for (size_t i = 0; i < blocks.list.n && !g->status; i++)
		process_block(g, blocks.list.data[i]);
}
