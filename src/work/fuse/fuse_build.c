/* Build the fused nest: the ops of both bodies that its results need, with equal operands and equal ops merged. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "support/vec.h"
#include "work/fuse/fuse.h"
#include <string.h>

/* ---- accesses over the new loops ---- */

bool sr_fuse_index_map(struct sr_context *ctx, const struct sr_op *op, int n_loops, struct sr_indexing_map *a)
{
	if (!sr_op_is(op, SR_OP_work_index))
		return false;
	*a = sr_indexing_map_read(ctx, sr_op_attr(op, SR_NAME_indexing_map), 1, n_loops);
	return true;
}

static bool has_same_loops(const struct sr_fusion *f, const struct sr_fuse_side *s)
{
	bool is_same = f->n_loops == s->nest.n_loops;
	for (int l = 0; is_same && l < f->n_loops; l++)
		for (int k = 0; is_same && k <= f->n_loops; k++)
			is_same = s->new_loops[l * (f->n_loops + 1) + k] == (k == l);
	return is_same;
}

/* Express a side's indexing map in the new loops, without terms of loops of extent 1. */
static bool map_over_new_loops(const struct sr_fusion *f, const struct sr_fuse_side *s, const struct sr_indexing_map *a, struct sr_indexing_map *out)
{
	*out = *a;
	if (!s->has_same_loops && !sr_indexing_map_substitute_loops(f->ctx, a, s->new_loops, f->n_loops, 0, out))
		return false;
	sr_indexing_map_drop_unit_loops(f->ctx, out, f->loops, f->parallel);
	return true;
}

static bool prepare_side(struct sr_fusion *f, struct sr_fuse_side *s)
{
	struct sr_context *ctx = f->ctx;
	struct sr_indexing_map a, new_map;
	s->has_same_loops = has_same_loops(f, s);
	s->reads = SR_NEW_ARRAY(ctx->scratch, struct sr_fuse_read, s->nest.n_operands + 1);
	for (int i = 0; i < s->nest.n_operands; i++) {
		s->reads[i] = (struct sr_fuse_read){.value = s->nest.operands[i], .producer_result = -1};
		if (!map_over_new_loops(f, s, &s->nest.accesses[i], &s->reads[i].access))
			return false;
	}
	s->result_indexing_maps = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, s->nest.n_results + 1);
	for (int i = 0; i < s->nest.n_results; i++)
		if (!map_over_new_loops(f, s, &s->nest.result_indexing_maps[i], &s->result_indexing_maps[i]))
			return false;
	for (struct sr_op *op = s->op->regions[0].first->first; op && !s->has_same_loops; op = op->next)
		if (sr_fuse_index_map(ctx, op, s->nest.n_loops, &a) &&
		    !sr_indexing_map_substitute_loops(ctx, &a, s->new_loops, f->n_loops, 0, &new_map))
			return false;
	return true;
}

bool sr_fuse_prepare(struct sr_fusion *f)
{
	for (int k = 0; k < 2; k++)
		if (f->sides[k].op && !prepare_side(f, &f->sides[k]))
			return false;
	return true;
}

/* ---- the body ---- */

struct fusion_builder {
	struct sr_fusion *f;
	struct sr_op *nest;
	struct sr_builder body;
	SR_VEC(struct sr_indexing_map) accesses;
	SR_VEC(struct sr_value *) indices; /* index values that the body computes; it yields them after the results */
	int *number[2];       /* for each operand of a side: 1 + its number in the new nest; 0: not added yet */
	struct sr_value **argument[2]; /* for each operand of a side: its value in the new body; NULL: not known yet */
	struct sr_map copies[2]; /* maps values of a side that is kept to their copies */
	struct sr_op **ops_by_content; /* hash table of the body's ops by content; n_equal slots, a power of two */
	size_t n_equal, n_ops;
};

/* While operands are still being added, the number of index value k of the body is COMPUTED_INDEX + k. */
enum { COMPUTED_INDEX = 1 << 20 };

static int operand_number(struct fusion_builder *m, int side, int i);
static struct sr_value *argument_of(struct fusion_builder *m, int side, int i);
static struct sr_value *value_in_body(struct fusion_builder *m, int side, struct sr_value *v);

/* Return the number in the new nest of a side's index value: an operand, or a value that the new body computes. */
static int64_t index_number(struct fusion_builder *m, int side, int64_t i)
{
	const struct sr_fuse_side *s = &m->f->sides[side];
	bool is_operand = i < s->nest.n_operands;
	if (is_operand && s->reads[i].producer_result < 0)
		return operand_number(m, side, (int)i);
	struct sr_value *v = is_operand ? argument_of(m, side, (int)i) : value_in_body(m, side, sr_work_index_value(s->op, i));
	size_t k = 0;
	if (!v->def)
		return v->index;
	while (k < m->indices.n && m->indices.data[k] != v)
		k++;
	if (k == m->indices.n)
		sr_push(m->f->ctx->scratch, &m->indices, v);
	return COMPUTED_INDEX + (int64_t)k;
}

