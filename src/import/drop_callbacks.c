/* Calls back into the Python that a program came from, where nobody waits for a value of them (jax.debug.print,
 * jax.debug.callback):
 * there is no Python where the program runs, so they are left out, with one warning for all. Those whose results the program uses
 * stay, and are told when it is lowered. */
#include "import/import.h"
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include <string.h>

static const char *const targets[] = {"xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback",
				      "xla_python_cpu_callback"};

struct found {
	struct sr_context *ctx;
	struct sr_src_loc first;
	int n;
};

bool sr_is_python_callback(const char *target)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (!strcmp(target, targets[i]))
			return true;
	return false;
}

static bool is_callback(const struct sr_op *op)
{
	const struct sr_attr *target = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	return target && sr_is_python_callback(target->s);
}

/* Nothing comes back but the token that went in, which keeps an order. */
static bool gives_nothing(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].type->kind == SR_TYPE_TOKEN ? !op->n_operands || sr_operand(op, 0)->type->kind != SR_TYPE_TOKEN
							       : op->results[i].uses != NULL)
			return false;
	return true;
}

static bool drop(void *data, struct sr_op *op)
{
	struct found *found = data;
	if (!is_callback(op) || !gives_nothing(op))
		return true;
	if (!found->n++)
		found->first = sr_loc_source(op->loc);
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].type->kind == SR_TYPE_TOKEN)
			sr_value_replace_all(&op->results[i], sr_operand(op, 0));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_drop_callbacks(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct found found = {.ctx = ctx};
	(void)options;
	sr_walk(module, drop, &found);
	if (found.n)
		sr_report(&ctx->diags, SR_WARNING, found.first,
			  "a call back into Python (jax.debug.print and the like) is left out%s",
			  found.n == 1 ? "" : sr_printf(ctx->arena, ", here and at %d more place%s", found.n - 1, found.n == 2 ? ""
							: "s"));
	return SR_OK;
}
