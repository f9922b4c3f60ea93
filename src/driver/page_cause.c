/* Describe why values are resharded and reduced. Runs after reshards were inserted; causes are kept under the locations of
 * reshards and reductions, which their collectives inherit. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "driver/page.h"
#include "propagate/explain.h"
#include "propagate/propagate.h"
#include <string.h>

enum { MAX_ELEMENTWISE = 16 }; /* maximum number of elementwise ops between a reshard and the op that requires it */

/* A reshard whose cause is being described. The axes of its shardings are as written in the program's text. */
struct reshard {
	struct sr_page *page;
	struct sr_op *module;
	struct sr_op *op;   /* the sdy.reshard that caused the collective */
	struct sr_value *v; /* the resharded value of the program */
	const struct sr_attr *from_sharding, *to_sharding;
	struct sr_op *conflicting_op; /* op at which the shardings conflict */
	struct sr_value *conflicting_value; /* value with a conflicting sharding at conflicting_op; NULL: unknown */
	int unsharded_dim; /* dimension of the operand that is sharded and that the op requires unsharded; -1: none */
};

static bool is_reduction(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_sdy_all_reduce) || sr_op_is(op, SR_OP_sdy_reduce_scatter);
}

/* Return the value from which the reshards and reductions inserted by partition compute v. */
static struct sr_value *strip_reshards(struct sr_value *v)
{
	while (v->def && (sr_op_is(v->def, SR_OP_sdy_reshard) || is_reduction(v->def)))
		v = sr_operand(v->def, 0);
	return v;
}

/* Return the sharding that the value had after propagation; NULL: unknown. */
static const struct sr_attr *propagated_sharding(const struct sr_page *page, struct sr_value *v)
{
	v = strip_reshards(v);
	size_t row = sr_page_row_of(page, sr_value_loc(v));
	row += row == SIZE_MAX || !v->def ? 0 : (size_t)v->index;
	return row < page->rows.n ? page->rows.data[row].sharding : NULL;
}

static struct sr_sdy_axes dim_axes(const struct sr_attr *sharding, int d)
{
	const struct sr_sdy_sharding *s = sharding ? sharding->sharding : NULL;
	return s && d < s->rank ? s->dims[d].axes : (struct sr_sdy_axes){0};
}

static int max_rank(const struct sr_attr *a, const struct sr_attr *b)
{
	int n = a ? a->sharding->rank : 0, m = b ? b->sharding->rank : 0;
	return n > m ? n : m;
}

static bool have_equal_dims(const struct sr_attr *a, const struct sr_attr *b)
{
	for (int d = 0; d < max_rank(a, b); d++)
		if (!sr_sdy_axes_equal(dim_axes(a, d), dim_axes(b, d)))
			return false;
	return true;
}

static bool is_sharded_over(const struct sr_attr *s, const char *axis)
{
	for (int d = 0; d < max_rank(s, s); d++)
		for (int i = 0; i < dim_axes(s, d).n; i++)
			if (dim_axes(s, d).refs[i].axis == axis)
				return true;
	return false;
}

static struct sr_value *operand_or_result(struct sr_op *op, int t)
{
	return t < op->n_operands ? sr_operand(op, t) : sr_result(op, t - op->n_operands);
}

/* Project the shardings of the op's operands and results (NULL: none) to factors of its sharding rule. Return false if the op has
 * no rule or the meshes differ. */
static bool project_op(struct sr_page *page, struct sr_op *module, struct sr_op *op, const struct sr_attr *const *tensor_shardings,
		       struct sr_projection *out)
{
	const struct sr_sharding_rule *rule = sr_op_rule(page->ctx, op, false);
	int n = op->n_operands + op->n_results;
	const struct sr_sharding **shardings = SR_NEW_ARRAY(page->ctx->arena, const struct sr_sharding *, n);
	const struct sr_mesh *mesh = NULL;
	if (!rule || rule->n_operands != op->n_operands || rule->n_results != op->n_results)
		return false;
	for (int t = 0; t < n; t++) {
		const struct sr_mesh *tensor_mesh = tensor_shardings[t] ? sr_sharding_mesh(module, tensor_shardings[t]->sharding) : NULL;
		if (mesh && tensor_mesh && !sr_mesh_equal(mesh, tensor_mesh))
			return false;
		mesh = tensor_mesh ? tensor_mesh : mesh;
		shardings[t] = tensor_mesh ? sr_sharding_resolve(page->ctx->arena, tensor_mesh, tensor_shardings[t]->sharding) : NULL;
	}
	if (mesh)
		*out = sr_projection_build(page->ctx->arena, rule, mesh, shardings, false);
	return mesh;
}

