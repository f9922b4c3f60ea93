/* Why values are moved and reduced: read from the module when partition has chosen, and kept under the locations of its reshards
 * and reductions, which the collectives that they become have too. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "driver/page.h"
#include "propagate/explain.h"
#include "propagate/propagate.h"
#include <string.h>

enum { FARTHEST = 16 }; /* elementwise ops behind a reshard that was put before them for another op's sake */

/* A reshard and what is known of it. Axes of all shardings are as text has them. */
struct move {
	struct sr_page *page;
	struct sr_op *module;
	struct sr_op *op;   /* the reshard */
	struct sr_value *v; /* what is moved, as the program has it */
	const struct sr_attr *from, *to;
	struct sr_op *at;     /* where shardings meet */
	struct sr_value *met; /* whose sharding is another there; NULL: none is known */
	int whole; /* the dimension that the op there takes whole and that is sharded; -1: none */
};

/* Behind what partition put on a value. */
static struct sr_value *origin(struct sr_value *v)
{
	while (v->def && (sr_op_is(v->def, SR_OP_sdy_reshard) || sr_op_is(v->def, SR_OP_sdy_all_reduce)))
		v = sr_operand(v->def, 0);
	return v;
}

/* The sharding after propagation; NULL: none is known. */
static const struct sr_attr *propagated(const struct sr_page *page, struct sr_value *v)
{
	v = origin(v);
	size_t row = sr_page_row_of(page, sr_value_loc(v));
	row += row == SIZE_MAX || !v->def ? 0 : (size_t)v->index;
	return row < page->rows.n ? page->rows.data[row].sharding : NULL;
}

static struct sr_sdy_axes axes_of(const struct sr_attr *sharding, int d)
{
	const struct sr_sdy_sharding *s = sharding ? sharding->sharding : NULL;
	return s && d < s->rank ? s->dims[d].axes : (struct sr_sdy_axes){0};
}

static int rank_of(const struct sr_attr *a, const struct sr_attr *b)
{
	int n = a ? a->sharding->rank : 0, m = b ? b->sharding->rank : 0;
	return n > m ? n : m;
}

static bool same_dims(const struct sr_attr *a, const struct sr_attr *b)
{
	for (int d = 0; d < rank_of(a, b); d++)
		if (!sr_sdy_axes_equal(axes_of(a, d), axes_of(b, d)))
			return false;
	return true;
}

static bool shards(const struct sr_attr *s, const char *axis)
{
	for (int d = 0; d < rank_of(s, s); d++)
		for (int i = 0; i < axes_of(s, d).n; i++)
			if (axes_of(s, d).refs[i].axis == axis)
				return true;
	return false;
}

static struct sr_value *tensor(struct sr_op *op, int t)
{
	return t < op->n_operands ? sr_operand(op, t) : sr_result(op, t - op->n_operands);
}

/* The op's tensors, seen through its rule with these shardings [operands, results], NULL: none; false: it has none. */
static bool project(struct sr_page *page, struct sr_op *module, struct sr_op *op, const struct sr_attr *const *given,
		    struct sr_projection *out)
{
	const struct sr_sharding_rule *rule = sr_op_rule(page->ctx, op, false);
	int n = op->n_operands + op->n_results;
	const struct sr_sharding **shardings = SR_NEWS(page->ctx->arena, const struct sr_sharding *, n);
	const struct sr_mesh *mesh = NULL;
	if (!rule || rule->n_operands != op->n_operands || rule->n_results != op->n_results)
		return false;
	for (int t = 0; t < n; t++) {
		const struct sr_mesh *its = given[t] ? sr_sharding_mesh(module, given[t]->sharding) : NULL;
		if (mesh && its && !sr_mesh_equal(mesh, its))
			return false;
		mesh = its ? its : mesh;
		shardings[t] = its ? sr_sharding_resolve(page->ctx->arena, its, given[t]->sharding) : NULL;
	}
	if (mesh)
		*out = sr_projection_build(page->ctx->arena, rule, mesh, shardings, false);
	return mesh;
}

/* The first axis of b that a does not have; size 0: none. */
static struct sr_axis_ref coming(struct sr_axes a, struct sr_axes b)
{
	for (int i = 0; i < b.n; i++) {
		bool old = false;
		for (int k = 0; k < a.n; k++)
			old = old || sr_axis_overlaps(a.refs[k], b.refs[i]);
		if (!old)
			return b.refs[i];
	}
	return (struct sr_axis_ref){0};
}

