/* Infer result types of functions, calls, composites and custom calls, and check operands and results against the callee's type. */
#include "dialect/infer/infer.h"
#include <string.h>

sr_infer_fn sr_infer_composite, sr_infer_custom_call, sr_infer_func, sr_infer_func_call, sr_infer_func_return, sr_infer_module,
	sr_infer_run_parallel;

enum sr_status sr_infer_module(struct sr_infer *in)
{
	return SR_OK;
}

/* Return true for a function that has a type; the function's own verifier may not have run yet. */
static bool is_function(const struct sr_op *op)
{
	const struct sr_attr *type = op && sr_op_is(op, SR_OP_func_func) ? sr_op_attr(op, "function_type") : NULL;
	return type && type->kind == SR_ATTR_TYPE && type->type->kind == SR_TYPE_FUNCTION;
}

static enum sr_status check_dicts(struct sr_infer *in, const char *attr, int n, const char *value_kind)
{
	const struct sr_attr *list = sr_op_attr(in->op, attr);
	if (list && list->n != n)
		return sr_infer_error(in,
				      "expects %s attribute array to have the same number of elements as the number of function "
				      "%s, got %d, but expected %d",
				      value_kind, value_kind, list->n, n);
	return SR_OK;
}

enum sr_status sr_infer_func(struct sr_infer *in)
{
	const struct sr_type *type = sr_func_type(in->op);
	const struct sr_block *entry = sr_func_entry(in->op);
	if (check_dicts(in, "arg_attrs", type->n_inputs, "argument") || check_dicts(in, "res_attrs", type->n_results, "result"))
		return SR_INVALID;
	if (!entry)
		return SR_OK;
	if (entry->n_args != type->n_inputs)
		return sr_infer_error(in, "entry block must have %d arguments to match function signature", type->n_inputs);
	for (int i = 0; i < entry->n_args; i++)
		if (entry->args[i]->type != type->inputs[i])
			return sr_infer_error(in,
					      "type of entry block argument #%d('%s') must match the type of the corresponding "
					      "argument in function signature('%s')",
					      i, sr_infer_type_str(in, entry->args[i]->type), sr_infer_type_str(in, type->inputs[i]));
	return SR_OK;
}

enum sr_status sr_infer_func_return(struct sr_infer *in)
{
	const struct sr_op *func = sr_op_parent(in->op);
	if (!func || !sr_op_is(func, SR_OP_func_func))
		return func ? sr_infer_error(in, "expects parent op 'func.func'") : SR_OK;
	const struct sr_type *type = sr_func_type(func);
	if (in->op->n_operands != type->n_results)
		return sr_infer_error(in, "has %d operands, but enclosing function (@%s) returns %d", in->op->n_operands,
				      sr_symbol_name(func), type->n_results);
	for (int i = 0; i < type->n_results; i++)
		if (sr_infer_operand(in, i) != type->results[i])
			return sr_infer_error(
				in, "type of return operand %d ('%s') doesn't match function result type ('%s') in function @%s", i,
				sr_infer_type_str(in, sr_infer_operand(in, i)), sr_infer_type_str(in, type->results[i]),
				sr_symbol_name(func));
	return SR_OK;
}

enum sr_status sr_infer_func_call(struct sr_infer *in)
{
	const struct sr_op *module = sr_op_module(in->op), *callee = module ? sr_call_callee(module, in->op) : NULL;
	if (!module)
		return SR_OK;
	if (!is_function(callee))
		return sr_infer_error(in, "'%s' does not reference a valid function", sr_op_attr(in->op, "callee")->s);
	const struct sr_type *type = sr_func_type(callee);
	if (in->op->n_operands != type->n_inputs)
		return sr_infer_error(in, "incorrect number of operands for callee");
	for (int i = 0; i < type->n_inputs; i++)
		if (sr_infer_operand(in, i) != type->inputs[i])
			return sr_infer_error(
				in, "operand type mismatch: expected operand type '%s', but provided '%s' for operand number %d",
				sr_infer_type_str(in, type->inputs[i]), sr_infer_type_str(in, sr_infer_operand(in, i)), i);
	if (in->op->n_results != type->n_results)
		return sr_infer_error(in, "incorrect number of results for callee");
	for (int i = 0; i < type->n_results; i++) {
		if (in->types[i] && in->types[i] != type->results[i])
			return sr_infer_error(
				in, "result type mismatch: expected result type '%s', but provided '%s' for result number %d",
				sr_infer_type_str(in, type->results[i]), sr_infer_type_str(in, in->types[i]), i);
		in->types[i] = type->results[i];
	}
	return SR_OK;
}

