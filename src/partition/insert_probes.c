/* shardrun-insert-probes: insert a check.probe after every value that is to be inspected.
 *
 *	%0 = stablehlo.add %a, %b   ->   %0 = stablehlo.add %a, %b
 *	                                 check.probe(%0) {id = 2, ...}
 *
 * Requires: propagation done, calls inlined. Loop-carried values and results of branches get probes too. No probes are inserted in
 * bodies of reductions and similar ops, which run for all elements at once, and in bodies of manual computations, whose values are
 * not shards of a global value. */
#include "partition/insert_probes.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "import/edges/data_flow_edge.h"
#include "partition/partition_passes.h"
#include "propagate/propagate.h"
#include "support/checked.h"
#include "support/probe.h"
#include "support/vec.h"
#include <math.h>
#include <regex.h>
#include <string.h>

struct probe_inserter {
	struct sr_context *ctx;
	const struct sr_probe_options *options;
	regex_t match;
	struct sr_map numbers; /* map from value to 1 + number of its probe */
	SR_VEC(struct sr_value *) values;
};

static bool is_float(const struct sr_type *t)
{
	return t->element->kind == SR_TYPE_FLOAT || t->element->kind == SR_TYPE_COMPLEX;
}

/* Return the text for the kind of a value: its op, "stablehlo.add"; for block arguments "argument" or "stablehlo.while
 * argument". */
static const char *kind_of_value(struct probe_inserter *t, const struct sr_value *v)
{
	const struct sr_op *owner = sr_value_owner(v);
	if (v->def)
		return owner->info->name;
	return sr_op_is(owner, SR_OP_func_func) ? "argument" : sr_printf(t->ctx->arena, "%s argument", owner->info->name);
}

/* Return the value's name, "%12", or an argument's name in the source; "" if it has none. */
static const char *name_of(const struct sr_value *v)
{
	const struct sr_op *owner = v->def ? NULL : v->block->region->op;
	const char *argument_name = owner && sr_op_is(owner, SR_OP_func_func) ? sr_func_arg_name(owner, v->index) : NULL;
	const char *text_name = sr_value_text_name(v);
	return argument_name ? argument_name : text_name ? text_name : "";
}

static bool matches(struct probe_inserter *t, const struct sr_value *v)
{
	const struct sr_attr *loc = sr_value_loc(v);
	struct sr_src_loc place = sr_loc_source(loc);
	const char *probe_info = sr_loc_source_name(loc);
	const char *texts[] = {kind_of_value(t, v), name_of(v), probe_info ? probe_info : "",
			       place.file ? sr_printf(t->ctx->arena, "%s:%d", place.file, place.line) : ""};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (*texts[i] && !regexec(&t->match, texts[i], 0, NULL, 0))
			return true;
	return false;
}

static void number_value(struct probe_inserter *t, struct sr_value *v)
{
	const struct sr_attr *sharding = sr_value_sharding(t->ctx, v);
	if (!sr_type_is_static(v->type) || !v->type->dtype || v->type->rank > SR_MAX_RANK ||
	    (t->options->floats_only && !is_float(v->type)) || (sharding && sharding->sharding->unreduced.n) ||
	    (t->options->match && !matches(t, v)))
		return;
	sr_push(t->ctx->arena, &t->values, v);
	sr_map_put(&t->numbers, v, (void *)(intptr_t)t->values.n);
}

static void number_block(struct probe_inserter *t, const struct sr_block *block)
{
	for (int i = 0; i < block->n_args; i++)
		number_value(t, block->args[i]);
	for (struct sr_op *op = block->first; op; op = op->next) {
		for (int r = 0; r < op->n_regions && sr_op_has(op, SR_CONTROL_FLOW); r++)
			for (const struct sr_block *inner = op->regions[r].first; inner; inner = inner->next)
				number_block(t, inner);
		for (int i = 0; i < op->n_results && !sr_op_has(op, SR_CONSTANT); i++)
			number_value(t, sr_result(op, i));
	}
}

/* ---- origin of a value ---- */

/* Return the set of SR_PROBE_NAN and SR_PROBE_INF that occur in a floating-point constant. */
static int64_t flags_of_constant(struct sr_context *ctx, const struct sr_op *op)
{
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	const struct sr_type *type = sr_result(op, 0)->type;
	int64_t bytes, item, flags = 0;
	if (!value || value->kind != SR_ATTR_DENSE || !type->dtype || !is_float(type))
		return 0;
	const char *data = sr_dense_data(ctx, value, false, &bytes);
	item = sr_dtype_bytes(type->dtype);
	for (int64_t at = 0; data && at + item <= bytes; at += item) {
		double re = 0, im = 0;
		int64_t i;
		sr_element_get(type->dtype, data + at, &i, &re, &im);
		flags |= isnan(re) || isnan(im) ? SR_PROBE_NAN : isinf(re) || isinf(im) ? SR_PROBE_INF : 0;
	}
	return flags;
}

static int64_t reduction_size(const struct sr_sharding_rule *rule)
{
	int64_t n = 1;
	for (int i = 0; i < rule->reduction.n; i++)
		if (sr_mul_overflows(n, rule->sizes[rule->reduction.indices[i]], &n))
			return INT64_MAX;
	return n;
}

struct origin {
	int64_t reduction_size, flags;
	SR_VEC(int64_t) sources; /* numbers of the probes of the values from which the value is computed */
};

static void add_source(struct probe_inserter *t, struct origin *o, const struct sr_value *v)
{
	int64_t probe = (intptr_t)sr_map_get(&t->numbers, v);
	if (probe)
		sr_push(t->ctx->arena, &o->sources, probe - 1);
	else if (v->def && sr_op_has(v->def, SR_CONSTANT))
		o->flags |= flags_of_constant(t->ctx, v->def);
}

