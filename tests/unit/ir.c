/* Unit tests of the IR: interning, order of uses, clones, walks, verification, passes. */
#include "ir/ir_pool.h"
#include "ir/pass.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static struct sr_context *ctx;
static const struct sr_type *f32;

/* Register a few ops for the verifier. */
static void register_op(const char *name, int code, uint32_t traits)
{
	struct sr_op_info *info = SR_NEW(ctx->arena, struct sr_op_info);
	*info = (struct sr_op_info){.name = sr_intern(ctx, name), .dialect = "t", .code = code, .traits = traits};
	sr_map_put(&ctx->infos, info->name, info);
}

static void setup(void)
{
	ctx = sr_context_new();
	f32 = sr_type_tensor(ctx, SR_F32, 1, (const int64_t[]){4});
	register_op("t.value", 1, SR_PURE);
	register_op("t.end", 2, SR_TERMINATOR);
	register_op("func.func", 3, SR_ISOLATED | SR_SYMBOL);
	register_op("builtin.module", 4, SR_ISOLATED | SR_SYMBOL_TABLE | SR_GRAPH_REGION | SR_NO_TERMINATOR);
	register_op("t.wrap", 5, SR_RECURSIVE_EFFECTS);
}

static void teardown(void)
{
	sr_context_free(ctx);
}

static struct sr_op *make_op(const char *name, struct sr_value *const *operands, int n, int n_results, int n_regions)
{
	const struct sr_type *types[] = {f32, f32};
	return sr_op_new(ctx, &(struct sr_op_spec){.info = sr_op_info_of(ctx, name), .operands = operands, .n_operands = n,
			.results = types,
						   .n_results = n_results, .n_regions = n_regions});
}

static struct sr_op *append_op(struct sr_block *block, struct sr_op *op)
{
	sr_op_append(block, op);
	return op;
}

static struct sr_op *add_func(struct sr_op *module, const char *name)
{
	struct sr_op *func = append_op(sr_module_body(module), make_op("func.func", NULL, 0, 0, 1));
	sr_op_set_attr(ctx, func, "sym_name", sr_attr_string(ctx, name, strlen(name)));
	sr_block_new(ctx, &func->regions[0]);
	return func;
}

static struct sr_block *entry_block(struct sr_op *func)
{
	return func->regions[0].first;
}

/* ---------------------------------------------------------------- interning */

START_TEST(types_by_content)
{
	const int64_t shape[] = {2, SR_DYNAMIC, 3};
	const struct sr_type *a = sr_type_tensor(ctx, SR_BF16, 3, shape);
	int64_t dims[] = {2, SR_DYNAMIC, 3};
	ck_assert_ptr_eq(a, sr_type_tensor(ctx, SR_BF16, 3, dims));
	ck_assert_ptr_ne(a, sr_type_tensor(ctx, SR_F16, 3, shape));
	dims[0] = 4;
	ck_assert_int_eq(a->shape[0], 2);
	ck_assert_str_eq(sr_type_string(ctx, a), "tensor<2x?x3xbf16>");
	ck_assert(!sr_type_is_static(a));
	ck_assert_int_eq(sr_type_scalar(ctx, SR_C64)->dtype, SR_C64);
	ck_assert_str_eq(sr_type_string(ctx, sr_type_tensor(ctx, SR_C128, 0, NULL)), "tensor<complex<f64>>");
}
END_TEST

START_TEST(every_element_type_prints_its_name)
{
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
		const struct sr_type *type = sr_type_scalar(ctx, (enum sr_dtype)t);
		ck_assert_str_eq(sr_type_string(ctx, type), sr_dtypes[t].name);
		ck_assert_int_eq(type->dtype, t);
	}
}
END_TEST

START_TEST(function_types_print)
{
	const struct sr_type *in_types[] = {f32, sr_type_scalar(ctx, SR_I1)};
	ck_assert_str_eq(sr_type_string(ctx, sr_type_function(ctx, in_types, 2, in_types, 1)),
			 "(tensor<4xf32>, i1) -> tensor<4xf32>");
	ck_assert_str_eq(sr_type_string(ctx, sr_type_function(ctx, NULL, 0, in_types, 2)), "() -> (tensor<4xf32>, i1)");
	ck_assert_str_eq(sr_type_string(ctx, sr_type_function(ctx, NULL, 0, NULL, 0)), "() -> ()");
}
END_TEST