/* ---------------------------------------------------------------- composite */

/* Return true if the name matches ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$. */
static bool is_namespaced(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char word_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	static const char component_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
	if (!*s || !strchr(letters, *s))
		return false;
	s += strspn(s, word_chars);
	if (*s != '.')
		return false;
	while (*s == '.') {
		size_t n = strspn(++s, component_chars);
		if (n == 0)
			return false;
		s += n;
	}
	return !*s;
}

enum sr_status sr_infer_composite(struct sr_infer *in)
{
	const char *decomposition = sr_op_attr(in->op, "decomposition")->s;
	if (!is_namespaced(sr_op_attr(in->op, "name")->s))
		return sr_infer_error(in, "name must be a valid namespaced op name, i.e. it must match the following regular "
					  "expression: "
					  "^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. \"my_namespace.my_op\"");
	const struct sr_op *module = sr_op_module(in->op), *func = module ? sr_symbol_find(module, decomposition) : NULL;
	if (!module)
		return SR_OK;
	if (!is_function(func))
		return sr_infer_error(in, "'%s' does not reference a valid function", decomposition);
	const struct sr_type *type = sr_func_type(func);
	if (in->op->n_operands != type->n_inputs)
		return sr_infer_error(in, "has %d operand(s), but decomposition has %d", in->op->n_operands, type->n_inputs);
	for (int i = 0; i < type->n_inputs; i++)
		if (sr_infer_operand(in, i) != type->inputs[i])
			return sr_infer_error(in, "operand at index %d has type '%s', but decomposition has type '%s'", i,
					      sr_infer_type_str(in, sr_infer_operand(in, i)), sr_infer_type_str(in, type->inputs[i]));
	if (in->op->n_results != type->n_results)
		return sr_infer_error(in, "has %d result(s), but decomposition has %d", in->op->n_results, type->n_results);
	for (int i = 0; i < type->n_results; i++) {
		if (in->types[i] && in->types[i] != type->results[i])
			return sr_infer_error(in, "result at index %d has type '%s', but decomposition has type '%s'", i,
					      sr_infer_type_str(in, in->types[i]), sr_infer_type_str(in, type->results[i]));
		in->types[i] = type->results[i];
	}
	return SR_OK;
}

/* ---------------------------------------------------------------- custom_call */

static enum sr_status check_layout(struct sr_infer *in, const struct sr_type *t, const struct sr_attr *layout,
				   const char *value_kind, int i)
{
	int64_t n = layout->type->shape[0];
	if (t->kind == SR_TYPE_TUPLE)
		return sr_infer_error(in, "Tuple types are not fully supported with layout constraints yet");
	if (t->kind == SR_TYPE_UNRANKED)
		return SR_OK;
	if (t->kind != SR_TYPE_TENSOR && t->kind != SR_TYPE_MEMREF)
		return n == 0 ? SR_OK
			      : sr_infer_error(in, "Only tensor types can have non-empty layout: %s #%d of type '%s' has layout %s",
					       value_kind, i, sr_infer_type_str(in, t), sr_attr_str(in->ctx, layout));
	const int64_t *v;
	bool is_readable = sr_attr_ints(in->ctx, layout, &v, &n);
	if (layout->type->shape[0] != t->rank || (is_readable && !(sr_is_unique(v, n) && sr_in_range(v, n, 0, t->rank))))
		return sr_infer_error(in, "incorrect layout %s for type '%s', layout must be a permutation of [0, %d)",
				      sr_attr_str(in->ctx, layout), sr_infer_type_str(in, t), t->rank);
	return SR_OK;
}

static enum sr_status check_layouts(struct sr_infer *in, const struct sr_type *const *types, int n, const struct sr_attr *layouts,
				    const char *value_kind)
{
	if (n != layouts->n)
		return sr_infer_error(in, "Number of %ss must match the number of %s layouts, %d != %d", value_kind, value_kind, n,
				      layouts->n);
	for (int i = 0; i < n; i++)
		if (check_layout(in, types[i], layouts->list[i], value_kind, i))
			return SR_INVALID;
	return SR_OK;
}