/* The tensor besides `own` that has the factor over this axis, or, where its size is 0, over these axes; -1: none. */
static int holder_of(const struct sr_projection *p, int own, int factor, struct sr_axis_ref axis, struct sr_axes axes)
{
	for (int t = 0; t < p->n_tensors; t++) {
		const struct sr_factor_sharding *f = &p->tensors[t].factors[factor];
		bool has = !axis.size && sr_axes_equal(f->axes, axes);
		for (int i = 0; i < f->axes.n && axis.size; i++)
			has = has || sr_axis_overlaps(f->axes.refs[i], axis);
		if (t != own && f->present && has)
			return t;
	}
	return -1;
}

static bool needs_whole(const struct sr_sharding_rule *rule, int factor)
{
	for (int i = 0; i < rule->need_replication.n; i++)
		if (rule->need_replication.at[i] == factor)
			return true;
	return false;
}

/* Who at the op wants operand `own` otherwise: along a factor that changes, the tensor with the axes that come, or else one that
 * has none either. */
static void meet_at(struct move *m, struct sr_op *op, int own)
{
	int n = op->n_operands + op->n_results, found = -1;
	const struct sr_attr **given = SR_NEWS(m->page->ctx->arena, const struct sr_attr *, n);
	struct sr_projection before, behind;
	for (int t = 0; t < n; t++)
		given[t] = propagated(m->page, tensor(op, t));
	given[own] = m->from;
	bool known = project(m->page, m->module, op, given, &before);
	given[own] = m->to;
	if (!known || !project(m->page, m->module, op, given, &behind))
		return;
	for (int come = 1; come >= 0; come--)
		for (int f = 0; f < behind.rule->n_factors; f++) {
			const struct sr_factor_sharding *to = &behind.tensors[own].factors[f];
			struct sr_axes from = before.tensors[own].factors[f].axes;
			struct sr_axis_ref axis = coming(from, to->axes);
			if (!to->present || sr_axes_equal(to->axes, from) || (axis.size > 0) != come)
				continue;
			if (found < 0)
				found = holder_of(&behind, own, f, axis, to->axes);
			if (needs_whole(behind.rule, f) && !to->axes.n)
				m->whole = sr_factor_dim(sr_projection_mapping(&behind, own), f);
		}
	m->met = found < 0 || m->whole >= 0 ? NULL : tensor(op, found);
	m->at = op;
}

static const struct sr_use *first_use(const struct sr_value *v)
{
	const struct sr_use *first = v->uses; /* newest first */
	while (first && first->next)
		first = first->next;
	return first;
}

static int operand_of(struct sr_op *op, const struct sr_value *v)
{
	int i = 0;
	while (i < op->n_operands && sr_operand(op, i) != v)
		i++;
	return i;
}

/* The op at which another sharding stands in the program: the reshard's reader, or one behind elementwise ops. */
static void find_meeting(struct move *m)
{
	struct sr_value *v = sr_result(m->op, 0);
	const struct sr_use *use = first_use(v);
	struct sr_op *reader = use ? use->owner : NULL;
	for (int i = 0; i < FARTHEST && use && !m->met && m->whole < 0; i++) {
		struct sr_op *op = use->owner;
		if (!sr_op_is(op, SR_OP_sdy_reshard))
			meet_at(m, op, operand_of(op, v));
		if (op->n_results != 1 || !(op->info->traits & SR_ELEMENTWISE))
			break;
		v = sr_result(op, 0);
		use = first_use(v);
	}
	if (!m->met && m->whole < 0)
		m->at = reader;
}

static const char *dims_words(struct sr_page *page, const struct sr_attr *sharding)
{
	struct sr_buf text;
	if (!sharding)
		return "whole";
	sr_buf_init(&text, page->ctx->arena);
	sr_buf_putc(&text, '[');
	for (int d = 0; d < sharding->sharding->rank; d++) {
		sr_buf_puts(&text, d ? ", {" : "{");
		sr_put_written_axes(page->ctx, axes_of(sharding, d), &text);
		sr_buf_putc(&text, '}');
	}
	sr_buf_putc(&text, ']');
	return sr_buf_string(&text);
}