/* Renumber index and fill of a map for the new nest, adding those operands if needed. */
static struct sr_indexing_map renumber_map(struct fusion_builder *m, int side, struct sr_indexing_map a)
{
	if (a.index || a.fill >= 0)
		a.attr = NULL;
	if (a.index)
		a.index = sr_dup(m->f->ctx->scratch, a.index, (size_t)a.rank, sizeof *a.index);
	for (int d = 0; a.index && d < a.rank; d++)
		if (a.index[d] >= 0)
			a.index[d] = index_number(m, side, a.index[d]);
	if (a.fill >= 0)
		a.fill = operand_number(m, side, (int)a.fill);
	return a;
}

/* Return the number in the new nest of a side's operand; the operand is added unless an equal one exists. */
static int operand_number(struct fusion_builder *m, int side, int i)
{
	struct sr_context *ctx = m->f->ctx;
	const struct sr_fuse_read *operand_read = &m->f->sides[side].reads[i];
	if (m->number[side][i])
		return m->number[side][i] - 1;
	struct sr_indexing_map a = renumber_map(m, side, operand_read->access);
	int n = 0;
	while (n < m->nest->n_operands &&
	       !(sr_operand(m->nest, n) == operand_read->value && sr_indexing_map_equal(&m->accesses.data[n], &a)))
		n++;
	if (n == m->nest->n_operands) {
		sr_op_add_operand(ctx, m->nest, operand_read->value);
		sr_block_add_arg(ctx, m->body.block, sr_element_scalar(ctx, operand_read->value->type), m->body.loc);
		sr_push(ctx->scratch, &m->accesses, a);
	}
	m->number[side][i] = n + 1;
	return n;
}

static uint64_t hash_of(const struct sr_op *op)
{
	uint64_t h = sr_hash_mix(0, (uintptr_t)op->info);
	for (int i = 0; i < op->n_operands; i++)
		h = sr_hash_mix(h, (uintptr_t)sr_operand(op, i));
	for (int i = 0; i < op->n_attrs; i++)
		h = sr_hash_mix(h, (uintptr_t)op->attrs[i].value);
	return h ^ h >> 32;
}

static bool are_equal(const struct sr_op *a, const struct sr_op *b)
{
	bool is_equal = a->info == b->info && a->n_operands == b->n_operands && a->n_attrs == b->n_attrs &&
			sr_result(a, 0)->type == sr_result(b, 0)->type;
	for (int i = 0; is_equal && i < a->n_operands; i++)
		is_equal = sr_operand(a, i) == sr_operand(b, i);
	for (int i = 0; is_equal && i < a->n_attrs; i++)
		is_equal = a->attrs[i].name == b->attrs[i].name && a->attrs[i].value == b->attrs[i].value;
	return is_equal;
}

/* Return the hash slot of an op equal to this one, or the free slot for it. */
static struct sr_op **slot_of(const struct fusion_builder *m, const struct sr_op *op)
{
	size_t at = (size_t)hash_of(op) & (m->n_equal - 1);
	while (m->ops_by_content[at] && !are_equal(m->ops_by_content[at], op))
		at = (at + 1) & (m->n_equal - 1);
	return &m->ops_by_content[at];
}

static void reserve_slot(struct fusion_builder *m)
{
	struct sr_op **old_slots = m->ops_by_content;
	size_t n_old = m->n_equal;
	if (2 * m->n_ops++ < n_old)
		return;
	m->n_equal = n_old ? 2 * n_old : 32;
	m->ops_by_content = SR_NEW_ARRAY(m->f->ctx->scratch, struct sr_op *, (int64_t)m->n_equal);
	for (size_t i = 0; i < n_old; i++)
		if (old_slots[i])
			*slot_of(m, old_slots[i]) = old_slots[i];
}

/* Return the result of the op just appended; if an equal earlier op exists, return its result and erase the new op. work.reduce
 * is not merged. */
static struct sr_value *deduplicate(struct fusion_builder *m, struct sr_op *op)
{
	if (op->n_regions)
		return sr_result(op, 0);
	reserve_slot(m);
	struct sr_op **slot = slot_of(m, op);
	if (*slot) {
		sr_value_replace_all(sr_result(op, 0), sr_result(*slot, 0));
		sr_op_retire(m->f->ctx, op);
	} else {
		*slot = op;
	}
	return sr_result(*slot, 0);
}

