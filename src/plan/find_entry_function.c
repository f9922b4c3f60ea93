/* Find the entry function of a program. */
#include "plan/plan.h"
#include "dialect/attr_names.h"
#include "support/knobs/suggest.h"
#include <string.h>

enum { MAX_LISTED = 20 };

/* Return the names of the module's functions for a message: "@main, @step and 3 more". */
static const char *list_functions(struct sr_context *ctx, const struct sr_op *module)
{
	struct sr_buf buf;
	int n = 0;
	sr_buf_init(&buf, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func) && sr_func_entry(op) && sr_symbol_name(op) && n++ < MAX_LISTED)
			sr_buf_printf(&buf, "%s@%s", n > 1 ? ", " : "", sr_symbol_name(op));
	if (n > MAX_LISTED)
		sr_buf_printf(&buf, " and %d more", n - MAX_LISTED);
	return sr_buf_string(&buf);
}

static void report_unknown(struct sr_context *ctx, const struct sr_op *module, const char *name)
{
	struct sr_suggest s = sr_suggest_for(name, strlen(name));
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func) && sr_func_entry(op) && sr_symbol_name(op))
			sr_suggest_offer(&s, sr_symbol_name(op));
	const char *suggestion = s.nearest ? sr_printf(ctx->arena, "; did you mean @%s? It has", s.nearest) : ", but";
	sr_error(&ctx->diags, SR_USAGE, sr_loc_source(module->loc), "the module has no function @%s%s %s", name, suggestion,
		 list_functions(ctx, module));
}

struct sr_op *sr_find_entry_function(struct sr_context *ctx, struct sr_op *module, const char *name, enum sr_status *status)
{
	struct sr_op *first_func = NULL, *public_func = NULL, *main_func = NULL, *named_func = NULL;
	int n = 0, n_public = 0;
	*status = SR_OK;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		if (!sr_op_is(op, SR_OP_func_func) || !sr_func_entry(op))
			continue;
		const struct sr_attr *visibility = sr_op_attr(op, SR_NAME_sym_visibility);
		bool is_private = visibility && !strcmp(visibility->s, "private");
		const char *symbol = sr_symbol_name(op);
		n++;
		first_func = first_func ? first_func : op;
		if (!is_private && n_public++ == 0)
			public_func = op;
		if (symbol && !strcmp(symbol, "main"))
			main_func = op;
		if (symbol && name && !strcmp(symbol, name))
			named_func = op;
	}
	if (name) {
		if (!named_func) {
			report_unknown(ctx, module, name);
			*status = SR_USAGE;
		}
		return named_func;
	}
	if (main_func)
		return main_func;
	if (n == 1 || n_public == 1)
		return n == 1 ? first_func : public_func;
	if (n)
		*status = sr_error(&ctx->diags, SR_USAGE, sr_loc_source(module->loc),
				   "the module has no function @main and %d others; choose one with --function=NAME: %s", n,
				   list_functions(ctx, module));
	else
		*status = sr_error(&ctx->diags, SR_INVALID, sr_loc_source(module->loc), "the module has no function to run");
	return NULL;
}