/* With the function that it is in, where that is not the entry. */
static void put_value(struct sr_page *page, struct sr_buf *out, struct sr_value *v)
{
	size_t row = sr_page_row_of(page, sr_value_loc(v));
	if (row != SIZE_MAX && page->rows.data[row].function)
		sr_buf_printf(out, "%s ", page->rows.data[row].function);
	sr_page_put_value(out, v);
}

static void put_op(struct sr_page *page, struct sr_buf *out, struct sr_op *op)
{
	sr_buf_puts(out, op->info->name);
	if (!op->n_results)
		return;
	sr_buf_putc(out, ' ');
	put_value(page, out, sr_result(op, 0));
}

/* Where shardings meet: an op, or a result of the function. */
static void put_place(const struct move *m, struct sr_buf *out)
{
	const struct sr_op *func = m->at->block->region->op;
	if (!sr_op_is(m->at, SR_OP_func_return) || !sr_op_is(func, SR_OP_func_func)) {
		sr_buf_puts(out, " at ");
		put_op(m->page, out, m->at);
		return;
	}
	int i = operand_of(m->at, sr_result(m->op, 0));
	const char *name = sr_func_result_name(func, i);
	sr_buf_printf(out, " by result %d of @%s", i, sr_symbol_name(func));
	if (name)
		sr_buf_printf(out, " (%s)", name);
}

static void put_sharded(struct sr_page *page, struct sr_buf *out, struct sr_value *v, const struct sr_attr *sharding)
{
	put_value(page, out, v);
	sr_buf_printf(out, " %s", dims_words(page, sharding));
}

/* "; dimension 0: "x" to "y", dimension 1: "z" to none" */
static void put_change(const struct move *m, struct sr_buf *out)
{
	const char *before = "; ";
	for (int d = 0; d < rank_of(m->from, m->to); d++) {
		struct sr_sdy_axes a = axes_of(m->from, d), b = axes_of(m->to, d);
		if (sr_sdy_axes_equal(a, b))
			continue;
		sr_buf_printf(out, "%sdimension %d: %s", before, d, a.n ? "" : "none");
		sr_put_written_axes(m->page->ctx, a, out);
		sr_buf_printf(out, " to %s", b.n ? "" : "none");
		sr_put_written_axes(m->page->ctx, b, out);
		before = ", ";
	}
}

/* The op that made the value had to make it otherwise than the program wants it, of this operand. */
static struct sr_value *made_of(const struct move *m)
{
	const struct sr_op *def = m->v->def;
	struct sr_value *found = NULL;
	for (int i = 0; def && i < def->n_operands && !found; i++) {
		const struct sr_attr *s = sr_value_sharding(m->page->ctx, sr_operand(def, i));
		for (int d = 0; d < rank_of(m->from, m->from) && !found; d++)
			for (int k = 0; k < axes_of(m->from, d).n && !found; k++)
				if (shards(s, axes_of(m->from, d).refs[k].axis))
					found = sr_operand(def, i);
	}
	return found;
}

static size_t put_move(struct move *m, struct sr_buf *out)
{
	bool own = m->v->def && same_dims(propagated(m->page, m->v), m->to);
	struct sr_value *made = own ? made_of(m) : NULL;
	if (own) {
		sr_buf_printf(out, "%s makes ", m->v->def->info->name);
		put_sharded(m->page, out, m->v, m->from);
		if (made) {
			sr_buf_puts(out, " of ");
			put_sharded(m->page, out, made, sr_value_sharding(m->page->ctx, made));
		}
		sr_buf_printf(out, ", which the program has as %s", dims_words(m->page, m->to));
		m->at = m->v->def;
	} else {
		find_meeting(m);
		put_sharded(m->page, out, m->v, m->from);
		sr_buf_puts(out, m->met ? " meets " : " is wanted as ");
		if (m->met)
			put_sharded(m->page, out, m->met, propagated(m->page, m->met));
		else
			sr_buf_puts(out, dims_words(m->page, m->to));
		if (m->at)
			put_place(m, out);
		if (m->whole >= 0)
			sr_buf_printf(out, ", which takes dimension %d whole", m->whole);
	}
	put_change(m, out);
	size_t row = m->at ? sr_page_row_of(m->page, m->at->loc) : SIZE_MAX;
	return row == SIZE_MAX ? sr_page_row_of(m->page, m->op->loc) : row;
}