static struct sr_value *make_argument(struct fusion_builder *m, int side, int i)
{
	struct sr_context *ctx = m->f->ctx;
	const struct sr_fuse_read *operand_read = &m->f->sides[side].reads[i];
	struct sr_op *def = operand_read->value->def;
	if (operand_read->producer_result >= 0) {
		struct sr_op *end = sr_block_terminator(m->f->sides[SR_FUSE_PRODUCER].op->regions[0].first);
		return value_in_body(m, SR_FUSE_PRODUCER, sr_operand(end, operand_read->producer_result));
	}
	const struct sr_attr *constant = def && sr_op_is(def, SR_OP_stablehlo_constant) && operand_read->access.fill < 0
					     ? sr_op_attr(def, SR_NAME_value)
					     : NULL;
	int64_t bytes;
	if (constant && constant->kind == SR_ATTR_DENSE && constant->dense->splat &&
	    sr_type_bytes(operand_read->value->type, &bytes)) {
		const void *data = sr_dense_data(ctx, constant, false, &bytes);
		const struct sr_attr *scalar = sr_attr_dense(ctx, sr_element_scalar(ctx, operand_read->value->type), data, bytes);
		return deduplicate(m, sr_build_constant(&m->body, scalar)->def);
	}
	int n = operand_number(m, side, i); /* operand_number adds the operand if the new nest does not have it yet */
	return m->body.block->args[n];
}

static struct sr_value *argument_of(struct fusion_builder *m, int side, int i)
{
	if (!m->argument[side][i])
		m->argument[side][i] = make_argument(m, side, i);
	return m->argument[side][i];
}

/* Move the side's op into the new body, or copy it if the side is kept; its indexing map is renumbered. */
static struct sr_op *transfer(struct fusion_builder *m, int side, struct sr_op *op)
{
	struct sr_context *ctx = m->f->ctx;
	const struct sr_fuse_side *s = &m->f->sides[side];
	struct sr_indexing_map a, new_map;
	struct sr_op *new_op = s->is_kept ? sr_op_clone(ctx, op, &m->copies[side]) : op;
	if (!s->has_same_loops && sr_fuse_index_map(ctx, op, s->nest.n_loops, &a) &&
	    sr_indexing_map_substitute_loops(ctx, &a, s->new_loops, m->f->n_loops, 0, &new_map))
		sr_op_set_attr(ctx, new_op, SR_NAME_indexing_map, sr_indexing_map_attr(ctx, &new_map));
	if (!s->is_kept)
		sr_op_unlink(op);
	sr_op_append(m->body.block, new_op);
	return new_op;
}

static struct sr_value *value_in_body(struct fusion_builder *m, int side, struct sr_value *v)
{
	bool is_kept = m->f->sides[side].is_kept;
	struct sr_value *known_copy = is_kept ? sr_map_get(&m->copies[side], v) : NULL;
	if (known_copy || (v->def && v->def->block == m->body.block))
		return known_copy ? known_copy : v;
	if (!v->def)
		return argument_of(m, side, v->index);
	for (int i = 0; i < v->def->n_operands; i++) {
		known_copy = value_in_body(m, side, sr_operand(v->def, i));
		if (is_kept)
			sr_map_put(&m->copies[side], sr_operand(v->def, i), known_copy);
		else if (known_copy != sr_operand(v->def, i))
			sr_op_set_operand(v->def, i, known_copy);
	}
	int n = v->index;
	struct sr_op *new = transfer(m, side, v->def);
	known_copy = new->n_regions ? sr_result(new, n) : deduplicate(m, new);
	if (is_kept)
		sr_map_put(&m->copies[side], v, known_copy);
	return known_copy;
}

/* ---- the op ---- */

static void create_nest(struct fusion_builder *m, struct sr_op *anchor)
{
	struct sr_fusion *f = m->f;
	struct sr_context *ctx = f->ctx;
	struct sr_work_nest nest = {.loops = f->loops, .n_loops = f->n_loops, .parallel = f->parallel, .n_results = f->n_results};
	struct sr_builder b = {.ctx = ctx, .block = anchor->block, .anchor = anchor, .loc = anchor->loc};
	nest.result_types = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, f->n_results + 1);
	nest.result_indexing_maps = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, f->n_results + 1);
	for (int i = 0; i < f->n_results; i++) {
		const struct sr_fuse_side *s = &f->sides[f->results[i]->def == f->sides[1].op];
		nest.result_types[i] = f->results[i]->type;
		nest.result_indexing_maps[i] = s->result_indexing_maps[f->results[i]->index];
	}
	m->nest = sr_work_build(&b, &nest, &m->body);
	for (int k = 0; k < 2; k++) {
		sr_map_init(&m->copies[k], ctx->scratch);
		m->number[k] = SR_NEW_ARRAY(ctx->scratch, int, f->sides[k].nest.n_operands + 1);
		m->argument[k] = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, f->sides[k].nest.n_operands + 1);
	}
}

