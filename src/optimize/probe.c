/* interpreter-instrument-with-probe: pass each op result through a probe, which the interpreter writes to a file:
 *
 *	%0 = stablehlo.add %a, %b
 *	=> %0 = stablehlo.add %a, %b
 *	   %1 = interpreter.probe %0, probe_id = "probe1"
 *
 * Left out are constants, values that are not tensors of numbers with static shape, and values in the bodies of reductions, sorts
 * and the like, which run on all elements at once. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"
#include <string.h>

struct instrument {
	struct sr_context *ctx;
	bool is_named_by_location; /* name probes after source locations instead of numbers */
	int64_t n;        /* number of probes so far, which makes their names unique */
	SR_VEC(struct sr_op *) ops; /* ops with results, inner ops before outer ones */
};

static bool has_probed_type(const struct sr_type *t)
{
	enum sr_type_kind kind = sr_type_is_static(t) ? t->element->kind : SR_TYPE_OPAQUE;
	return kind == SR_TYPE_INTEGER || kind == SR_TYPE_FLOAT || kind == SR_TYPE_COMPLEX;
}

/* Return a probe's name. The name in a location is used up to an @, after which frameworks put the call site. */
static const struct sr_attr *probe_id(struct instrument *in, const struct sr_op *op)
{
	const struct sr_attr *loc = op->loc;
	const char *id;
	in->n++;
	if (in->is_named_by_location && loc && loc->kind == SR_LOC_NAME)
		id = sr_printf(in->ctx->arena, "%.*s.%lld", (int)strcspn(loc->s, "@"), loc->s, (long long)in->n);
	else
		id = sr_printf(in->ctx->arena, "probe%lld", (long long)in->n);
	return sr_attr_string(in->ctx, id, strlen(id));
}

/* Return true for ops whose regions are executed as control flow. */
static bool runs_its_regions(const struct sr_op *op)
{
	static const enum sr_op_code codes[] = {SR_OP_stablehlo_if, SR_OP_stablehlo_case, SR_OP_stablehlo_while,
						SR_OP_sdy_manual_computation,
						SR_OP_sdy_named_computation, SR_OP_func_func, SR_OP_builtin_module};
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (sr_op_is(op, codes[i]))
			return true;
	return false;
}

static bool is_in_body(const struct sr_op *op)
{
	const struct sr_op *owner = sr_op_parent(op);
	while (owner && runs_its_regions(owner))
		owner = sr_op_parent(owner);
	return owner != NULL;
}

static bool collect(void *data, struct sr_op *op)
{
	struct instrument *in = data;
	if (op->n_results && !sr_op_is(op, SR_OP_stablehlo_constant) && !sr_op_is(op, SR_OP_sdy_constant) && !is_in_body(op))
		sr_push(in->ctx->arena, &in->ops, op);
	return true;
}

static void probe(struct instrument *in, struct sr_op *op)
{
	struct sr_builder b = {.ctx = in->ctx, .block = op->block, .anchor = op->next, .loc = op->loc};
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *value = sr_result(op, i);
		if (!has_probed_type(value->type))
			continue;
		struct sr_named_attr id = {SR_NAME_probe_id, probe_id(in, op)};
		struct sr_op *new_op = sr_build(&b, SR_OP_interpreter_probe, &value, 1, &id, 1, &value->type, 1);
		sr_value_replace_all(value, sr_result(new_op, 0));
		sr_op_set_operand(new_op, 0, value);
		b.anchor = new_op; /* the last result's probe comes first, as in upstream's pass */
	}
}

enum sr_status sr_run_instrument_with_probe(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct instrument in = {.ctx = ctx, .is_named_by_location = sr_option_bool(options, "useDebugInfo")};
	sr_walk_post(root, collect, &in);
	for (size_t i = 0; i < in.ops.n; i++)
		probe(&in, in.ops.data[i]);
	return SR_OK;
}
