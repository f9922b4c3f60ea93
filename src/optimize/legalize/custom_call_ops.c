/* Rewrite custom calls that stand for an op: @mhlo.NAME, and those that JAX writes because StableHLO lacks the op.
 *
 *	@mhlo.erf(%x), attributes in mhlo.attributes              chlo.erf or stablehlo.erf
 *	@AllocateBuffer(), undefined contents                     zeros
 *	@ApproxTopK(%x, %i, %a, %b), a comparator                 sort and slice, as XLA does on CPUs
 *	@Eigh(%a), of PyTorch/XLA                                 @lapack_ssyevd_ffi(%a) and its other types
 *	@cpu_csr_sparse_dense_ffi(...)                            gather, multiply, scatter (csr_product.c)
 *	@ragged_all_to_all(...)                                   collectives of static sizes (ragged_all_to_all.c)
 *	@stablehlo.dynamic_approx_top_k(%x, %i, %a, %b, %k)       as @ApproxTopK
 *	@stablehlo.dynamic_rng_bit_generator(%state, %shape)      rng_bit_generator
 *	@stablehlo.dynamic_top_k(%x, %k)                          chlo.top_k
 *	@stablehlo.dynamic_reduce_window(%x.., %init.., dimensions, strides, dilations, padding), a reducer
 *
 * A comparator or reducer is a function of the module, whose body is copied. */
#include "optimize/legalize/custom_call_ops.h"
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include <string.h>

/* Replace the call's results by those of `new_op`. Returns false, and erases new_op, if it does not verify: the call lacks an
 * operand or attribute, or has other result types. */
static bool replace_all(struct sr_context *ctx, struct sr_op *call, struct sr_op *new_op)
{
	struct sr_diags no_diags;
	sr_diags_init(&no_diags, ctx->arena);
	if (new_op->info->verify && new_op->info->verify(ctx, new_op, &no_diags)) {
		sr_op_erase(new_op);
		return false;
	}
	for (int i = 0; i < call->n_results; i++)
		sr_value_replace_all(sr_result(call, i), sr_result(new_op, i));
	return true;
}

static const struct sr_type **result_types(struct sr_context *ctx, const struct sr_op *call)
{
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, call->n_results);
	for (int i = 0; i < call->n_results; i++)
		types[i] = call->results[i].type;
	return types;
}

static struct sr_value **first_operands(struct sr_context *ctx, const struct sr_op *call, int n)
{
	struct sr_value **list = SR_NEW_ARRAY(ctx->arena, struct sr_value *, n);
	for (int i = 0; i < n; i++)
		list[i] = sr_operand(call, i);
	return list;
}

/* ---------------------------------------------------------------- called computations */

/* Return the body of the only function that a custom call names, if that function has n arguments; else NULL. */
static struct sr_block *called_body(const struct sr_op *call, int n)
{
	const struct sr_attr *list = sr_op_attr(call, SR_NAME_called_computations);
	struct sr_op *module = sr_op_parent(call);
	while (module && !sr_op_is(module, SR_OP_builtin_module))
		module = sr_op_parent(module);
	if (!module || !list || list->n != 1 || !list->list[0]->s)
		return NULL;
	struct sr_op *func = sr_symbol_find(module, list->list[0]->s);
	struct sr_block *body = func && sr_op_is(func, SR_OP_func_func) ? sr_func_entry(func) : NULL;
	return body && !body->next && body->n_args == n ? body : NULL;
}

/* Copy a function's body into a region of op, with stablehlo.return in place of func.return. */
static void copy_body(struct sr_context *ctx, const struct sr_block *source, struct sr_op *op)
{
	struct sr_block *block = sr_block_new(ctx, &op->regions[0]);
	struct sr_builder b = {.ctx = ctx, .block = block, .loc = op->loc};
	struct sr_map map;
	sr_map_init(&map, ctx->arena);
	for (int i = 0; i < source->n_args; i++)
		sr_map_put(&map, source->args[i], sr_block_add_arg(ctx, block, source->args[i]->type, op->loc));
	for (struct sr_op *o = source->first; o != source->last; o = o->next)
		sr_op_append(block, sr_op_clone(ctx, o, &map));
	struct sr_value **results = first_operands(ctx, source->last, source->last->n_operands);
	for (int i = 0; i < source->last->n_operands; i++)
		results[i] = sr_map_has(&map, results[i]) ? sr_map_get(&map, results[i]) : results[i];
	sr_build(&b, SR_OP_stablehlo_return, results, source->last->n_operands, NULL, 0, NULL, 0);
}

/* ---------------------------------------------------------------- the calls */

