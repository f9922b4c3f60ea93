/* Manual computations of the older form. A custom call @SPMDFullToShardShape makes one device's part of a value, and
 * @SPMDShardToFullShape puts parts together; all that is computed from the one on the way to the other is local:
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
 * The ops of one manual computation are those of a block that hang together by local values; constants that they need are copied,
 * other values from outside go in replicated. The manual axes are those of the subgroup manual, less those that were manual before.
 * An exchange of local and global values that cannot be one region is refused. */
#include "import/forms/gspmd.h"
#include "dialect/attr_names.h"
#include <inttypes.h>

typedef SR_VEC(struct sr_op *) op_vec;
typedef SR_VEC(struct sr_value *) value_vec;
typedef SR_VEC(const struct sr_attr *) attr_vec;

/* The ops of a block in groups: each points at another of its group, up to one that points at itself. */
struct groups {
	struct sr_gspmd *g;
	struct sr_block *block;
	struct sr_map group; /* op -> op */
	struct sr_op *of;    /* the op whose operands are looked at */
};

static bool enters(const struct sr_op *op)
{
	return sr_is_custom_call_to(op, "SPMDFullToShardShape") && op->n_operands == 1 && op->n_results == 1;
}

static bool leaves(const struct sr_op *op)
{
	return sr_is_custom_call_to(op, "SPMDShardToFullShape") && op->n_operands == 1 && op->n_results == 1;
}

/* ---------------------------------------------------------------- which ops hang together */

static struct sr_op *group_of(struct groups *s, struct sr_op *op)
{
	struct sr_op *up = sr_map_get(&s->group, op);
	while (up && up != op) {
		op = up;
		up = sr_map_get(&s->group, op);
	}
	return up;
}

static void join(struct groups *s, struct sr_op *op, struct sr_op *other)
{
	struct sr_op *a = group_of(s, op), *b = group_of(s, other);
	if (!a)
		sr_map_put(&s->group, op, op);
	sr_map_put(&s->group, b ? b : other, a ? a : op);
}

/* An op inside, or the op itself, uses a local value. */
static bool join_sources(void *data, struct sr_op *op)
{
	struct groups *s = data;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_op *def = sr_operand(op, i)->def;
		if (def && def->block == s->block && !leaves(def) && group_of(s, def))
			join(s, s->of, def);
	}
	return true;
}

static void find_groups(struct groups *s)
{
	for (struct sr_op *op = s->block->first; op; op = op->next) {
		s->of = op;
		if (enters(op) || leaves(op))
			join(s, op, op);
		if (!enters(op))
			sr_walk(op, join_sources, s);
	}
}

/* ---------------------------------------------------------------- one manual computation */

struct manual {
	struct sr_gspmd *g;
	op_vec entries, exits, inner; /* the group, each in order */
	struct sr_op *first, *last;
	struct sr_block *block; /* they are in */
	struct sr_gspmd_mesh *mesh;
	struct sr_axes axes;
	struct sr_op *place; /* the computation comes before it */
	struct sr_op *op;
	struct sr_block *body;
	value_vec operands;
	attr_vec in_shardings;
	struct sr_map inside; /* value from outside -> value inside */
};

static enum sr_status refuse(struct manual *m, struct sr_op *op, const char *why)
{
	return sr_op_error(op, &m->g->ctx->diags, SR_UNSUPPORTED, "cannot be part of a manual computation: %s", why);
}

/* @Sharding in front of an entry or an exit, or NULL. */
static struct sr_op *annotation(const struct sr_op *op)
{
	struct sr_op *def = sr_operand(op, 0)->def;
	return def && sr_is_custom_call_to(def, "Sharding") && def->n_operands == 1 ? def : NULL;
}

static const struct sr_tiling *tile_of(struct manual *m, const struct sr_op *op)
{
	return op ? sr_gspmd_tile(m->g, sr_op_attr(op, SR_MHLO_SHARDING)) : NULL;
}