/* Let the value that the consumer yields as result i be read from the memory of that result. */
static void read_result_from_memory(struct fusion_builder *m, int i)
{
	const struct sr_fuse_side *s = &m->f->sides[SR_FUSE_CONSUMER];
	struct sr_context *ctx = m->f->ctx;
	struct sr_value *v = sr_result(s->op, i);
	struct sr_value *argument = sr_block_add_arg(ctx, m->body.block, sr_element_scalar(ctx, v->type), m->body.loc);
	sr_op_add_operand(ctx, m->nest, v);
	sr_push(ctx->scratch, &m->accesses, s->result_indexing_maps[i]);
	sr_map_put(&m->copies[SR_FUSE_CONSUMER], sr_operand(sr_block_terminator(s->op->regions[0].first), i), argument);
}

struct sr_op *sr_fuse_create(struct sr_fusion *f, struct sr_op *anchor)
{
	struct sr_context *ctx = f->ctx;
	struct fusion_builder m = {.f = f};
	SR_VEC(struct sr_value *) yielded_values = {0};
	create_nest(&m, anchor);
	for (int i = 0; i < f->sides[SR_FUSE_CONSUMER].op->n_results; i++)
		if (f->is_read[i])
			read_result_from_memory(&m, i);
	for (int i = 0; i < f->n_results; i++) {
		int side = f->results[i]->def == f->sides[1].op;
		struct sr_op *end = sr_block_terminator(f->sides[side].op->regions[0].first);
		sr_push(ctx->scratch, &yielded_values, value_in_body(&m, side, sr_operand(end, f->results[i]->index)));
	}
	for (size_t k = 0; k < m.indices.n; k++)
		sr_push(ctx->scratch, &yielded_values, m.indices.data[k]);
	sr_work_yield(&m.body, yielded_values.data, (int)yielded_values.n);
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, m.accesses.n + 1);
	for (size_t i = 0; i < m.accesses.n; i++) {
		const struct sr_indexing_map *a = &m.accesses.data[i];
		for (int d = 0; a->index && d < a->rank; d++)
			if (a->index[d] >= COMPUTED_INDEX)
				a->index[d] += m.nest->n_operands - COMPUTED_INDEX;
		list[i] = sr_indexing_map_attr(ctx, a);
	}
	sr_op_set_attr(ctx, m.nest, SR_NAME_indexing_maps, sr_attr_array(ctx, list, (int)m.accesses.n));
	return m.nest;
}

/* Return true if the value has other users than the operands of the consumer that the new body computes. */
static bool has_other_users(const struct sr_fusion *f, const struct sr_value *v)
{
	const struct sr_fuse_side *c = &f->sides[SR_FUSE_CONSUMER];
	for (int i = 0; i < f->n_results; i++)
		if (f->results[i] == v)
			return false;
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner != c->op || c->reads[sr_use_index(use)].producer_result < 0)
			return true;
	return false;
}

struct sr_op *sr_fuse_build(struct sr_fusion *f, struct sr_op *anchor)
{
	struct sr_fuse_side *p = &f->sides[SR_FUSE_PRODUCER];
	for (int i = 0; p->op && i < p->op->n_results; i++)
		p->is_kept = p->is_kept || has_other_users(f, sr_result(p->op, i));
	struct sr_op *nest = sr_fuse_create(f, anchor);
	for (int i = 0; i < f->n_results; i++)
		sr_value_replace_all(f->results[i], sr_result(nest, i));
	return nest;
}

void sr_fuse_sweep(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_value *operands[SR_NEST_MAX_BUFFERS];
	int n = op->n_operands;
	bool is_erasable = op->block &&
		     (sr_op_is(op, SR_OP_work_nest) || sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_constant) ||
		      sr_op_is(op, SR_OP_stablehlo_concatenate));
	for (int i = 0; i < op->n_results; i++)
		is_erasable = is_erasable && !sr_result(op, i)->uses;
	if (!is_erasable || n > SR_NEST_MAX_BUFFERS)
		return;
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	sr_op_retire(ctx, op);
	for (int i = 0; i < n; i++)
		if (operands[i]->def)
			sr_fuse_sweep(ctx, operands[i]->def);
}