static bool mhlo_op(struct sr_builder *b, struct sr_op *call)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *attributes = sr_op_attr(call, "mhlo.attributes");
	const char *target = sr_op_attr(call, SR_NAME_call_target_name)->s + strlen("mhlo.");
	const char *name = strcmp(target, "topk") ? target : "top_k";
	const struct sr_op_info *info = sr_op_info_of(ctx, sr_printf(ctx->arena, "chlo.%s", name));
	if (!info->code)
		info = sr_op_info_of(ctx, sr_printf(ctx->arena, "stablehlo.%s", name));
	const struct sr_attr *largest_attr = sr_dict_get(attributes, "largest");
	if (!info->code || (largest_attr && !largest_attr->i))
		return false;
	struct sr_named_attr *attrs = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, attributes ? attributes->n : 0);
	int n = 0;
	for (int i = 0; attributes && i < attributes->n; i++)
		if (strcmp(attributes->entries[i].name, "largest"))
			attrs[n++] = attributes->entries[i];
	struct sr_op *new_op = sr_build(b, (enum sr_op_code)info->code, first_operands(ctx, call, call->n_operands), call->n_operands,
					attrs, n, result_types(ctx, call), call->n_results);
	return replace_all(ctx, call, new_op);
}

static struct sr_value *slice_to(struct sr_builder *b, struct sr_value *v, const struct sr_type *type)
{
	return sr_build_slice(b, v, sr_make_ints(b->ctx, type->rank, 0), type->shape, NULL);
}

static bool is_static(const struct sr_type *t)
{
	return sr_is_ranked(t) && sr_type_is_static(t);
}

/* Return true if the shapes are equal, except that `slice` may be smaller along `dim`. */
static bool is_prefix_shape(const struct sr_type *slice, const struct sr_type *full_type, int64_t dim)
{
	if (!is_static(full_type) || !is_static(slice) || slice->rank != full_type->rank || dim < 0 || dim >= full_type->rank)
		return false;
	for (int d = 0; d < full_type->rank; d++)
		if (d == dim ? slice->shape[d] > full_type->shape[d] : slice->shape[d] != full_type->shape[d])
			return false;
	return true;
}

static bool approx_top_k(struct sr_builder *b, struct sr_op *call)
{
	struct sr_context *ctx = b->ctx;
	int n = call->n_results;
	const struct sr_attr *dim = sr_dict_get(sr_op_attr(call, "mhlo.backend_config"), "reduction_dim");
	struct sr_block *comparator = called_body(call, 2 * n);
	const struct sr_type **types = result_types(ctx, call),
			     **operand_types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, n);
	if (!dim || !comparator || !n || call->n_operands < 2 * n)
		return false;
	for (int i = 0; i < n; i++) {
		operand_types[i] = sr_operand(call, i)->type;
		if (!is_prefix_shape(types[i], operand_types[i], dim->i))
			return false;
	}
	struct sr_named_attr attrs[] = {{SR_NAME_dimension, sr_attr_i64(ctx, dim->i)}, {SR_NAME_is_stable, sr_attr_bool(ctx, true)}};
	struct sr_op *sort = sr_build(b, SR_OP_stablehlo_sort, first_operands(ctx, call, n), n, attrs, 2, operand_types, n);
	copy_body(ctx, comparator, sort);
	for (int i = 0; i < n; i++)
		sr_value_replace_all(sr_result(call, i), slice_to(b, sr_result(sort, i), types[i]));
	return true;
}

static bool allocate_buffer(struct sr_builder *b, struct sr_op *call)
{
	if (call->n_operands || call->n_results != 1 || !is_static(sr_result(call, 0)->type))
		return false;
	sr_value_replace_all(sr_result(call, 0), sr_build_splat(b, sr_result(call, 0)->type, 0));
	return true;
}

/* Replace XLA's eigenvectors and eigenvalues of Hermitian matrices. The first field of backend_config is 1 if the lower triangle is
 * read, 0 if the upper one; the next says whether the eigenvalues are sorted, as LAPACK's always are. */
static bool eigh(struct sr_builder *b, struct sr_op *call)
{
	static const char *const targets[SR_DTYPE_COUNT] = {[SR_F32] = "lapack_ssyevd_ffi",
							    [SR_F64] = "lapack_dsyevd_ffi",
							    [SR_C64] = "lapack_cheevd_ffi",
							    [SR_C128] = "lapack_zheevd_ffi"};
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *config = sr_op_attr(call, SR_NAME_backend_config);
	const struct sr_type *a = call->n_operands == 1 ? sr_operand(call, 0)->type : NULL;
	if (!a || call->n_results != 2 || !is_static(a) || a->rank < 2 || !targets[a->dtype] || !config ||
	    config->kind != SR_ATTR_STRING || (config->s[0] != '0' && config->s[0] != '1'))
		return false;
	const struct sr_type *byte = sr_type_scalar(ctx, SR_UI8);
	struct sr_named_attr options[] = {{SR_NAME_mode, sr_attr_int(ctx, 'V', byte)},
					  {"uplo", sr_attr_int(ctx, config->s[0] == '1' ? 'L' : 'U', byte)}};
	struct sr_named_attr attrs[] = {
		{SR_NAME_call_target_name, sr_attr_string(ctx, targets[a->dtype], strlen(targets[a->dtype]))},
		{"mhlo.backend_config", sr_attr_dict(ctx, options, 2)}};
	const struct sr_type *types[] = {sr_result_type(call, 0), sr_result_type(call, 1),
					 sr_type_tensor(ctx, SR_I32, a->rank - 2, a->shape)};
	struct sr_op *syevd = sr_build(b, SR_OP_stablehlo_custom_call, first_operands(ctx, call, 1), 1, attrs, 2, types, 3);
	for (int i = 0; i < 2; i++)
		sr_value_replace_all(sr_result(call, i), sr_result(syevd, i));
	return true;
}