/* What the values that go in and come out are sharded as; manual axes among them. NULL: nothing is said. */
static const struct sr_tiling *global_tile(struct manual *m, const struct sr_op *op)
{
	if (!enters(op))
		return tile_of(m, op);
	struct sr_value *v = sr_operand(op, 0);
	struct sr_op *func = v->def ? NULL : v->block->region->op;
	if (v->def)
		return tile_of(m, v->def);
	bool argument = func && sr_op_is(func, SR_OP_func_func);
	return argument ? sr_gspmd_tile(m->g, sr_func_arg_attr(func, v->index, SR_MHLO_SHARDING)) : NULL;
}

static const struct sr_tiling *local_tile(struct manual *m, const struct sr_op *op)
{
	return tile_of(m, enters(op) ? op : annotation(op));
}

/* The mesh for all shardings of the computation, and its manual axes. */
static void find_axes(struct manual *m)
{
	SR_VEC(const struct sr_tiling *) tiles = {0};
	struct sr_axes found[2] = {{0}};
	const op_vec *const ends[] = {&m->entries, &m->exits};
	for (int e = 0; e < 2; e++)
		for (size_t i = 0; i < ends[e]->n; i++) {
			sr_push(m->g->ctx->arena, &tiles, global_tile(m, ends[e]->data[i]));
			sr_push(m->g->ctx->arena, &tiles, local_tile(m, ends[e]->data[i]));
		}
	m->mesh = sr_gspmd_find_mesh(m->g, tiles.data, (int)tiles.n);
	if (!m->mesh) {
		m->g->status = refuse(m, m->first, "no mesh expresses all its shardings");
		return;
	}
	for (size_t i = 0; i < tiles.n; i++) {
		struct sr_axes axes = {0};
		if (tiles.data[i])
			axes = sr_gspmd_subgroup(m->g, m->mesh, tiles.data[i], SR_TILING_MANUAL);
		if (axes.n > 0)
			found[i % 2] = axes;
	}
	if (!sr_axes_difference(m->g->ctx->arena, found[1], found[0], &m->axes) || m->axes.n == 0)
		m->g->status = refuse(m, m->first, "its calls name no manual axes");
	for (int i = 0; i < m->axes.n && !m->g->status; i++)
		if (m->axes.refs[i].size != sr_mesh_axis_size(m->mesh->mesh, m->axes.refs[i].axis))
			m->g->status = refuse(m, m->first, "a part of an axis is manual");
}

/* The earliest op behind the group that uses what leaves it, or the op behind the last. */
static void find_place(struct manual *m)
{
	m->place = m->last->next;
	for (size_t i = 0; i < m->exits.n; i++)
		for (struct sr_use *use = sr_result(m->exits.data[i], 0)->uses; use; use = use->next) {
			struct sr_op *user = sr_op_ancestor_in(m->block, use->owner);
			if (user && (!m->place || sr_op_is_before(user, m->place)))
				m->place = user;
		}
}

/* The manual axes first in each dimension, and the local extents as they say. */
static bool fits(const struct manual *m, const struct sr_sdy_sharding *s, const struct sr_type *global,
		 const struct sr_type *local)
{
	if (global->kind != SR_TYPE_TENSOR || local->kind != SR_TYPE_TENSOR || global->rank != local->rank)
		return false;
	for (int d = 0; d < s->rank; d++) {
		int64_t shards = 1, extent;
		bool free = false;
		for (int i = 0; i < s->dims[d].axes.n; i++) {
			struct sr_axis_ref ref = sr_axis_resolve(m->mesh->mesh, s->dims[d].axes.refs[i]);
			bool manual = sr_axes_has(m->axes, ref);
			if (manual && free)
				return false;
			free = free || !manual;
			shards *= manual ? ref.size : 1;
		}
		if (__builtin_mul_overflow(local->shape[d], shards, &extent) || extent != global->shape[d])
			return false;
	}
	return true;
}