START_TEST(sizes_are_checked)
{
	int64_t n;
	ck_assert(sr_type_bytes(f32, &n) && n == 16);
	ck_assert(!sr_type_bytes(sr_type_tensor(ctx, SR_F32, 2, (const int64_t[]){INT64_MAX, 2}), &n));
	ck_assert(!sr_type_elements(sr_type_tensor(ctx, SR_F32, 1, (const int64_t[]){SR_DYNAMIC}), &n));
}
END_TEST

START_TEST(attributes_by_content)
{
	const int64_t v[] = {1, 2, 3};
	ck_assert_ptr_eq(sr_attr_i64s(ctx, v, 3), sr_attr_i64s(ctx, (const int64_t[]){1, 2, 3}, 3));
	ck_assert_ptr_ne(sr_attr_i64s(ctx, v, 3), sr_attr_i64s(ctx, v, 2));
	ck_assert_ptr_ne(sr_attr_i64(ctx, 1), sr_attr_i32(ctx, 1));
	ck_assert_ptr_eq(sr_attr_string(ctx, "ab", 2), sr_attr_string(ctx, "abc", 2));
	struct sr_named_attr two[] = {{sr_intern(ctx, "b"), sr_attr_unit(ctx)}, {sr_intern(ctx, "a"), sr_attr_i64(ctx, 7)}};
	struct sr_named_attr swapped_attrs[] = {two[1], two[0]};
	ck_assert_ptr_eq(sr_attr_dict(ctx, two, 2), sr_attr_dict(ctx, swapped_attrs, 2));
	ck_assert_int_eq(sr_dict_get(sr_attr_dict(ctx, two, 2), "a")->i, 7);
	ck_assert_ptr_null(sr_dict_get(NULL, "a"));
}
END_TEST

START_TEST(shardings_by_content)
{
	struct sr_sdy_axis refs[] = {{sr_intern(ctx, "x"), 1, 0}};
	struct sr_sdy_dim dims[] = {{{refs, 1}, true, -1}, {{NULL, 0}, false, 2}};
	struct sr_sdy_sharding s = {.mesh_name = sr_intern(ctx, "mesh"), .dims = dims, .rank = 2};
	const struct sr_attr *a = sr_attr_sharding(ctx, &s);
	ck_assert_ptr_eq(a, sr_attr_sharding(ctx, &s));
	refs[0].pre = 2;
	ck_assert_ptr_ne(a, sr_attr_sharding(ctx, &s));
	ck_assert_int_eq(a->sharding->dims[0].axes.refs[0].pre, 1);
	refs[0].pre = 1;
	dims[1].closed = true;
	ck_assert_ptr_ne(a, sr_attr_sharding(ctx, &s));
}
END_TEST

START_TEST(many_interned_things_stay_found)
{
	const struct sr_attr *locations[5000];
	for (int i = 0; i < 5000; i++)
		locations[i] = sr_loc_file(ctx, "f", i, 1);
	for (int i = 0; i < 5000; i++)
		ck_assert_ptr_eq(locations[i], sr_loc_file(ctx, "f", i, 1));
	struct sr_src_loc location = sr_loc_source(sr_loc_name(ctx, "n", locations[17]));
	ck_assert_str_eq(location.file, "f");
	ck_assert_int_eq(location.line, 17);
}
END_TEST

