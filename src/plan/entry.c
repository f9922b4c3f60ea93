/* The function that a program starts with. */
#include "plan/plan.h"
#include <string.h>

struct sr_op *sr_entry_find(struct sr_context *ctx, struct sr_op *module, const char *name, enum sr_status *status)
{
	struct sr_op *first = NULL, *public = NULL, *main = NULL, *wanted = NULL;
	int n = 0, n_public = 0;
	*status = SR_OK;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		if (!sr_op_is(op, SR_OP_func_func) || !sr_func_entry(op))
			continue;
		const struct sr_attr *visibility = sr_op_attr(op, "sym_visibility");
		bool private = visibility && !strcmp(visibility->s, "private");
		const char *symbol = sr_symbol_name(op);
		n++;
		first = first ? first : op;
		if (!private && n_public++ == 0)
			public = op;
		if (symbol && !strcmp(symbol, "main"))
			main = op;
		if (symbol && name && !strcmp(symbol, name))
			wanted = op;
	}
	if (name) {
		if (!wanted)
			*status = sr_error(&ctx->diags, SR_USAGE, sr_loc_place(module->loc), "the module has no function @%s", name);
		return wanted;
	}
	if (main)
		return main;
	if (n == 1 || n_public == 1)
		return n == 1 ? first : public;
	*status = sr_error(&ctx->diags, n ? SR_USAGE : SR_INVALID, sr_loc_place(module->loc),
			   n ? "the module has no function @main and %d others; choose one with --function=NAME" : "the module has no function to run", n);
	return NULL;
}