/* Return the first axis of b that does not overlap a; if there is none, an axis of size 0. */
static struct sr_axis_ref first_added_axis(struct sr_axes a, struct sr_axes b)
{
	for (int i = 0; i < b.n; i++) {
		bool has_overlap = false;
		for (int k = 0; k < a.n; k++)
			has_overlap = has_overlap || sr_axis_overlaps(a.refs[k], b.refs[i]);
		if (!has_overlap)
			return b.refs[i];
	}
	return (struct sr_axis_ref){0};
}

/* Return the index of a tensor other than `own` whose factor is sharded over `axis`, or, if `axis` has size 0, over exactly `axes`;
 * -1: none. */
static int find_tensor_with_axes(const struct sr_projection *p, int own, int factor, struct sr_axis_ref axis, struct sr_axes axes)
{
	for (int t = 0; t < p->n_tensors; t++) {
		const struct sr_factor_sharding *f = &p->tensors[t].factors[factor];
		bool is_match = !axis.size && sr_axes_equal(f->axes, axes);
		for (int i = 0; i < f->axes.n && axis.size; i++)
			is_match = is_match || sr_axis_overlaps(f->axes.refs[i], axis);
		if (t != own && f->is_present && is_match)
			return t;
	}
	return -1;
}

static bool factor_needs_replication(const struct sr_sharding_rule *rule, int factor)
{
	for (int i = 0; i < rule->need_replication.n; i++)
		if (rule->need_replication.indices[i] == factor)
			return true;
	return false;
}

/* Find the tensor that conflicts with operand `own` at the op. Along a factor whose sharding the reshard changes,
 * this tensor is sharded over the first axis that the reshard adds or, if no axis is added, over exactly the reshard's axes. */
static void find_conflict_at(struct reshard *m, struct sr_op *op, int own)
{
	int n = op->n_operands + op->n_results, tensor = -1;
	const struct sr_attr **shardings = SR_NEW_ARRAY(m->page->ctx->arena, const struct sr_attr *, n);
	struct sr_projection projection_before, projection_after;
	for (int t = 0; t < n; t++)
		shardings[t] = propagated_sharding(m->page, operand_or_result(op, t));
	shardings[own] = m->from_sharding;
	bool is_known = project_op(m->page, m->module, op, shardings, &projection_before);
	shardings[own] = m->to_sharding;
	if (!is_known || !project_op(m->page, m->module, op, shardings, &projection_after))
		return;
	for (int is_added = 1; is_added >= 0; is_added--)
		for (int f = 0; f < projection_after.rule->n_factors; f++) {
			const struct sr_factor_sharding *sharding_after = &projection_after.tensors[own].factors[f];
			struct sr_axes axes_before = projection_before.tensors[own].factors[f].axes;
			struct sr_axis_ref axis = first_added_axis(axes_before, sharding_after->axes);
			if (!sharding_after->is_present || sr_axes_equal(sharding_after->axes, axes_before) || (axis.size > 0) != is_added)
				continue;
			if (tensor < 0)
				tensor = find_tensor_with_axes(&projection_after, own, f, axis, sharding_after->axes);
			if (factor_needs_replication(projection_after.rule, f) && !sharding_after->axes.n)
				m->unsharded_dim = sr_factor_dim(sr_projection_mapping(&projection_after, own), f);
		}
	m->conflicting_value = tensor < 0 || m->unsharded_dim >= 0 ? NULL : operand_or_result(op, tensor);
	m->conflicting_op = op;
}

static const struct sr_use *first_use(const struct sr_value *v)
{
	const struct sr_use *use = v->uses; /* use lists are newest first, so the first reader in the program is the last entry */
	while (use && use->next)
		use = use->next;
	return use;
}

static int operand_index(struct sr_op *op, const struct sr_value *v)
{
	int i = 0;
	while (i < op->n_operands && sr_operand(op, i) != v)
		i++;
	return i;
}

/* Find the op that requires the reshard's result sharding: the reader of the reshard, or a later op after elementwise ops. */
static void find_conflict(struct reshard *m)
{
	struct sr_value *v = sr_result(m->op, 0);
	const struct sr_use *use = first_use(v);
	struct sr_op *reader = use ? use->owner : NULL;
	for (int i = 0; i < MAX_ELEMENTWISE && use && !m->conflicting_value && m->unsharded_dim < 0; i++) {
		struct sr_op *op = use->owner;
		if (!sr_op_is(op, SR_OP_sdy_reshard))
			find_conflict_at(m, op, operand_index(op, v));
		if (op->n_results != 1 || !(op->info->traits & SR_ELEMENTWISE))
			break;
		v = sr_result(op, 0);
		use = first_use(v);
	}
	if (!m->conflicting_value && m->unsharded_dim < 0)
		m->conflicting_op = reader;
}