START_TEST(constants_become_splats)
{
	float v[4] = {2, 2, 2, 2};
	const struct sr_attr *a = sr_attr_dense(ctx, f32, v, sizeof v);
	ck_assert(a->dense->splat);
	ck_assert_int_eq(a->dense->n_bytes, 4);
	ck_assert_ptr_eq(a, sr_attr_dense(ctx, f32, v, 4));
	v[3] = 3;
	const struct sr_attr *b = sr_attr_dense(ctx, f32, v, sizeof v);
	ck_assert(!b->dense->splat);
	v[3] = 4;
	ck_assert_ptr_ne(b, sr_attr_dense(ctx, f32, v, sizeof v));
	int64_t n;
	ck_assert_float_eq(((const float *)sr_dense_data(ctx, a, true, &n))[3], 2.0f);
	ck_assert_int_eq(n, 16);
}
END_TEST

START_TEST(hex_is_decoded)
{
	struct sr_dense d = {.hex = "0000803F0000004000004040000080c0", .n_bytes = 16};
	const struct sr_attr *a = sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_DENSE, .type = f32, .dense = &d});
	int64_t n;
	const float *v = sr_dense_data(ctx, a, false, &n);
	ck_assert_int_eq(n, 16);
	ck_assert_float_eq(v[0], 1.0f);
	ck_assert_float_eq(v[3], -4.0f);
}
END_TEST

START_TEST(large_constants_by_identity)
{
	int64_t n = 1 << 18;
	const struct sr_type *type = sr_type_tensor(ctx, SR_I64, 1, &n);
	int64_t *v = calloc((size_t)n, 8);
	v[1] = 1;
	ck_assert_ptr_ne(sr_attr_dense(ctx, type, v, n * 8), sr_attr_dense(ctx, type, v, n * 8));
	free(v);
}
END_TEST

START_TEST(integers_are_read_from_any_form)
{
	const int64_t *v, shape[] = {2, 2}, four_elements[] = {5, 6, 7, 8};
	int64_t n;
	ck_assert(sr_attr_ints(ctx, sr_attr_dense_i64(ctx, 2, shape, four_elements), &v, &n) && n == 4 && v[2] == 7);
	ck_assert(sr_attr_ints(ctx, sr_attr_dense_i64(ctx, 2, shape, (const int64_t[]){9, 9, 9, 9}), &v, &n) && n == 4 &&
		  v[3] == 9);
	const struct sr_attr *list[] = {sr_attr_i32(ctx, -1)};
	ck_assert(sr_attr_ints(ctx, sr_attr_array(ctx, list, 1), &v, &n) && n == 1 && v[0] == -1);
	ck_assert(!sr_attr_ints(ctx, sr_attr_unit(ctx), &v, &n));
}
END_TEST

/* ---------------------------------------------------------------- uses */

/* Return the uses as "owner's mark.operand number", from the head: "1.0 2.1". */
static const char *uses_text(const struct sr_value *v)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		ck_assert_ptr_eq(*use->link, use);
		ck_assert_ptr_eq(use->value, v);
		sr_buf_printf(&out, "%s%d.%d", use == v->uses ? "" : " ", use->owner->mark, sr_use_index(use));
	}
	return sr_buf_string(&out);
}

START_TEST(newest_use_first)
{
	struct sr_op *a = make_op("t.value", NULL, 0, 1, 0), *b = make_op("t.value", NULL, 0, 1, 0);
	struct sr_value *v = sr_result(a, 0), *operands[] = {v, v};
	struct sr_op *one = make_op("t.value", operands, 2, 1, 0), *two = make_op("t.value", operands, 2, 1, 0);
	one->mark = 1;
	two->mark = 2;
	ck_assert_str_eq(uses_text(v), "2.1 2.0 1.1 1.0");
	sr_op_set_operand(one, 0, v);
	ck_assert_str_eq(uses_text(v), "1.0 2.1 2.0 1.1");
	sr_value_replace_all(v, sr_result(b, 0));
	ck_assert_str_eq(uses_text(sr_result(b, 0)), "1.1 2.0 2.1 1.0");
	ck_assert_ptr_null(v->uses);
}
END_TEST

