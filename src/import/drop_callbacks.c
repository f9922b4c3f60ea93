/* Implement shardrun-drop-callbacks: remove custom calls back into the exporting Python process whose results are unused
 * (jax.debug.print, jax.debug.callback), since no Python process exists at run time. One warning covers all removed calls.
 * Callbacks whose results are used stay and are rejected when lowered. Calls @control_dep (jax.experimental.control_deps) are removed,
 * too: they ask a scheduler to compute one value before another, and would keep both from being sharded. */
#include "import/import.h"
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include <string.h>

static const char *const callback_targets[] = {"xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback",
				      "xla_python_cpu_callback"};

struct callbacks {
	struct sr_context *ctx;
	struct sr_src_loc first_loc;
	int n;
};

bool sr_is_python_callback(const char *target)
{
	for (size_t i = 0; i < sizeof callback_targets / sizeof *callback_targets; i++)
		if (!strcmp(target, callback_targets[i]))
			return true;
	return false;
}

/* Return the target of a custom call; "" for other ops. */
static const char *target_of(const struct sr_op *op)
{
	const struct sr_attr *target = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	return target ? target->s : "";
}

/* Return true if no result of op is used, except tokens that op passes through from operand 0. */
static bool has_no_used_results(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].type->kind == SR_TYPE_TOKEN ? !op->n_operands || sr_operand(op, 0)->type->kind != SR_TYPE_TOKEN
							       : op->results[i].uses != NULL)
			return false;
	return true;
}

static void drop(struct callbacks *callbacks, struct sr_op *op)
{
	if (!callbacks->n++)
		callbacks->first_loc = sr_loc_source(op->loc);
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].type->kind == SR_TYPE_TOKEN)
			sr_value_replace_all(&op->results[i], sr_operand(op, 0));
	sr_op_erase(op);
}

static bool drop_callback(void *data, struct sr_op *op)
{
	struct callbacks *callbacks = data;
	const char *target = target_of(op);
	if (!op->n_results && !strcmp(target, "control_dep"))
		sr_op_erase(op);
	else if (sr_is_python_callback(target) && has_no_used_results(op))
		drop(callbacks, op);
	return true;
}

enum sr_status sr_pass_drop_callbacks(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct callbacks callbacks = {.ctx = ctx};
	(void)options;
	sr_walk(module, drop_callback, &callbacks);
	if (callbacks.n)
		sr_report(&ctx->diags, SR_WARNING, callbacks.first_loc,
			  "dropped a callback into Python (such as jax.debug.print)%s",
			  callbacks.n == 1 ? ""
					   : sr_printf(ctx->arena, ", here and at %d more place%s", callbacks.n - 1,
						       callbacks.n == 2 ? "" : "s"));
	return SR_OK;
}