static enum sr_status check_all_layouts(struct sr_infer *in)
{
	const struct sr_attr *operands = sr_op_attr(in->op, "operand_layouts"), *results = sr_op_attr(in->op, "result_layouts");
	int n = in->op->n_operands;
	if (!operands && !results)
		return SR_OK;
	if (!operands || !results)
		return sr_infer_error(in, "Layout attributes should be specified for either both operands and results or none.");
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n; i++)
		types[i] = sr_infer_operand(in, i);
	if (check_layouts(in, types, n, operands, "operand"))
		return SR_INVALID;
	const struct sr_type *single_result_type = in->op->n_results == 1 ? in->types[0] : NULL;
	if (single_result_type && single_result_type->kind == SR_TYPE_TUPLE)
		return check_layouts(in, single_result_type->inputs, single_result_type->n_inputs, results, "result");
	return check_layouts(in, in->types, in->op->n_results, results, "result");
}

/* Return the element type at a path of tuple indices; NULL if there is none. */
static const struct sr_type *tuple_element_at(const struct sr_type *t, struct sr_ints path)
{
	for (int64_t i = 0; t && i < path.n; i++)
		t = t->kind == SR_TYPE_TUPLE && path.v[i] >= 0 && path.v[i] < t->n_inputs ? t->inputs[path.v[i]] : NULL;
	return t;
}

static enum sr_status check_alias(struct sr_infer *in, const struct sr_attr *alias)
{
	int64_t operand = sr_field_int(alias, "operand_index", 0);
	if (operand < 0 || operand >= in->op->n_operands)
		return sr_infer_error(
			in, "expects operandIndex in the output_operand_alias attribute to be in range [0, %d); got: %lld.",
			in->op->n_operands, (long long)operand);
	const struct sr_type *operand_type = tuple_element_at(sr_infer_operand(in, (int)operand),
							      sr_field_ints(in, alias, "operand_tuple_indices"));
	if (!operand_type)
		return sr_infer_error(in, "operand_tuple_indices in the output_operand_alias attribute out of bounds");
	const struct sr_type *result_tuple = sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = in->types,
									      .n_inputs = in->op->n_results});
	const struct sr_type *output_type = tuple_element_at(in->op->n_results == 1 ? in->types[0] : result_tuple,
							     sr_field_ints(in, alias, "output_tuple_indices"));
	if (!output_type)
		return sr_infer_error(in, "output_tuple_indices in the output_operand_alias attribute out of bounds");
	if (operand_type != output_type)
		return sr_infer_error(in,
				      "shapes mismatch in the output_operand_alias attribute: operand part has type '%s' and "
				      "output part has type '%s'",
				      sr_infer_type_str(in, operand_type), sr_infer_type_str(in, output_type));
	return SR_OK;
}

static enum sr_status check_backend_config(struct sr_infer *in)
{
	const struct sr_attr *config = sr_op_attr(in->op, "backend_config"), *api_version = sr_op_attr(in->op, "api_version");
	const char *name = api_version ? sr_attr_enum_name(api_version) : "API_VERSION_ORIGINAL";
	bool is_typed_ffi = strcmp(name, "API_VERSION_TYPED_FFI") == 0;
	if (!config || (config->kind == SR_ATTR_DICT) == is_typed_ffi)
		return SR_OK;
	return sr_infer_error(in, "backend_config for api_version %s must be a %s attribute", name,
			      is_typed_ffi ? "dictionary" : "string");
}

/* Check a custom call Pin or Unpin, which converts between a tensor and a memref of one shape. */
static enum sr_status check_buffer_call(struct sr_infer *in, const char *name, enum sr_type_kind operand_kind,
					enum sr_type_kind result_kind)
{
	static const char *const kind_names[] = {[SR_TYPE_TENSOR] = "tensor", [SR_TYPE_MEMREF] = "memref"};
	const struct sr_type *a = in->op->n_operands ? sr_infer_operand(in, 0) : NULL;
	if (in->op->n_operands != 1)
		return sr_infer_error(in, "%s custom_call should have one input", name);
	if (a->kind != operand_kind)
		return sr_infer_error(in, "%s custom_call should have a %s input", name, kind_names[operand_kind]);
	if (in->op->n_results != 1)
		return sr_infer_error(in, "%s custom_call should have one output", name);
	const struct sr_type *b = in->types[0];
	if (b->kind != result_kind)
		return sr_infer_error(in, "%s custom_call should have a %s output", name, kind_names[result_kind]);
	bool is_compatible = a->rank == b->rank && a->element == b->element;
	for (int d = 0; is_compatible && d < a->rank; d++)
		is_compatible = sr_dims_compatible(a->shape[d], b->shape[d]);
	return is_compatible ? SR_OK : sr_infer_error(in, "%s custom_call should have compatible input and output types", name);
}