START_TEST(operands_grow_and_shrink)
{
	struct sr_op *a = make_op("t.value", NULL, 0, 2, 0), *op = make_op("t.value", NULL, 0, 1, 0);
	struct sr_value *v = sr_result(a, 0), *w = sr_result(a, 1);
	for (int i = 0; i < 20; i++)
		sr_op_add_operand(ctx, op, i % 2 ? w : v);
	ck_assert_int_eq(op->n_operands, 20);
	for (int i = 0; i < 20; i++)
		ck_assert_ptr_eq(sr_operand(op, i), i % 2 ? w : v);
	sr_op_remove_operand(op, 0);
	ck_assert_ptr_eq(sr_operand(op, 0), w);
	ck_assert_int_eq(op->n_operands, 19);
	sr_op_set_operands(ctx, op, (struct sr_value *[]){w}, 1);
	ck_assert_ptr_null(v->uses);
	ck_assert_str_eq(uses_text(w), "0.0");
}
END_TEST

static bool is_not_second_use(void *data, struct sr_use *use)
{
	return sr_use_index(use) != 1;
}

START_TEST(some_uses_are_replaced)
{
	struct sr_op *a = make_op("t.value", NULL, 0, 2, 0);
	struct sr_value *v = sr_result(a, 0), *operands[] = {v, v};
	make_op("t.value", operands, 2, 1, 0);
	sr_value_replace_if(v, sr_result(a, 1), is_not_second_use, NULL);
	ck_assert_str_eq(uses_text(v), "0.1");
	ck_assert_str_eq(uses_text(sr_result(a, 1)), "0.0");
}
END_TEST

START_TEST(attributes_are_sorted)
{
	struct sr_op *op = make_op("t.value", NULL, 0, 1, 0);
	const char *names[] = {"m", "z", "a", "q", "b", "m"};
	for (int i = 0; i < 6; i++)
		sr_op_set_attr(ctx, op, names[i], sr_attr_i64(ctx, i));
	ck_assert_int_eq(op->n_attrs, 5);
	for (int i = 1; i < op->n_attrs; i++)
		ck_assert(strcmp(op->attrs[i - 1].name, op->attrs[i].name) < 0);
	ck_assert_int_eq(sr_op_attr(op, "m")->i, 5);
	sr_op_remove_attr(ctx, op, "a");
	ck_assert_ptr_null(sr_op_attr(op, "a"));
	ck_assert_int_eq(sr_op_attr(op, "z")->i, 1);
}
END_TEST

/* ---------------------------------------------------------------- structure */

START_TEST(order_within_a_block)
{
	struct sr_op *module = sr_module_new(ctx);
	struct sr_block *block = sr_module_body(module);
	struct sr_op *first_op = append_op(block, make_op("t.value", NULL, 0, 1, 0)), *last_op = append_op(block, make_op("t.value", NULL, 0, 1, 0));
	struct sr_op *inserted[100];
	for (int i = 0; i < 100; i++)
		sr_op_insert_before(last_op, inserted[i] = make_op("t.value", NULL, 0, 1, 0));
	for (int i = 0; i + 1 < 100; i++)
		ck_assert(sr_op_is_before(inserted[i], inserted[i + 1]) && !sr_op_is_before(inserted[i + 1], inserted[i]));
	ck_assert(sr_op_is_before(first_op, inserted[0]) && sr_op_is_before(inserted[99], last_op));
	sr_op_move_before(last_op, first_op);
	ck_assert(sr_op_is_before(last_op, first_op));
	ck_assert_ptr_eq(block->first, last_op);
	ck_assert_ptr_eq(block->last, inserted[99]);
}
END_TEST

/* Return a function with an op whose region uses the function's argument, a value before the op, and the region's own argument. */
static struct sr_op *add_nested_func(struct sr_op *module)
{
	struct sr_op *func = add_func(module, "f");
	struct sr_value *arg = sr_block_add_arg(ctx, entry_block(func), f32, NULL);
	struct sr_op *value = append_op(entry_block(func), make_op("t.value", &arg, 1, 1, 0));
	struct sr_op *wrap = append_op(entry_block(func), make_op("t.wrap", NULL, 0, 1, 1));
	struct sr_block *inner_block = sr_block_new(ctx, &wrap->regions[0]);
	struct sr_value *operands[] = {arg, sr_result(value, 0), sr_block_add_arg(ctx, inner_block, f32, NULL)};
	append_op(inner_block, make_op("t.value", operands, 3, 1, 0));
	append_op(inner_block, make_op("t.end", NULL, 0, 0, 0));
	append_op(entry_block(func), make_op("t.end", (struct sr_value *[]){sr_result(wrap, 0)}, 1, 0, 0));
	return func;
}

