/* Write explanations of shardings from the provenance recorded during propagation. */
#include "propagate/explain.h"
#include "dialect/attr_names.h"
#include "dialect/sdy/sdy_check.h"
#include "propagate/propagation.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_EXPLAINED = 20 };

typedef SR_VEC(const struct sr_propagated_axis *) event_vec;

struct explanation {
	struct sr_propagation *state;
	struct sr_context *ctx;
	const struct sr_provenance *provenance;
	struct sr_map events;         /* maps a value to its event_vec, in order of time */
	struct sr_explain *request;
	int n_left_out;                  /* number of values left out of the explanation */
	SR_VEC(const char *) written; /* texts written so far: an equal text, of a copy of a function, is not written again */
};

/* ---------------------------------------------------------------- formatting */

/* Return the value to name in explanations: for a data-flow edge its owner. */
static const struct sr_value *named_value(const struct sr_value *v)
{
	return v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge) ? sr_operand(v->def, 0) : v;
}

/* Return "@name " of the function that contains the value, or "" for main. */
static const char *callee_label(const struct explanation *e, const struct sr_value *v)
{
	const struct sr_op *op = v->def ? sr_op_parent(v->def) : sr_value_owner(v);
	while (op && !sr_op_is(op, SR_OP_sdy_named_computation) && !sr_op_is(op, SR_OP_func_func))
		op = sr_op_parent(op);
	const struct sr_attr *name = op ? sr_op_attr(op, sr_op_is(op, SR_OP_func_func) ? SR_NAME_sym_name : "name") : NULL;
	return !name || op == e->state->main ? "" : sr_printf(e->ctx->arena, "@%s ", name->s);
}

const char *sr_explain_name(struct sr_context *ctx, const struct sr_value *v)
{
	const char *name = sr_value_text_name(v);
	if (!name)
		return sr_printf(ctx->arena, "%s %d of %s", v->def ? "result" : "argument", v->index, sr_value_owner(v)->info->name);
	return v->def && v->def->n_results > 1 ? sr_printf(ctx->arena, "%s#%d", name, v->index) : name;
}

static const char *value_label(const struct explanation *e, const struct sr_value *v)
{
	v = named_value(v);
	const char *callee = sr_value_text_name(v) ? callee_label(e, v) : "";
	return sr_printf(e->ctx->arena, "%s%s", callee, sr_explain_name(e->ctx, v));
}

void sr_explain_put_place(struct sr_buf *out, const struct sr_attr *loc, bool full_path)
{
	struct sr_src_loc at = sr_loc_source(loc);
	const char *slash = at.file && !full_path ? strrchr(at.file, '/') : NULL;
	if (at.file && at.line > 0)
		sr_buf_printf(out, ", at %s:%d:%d", slash ? slash + 1 : at.file, at.line, at.col);
}

/* Append "%2[0]": the value, and the dimension that the axis shards. */
static void put_value(const struct explanation *e, struct sr_buf *out, struct sr_value *v, struct sr_axis_ref axis)
{
	const struct sr_sharding_holder *holder = sr_propagation_holder(e->state, v);
	sr_buf_puts(out, value_label(e, v));
	for (int d = 0; holder && holder->sharding && d < holder->sharding->rank; d++)
		for (int i = 0; i < holder->sharding->dims[d].axes.n; i++)
			if (sr_axis_overlaps(holder->sharding->dims[d].axes.refs[i], axis)) {
				sr_buf_printf(out, "[%d]", d);
				return;
			}
}

static const char *tensor_label(const struct explanation *e, const struct sr_propagated_axis *event, int tensor)
{
	bool result = tensor >= event->n_operands;
	return sr_printf(e->ctx->arena, "%s %d", result ? "result" : "operand", result ? tensor - event->n_operands : tensor);
}

static const char *factor_label(const struct explanation *e, int factor)
{
	if (factor <= 'z' - 'i')
		return sr_printf(e->ctx->arena, "%c", 'i' + factor);
	return sr_printf(e->ctx->arena, "z_%d", factor - ('z' - 'i'));
}

