/* Read and set the types, names and attributes of functions, and find callees and modules. */
#include "dialect/ops.h"
#include <stdio.h>
#include <string.h>

const struct sr_type *sr_func_type(const struct sr_op *func)
{
	return sr_op_attr(func, "function_type")->type;
}

struct sr_block *sr_func_entry(const struct sr_op *func)
{
	return func->n_regions ? func->regions[0].first : NULL;
}

static const struct sr_attr *dict_list_attr(const struct sr_op *func, const char *list, int i, const char *name)
{
	const struct sr_attr *dicts = sr_op_attr(func, list);
	if (!dicts || i < 0 || i >= dicts->n)
		return NULL;
	return sr_dict_get(dicts->list[i], name);
}

const struct sr_attr *sr_func_arg_attr(const struct sr_op *func, int arg, const char *name)
{
	return dict_list_attr(func, "arg_attrs", arg, name);
}

const struct sr_attr *sr_func_result_attr(const struct sr_op *func, int result, const char *name)
{
	return dict_list_attr(func, "res_attrs", result, name);
}

static const char *nonempty_string(const struct sr_attr *name)
{
	return name && name->kind == SR_ATTR_STRING && *name->s ? name->s : NULL;
}

const char *sr_func_arg_name(const struct sr_op *func, int arg)
{
	const char *name = nonempty_string(sr_func_arg_attr(func, arg, "jax.arg_info"));
	const struct sr_block *entry = sr_func_entry(func);
	const struct sr_attr *loc = entry && arg < entry->n_args ? entry->args[arg]->loc : NULL;
	while (loc && loc->kind == SR_LOC_NAME && loc->s[0] == '%') /* skip the SSA name that wraps the location */
		loc = loc->list[0];
	return name || !loc || loc->kind != SR_LOC_NAME || !*loc->s ? name : loc->s;
}

/* Return the name of a result; NULL if it has none, or only a name that JAX derives from the result's number: "result" or "" for a
 * single result, "result[1]" or "[1]" for an element of a tuple. */
const char *sr_func_result_name(const struct sr_op *func, int result)
{
	static const char prefix[] = "result";
	const char *name = nonempty_string(sr_func_result_attr(func, result, "jax.result_info"));
	char number[16];
	if (!name)
		return NULL;
	const char *suffix = name + (strncmp(name, prefix, sizeof prefix - 1) ? 0 : sizeof prefix - 1);
	snprintf(number, sizeof number, "[%d]", result);
	return *suffix && strcmp(suffix, number) != 0 ? name : NULL;
}

const struct sr_attr *sr_dict_with(struct sr_context *ctx, const struct sr_attr *dict, const char *name,
				   const struct sr_attr *value)
{
	int n = 0, n_old = dict ? dict->n : 0;
	struct sr_named_attr *entries = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, n_old + 1);
	for (int i = 0; i < n_old; i++)
		if (strcmp(dict->entries[i].name, name) != 0)
			entries[n++] = dict->entries[i];
	if (value)
		entries[n++] = (struct sr_named_attr){sr_intern(ctx, name), value};
	return sr_attr_dict(ctx, entries, n);
}

/* Return the dictionaries of a list attribute, extended with empty dictionaries to `length`. */
static const struct sr_attr **list_entries(struct sr_context *ctx, const struct sr_op *func, const char *list, int length)
{
	const struct sr_attr *old = sr_op_attr(func, list), *empty_dict = sr_attr_dict(ctx, NULL, 0);
	const struct sr_attr **dicts = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, length);
	for (int i = 0; i < length; i++)
		dicts[i] = old && i < old->n ? old->list[i] : empty_dict;
	return dicts;
}

/* Set the list attribute; remove it if all dictionaries are empty. */
static void set_list(struct sr_context *ctx, struct sr_op *func, const char *list, const struct sr_attr **dicts, int length)
{
	bool has_entries = false;
	for (int i = 0; i < length; i++)
		has_entries = has_entries || dicts[i]->n > 0;
	sr_op_set_attr(ctx, func, list, has_entries ? sr_attr_array(ctx, dicts, length) : NULL);
}

static void set_list_attr(struct sr_context *ctx, struct sr_op *func, const char *list, int length, int index, const char *name,
			  const struct sr_attr *value)
{
	const struct sr_attr **dicts = list_entries(ctx, func, list, length);
	dicts[index] = sr_dict_with(ctx, dicts[index], name, value);
	set_list(ctx, func, list, dicts, length);
}

void sr_func_set_arg_attr(struct sr_context *ctx, struct sr_op *func, int arg, const char *name, const struct sr_attr *value)
{
	if (value || sr_func_arg_attr(func, arg, name))
		set_list_attr(ctx, func, "arg_attrs", sr_func_type(func)->n_inputs, arg, name, value);
}

static void set_list_attrs(struct sr_context *ctx, struct sr_op *func, const char *list, int length, const char *name,
			   const struct sr_attr *const *values)
{
	const struct sr_attr **dicts = list_entries(ctx, func, list, length);
	for (int i = 0; i < length; i++)
		if (values[i])
			dicts[i] = sr_dict_with(ctx, dicts[i], name, values[i]);
	set_list(ctx, func, list, dicts, length);
}

void sr_func_set_arg_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values)
{
	set_list_attrs(ctx, func, "arg_attrs", sr_func_type(func)->n_inputs, name, values);
}

void sr_func_set_result_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values)
{
	set_list_attrs(ctx, func, "res_attrs", sr_func_type(func)->n_results, name, values);
}

void sr_func_set_result_attr(struct sr_context *ctx, struct sr_op *func, int result, const char *name, const struct sr_attr *value)
{
	if (value || sr_func_result_attr(func, result, name))
		set_list_attr(ctx, func, "res_attrs", sr_func_type(func)->n_results, result, name, value);
}

const struct sr_attr **sr_func_arg_dicts(struct sr_context *ctx, const struct sr_op *func)
{
	return list_entries(ctx, func, "arg_attrs", sr_func_type(func)->n_inputs);
}

const struct sr_attr **sr_func_result_dicts(struct sr_context *ctx, const struct sr_op *func)
{
	return list_entries(ctx, func, "res_attrs", sr_func_type(func)->n_results);
}

void sr_func_set_arg_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts)
{
	set_list(ctx, func, "arg_attrs", dicts, sr_func_type(func)->n_inputs);
}

void sr_func_set_result_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts)
{
	set_list(ctx, func, "res_attrs", dicts, sr_func_type(func)->n_results);
}

void sr_func_set_type(struct sr_context *ctx, struct sr_op *func, const struct sr_type *type)
{
	sr_op_set_attr(ctx, func, "function_type", sr_attr_type(ctx, type));
}

struct sr_op *sr_call_callee(const struct sr_op *module, const struct sr_op *call)
{
	const struct sr_attr *callee = sr_op_attr(call, "callee");
	return callee && callee->kind == SR_ATTR_SYMBOL ? sr_symbol_find(module, callee->s) : NULL;
}

struct sr_op *sr_op_module(const struct sr_op *op)
{
	struct sr_op *module = NULL;
	if (sr_op_is(op, SR_OP_builtin_module))
		module = (struct sr_op *)(uintptr_t)op;
	for (struct sr_op *parent = sr_op_parent(op); parent; parent = sr_op_parent(parent))
		if (sr_op_is(parent, SR_OP_builtin_module))
			module = parent;
	return module;
}