START_TEST(clone_maps_nested_values)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *copy = sr_op_clone(ctx, func, NULL);
	struct sr_op *wrap = entry_block(copy)->first->next, *inner = wrap->regions[0].first->first;
	ck_assert_ptr_eq(sr_operand(inner, 0), entry_block(copy)->args[0]);
	ck_assert_ptr_eq(sr_operand(inner, 1), sr_result(entry_block(copy)->first, 0));
	ck_assert_ptr_eq(sr_operand(inner, 2), wrap->regions[0].first->args[0]);
	ck_assert_str_eq(sr_symbol_name(copy), "f");
	struct sr_op *clone = sr_op_clone(ctx, entry_block(func)->first->next, NULL);
	ck_assert_ptr_eq(sr_operand(clone->regions[0].first->first, 0), entry_block(func)->args[0]);
	sr_op_erase(clone);
	ck_assert_ptr_eq(sr_op_parent_of(inner, 3), copy);
	ck_assert(sr_op_is_ancestor(copy, inner) && !sr_op_is_ancestor(func, inner));
}
END_TEST

/* Creating and retiring an op with a region repeatedly takes no more memory after the first time. */
START_TEST(retired_ops_are_reclaimed)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *wrap = entry_block(func)->first->next;
	size_t arena_bytes = 0;
	for (int i = 0; i < 20; i++) {
		struct sr_op *copy = sr_op_clone(ctx, wrap, NULL), *inner = copy->regions[0].first->first;
		ck_assert_ptr_eq(sr_operand(inner, 0), entry_block(func)->args[0]);
		ck_assert(!copy->mark && !copy->next && !copy->results[0].uses);
		copy->mark = 1;
		sr_op_append(entry_block(func), copy);
		sr_op_retire(ctx, copy);
		ck_assert(!copy->block && copy->mark); /* a retired op can be read until the next reclaim */
		sr_ops_reclaim(ctx);
		ck_assert_ptr_eq(entry_block(func)->args[0]->uses, &wrap->regions[0].first->first->operands[0]);
		ck_assert(i < 2 || sr_arena_used(ctx->arena) - arena_bytes < 1000); /* only the map of the clone takes memory */
		arena_bytes = sr_arena_used(ctx->arena);
	}
}
END_TEST

static bool erase_values(void *data, struct sr_op *op)
{
	++*(int *)data;
	if (strcmp(op->info->name, "t.value") == 0 && !sr_result(op, 0)->uses)
		sr_op_erase(op);
	return true;
}

START_TEST(walk_while_erasing)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module);
	int n = 0;
	sr_walk_post(module, erase_values, &n);
	ck_assert_int_eq(n, 7);
	ck_assert_ptr_eq(entry_block(func)->first->next->regions[0].first->first, entry_block(func)->first->next->regions[0].first->last);
	n = 0;
	sr_walk(module, erase_values, &n);
	ck_assert_int_eq(n, 6);
	ck_assert_str_eq(entry_block(func)->first->info->name, "t.wrap");
	ck_assert_ptr_null(entry_block(func)->args[0]->uses);
}
END_TEST

START_TEST(purity_follows_regions)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *wrap = entry_block(func)->first->next;
	ck_assert(sr_op_is_pure(wrap));
	sr_op_insert_before(wrap->regions[0].first->last, make_op("t.unknown", NULL, 0, 0, 0));
	ck_assert(!sr_op_is_pure(wrap));
}
END_TEST