/* The sharding of a value that goes in or comes out, of its global type. */
static const struct sr_attr *border(struct manual *m, struct sr_op *op)
{
	static const struct sr_tiling replicated = {.kind = SR_TILING_REPLICATED};
	const struct sr_type *from = sr_operand(op, 0)->type, *to = sr_result(op, 0)->type;
	const struct sr_type *global = enters(op) ? from : to, *local = enters(op) ? to : from;
	const struct sr_tiling *t = global_tile(m, op);
	const struct sr_op *said = enters(op) ? annotation(op) : op;
	const struct sr_attr *a = sr_gspmd_sharding(m->g, op, m->mesh, t ? t : &replicated, global,
						    said ? sr_gspmd_unspecified_dims(m->g->ctx, said) : (struct sr_gspmd_open_dims){0});
	if (!m->g->status && (!a || !fits(m, a->sharding, global, local)))
		m->g->status = sr_op_error(op, &m->g->ctx->diags, SR_INVALID,
					   "takes or gives a part %s that its sharding does not make of %s",
					   sr_type_string(m->g->ctx, local), sr_type_string(m->g->ctx, global));
	return a;
}

/* A value of the outside that comes in as an operand of the computation. */
static struct sr_value *bring_in(struct manual *m, struct sr_value *v, const struct sr_type *local, const struct sr_attr *sharding)
{
	struct sr_op *def = v->def && v->def->block == m->block ? v->def : NULL;
	if (def && m->place && !sr_op_is_before(def, m->place))
		m->g->status = refuse(m, def, "what it gives is needed before its place");
	sr_push(m->g->ctx->arena, &m->operands, v);
	sr_push(m->g->ctx->arena, &m->in_shardings, sharding);
	return sr_block_add_arg(m->g->ctx, m->body, local, v->def ? v->def->loc : v->loc);
}

static void bring_entries(struct manual *m)
{
	for (size_t i = 0; i < m->entries.n && !m->g->status; i++) {
		struct sr_op *entry = m->entries.data[i], *said = annotation(entry);
		const struct sr_attr *sharding = border(m, entry);
		if (m->g->status)
			return;
		struct sr_value *from = said ? sr_operand(said, 0) : sr_operand(entry, 0);
		struct sr_value *arg = bring_in(m, from, sr_result(entry, 0)->type, sharding);
		sr_value_replace_all(sr_result(entry, 0), arg);
		sr_op_erase(entry);
		if (said && !sr_result(said, 0)->uses)
			sr_op_erase(said);
	}
}

/* ---------------------------------------------------------------- the body */

/* Made of nothing: constants, iotas, what follows from them, the number of the device. */
static bool can_copy(const struct sr_value *v)
{
	if (!v->def || !sr_op_is_pure(v->def) || v->def->n_regions > 0 || enters(v->def) || leaves(v->def))
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!can_copy(sr_operand(v->def, i)))
			return false;
	return true;
}

static void copy_in(struct manual *m, struct sr_op *op, struct sr_op *anchor)
{
	if (sr_map_has(&m->inside, sr_result(op, 0)))
		return;
	for (int i = 0; i < op->n_operands; i++)
		copy_in(m, sr_operand(op, i)->def, anchor);
	struct sr_op *copy = sr_op_clone(m->g->ctx, op, &m->inside);
	for (int i = 0; i < op->n_results; i++)
		sr_map_put(&m->inside, sr_result(op, i), sr_result(copy, i));
	sr_op_insert_before(anchor, copy);
}

static struct sr_value *replicated_operand(struct manual *m, struct sr_op *user, struct sr_value *v)
{
	static const struct sr_tiling replicated = {.kind = SR_TILING_REPLICATED};
	const struct sr_attr *sharding = sr_gspmd_sharding(m->g, user, m->mesh, &replicated, v->type, (struct sr_gspmd_open_dims){0});
	if (!sharding) {
		m->g->status = refuse(m, user, "it uses a value from outside that is no tensor");
		return v;
	}
	return bring_in(m, v, v->type, sharding);
}

/* Operands from outside to values inside. */
static bool close_over(void *data, struct sr_op *op)
{
	struct manual *m = data;
	for (int i = 0; i < op->n_operands && !m->g->status; i++) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_block *block = sr_value_block(v);
		if (block == m->body || (block && sr_op_is_ancestor(m->op, block->region->op)))
			continue;
		if (!sr_map_has(&m->inside, v) && can_copy(v))
			copy_in(m, v->def, sr_op_ancestor_in(m->body, op));
		else if (!sr_map_has(&m->inside, v))
			sr_map_put(&m->inside, v, replicated_operand(m, op, v));
		sr_op_set_operand(op, i, sr_map_get(&m->inside, v));
	}
	return !m->g->status;
}