static enum sr_status check_create_buffer(struct sr_infer *in)
{
	if (in->op->n_operands)
		return sr_infer_error(in, "CreateBuffer custom_call shouldn't have any inputs");
	if (in->op->n_results != 1)
		return sr_infer_error(in, "CreateBuffer custom_call should have one result");
	if (in->types[0]->kind != SR_TYPE_MEMREF)
		return sr_infer_error(in, "CreateBuffer custom_call should have a memref result");
	return SR_OK;
}

static bool are_equal_paths(struct sr_ints a, struct sr_ints b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, (size_t)a.n * sizeof *a.v) == 0);
}

static const char *describe_path(struct sr_infer *in, struct sr_ints path)
{
	return sr_printf(in->ctx->arena, "[%s]", sr_dims_str(in->ctx, path.v, path.n));
}

/* Check that each buffer operand and each buffer output is aliased at most once. */
static enum sr_status check_aliases_unique(struct sr_infer *in, const struct sr_attr *aliases)
{
	for (int i = 0; i < aliases->n; i++) {
		const struct sr_attr *a = aliases->list[i];
		int64_t operand = sr_field_int(a, "operand_index", 0);
		struct sr_ints operand_path = sr_field_ints(in, a, "operand_tuple_indices"),
			       output_path = sr_field_ints(in, a, "output_tuple_indices");
		if (tuple_element_at(sr_infer_operand(in, (int)operand), operand_path)->kind != SR_TYPE_MEMREF)
			continue;
		for (int k = 0; k < i; k++) {
			const struct sr_attr *b = aliases->list[k];
			if (are_equal_paths(output_path, sr_field_ints(in, b, "output_tuple_indices")))
				return sr_infer_error(in, "buffer output %s is used in output_operand_alias more than once",
						      describe_path(in, output_path));
			if (operand == sr_field_int(b, "operand_index", 0) &&
			    are_equal_paths(operand_path, sr_field_ints(in, b, "operand_tuple_indices")))
				return sr_infer_error(in, "buffer operand %lld%s is used in output_operand_alias more than once",
						      (long long)operand, describe_path(in, operand_path));
		}
	}
	return SR_OK;
}

/* Check that every buffer among the results, found at `path`, is aliased. */
static enum sr_status check_output_buffers(struct sr_infer *in, const struct sr_type *t, const struct sr_attr *aliases,
					   struct sr_ints path)
{
	if (t->kind == SR_TYPE_TUPLE) {
		int64_t *element_path = SR_NEW_ARRAY(in->ctx->arena, int64_t, path.n + 1);
		for (int64_t i = 0; i < path.n; i++)
			element_path[i] = path.v[i];
		for (int i = 0; i < t->n_inputs; i++) {
			element_path[path.n] = i;
			if (check_output_buffers(in, t->inputs[i], aliases, (struct sr_ints){element_path, path.n + 1}))
				return SR_INVALID;
		}
	}
	bool is_aliased = t->kind != SR_TYPE_MEMREF;
	for (int i = 0; aliases && i < aliases->n && !is_aliased; i++)
		is_aliased = are_equal_paths(path, sr_field_ints(in, aliases->list[i], "output_tuple_indices"));
	return is_aliased ? SR_OK
			  : sr_infer_error(in, "buffer output %s is not used in output_operand_alias", describe_path(in, path));
}

static enum sr_status check_buffers(struct sr_infer *in, const struct sr_attr *aliases)
{
	const struct sr_type *result_tuple = sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = in->types,
									      .n_inputs = in->op->n_results});
	if (aliases && check_aliases_unique(in, aliases))
		return SR_INVALID;
	return check_output_buffers(in, in->op->n_results == 1 ? in->types[0] : result_tuple, aliases, (struct sr_ints){0});
}