START_TEST(results_are_replaced_in_place)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *wrap = entry_block(func)->first->next;
	sr_op_set_operands(ctx, entry_block(func)->last, NULL, 0);
	const struct sr_type *types[] = {f32, f32};
	struct sr_op *replacement = sr_op_with_results(ctx, wrap, types, 2);
	ck_assert_ptr_eq(entry_block(func)->first->next, replacement);
	ck_assert_int_eq(replacement->n_results, 2);
	ck_assert_ptr_eq(sr_op_parent(replacement->regions[0].first->first), replacement);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

/* ---------------------------------------------------------------- verification */

/* Return the messages of verifying the module, one per line. */
static const char *verifier_messages(struct sr_op *module)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_diags_clear(&ctx->diags);
	enum sr_status status = sr_verify(ctx, module);
	for (const struct sr_diag *d = ctx->diags.first; d; d = d->next)
		if (d->severity == SR_ERROR)
			sr_buf_printf(&out, "%s\n", d->message);
	ck_assert_int_eq(status, out.n ? SR_INVALID : SR_OK);
	return sr_buf_string(&out);
}

START_TEST(valid_module_verifies)
{
	struct sr_op *module = sr_module_new(ctx);
	add_nested_func(module);
	ck_assert_str_eq(verifier_messages(module), "");
}
END_TEST

START_TEST(dominance_is_checked)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *value = entry_block(func)->first;
	sr_op_move_before(entry_block(func)->first->next, value);
	ck_assert_str_eq(verifier_messages(module), "operand #1 does not dominate this use\n");
	struct sr_op *other_func = add_nested_func(module);
	sr_op_set_attr(ctx, other_func, "sym_name", sr_attr_string(ctx, "g", 1));
	sr_op_move_before(value, entry_block(func)->first);
	sr_op_set_operand(entry_block(other_func)->first, 0, entry_block(func)->args[0]);
	ck_assert_str_eq(verifier_messages(module), "'t.value' op using value defined outside the region\n");
}
END_TEST

START_TEST(changes_are_detected)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_nested_func(module), *op = entry_block(func)->first;
	uint64_t fingerprint = sr_op_fingerprint(module);
	ck_assert_uint_eq(sr_op_fingerprint(module), fingerprint);
	sr_op_set_attr(ctx, op, "note", sr_attr_string(ctx, "x", 1));
	ck_assert_uint_ne(sr_op_fingerprint(module), fingerprint);
	sr_op_remove_attr(ctx, op, "note");
	ck_assert_uint_eq(sr_op_fingerprint(module), fingerprint);
	sr_op_move_before(op->next, op);
	ck_assert_uint_ne(sr_op_fingerprint(module), fingerprint);
}
END_TEST

START_TEST(terminators_are_checked)
{
	struct sr_op *module = sr_module_new(ctx), *func = add_func(module, "f");
	ck_assert_str_eq(verifier_messages(module), "empty block: expect at least a terminator\n");
	append_op(entry_block(func), make_op("t.value", NULL, 0, 1, 0));
	ck_assert_str_eq(verifier_messages(module), "block with no terminator, has 't.value'\n");
	append_op(entry_block(func), make_op("t.end", NULL, 0, 0, 0));
	append_op(entry_block(func), make_op("t.end", NULL, 0, 0, 0));
	ck_assert_str_eq(verifier_messages(module), "'t.end' op must be the last operation in the parent block\n");
}
END_TEST

START_TEST(symbols_are_unique)
{
	struct sr_op *module = sr_module_new(ctx);
	append_op(entry_block(add_func(module, "f")), make_op("t.end", NULL, 0, 0, 0));
	append_op(entry_block(add_func(module, "f")), make_op("t.end", NULL, 0, 0, 0));
	ck_assert_str_eq(verifier_messages(module), "redefinition of symbol named 'f'\n");
	ck_assert_ptr_eq(sr_symbol_find(module, "f"), sr_module_body(module)->first);
}
END_TEST