/* Append the op, edge or group through which an axis was propagated, and the factor. */
static void put_connection(const struct explanation *e, struct sr_buf *out, const struct sr_propagated_axis *event)
{
	if (!event->op) {
		sr_buf_puts(out, " through their sharding group");
		return;
	}
	if (sr_op_is(event->op, SR_OP_sdy_data_flow_edge)) {
		const struct sr_value *owner = sr_operand(event->op, 0);
		const struct sr_op *op = sr_value_owner(owner);
		bool call = sr_op_is(op, SR_OP_sdy_named_computation);
		sr_buf_printf(out, " through %s%s, %s %d", call ? "the call of @" : op->info->name,
			      call ? sr_op_attr(op, SR_NAME_name)->s : "", owner->def ? "result" : "argument", owner->index);
	} else {
		sr_buf_printf(out, " through %s (", event->op->info->name);
		if (event->op->n_operands > 1 || event->op->n_results > 1)
			sr_buf_printf(out, "%s to %s, ", tensor_label(e, event, event->source), tensor_label(e, event, event->target));
		sr_buf_printf(out, "factor %s)", factor_label(e, event->factor));
	}
	sr_explain_put_place(out, event->op->loc, false);
}

/* ---------------------------------------------------------------- the chain */

/* Return the last event, no later than step `last_step`, in which the value got the axis; an event of exactly this axis is
 * preferred to one of a part. NULL: none. */
static const struct sr_propagated_axis *find_event(const struct explanation *e, const struct sr_value *v, struct sr_axis_ref axis,
						   int64_t last_step, bool includes_groups)
{
	const struct sr_propagated_axis *latest_axis = NULL;
	bool is_exact = false;
	const event_vec *value_events = sr_map_get(&e->events, v);
	for (size_t i = 0; value_events && i < value_events->n; i++) {
		const struct sr_propagated_axis *event = value_events->data[i];
		bool to_func_result = event->op && sr_op_is(event->op, SR_OP_func_func) && event->target >= event->n_operands;
		if (event->step > last_step || to_func_result || (!event->op && !includes_groups) || !sr_axis_overlaps(event->axis, axis))
			continue;
		bool is_same_axis = sr_axis_ref_equal(event->axis, axis);
		if (is_exact && !is_same_axis)
			continue;
		is_exact = is_same_axis;
		latest_axis = event;
	}
	return latest_axis;
}

static const struct sr_annotation *find_annotation(const struct explanation *e, const struct sr_value *v, struct sr_axis_ref axis)
{
	const sr_annotated_axes *list = sr_provenance_annotated_axes(e->provenance, v);
	for (size_t i = 0; list && i < list->n; i++)
		if (sr_axis_overlaps(list->data[i].axis, axis))
			return &list->data[i].annotation;
	return NULL;
}

static void put_annotation(struct sr_buf *out, const struct sr_annotation *annotation)
{
	const struct sr_attr *loc = annotation->kind == SR_ANNOTATION_INPUT
					? sr_func_entry(annotation->op)->args[annotation->index]->loc
					: annotation->op->loc;
	switch (annotation->kind) {
	case SR_ANNOTATION_INPUT:
		sr_buf_printf(out, "argument %d of @%s", annotation->index, sr_symbol_name(annotation->op));
		break;
	case SR_ANNOTATION_OUTPUT: sr_buf_printf(out, "result %d of @%s", annotation->index, sr_symbol_name(annotation->op)); break;
	case SR_ANNOTATION_CONSTRAINT: sr_buf_puts(out, "a sharding constraint"); break;
	case SR_ANNOTATION_MC_INPUT:
		sr_buf_printf(out, "the in_sharding of operand %d of a manual computation", annotation->index);
		break;
	case SR_ANNOTATION_MC_OUTPUT:
		sr_buf_printf(out, "the out_sharding of result %d of a manual computation", annotation->index);
		break;
	}
	if (annotation->kind == SR_ANNOTATION_INPUT && sr_func_arg_name(annotation->op, annotation->index))
		sr_buf_printf(out, " (\"%s\")", sr_func_arg_name(annotation->op, annotation->index));
	sr_explain_put_place(out, loc, false);
}

/* Return an annotated member of the value's sharding group; NULL: none. */
static struct sr_value *annotated_member(const struct explanation *e, const struct sr_value *v, struct sr_axis_ref axis)
{
	const struct sr_value_group *group = sr_map_get(&e->state->groups, v);
	for (size_t i = 0; group && i < group->members.n; i++)
		if (find_annotation(e, group->members.data[i], axis))
			return group->members.data[i];
	return NULL;
}