static bool dynamic_rng_bit_generator(struct sr_builder *b, struct sr_op *call)
{
	struct sr_context *ctx = b->ctx;
	struct sr_named_attr attr = {SR_NAME_rng_algorithm, sr_op_attr(call, SR_NAME_rng_algorithm)};
	struct sr_ints shape;
	if (call->n_operands != 2 || call->n_results != 2 || !attr.value || !sr_value_ints(ctx, sr_operand(call, 1), &shape))
		return false;
	const struct sr_type **types = result_types(ctx, call);
	types[1] = sr_type_tensor_of(ctx, types[1]->element, (int)shape.n, shape.v, NULL);
	return replace_all(ctx, call,
			   sr_build(b, SR_OP_stablehlo_rng_bit_generator, first_operands(ctx, call, 1), 1, &attr, 1, types, 2));
}

static bool dynamic_top_k(struct sr_builder *b, struct sr_op *call)
{
	struct sr_context *ctx = b->ctx;
	struct sr_ints k;
	if (call->n_operands != 2 || call->n_results != 2 || !sr_value_ints(ctx, sr_operand(call, 1), &k) || k.n != 1)
		return false;
	struct sr_named_attr attr = {SR_NAME_k, sr_attr_i64(ctx, k.v[0])};
	return replace_all(ctx, call,
			   sr_build(b, SR_OP_chlo_top_k, first_operands(ctx, call, 1), 1, &attr, 1, result_types(ctx, call), 2));
}

static bool dynamic_reduce_window(struct sr_builder *b, struct sr_op *call)
{
	static const char *const names[] = {SR_NAME_window_dimensions, SR_NAME_window_strides, SR_NAME_base_dilations,
					    SR_NAME_window_dilations, SR_NAME_padding};
	struct sr_context *ctx = b->ctx;
	int n = 2 * call->n_results;
	struct sr_block *reducer = called_body(call, n);
	struct sr_named_attr attrs[5];
	if (!reducer || call->n_operands != n + 5)
		return false;
	for (int i = 0; i < 5; i++) {
		struct sr_ints list;
		if (!sr_value_ints(ctx, sr_operand(call, n + i), &list))
			return false;
		int64_t pairs[] = {list.n / 2, 2};
		attrs[i].name = names[i];
		attrs[i].value = i < 4 ? sr_attr_i64s(ctx, list.v, list.n) : sr_attr_dense_i64(ctx, 2, pairs, list.v);
	}
	struct sr_op *windows = sr_build(b, SR_OP_stablehlo_reduce_window, first_operands(ctx, call, n), n, attrs, 5,
					 result_types(ctx, call), call->n_results);
	copy_body(ctx, reducer, windows);
	return replace_all(ctx, call, windows);
}

/* Targets of custom calls and the functions that replace them. A target that ends with a dot matches every target that begins with
 * it. */
static const struct {
	const char *target;
	bool (*replace)(struct sr_builder *b, struct sr_op *call);
} rows[] = {
	{"AllocateBuffer", allocate_buffer},
	{"ApproxTopK", approx_top_k},
	{"Eigh", eigh},
	{"cpu_csr_sparse_dense_ffi", sr_replace_csr_product},
	{"mhlo.", mhlo_op},
	{"ragged_all_to_all", sr_replace_ragged_all_to_all},
	{"stablehlo.dynamic_approx_top_k", approx_top_k},
	{"stablehlo.dynamic_reduce_window", dynamic_reduce_window},
	{"stablehlo.dynamic_rng_bit_generator", dynamic_rng_bit_generator},
	{"stablehlo.dynamic_top_k", dynamic_top_k},
};

bool sr_replace_call_by_op(struct sr_builder *b, struct sr_op *call)
{
	const struct sr_attr *target = sr_op_attr(call, SR_NAME_call_target_name);
	for (size_t i = 0; target && i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].target);
		if (rows[i].target[n - 1] == '.' ? !strncmp(target->s, rows[i].target, n) : !strcmp(target->s, rows[i].target))
			return rows[i].replace(b, call);
	}
	return false;
}
