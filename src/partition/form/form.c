/* The table of forms by op, the choice among them, and their record as an attribute of the op. */
#include "partition/form/form.h"
#include "dialect/attr_names.h"
#include "partition/partition.h"
#include "support/vec.h"
#include <math.h>
#include <string.h>

enum { MAX_FORMS = 3 };

/* Return false for slices of a sort's results, which the sort's form replaces (expand/expand_sort.c). */
static bool is_not_of_sort(const struct sr_op *op)
{
	return !sr_operand(op, 0)->def || !sr_op_is(sr_operand(op, 0)->def, SR_OP_stablehlo_sort);
}

static const struct row {
	const struct sr_op_form *forms[MAX_FORMS];
	void (*mark_read_through)(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs);
	bool (*exists)(const struct sr_op *op); /* true for ops to which the forms apply; NULL: all ops */
	bool has_several_results;               /* the forms support ops with several results */
} table[SR_LOCAL_COUNT] = {
	[SR_LOCAL_concatenate] = {{&sr_halo_of_concatenate}, sr_halo_mark_concatenate},
	[SR_LOCAL_convolution] = {{&sr_halo_of_convolution}},
	[SR_LOCAL_dynamic_slice] = {{&sr_form_dynamic_slice}},
	[SR_LOCAL_dynamic_update_slice] = {{&sr_form_dynamic_update_slice}},
	[SR_LOCAL_gather] = {{&sr_form_gather}},
	[SR_LOCAL_pad] = {{&sr_halo_of_slice_pad_reverse}, sr_halo_mark_slice_pad_reverse},
	[SR_LOCAL_reduce] = {{&sr_form_reduce}, .exists = sr_form_reduce_exists, .has_several_results = true},
	[SR_LOCAL_reduce_window] = {{&sr_form_cumulative, &sr_halo_of_reduce_window}},
	[SR_LOCAL_reverse] = {{&sr_halo_of_slice_pad_reverse}, sr_halo_mark_slice_pad_reverse},
	[SR_LOCAL_scatter] = {{&sr_form_scatter}},
	[SR_LOCAL_select_and_scatter] = {{&sr_halo_of_select_and_scatter}},
	[SR_LOCAL_slice] = {{&sr_halo_of_slice_pad_reverse}, sr_halo_mark_slice_pad_reverse, is_not_of_sort},
	[SR_LOCAL_sort] = {{&sr_form_sort_prefix, &sr_form_columnsort, &sr_form_sort_and_merge}, .has_several_results = true},
};

static const struct row *row_of(const struct sr_op *op)
{
	return &table[sr_local_kind_of(op)];
}

bool sr_form_exists(const struct sr_op *op)
{
	const struct row *row = row_of(op);
	return row->forms[0] && (op->n_results == 1 || row->has_several_results) && (!row->exists || row->exists(op)) &&
	       !sr_op_parent_of(op, SR_OP_sdy_manual_computation);
}

bool sr_form_supports(const struct sr_op_view *v, int factor)
{
	const struct row *row = row_of(v->op);
	if (!sr_form_exists(v->op))
		return false;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_type *type = sr_op_view_value(v, t)->type;
		int64_t n;
		if (type->kind != SR_TYPE_TENSOR || type->dtype == SR_DTYPE_NONE || !sr_type_is_static(type) ||
		    type->rank > SR_MAX_RANK || !sr_type_elements(type, &n) || !n)
			return false;
	}
	for (int i = 0; i < MAX_FORMS && row->forms[i]; i++)
		if (row->forms[i]->supports(v, factor))
			return true;
	return false;
}

const struct sr_op_form *sr_form_cheapest(const struct sr_form_query *q, struct sr_wire_cost *cost, bool *impossible)
{
	const struct row *row = row_of(q->op);
	const struct sr_op_form *best_form = NULL;
	struct sr_wire_cost min_cost = {0};
	double latency = sr_cost_model_latency_bytes(q->costs), least_bytes = HUGE_VAL;
	*impossible = false;
	for (int i = 0; i < MAX_FORMS && row->forms[i]; i++) {
		struct sr_wire_cost form_cost = {0};
		enum sr_form_use use = row->forms[i]->cost(q, &form_cost);
		if (use == SR_FORM_UNUSED)
			return NULL;
		if (use == SR_FORM_IMPOSSIBLE || form_cost.bytes + latency * form_cost.rounds >= least_bytes)
			continue;
		best_form = row->forms[i];
		min_cost = form_cost;
		least_bytes = form_cost.bytes + latency * form_cost.rounds;
	}
	*impossible = row->forms[0] && !best_form;
	sr_wire_cost_add(cost, min_cost);
	return best_form;
}

const struct sr_sharding_rule *sr_form_rule(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
					    const struct sr_sharding_rule *rule)
{
	const struct sr_op_form *form = row_of(op)->forms[0];
	return rule && form && form->rule && sr_form_exists(op) ? form->rule(ctx, arena, op, rule) : rule;
}