static void put_origin(const struct explanation *e, struct sr_buf *out, struct sr_value *v, struct sr_axis_ref axis)
{
	const struct sr_annotation *by = find_annotation(e, v, axis);
	struct sr_value *member = by ? NULL : annotated_member(e, v, axis);
	sr_buf_puts(out, "    ");
	put_value(e, out, v, axis);
	if (member) {
		sr_buf_puts(out, " from ");
		put_value(e, out, member, axis);
		sr_buf_puts(out, " through their sharding group\n    ");
		put_value(e, out, member, axis);
		by = find_annotation(e, member, axis);
	}
	sr_buf_puts(out, " is annotated: ");
	if (by) {
		put_annotation(out, by);
	} else {
		sr_buf_puts(out, "the op itself");
		sr_explain_put_place(out, sr_value_loc(v), false);
	}
	sr_buf_putc(out, '\n');
}

static void put_chain(const struct explanation *e, struct sr_buf *out, struct sr_value *v, struct sr_axis_ref axis)
{
	int64_t last_step = e->provenance->step;
	bool includes_groups = true;
	for (const struct sr_propagated_axis *event; (event = find_event(e, v, axis, last_step, includes_groups));) {
		bool is_func_result = event->op && sr_op_is(event->op, SR_OP_func_func);
		sr_buf_puts(out, "    ");
		put_value(e, out, v, axis);
		if (is_func_result) { /* the axis comes from the annotation of the function result as which the value is returned */
			struct sr_annotation by = {SR_ANNOTATION_OUTPUT, event->op, event->func_result, 0};
			sr_buf_puts(out, " is returned, and annotated: ");
			put_annotation(out, &by);
			sr_buf_putc(out, '\n');
			return;
		}
		sr_buf_puts(out, " from ");
		put_value(e, out, event->from, axis);
		put_connection(e, out, event);
		sr_buf_putc(out, '\n');
		/* a group propagates an axis in the same step in which a member gets it */
		last_step = event->op ? event->step - 1 : event->step;
		includes_groups = event->op;
		v = event->from;
	}
	put_origin(e, out, v, axis);
}

/* ---------------------------------------------------------------- one value */

/* Append the axes by which a factor of the value is sharded in the other tensors of the op. */
static void put_conflicts_of_factor(const struct explanation *e, struct sr_buf *out, const struct sr_propagation_op *at,
				    const struct sr_projection *p, const struct sr_sharding_holder *holder, int factor)
{
	for (int t = 0; t < p->n_tensors; t++) {
		const struct sr_sharding_holder *other_holder = at->holders[t];
		struct sr_axes axes = p->tensors[t].factors[factor].axes;
		if (!other_holder || other_holder == holder || axes.n == 0)
			continue;
		sr_buf_puts(out, out->n ? ", " : "; not propagated: ");
		sr_put_axes(e->ctx, p->mesh, axes, out);
		int d = sr_factor_dim(sr_projection_mapping(p, t), factor);
		sr_buf_printf(out, " of %s[%d] at %s", value_label(e, other_holder->value), d, at->op->info->name);
	}
}

/* Project the op's tensors by its rule. Return false if it has no rule or no mesh. */
static bool project(const struct explanation *e, const struct sr_op *op, struct sr_projection *out)
{
	const struct sr_propagation_op *at = &e->state->ops[op->mark];
	const struct sr_sharding_rule *rule = at->rule;
	int n = rule ? rule->n_operands + rule->n_results : 0;
	const struct sr_sharding **shardings = SR_NEW_ARRAY(e->ctx->arena, const struct sr_sharding *, n);
	const struct sr_mesh *mesh = NULL;
	for (int t = 0; t < n; t++) {
		const struct sr_sharding_holder *tensor = at->holders[t];
		shardings[t] = tensor ? tensor->sharding : NULL;
		mesh = shardings[t] ? tensor->mesh : mesh;
	}
	if (mesh)
		*out = sr_projection_build(e->ctx->arena, rule, mesh, shardings, false);
	return mesh;
}

/* Append the axes that were not propagated to the value's dimension, along all its factors. */
static void put_conflicts(const struct explanation *e, struct sr_buf *out, const struct sr_op *op,
			  const struct sr_sharding_holder *holder, int d)
{
	const struct sr_propagation_op *at = &e->state->ops[op->mark];
	struct sr_projection p;
	int own = -1;
	if (!project(e, op, &p))
		return;
	for (int t = 0; t < p.n_tensors; t++)
		own = at->holders[t] == holder ? t : own;
	if (own < 0)
		return;
	const struct sr_dim_mapping *dim = &sr_projection_mapping(&p, own)->dims[d];
	for (int i = 0; i < dim->n; i++)
		put_conflicts_of_factor(e, out, at, &p, holder, dim->factors[i]);
}