/* Add the sources of a loop-carried value or of a branch's result: those of each source of its data-flow edge. */
static void add_edge_sources(struct probe_inserter *t, struct origin *o, struct sr_value *owner)
{
	struct sr_edge edge = sr_edge_of(t->ctx, owner);
	o->flags |= SR_PROBE_FORWARDS_VALUE;
	for (int i = 0; i < edge.n; i++)
		add_source(t, o, edge.sources[i]);
}

static struct origin origin_of(struct probe_inserter *t, struct sr_value *v)
{
	struct origin o = {.reduction_size = 1};
	bool is_manual = v->def && sr_op_is(v->def, SR_OP_sdy_manual_computation);
	struct sr_value *owner = is_manual ? NULL : sr_edge_owner(t->ctx, v);
	if (owner) {
		add_edge_sources(t, &o, owner);
		return o;
	}
	for (int i = 0; v->def && i < v->def->n_operands; i++)
		add_source(t, &o, sr_operand(v->def, i));
	if (!v->def)
		return o;
	o.flags |= is_manual ? SR_PROBE_MANUAL : 0;
	const struct sr_sharding_rule *rule = sr_op_has(v->def, SR_ELEMENTWISE) ? NULL : sr_op_rule(t->ctx, v->def, false);
	if (rule)
		o.reduction_size = reduction_size(rule);
	if (!sr_op_has(v->def, SR_ELEMENTWISE) && (!rule || rule->need_replication.n || rule->permutation.n))
		o.flags |= SR_PROBE_LOOSE_BOUND;
	return o;
}

/* ---- the probes ---- */

static const struct sr_attr *string_attr(struct sr_context *ctx, const char *s)
{
	return sr_attr_string(ctx, s, strlen(s));
}

static const struct sr_attr *info_of(struct probe_inserter *t, struct sr_value *v)
{
	struct sr_context *ctx = t->ctx;
	struct origin o = origin_of(t, v);
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (sr_op_has(use->owner, SR_TERMINATOR) && sr_op_is(sr_op_parent(use->owner), SR_OP_func_func))
			o.flags |= SR_PROBE_RESULT;
	struct sr_named_attr entries[] = {{sr_intern(ctx, "flags"), sr_attr_i64(ctx, o.flags)},
				     {sr_intern(ctx, "name"), string_attr(ctx, name_of(v))},
				     {sr_intern(ctx, "op"), string_attr(ctx, kind_of_value(t, v))},
				     {sr_intern(ctx, "reduced"), sr_attr_i64(ctx, o.reduction_size)},
				     {sr_intern(ctx, "sources"), sr_attr_i64s(ctx, o.sources.data, (int64_t)o.sources.n)}};
	return sr_attr_dict(ctx, entries, sizeof entries / sizeof *entries);
}

static void insert_probe(struct probe_inserter *t, struct sr_value *v, int64_t id, const struct sr_attr *probe_info)
{
	struct sr_context *ctx = t->ctx;
	struct sr_op *anchor = v->def ? v->def->next : v->block->first;
	while (anchor && sr_op_is(anchor, SR_OP_check_probe)) /* skip the probes of earlier results or arguments */
		anchor = anchor->next;
	struct sr_builder at = {.ctx = ctx, .anchor = anchor, .loc = sr_value_loc(v)};
	struct sr_named_attr attrs[] = {{SR_NAME_global, sr_attr_type(ctx, v->type)}, {SR_NAME_id, sr_attr_i64(ctx, id)},
				   {SR_NAME_info, probe_info}};
	struct sr_op *op = sr_build(&at, SR_OP_check_probe, &v, 1, attrs, 3, &v->type, t->options->replaces_readers ? 1 : 0);
	if (!t->options->replaces_readers)
		return;
	const struct sr_attr *sharding = sr_value_sharding(ctx, v);
	sr_value_replace_all(v, sr_result(op, 0));
	sr_op_set_operand(op, 0, v);
	if (sharding)
		sr_value_set_sharding(ctx, sr_result(op, 0), sharding);
}

static void insert_all(struct probe_inserter *t, struct sr_op *module)
{
	const struct sr_attr **probe_info;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func) && sr_func_entry(op))
			number_block(t, sr_func_entry(op));
	probe_info = SR_NEW_ARRAY(t->ctx->arena, const struct sr_attr *, t->values.n + 1);
	/* The readers are collected before probes are inserted, since a probe is a reader itself. */
	for (size_t i = 0; i < t->values.n; i++)
		probe_info[i] = info_of(t, t->values.data[i]);
	for (size_t i = 0; i < t->values.n; i++)
		insert_probe(t, t->values.data[i], (int64_t)i, probe_info[i]);
}

enum sr_status sr_insert_probes_in(struct sr_context *ctx, struct sr_op *module, const struct sr_probe_options *options)
{
	struct probe_inserter t = {.ctx = ctx, .options = options};
	char why[200];
	int error = options->match ? regcomp(&t.match, options->match, REG_EXTENDED | REG_NOSUB) : 0;
	if (error) {
		regerror(error, &t.match, why, sizeof why);
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "'%s' is not a regular expression: %s",
				options->match, why);
	}
	sr_map_init(&t.numbers, ctx->arena);
	insert_all(&t, module);
	if (options->match)
		regfree(&t.match);
	return SR_OK;
}

enum sr_status sr_insert_probes(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	const char *match = sr_option_string(options, "match");
	return sr_insert_probes_in(ctx, root,
				   &(struct sr_probe_options){.match = *match ? match : NULL,
							      .floats_only = sr_option_bool(options, "floats"),
							      .replaces_readers = sr_option_bool(options, "through")});
}