START_TEST(unregistered_ops_need_permission)
{
	struct sr_op *module = sr_module_new(ctx);
	struct sr_op *op = append_op(sr_module_body(module), make_op("t.unknown", NULL, 0, 0, 0));
	ck_assert_str_eq(verifier_messages(module),
			 "unregistered operation 't.unknown' found in dialect ('t') that does not allow unknown operations\n");
	sr_op_erase(op);
	append_op(sr_module_body(module), make_op("foreign.op", NULL, 0, 0, 0));
	ck_assert(strstr(verifier_messages(module), "'foreign.op' op created with unregistered dialect"));
	ctx->allow_unregistered = true;
	ck_assert_str_eq(verifier_messages(module), "");
}
END_TEST

/* ---------------------------------------------------------------- passes */

static struct sr_buf trace;

static enum sr_status record_pass(struct sr_context *c, struct sr_op *root, const struct sr_pass_options *o)
{
	sr_buf_printf(&trace, "[%s", root->info->name);
	for (int i = 0; i < o->n; i++)
		sr_buf_printf(&trace, " %s=%s", o->options[i].name, sr_option_string(o, o->options[i].name));
	sr_buf_puts(&trace, "]");
	return SR_OK;
}

static const struct sr_pass table[] = {
	{.name = "note", .options = "n:int=3, deep:bool, text:str=x", .run = record_pass},
	{.name = "each", .options = "", .on_func = true, .run = record_pass},
	{.name = "line", .options = "why:str=w, more:bool=false", .pipeline = "note{text=$why n=1},$more?note{deep},!$more?each"},
	{.name = "loop", .options = "", .pipeline = "loop"},
	{0},
};
static const struct sr_pass *const tables[] = {table};
static const struct sr_passes passes = {tables, 1};

static const char *run_list(struct sr_pass_list *list)
{
	struct sr_op *module = sr_module_new(ctx);
	append_op(entry_block(add_func(module, "f")), make_op("t.end", NULL, 0, 0, 0));
	sr_buf_init(&trace, ctx->arena);
	ck_assert_int_eq(sr_pass_list_run(list, module, &(struct sr_pass_run){.verify_each = true}), SR_OK);
	return sr_buf_string(&trace);
}

START_TEST(options_are_read)
{
	struct sr_pass_list *list = sr_pass_list_new(ctx, &passes);
	ck_assert_int_eq(sr_pass_list_add(list, "note", "deep text='a=0, b=1'"), SR_OK);
	ck_assert_int_eq(sr_pass_list_add(list, "note", " n=-5  text={u v}"), SR_OK);
	ck_assert_str_eq(run_list(list), "[builtin.module n=3 deep=true text=a=0, b=1][builtin.module n=-5 deep= text=u v]");
	ck_assert_int_eq(sr_pass_list_size(list), 2);
	ck_assert(sr_pass_list_seconds(list, 0) >= 0);
}
END_TEST

START_TEST(pipelines_expand)
{
	struct sr_pass_list *list = sr_pass_list_new(ctx, &passes);
	ck_assert_int_eq(sr_pass_list_add(list, "line", "why='p q'"), SR_OK);
	ck_assert_str_eq(run_list(list), "[builtin.module n=1 deep= text=p q][func.func]");
	list = sr_pass_list_new(ctx, &passes);
	ck_assert_int_eq(sr_pass_list_parse(list, "builtin.module(func.func(note{n=2 deep}), line{more})"), SR_OK);
	ck_assert_str_eq(run_list(list),
			 "[func.func n=2 deep=true text=x][builtin.module n=1 deep= text=w][builtin.module n=3 deep=true text=x]");
}
END_TEST

START_TEST(mistaken_pipelines_are_usage_errors)
{
	static const char *const texts[] = {"nope", "note{", "note{x=1}", "note{n=a}", "note{deep=maybe}", "func.func(note",
				"note)", "loop", "a{b},"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		sr_diags_clear(&ctx->diags);
		enum sr_status status = sr_pass_list_parse(sr_pass_list_new(ctx, &passes), texts[i]);
		ck_assert_msg(status == SR_USAGE || status == SR_INTERNAL, "%s", texts[i]);
		ck_assert_int_eq(ctx->diags.n_errors, 1);
	}
}
END_TEST