static const char *dims_text(struct sr_page *page, const struct sr_attr *sharding)
{
	struct sr_buf text;
	if (!sharding)
		return "replicated";
	sr_buf_init(&text, page->ctx->arena);
	sr_buf_putc(&text, '[');
	for (int d = 0; d < sharding->sharding->rank; d++) {
		sr_buf_puts(&text, d ? ", {" : "{");
		sr_put_written_axes(page->ctx, dim_axes(sharding, d), &text);
		sr_buf_putc(&text, '}');
	}
	sr_buf_putc(&text, ']');
	return sr_buf_string(&text);
}

/* Print a value, with the name of its function if that is not the entry. */
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

/* Print where the shardings conflict: an op, or a result of the function. */
static void put_place(const struct reshard *m, struct sr_buf *out)
{
	const struct sr_op *func = m->conflicting_op->block->region->op;
	if (!sr_op_is(m->conflicting_op, SR_OP_func_return) || !sr_op_is(func, SR_OP_func_func)) {
		sr_buf_puts(out, " at ");
		put_op(m->page, out, m->conflicting_op);
		return;
	}
	int i = operand_index(m->conflicting_op, sr_result(m->op, 0));
	const char *name = sr_func_result_name(func, i);
	sr_buf_printf(out, " by result %d of @%s", i, sr_symbol_name(func));
	if (name)
		sr_buf_printf(out, " (%s)", name);
}

static void put_sharded(struct sr_page *page, struct sr_buf *out, struct sr_value *v, const struct sr_attr *sharding)
{
	put_value(page, out, v);
	sr_buf_printf(out, " %s", dims_text(page, sharding));
}

/* Print the changes: "; dimension 0: "x" to "y", dimension 1: "z" to none". */
static void put_change(const struct reshard *m, struct sr_buf *out)
{
	const char *separator = "; ";
	for (int d = 0; d < max_rank(m->from_sharding, m->to_sharding); d++) {
		struct sr_sdy_axes a = dim_axes(m->from_sharding, d), b = dim_axes(m->to_sharding, d);
		if (sr_sdy_axes_equal(a, b))
			continue;
		sr_buf_printf(out, "%sdimension %d: %s", separator, d, a.n ? "" : "none");
		sr_put_written_axes(m->page->ctx, a, out);
		sr_buf_printf(out, " to %s", b.n ? "" : "none");
		sr_put_written_axes(m->page->ctx, b, out);
		separator = ", ";
	}
}

/* Return the operand of the value's defining op that is sharded over an axis of from_sharding; NULL: none. */
static struct sr_value *operand_with_sharding(const struct reshard *m)
{
	const struct sr_op *def = m->v->def;
	struct sr_value *operand = NULL;
	for (int i = 0; def && i < def->n_operands && !operand; i++) {
		const struct sr_attr *s = sr_value_sharding(m->page->ctx, sr_operand(def, i));
		for (int d = 0; d < max_rank(m->from_sharding, m->from_sharding) && !operand; d++)
			for (int k = 0; k < dim_axes(m->from_sharding, d).n && !operand; k++)
				if (is_sharded_over(s, dim_axes(m->from_sharding, d).refs[k].axis))
					operand = sr_operand(def, i);
	}
	return operand;
}

static size_t put_reshard(struct reshard *m, struct sr_buf *out)
{
	bool is_computed_so = m->v->def && have_equal_dims(propagated_sharding(m->page, m->v), m->to_sharding);
	struct sr_value *operand = is_computed_so ? operand_with_sharding(m) : NULL;
	if (is_computed_so) {
		sr_buf_printf(out, "%s computes ", m->v->def->info->name);
		put_sharded(m->page, out, m->v, m->from_sharding);
		if (operand) {
			sr_buf_puts(out, " from ");
			put_sharded(m->page, out, operand, sr_value_sharding(m->page->ctx, operand));
		}
		sr_buf_printf(out, ", which has sharding %s in the program", dims_text(m->page, m->to_sharding));
		m->conflicting_op = m->v->def;
	} else {
		find_conflict(m);
		put_sharded(m->page, out, m->v, m->from_sharding);
		sr_buf_puts(out, m->conflicting_value ? " conflicts with " : " is required as ");
		if (m->conflicting_value)
			put_sharded(m->page, out, m->conflicting_value, propagated_sharding(m->page, m->conflicting_value));
		else
			sr_buf_puts(out, dims_text(m->page, m->to_sharding));
		if (m->conflicting_op)
			put_place(m, out);
		if (m->unsharded_dim >= 0)
			sr_buf_printf(out, ", which needs dimension %d unsharded", m->unsharded_dim);
	}
	put_change(m, out);
	size_t row = m->conflicting_op ? sr_page_row_of(m->page, m->conflicting_op->loc) : SIZE_MAX;
	return row == SIZE_MAX ? sr_page_row_of(m->page, m->op->loc) : row;
}