enum sr_status sr_infer_custom_call(struct sr_infer *in)
{
	const struct sr_attr *aliases = sr_op_attr(in->op, "output_operand_aliases");
	const char *target = sr_op_attr(in->op, "call_target_name")->s;
	for (int i = 0; i < in->op->n_results; i++)
		if (!in->types[i]) /* skip an op that is being built: it has no declared result types to check */
			return SR_OK;
	if (check_all_layouts(in))
		return SR_INVALID;
	for (int i = 0; aliases && i < aliases->n; i++)
		if (check_alias(in, aliases->list[i]))
			return SR_INVALID;
	if (check_backend_config(in))
		return SR_INVALID;
	if (strcmp(target, "CreateBuffer") == 0)
		return check_create_buffer(in);
	if (strcmp(target, "Pin") == 0)
		return check_buffer_call(in, "Pin", SR_TYPE_TENSOR, SR_TYPE_MEMREF);
	if (strcmp(target, "Unpin") == 0)
		return check_buffer_call(in, "Unpin", SR_TYPE_MEMREF, SR_TYPE_TENSOR);
	if (strcmp(target, "ragged_all_to_all") == 0 && sr_check_ragged_all_to_all(in))
		return SR_INVALID;
	return check_buffers(in, aliases);
}

/* ---------------------------------------------------------------- run_parallel */

static const struct sr_op *find_program(struct sr_infer *in, const struct sr_attr *symbol)
{
	const struct sr_op *func = symbol->kind == SR_ATTR_SYMBOL ? sr_symbol_find(sr_op_module(in->op), symbol->s) : NULL;
	if (is_function(func))
		return func;
	sr_infer_error(in, "Function \"%s\" not found", symbol->s ? symbol->s : "");
	return NULL;
}

static enum sr_status check_infeed(struct sr_infer *in, const struct sr_attr *infeed)
{
	if (infeed->n == 0)
		return sr_infer_error(in, "infeed attribute is optional or should not be empty");
	for (int i = 0; i < infeed->n; i++) {
		const struct sr_op *func = find_program(in, infeed->list[i]);
		if (!func)
			return SR_INVALID;
		const struct sr_type *type = sr_func_type(func);
		if (type->n_results != 1)
			return sr_infer_error(in, "Function \"%s\" should return 1 tensor but returns %d", infeed->list[i]->s,
					      type->n_results);
		if (type->results[0]->kind != SR_TYPE_TENSOR)
			return sr_infer_error(in, "Function \"%s\" should return a tensor type, but instead returns '%s'",
					      infeed->list[i]->s, sr_infer_type_str(in, type->results[0]));
	}
	return SR_OK;
}

/* Check run_parallel: its operands and results are those of all programs, in row-major order of `programs`. */
enum sr_status sr_infer_run_parallel(struct sr_infer *in)
{
	const struct sr_attr *programs = sr_op_attr(in->op, "programs"), *infeed = sr_op_attr(in->op, "infeed");
	long long n_args = 0, n_results = 0;
	if (programs->n == 0 || programs->list[0]->n == 0)
		return sr_infer_error(in, "`programs` attribute cannot be empty");
	for (int i = 0; i < programs->n; i++) {
		const struct sr_attr *row = programs->list[i];
		if (row->kind != SR_ATTR_ARRAY || row->n != programs->list[0]->n)
			return sr_infer_error(in, "Sizes of second dimension of `programs` should all match %d but got %d",
					      programs->list[0]->n, row->n);
		for (int k = 0; k < row->n && sr_op_module(in->op); k++) {
			const struct sr_op *func = find_program(in, row->list[k]);
			if (!func)
				return SR_INVALID;
			n_args += sr_func_type(func)->n_inputs;
			n_results += sr_func_type(func)->n_results;
		}
	}
	if (!sr_op_module(in->op))
		return SR_OK;
	if (n_args != in->op->n_operands)
		return sr_infer_error(in,
				      "Number of inputs (%d) should match the sum of the number of inputs of all programs (%lld)",
				      in->op->n_operands, n_args);
	if (n_results != in->op->n_results)
		return sr_infer_error(in,
				      "Number of results (%d) should match the sum of the number of results of all programs (%lld)",
				      in->op->n_results, n_results);
	return infeed ? check_infeed(in, infeed) : SR_OK;
}