/* The ops of the group between entries and exits; what stood before the exits is returned. */
static void fill_body(struct manual *m)
{
	struct sr_context *ctx = m->g->ctx;
	struct sr_value **values = SR_NEWS(ctx->arena, struct sr_value *, m->exits.n);
	for (size_t i = 0; i < m->exits.n; i++)
		values[i] = sr_operand(m->exits.data[i], 0);
	for (size_t i = 0; i < m->inner.n; i++) {
		sr_op_unlink(m->inner.data[i]);
		sr_op_append(m->body, m->inner.data[i]);
	}
	sr_op_append(m->body, sr_build_sdy_return(ctx, m->first->loc, values, (int)m->exits.n));
}

/* The computation with the operands that turned up, in the place of the one without. */
static void finish(struct manual *m, const struct sr_attr *out_shardings)
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

static void build(struct manual *m)
{
	struct sr_context *ctx = m->g->ctx;
	const struct sr_attr **out = SR_NEWS(ctx->arena, const struct sr_attr *, m->exits.n);
	const struct sr_type **types = SR_NEWS(ctx->arena, const struct sr_type *, m->exits.n);
	for (size_t i = 0; i < m->exits.n && !m->g->status; i++) {
		out[i] = border(m, m->exits.data[i]);
		types[i] = sr_result(m->exits.data[i], 0)->type;
	}
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_manual_computation), .loc = m->first->loc, .results = types,
				  .n_results = (int)m->exits.n, .n_regions = 1};
	m->op = sr_op_new(ctx, &spec);
	m->body = sr_block_new(ctx, &m->op->regions[0]);
	sr_map_init(&m->inside, ctx->arena);
	if (m->place)
		sr_op_insert_before(m->place, m->op);
	else
		sr_op_append(m->block, m->op);
	m->place = m->op;
	bring_entries(m);
	if (m->g->status)
		return;
	fill_body(m);
	sr_walk(m->op, close_over, m);
	if (!m->g->status)
		finish(m, sr_attr_shardings(ctx, out, (int)m->exits.n));
}

/* ---------------------------------------------------------------- all of a block */

static void computation(struct groups *s, struct sr_op *root)
{
	struct manual m = {.g = s->g, .block = s->block};
	struct sr_arena *arena = s->g->ctx->arena;
	for (struct sr_op *op = s->block->first; op; op = op->next) {
		if (group_of(s, op) != root)
			continue;
		m.first = m.first ? m.first : op;
		m.last = op;
		sr_push(arena, enters(op) ? &m.entries : leaves(op) ? &m.exits : &m.inner, op);
		if (sr_op_has(op, SR_TERMINATOR))
			s->g->status = refuse(&m, op, "it ends the block");
	}
	if (!s->g->status)
		find_axes(&m);
	if (s->g->status)
		return;
	find_place(&m);
	build(&m);
}

static void block_of(struct sr_gspmd *g, struct sr_block *block)
{
	struct groups s = {.g = g, .block = block};
	op_vec roots = {0};
	sr_map_init(&s.group, g->ctx->arena);
	find_groups(&s);
	for (struct sr_op *op = block->first; op; op = op->next)
		if (sr_map_has(&s.group, op) && group_of(&s, op) == op)
			sr_push(g->ctx->arena, &roots, op);
	for (size_t i = 0; i < roots.n && !g->status; i++)
		computation(&s, roots.data[i]);
}

struct blocks {
	struct sr_gspmd *g;
	SR_VEC(struct sr_block *) at; /* with entries or exits, inner before outer */
};

static bool find_block(void *data, struct sr_op *op)
{
	struct blocks *b = data;
	bool known = false;
	for (size_t i = 0; i < b->at.n; i++)
		known = known || b->at.data[i] == op->block;
	if (!known && (enters(op) || leaves(op)))
		sr_push(b->g->ctx->arena, &b->at, op->block);
	return true;
}

void sr_gspmd_import_manual(struct sr_gspmd *g)
{
	struct blocks blocks = {.g = g};
	sr_walk_post(g->module, find_block, &blocks);
	for (size_t i = 0; i < blocks.at.n && !g->status; i++)
		block_of(g, blocks.at.data[i]);
}