/* ---- reductions ---- */

static void put_reduction(struct sr_page *page, struct sr_op *module, struct sr_op *reduce, struct sr_buf *out)
{
	struct sr_value *v = origin(sr_operand(reduce, 0));
	struct sr_projection p;
	bool first = true;
	sr_buf_puts(out, "each device has a part of ");
	put_value(page, out, v);
	const struct sr_attr *axes = sr_op_attr(reduce, SR_NAME_reduction_axes);
	if (axes && axes->axes) {
		sr_buf_puts(out, " over ");
		sr_put_written_axes(page->ctx, *axes->axes, out);
	}
	int n = v->def ? v->def->n_operands + v->def->n_results : 0;
	const struct sr_attr **given = SR_NEWS(page->ctx->arena, const struct sr_attr *, n ? n : 1);
	for (int t = 0; t < n; t++)
		given[t] = sr_value_sharding(page->ctx, tensor(v->def, t));
	if (!v->def || !project(page, module, v->def, given, &p))
		return;
	const char **names = SR_NEWS(page->ctx->arena, const char *, p.n_operands);
	for (int t = 0; t < p.n_operands; t++) {
		struct sr_buf name;
		sr_buf_init(&name, page->ctx->arena);
		put_value(page, &name, sr_operand(v->def, t));
		names[t] = sr_buf_string(&name);
	}
	for (int i = 0; i < p.rule->reduction.n; i++) {
		struct sr_buf words;
		struct sr_axes over;
		sr_buf_init(&words, page->ctx->arena);
		(void)sr_put_reduced(page->ctx, &p, p.rule->reduction.at[i], names, &words, &over);
		if (!over.n)
			continue;
		sr_buf_printf(out, "%s%s", first ? sr_printf(page->ctx->arena, ": %s reduces along ", v->def->info->name) : ", ",
			      sr_buf_string(&words));
		first = false;
	}
}

/* ---- all of a module ---- */

struct walk {
	struct sr_page *page;
	struct sr_op *module;
};

static bool note(void *data, struct sr_op *op)
{
	struct walk *w = data;
	struct sr_page *page = w->page;
	struct sr_page_cause cause = {.row = SIZE_MAX};
	struct sr_buf words;
	sr_buf_init(&words, page->ctx->arena);
	if (sr_op_is(op, SR_OP_sdy_reshard)) {
		struct move m = {.page = page,
				 .module = w->module,
				 .op = op,
				 .v = origin(sr_operand(op, 0)),
				 .from = sr_value_sharding(page->ctx, sr_operand(op, 0)),
				 .to = sr_op_attr(op, SR_NAME_sharding),
				 .whole = -1};
		cause.row = put_move(&m, &words);
	} else if (sr_op_is(op, SR_OP_sdy_all_reduce)) {
		put_reduction(page, w->module, op, &words);
		cause.row = sr_page_row_of(page, op->loc);
	} else {
		return true;
	}
	cause.words = sr_buf_string(&words);
	sr_push(page->ctx->arena, &page->causes, cause);
	op->loc = sr_loc_name(page->ctx, sr_printf(page->ctx->arena, "#%zu", page->causes.n), op->loc);
	sr_map_put(&page->cause_of, op->loc, (void *)(intptr_t)page->causes.n);
	return true;
}

void sr_page_after_reshards(struct sr_page *page, struct sr_op *module)
{
	sr_walk(module, note, &(struct walk){page, module});
}

const struct sr_page_cause *sr_page_cause_of(const struct sr_page *page, const struct sr_attr *loc)
{
	intptr_t i = (intptr_t)sr_map_get(&page->cause_of, loc);
	if (i)
		return &page->causes.data[i - 1];
	if (loc->kind == SR_LOC_NAME || loc->kind == SR_LOC_CALLSITE)
		return sr_page_cause_of(page, loc->list[0]);
	const struct sr_page_cause *found = NULL;
	for (int k = 0; loc->kind == SR_LOC_FUSED && !found && k < loc->n; k++)
		found = sr_page_cause_of(page, loc->list[k]);
	return found;
}