/* Append the reductions over devices that the op of the value does. */
static void put_reductions(const struct explanation *e, struct sr_buf *out, struct sr_value *v,
			   const struct sr_sharding_holder *holder)
{
	struct sr_projection p;
	if (!v->def || !sr_op_rule_is_own(v->def) || !project(e, v->def, &p))
		return;
	const char **names = SR_NEW_ARRAY(e->ctx->arena, const char *, p.n_operands);
	for (int t = 0; t < p.n_operands; t++)
		names[t] = value_label(e, sr_operand(v->def, t));
	for (int i = 0; i < p.rule->reduction.n; i++) {
		struct sr_buf text;
		struct sr_axes reduced_axes;
		sr_buf_init(&text, e->ctx->arena);
		bool is_agreed = sr_put_reduced(e->ctx, &p, p.rule->reduction.indices[i], names, &text, &reduced_axes);
		if (!reduced_axes.n)
			continue;
		sr_buf_printf(out, "  reduced along %s: ", sr_buf_string(&text));
		if (holder && holder->sharding && holder->sharding->unreduced.n) {
			sr_buf_puts(out, "partial results stay unreduced\n");
			continue;
		}
		if (!is_agreed) {
			sr_buf_puts(out, "shardings differ, so one operand is resharded; then an all_reduce combines partial results\n");
			continue;
		}
		sr_buf_puts(out, "an all_reduce over ");
		sr_put_axes(e->ctx, p.mesh, reduced_axes, out);
		sr_buf_puts(out, " combines partial results\n");
	}
}

/* Append the reason why a dimension has no axes: it is closed, or the axes of neighbouring values conflict or are used in
 * another dimension. */
static void put_unsharded(const struct explanation *e, struct sr_buf *out, const struct sr_sharding_holder *holder, int d)
{
	struct sr_buf conflicts;
	if (holder && holder->sharding && holder->sharding->dims[d].closed) {
		sr_buf_puts(out, ", closed");
		return;
	}
	sr_buf_init(&conflicts, e->ctx->arena);
	const struct sr_op *last = holder && holder->value->def ? holder->value->def : NULL;
	if (last)
		put_conflicts(e, &conflicts, last, holder, d);
	for (const struct sr_use *use = holder ? holder->value->uses : NULL; use; use = use->next)
		if (use->owner != last)
			put_conflicts(e, &conflicts, last = use->owner, holder, d);
	sr_buf_puts(out, sr_buf_string(&conflicts));
}

static void put_dim(const struct explanation *e, struct sr_buf *out, struct sr_value *v, const struct sr_sharding_holder *holder,
		    int d)
{
	struct sr_axes axes = holder && holder->sharding ? holder->sharding->dims[d].axes : (struct sr_axes){0};
	long long extent = (long long)v->type->shape[d];
	if (axes.n == 0) {
		sr_buf_printf(out, "  dimension %d of %lld: not sharded", d, extent);
		put_unsharded(e, out, holder, d);
		sr_buf_putc(out, '\n');
	}
	for (int i = 0; i < axes.n; i++) {
		sr_buf_printf(out, "  dimension %d of %lld over ", d, extent);
		sr_put_axes(e->ctx, holder->mesh, (struct sr_axes){axes.refs + i, 1}, out);
		sr_buf_printf(out, " (%lld):\n", (long long)axes.refs[i].size);
		put_chain(e, out, holder->value, axes.refs[i]);
	}
}

static void put_sharding(const struct explanation *e, struct sr_buf *out, const struct sr_sharding_holder *holder)
{
	struct sr_buf text;
	sr_buf_init(&text, e->ctx->arena);
	sr_print_attr(e->ctx, sr_sharding_attr(e->ctx, holder->mesh, holder->sharding), &text);
	const char *at = strchr(sr_buf_string(&text), '<');
	sr_buf_printf(out, "  sharding %s\n", at ? at : sr_buf_string(&text));
}

void sr_explain_put_head(struct sr_context *ctx, const struct sr_value *v, const char *name, struct sr_buf *out)
{
	sr_buf_puts(out, name);
	if (v->def && sr_value_text_name(v))
		sr_buf_printf(out, " = %s", v->def->info->name);
	sr_buf_printf(out, ": %s", sr_type_string(ctx, v->type));
	sr_explain_put_place(out, sr_value_loc(v), true);
	sr_buf_putc(out, '\n');
}