static struct sr_op *add_named(struct sr_op *module, const char *name)
{
	struct sr_op *func = make_op("func.func", NULL, 0, 0, 1);
	sr_op_set_attr(ctx, func, "sym_name", sr_attr_string(ctx, name, strlen(name)));
	sr_op_append(sr_module_body(module), func);
	return func;
}

START_TEST(symbols_follow_changes)
{
	struct sr_op *module = sr_module_new(ctx), *other_module = sr_module_new(ctx), *f = add_named(module, "f");
	ck_assert_ptr_eq(sr_symbol_find(module, "f"), f);
	struct sr_op *g = add_named(module, "g");
	ck_assert_ptr_eq(sr_symbol_find(module, "g"), g);
	sr_op_set_attr(ctx, g, "sym_name", sr_attr_string(ctx, "h", 1));
	ck_assert_ptr_null(sr_symbol_find(module, "g"));
	ck_assert_ptr_eq(sr_symbol_find(module, "h"), g);
	sr_op_erase(f);
	ck_assert_ptr_null(sr_symbol_find(module, "f"));
	ck_assert_ptr_null(sr_symbol_find(other_module, "h"));
	sr_op_unlink(g);
	sr_op_append(sr_module_body(other_module), g);
	ck_assert_ptr_null(sr_symbol_find(module, "h"));
	ck_assert_ptr_eq(sr_symbol_find(other_module, "h"), g);
	/* two ops of one name: the first is found, also when it was added last */
	struct sr_op *second = add_named(other_module, "h");
	ck_assert_ptr_eq(sr_symbol_find(other_module, "h"), g);
	sr_op_move_before(second, g);
	ck_assert_ptr_eq(sr_symbol_find(other_module, "h"), second);
	sr_op_erase(second);
	ck_assert_ptr_eq(sr_symbol_find(other_module, "h"), g);
}
END_TEST

START_TEST(symbol_tables_move_with_their_blocks)
{
	struct sr_op *module = sr_module_new(ctx), *f = add_named(module, "f");
	struct sr_op *copy = make_op("builtin.module", NULL, 0, 0, 1);
	ck_assert_ptr_eq(sr_symbol_find(module, "f"), f);
	ck_assert_ptr_null(sr_symbol_find(copy, "f"));
	sr_region_take(&copy->regions[0], &module->regions[0]);
	ck_assert_ptr_null(sr_symbol_find(module, "f"));
	ck_assert_ptr_eq(sr_symbol_find(copy, "f"), f);
}
END_TEST

START_TEST(symbol_searches_are_linear_in_total)
{
	enum { N = 16000 };
	struct sr_op *module = sr_module_new(ctx);
	for (int i = 0; i < N; i++) {
		const char *name = sr_printf(ctx->arena, "f%d", i);
		ck_assert_ptr_null(sr_symbol_find(module, name));
		struct sr_op *func = add_named(module, name);
		ck_assert_ptr_eq(sr_symbol_find(module, name), func);
	}
	ck_assert_int_le(module->regions[0].symbols->visits, 3 * N);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = {
		types_by_content, every_element_type_prints_its_name, function_types_print, sizes_are_checked,
				attributes_by_content,
		shardings_by_content, many_interned_things_stay_found, constants_become_splats, hex_is_decoded,
				large_constants_by_identity,
		integers_are_read_from_any_form, newest_use_first, operands_grow_and_shrink, some_uses_are_replaced, attributes_are_sorted,
		order_within_a_block, clone_maps_nested_values, retired_ops_are_reclaimed, walk_while_erasing, purity_follows_regions,
				results_are_replaced_in_place,
		valid_module_verifies, dominance_is_checked, changes_are_detected, terminators_are_checked, symbols_are_unique,
				symbols_follow_changes, symbol_tables_move_with_their_blocks, symbol_searches_are_linear_in_total,
				unregistered_ops_need_permission,
		options_are_read, pipelines_expand, mistaken_pipelines_are_usage_errors,
	};
	Suite *s = suite_create("ir");
	TCase *c = tcase_create("ir");
	tcase_add_checked_fixture(c, setup, teardown);
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		tcase_add_test(c, tests[i]);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	return sr_run_suite(suite());
}