const struct sr_op_form *sr_form_named(const struct sr_op *op, const char *name)
{
	const struct row *row = row_of(op);
	for (int i = 0; i < MAX_FORMS && row->forms[i]; i++)
		if (strcmp(row->forms[i]->name, name) == 0)
			return row->forms[i];
	return NULL;
}

/* ---------------------------------------------------------------- the record */

void sr_form_record(struct sr_context *ctx, struct sr_op *op, const struct sr_op_form *form, const struct sr_attr *const *layouts)
{
	const char *name = form ? form->name : SR_FORM_BY_FACTORS;
	struct sr_named_attr entries[] = {{sr_intern(ctx, "name"), sr_attr_string(ctx, name, strlen(name))},
					  {sr_intern(ctx, "in"), sr_attr_shardings(ctx, layouts, op->n_operands)},
					  {sr_intern(ctx, "out"), sr_attr_shardings(ctx, layouts + op->n_operands, op->n_results)}};
	sr_op_set_attr(ctx, op, SR_FORM, sr_attr_dict(ctx, entries, 3));
}

const struct sr_attr *sr_form_recorded(const struct sr_op *op, const struct sr_attr **layouts)
{
	const struct sr_attr *record = sr_op_attr(op, SR_FORM), *name = record ? sr_dict_get(record, "name") : NULL,
			     *lists[] = {record ? sr_dict_get(record, "in") : NULL, record ? sr_dict_get(record, "out") : NULL};
	int64_t counts[] = {op->n_operands, op->n_results}, n = 0;
	for (int i = 0; i < 2; i++) {
		if (!lists[i] || lists[i]->kind != SR_ATTR_SHARDINGS || lists[i]->n != counts[i])
			return NULL;
		for (int64_t k = 0; k < counts[i]; k++)
			layouts[n++] = lists[i]->list[k];
	}
	return name && name->kind == SR_ATTR_STRING ? name : NULL;
}

bool sr_form_is_by_factors(const struct sr_attr *name)
{
	return strcmp(name->s, SR_FORM_BY_FACTORS) == 0;
}

/* ---------------------------------------------------------------- ops that are read through */

bool sr_form_is_read_through(const struct sr_op *op)
{
	return sr_op_attr(op, SR_READ_THROUGH) != NULL;
}

struct sr_use *sr_form_source(const struct sr_op *op, int t)
{
	struct sr_use *use = &op->operands[t];
	while (use->value->def && sr_form_is_read_through(use->value->def))
		use = &use->value->def->operands[0];
	return use;
}

struct sr_use *sr_form_mark_def(struct sr_context *ctx, struct sr_use *use)
{
	struct sr_op *def = use->value->def;
	if (use->value->uses->next) {
		struct sr_op *copy = sr_op_clone(ctx, def, NULL);
		sr_op_insert_before(use->owner, copy);
		sr_use_set(use, sr_result(copy, 0));
		def = copy;
	}
	sr_op_set_attr(ctx, def, SR_READ_THROUGH, sr_attr_unit(ctx));
	return &def->operands[0];
}

struct ops {
	struct sr_arena *arena;
	SR_VEC(struct sr_op *) list;
};

static bool collect(void *data, struct sr_op *op)
{
	struct ops *ops = data;
	if (sr_form_exists(op))
		sr_push(ops->arena, &ops->list, op);
	return true;
}

void sr_form_mark_read_through(struct sr_context *ctx, struct sr_op *root)
{
	struct sr_op *module = sr_op_module(root);
	struct sr_cost_model *costs = sr_cost_model_new(ctx, module, true);
	struct ops ops = {.arena = ctx->arena};
	sr_walk(root, collect, &ops);
	/* Visit concatenates in the first round and other ops in the second, from the last op to the first, so that readers are
	 * visited before the ops that they read. */
	for (int round = 0; round < 2; round++)
		for (size_t i = ops.list.n; i-- > 0;) {
			struct sr_op *op = ops.list.data[i];
			const struct row *row = row_of(op);
			if (row->mark_read_through && sr_op_is(op, SR_OP_stablehlo_concatenate) == !round &&
			    !sr_op_attr(op, SR_FORM) && !sr_form_is_read_through(op))
				row->mark_read_through(ctx, module, op, costs);
		}
}

void sr_form_stop_reading_through(struct sr_context *ctx, struct sr_op *op, int t, const struct sr_attr *layout)
{
	for (struct sr_op *def = sr_operand(op, t)->def; def && sr_form_is_read_through(def); def = sr_operand(def, 0)->def) {
		sr_op_remove_attr(ctx, def, SR_READ_THROUGH);
		if (sr_op_is(def, SR_OP_sdy_reshard))
			sr_op_set_attr(ctx, def, SR_NAME_sharding, layout);
		else
			sr_value_set_sharding(ctx, sr_result(def, 0), layout);
	}
}