static void explain_value(struct explanation *e, struct sr_value *v)
{
	struct sr_buf out;
	const struct sr_sharding_holder *holder = sr_propagation_holder(e->state, v);
	if (v->type->kind != SR_TYPE_TENSOR || !sr_type_is_static(v->type))
		return;
	if (e->request->n_found == MAX_EXPLAINED) {
		e->n_left_out++;
		return;
	}
	sr_buf_init(&out, e->ctx->arena);
	sr_explain_put_head(e->ctx, v, value_label(e, v), &out);
	if (holder && holder->sharding)
		put_sharding(e, &out, holder);
	for (int d = 0; d < v->type->rank; d++)
		put_dim(e, &out, v, holder, d);
	put_reductions(e, &out, v, holder);
	const char *text = sr_buf_string(&out);
	for (size_t i = 0; i < e->written.n; i++)
		if (strcmp(e->written.data[i], text) == 0)
			return;
	sr_push(e->ctx->arena, &e->written, text);
	sr_buf_printf(e->request->out, "%s%s", e->request->n_found++ ? "\n" : "", text);
}

/* ---------------------------------------------------------------- which values */

/* Return true if `request` is the value's name: "%12", "%12#1". */
static bool has_name(const struct sr_value *v, const char *request)
{
	const char *name = sr_value_text_name(v), *hash = strchr(request, '#');
	size_t n = hash ? (size_t)(hash - request) : strlen(request);
	return name && strlen(name) == n && strncmp(name, request, n) == 0 && (!hash || atoi(hash + 1) == v->index);
}

static bool is_at_line(const struct sr_attr *loc, const char *file, size_t n_file, int line)
{
	if (loc->kind == SR_LOC_FILE) {
		size_t n = strlen(loc->s);
		return loc->line == line && n >= n_file && strncmp(loc->s + n - n_file, file, n_file) == 0;
	}
	for (int i = 0; loc->kind >= SR_LOC_UNKNOWN && i < loc->n; i++)
		if (is_at_line(loc->list[i], file, n_file, line))
			return true;
	return false;
}

/* Return true if `name` is the location's name, or its last component. */
static bool is_named(const struct sr_attr *loc, const char *name)
{
	const char *last = loc->kind == SR_LOC_NAME ? strrchr(loc->s, '/') : NULL;
	if (loc->kind == SR_LOC_NAME && (strcmp(loc->s, name) == 0 || (last && strcmp(last + 1, name) == 0)))
		return true;
	for (int i = 0; loc->kind >= SR_LOC_UNKNOWN && i < loc->n; i++)
		if (is_named(loc->list[i], name))
			return true;
	return false;
}

static bool is_op_name(const struct sr_op *op, const char *name)
{
	const char *dot = strchr(op->info->name, '.');
	return strcmp(op->info->name, name) == 0 || (dot && strcmp(dot + 1, name) == 0);
}

bool sr_value_matches_request(const struct sr_value *v, const char *request)
{
	const struct sr_attr *loc = sr_value_loc(v);
	const char *colon = strrchr(request, ':'), *digits = colon ? colon + 1 : request;
	if (request[0] == '%')
		return has_name(v, request);
	if (*digits && strspn(digits, "0123456789") == strlen(digits))
		return is_at_line(loc, request, colon ? (size_t)(colon - request) : 0, atoi(digits));
	return (v->def && is_op_name(v->def, request)) || is_named(loc, request);
}

static bool explain_op(void *data, struct sr_op *op)
{
	struct explanation *e = data;
	const char *request = e->request->request;
	bool is_edge = sr_op_is(op, SR_OP_sdy_data_flow_edge) || sr_op_is(op, SR_OP_sdy_func_data_flow_edge);
	for (int i = 0; i < op->n_results && !is_edge; i++)
		if (sr_value_matches_request(sr_result(op, i), request))
			explain_value(e, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *b = op->regions[r].first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				if (sr_value_matches_request(b->args[i], request))
					explain_value(e, b->args[i]);
	return true;
}

static void index_events(struct explanation *e)
{
	sr_map_init(&e->events, e->ctx->arena);
	for (size_t i = 0; i < e->provenance->propagated.n; i++) {
		const struct sr_propagated_axis *event = &e->provenance->propagated.data[i];
		void **entry = sr_map_at(&e->events, event->to);
		if (!*entry)
			*entry = SR_NEW(e->ctx->arena, event_vec);
		event_vec *list = *entry;
		sr_push(e->ctx->arena, list, event);
	}
}

void sr_propagation_explain(struct sr_propagation *state)
{
	struct explanation e = {.state = state, .ctx = state->ctx, .provenance = state->provenance, .request = state->ctx->explain};
	index_events(&e);
	sr_walk(state->module, explain_op, &e);
	if (e.n_left_out)
		sr_buf_printf(e.request->out, "\nand %d more values\n", e.n_left_out);
}