/* ---- reductions ---- */

static void put_reduction(struct sr_page *page, struct sr_op *module, struct sr_op *reduce, struct sr_buf *out)
{
	struct sr_value *v = strip_reshards(sr_operand(reduce, 0));
	struct sr_projection p;
	bool is_first = true;
	sr_buf_puts(out, "each device has a partial result of ");
	put_value(page, out, v);
	const struct sr_attr *axes = sr_op_attr(reduce, SR_NAME_reduction_axes),
			     *lists = sr_op_attr(reduce, SR_NAME_reduce_scatter_axes);
	for (int i = 0, any = 0; i < (lists ? lists->n : axes ? 1 : 0); i++) {
		struct sr_sdy_axes written_axes = *(lists ? lists->list[i] : axes)->axes;
		if (written_axes.n)
			sr_buf_puts(out, any++ ? ", " : " over ");
		sr_put_written_axes(page->ctx, written_axes, out);
	}
	int n = v->def ? v->def->n_operands + v->def->n_results : 0;
	const struct sr_attr **shardings = SR_NEW_ARRAY(page->ctx->arena, const struct sr_attr *, n ? n : 1);
	for (int t = 0; t < n; t++)
		shardings[t] = sr_value_sharding(page->ctx, operand_or_result(v->def, t));
	if (!v->def || !project_op(page, module, v->def, shardings, &p))
		return;
	const char **names = SR_NEW_ARRAY(page->ctx->arena, const char *, p.n_operands);
	for (int t = 0; t < p.n_operands; t++) {
		struct sr_buf name;
		sr_buf_init(&name, page->ctx->arena);
		put_value(page, &name, sr_operand(v->def, t));
		names[t] = sr_buf_string(&name);
	}
	for (int i = 0; i < p.rule->reduction.n; i++) {
		struct sr_buf words;
		struct sr_axes reduced_axes;
		sr_buf_init(&words, page->ctx->arena);
		(void)sr_put_reduced(page->ctx, &p, p.rule->reduction.indices[i], names, &words, &reduced_axes);
		if (!reduced_axes.n)
			continue;
		sr_buf_printf(out, "%s%s", is_first ? sr_printf(page->ctx->arena, ": %s reduces along ", v->def->info->name) : ", ",
			      sr_buf_string(&words));
		is_first = false;
	}
}

/* ---- all of a module ---- */

struct cause_walk {
	struct sr_page *page;
	struct sr_op *module;
};

static bool record_cause(void *data, struct sr_op *op)
{
	struct cause_walk *w = data;
	struct sr_page *page = w->page;
	struct sr_page_cause cause = {.row = SIZE_MAX};
	struct sr_buf words;
	sr_buf_init(&words, page->ctx->arena);
	if (sr_op_is(op, SR_OP_sdy_reshard)) {
		struct reshard m = {.page = page,
				 .module = w->module,
				 .op = op,
				 .v = strip_reshards(sr_operand(op, 0)),
				 .from_sharding = sr_value_sharding(page->ctx, sr_operand(op, 0)),
				 .to_sharding = sr_op_attr(op, SR_NAME_sharding),
				 .unsharded_dim = -1};
		cause.row = put_reshard(&m, &words);
	} else if (is_reduction(op)) {
		put_reduction(page, w->module, op, &words);
		cause.row = sr_page_row_of(page, op->loc);
	} else {
		return true;
	}
	cause.description = sr_buf_string(&words);
	sr_push(page->ctx->arena, &page->causes, cause);
	op->loc = sr_loc_name(page->ctx, sr_printf(page->ctx->arena, "#%zu", page->causes.n), op->loc);
	sr_map_put(&page->cause_of, op->loc, (void *)(intptr_t)page->causes.n);
	return true;
}

void sr_page_record_causes(struct sr_page *page, struct sr_op *module)
{
	sr_walk(module, record_cause, &(struct cause_walk){page, module});
}

const struct sr_page_cause *sr_page_cause_of(const struct sr_page *page, const struct sr_attr *loc)
{
	intptr_t i = (intptr_t)sr_map_get(&page->cause_of, loc);
	if (i)
		return &page->causes.data[i - 1];
	if (loc->kind == SR_LOC_NAME || loc->kind == SR_LOC_CALLSITE)
		return sr_page_cause_of(page, loc->list[0]);
	const struct sr_page_cause *cause = NULL;
	for (int k = 0; loc->kind == SR_LOC_FUSED && !cause && k < loc->n; k++)
		cause = sr_page_cause_of(page, loc->list[k]);
	return cause;
}
