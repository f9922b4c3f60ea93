/* The op table as a whole; inference, verification and shardings of ops built by hand. */
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "dialect/signature.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct sr_builder b;
static struct sr_op *module;

static void setup(void)
{
	open_context();
	module = sr_module_new(ctx);
	b = (struct sr_builder){.ctx = ctx, .block = sr_module_body(module)};
}

/* ---------------------------------------------------------------- the table */

struct row {
	const char *file, *name, *form, *infer, *rule, *local, *pad, *lower;
};

static const struct row rows[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] = {__FILE__, #dialect "." #name,
#define FORM(text) text,
#define INFER(f) #f,
#define RULE(f) #f,
#define LOCAL(f) #f,
#define PAD(what) #what,
#define LOWER(f) #f},
#include "dialect/table/all.ops"
};

START_TEST(every_row_is_complete)
{
	for (int i = 1; i < SR_OP_COUNT; i++) {
		const struct row *r = &rows[i];
		ck_assert_msg(r->name && r->form && r->infer && r->rule && r->local && r->pad && r->lower, "row %d is incomplete",
			      i);
		ck_assert_msg(r->form[0], "%s has no form", r->name);
	}
}
END_TEST

START_TEST(names_are_unique_and_sorted_in_their_file)
{
	for (int i = 2; i < SR_OP_COUNT; i++) {
		if (strcmp(rows[i].file, rows[i - 1].file) == 0)
			ck_assert_msg(strcmp(rows[i - 1].name, rows[i].name) < 0, "%s stands after %s", rows[i].name,
				      rows[i - 1].name);
		for (int k = 1; k < i; k++)
			ck_assert_str_ne(rows[i].name, rows[k].name);
	}
}
END_TEST

START_TEST(signatures_compile_and_infos_answer_by_code)
{
	for (int i = 1; i < SR_OP_COUNT; i++) {
		const struct sr_op_info *info = sr_info(ctx, (enum sr_op_code)i);
		ck_assert_int_eq(info->code, i);
		ck_assert_ptr_nonnull(info->signature);
		ck_assert_ptr_nonnull(info->verify);
		ck_assert_ptr_eq(sr_op_info_of(ctx, info->name), info);
		for (int a = 0; a < info->signature->n_attrs; a++) {
			const struct sr_attr_slot *slot = &info->signature->attrs[a];
			if (slot->kind == SR_KIND_enum || slot->kind == SR_KIND_struct)
				ck_assert_msg(slot->def != NULL, "%s: %s has no definition", info->name, slot->name);
		}
	}
	ck_assert_str_eq(sr_info(ctx, SR_OP_stablehlo_cross__replica__sum)->name, "stablehlo.cross-replica-sum");
}
END_TEST

/* Check that the names in the FORM of each op are operands, results or attributes of the op. */
START_TEST(forms_name_existing_parts)
{
	static const char *const words[] = {"attr-dict", "operands", "GENERIC", "to"};
	for (int i = 1; i < SR_OP_COUNT; i++) {
		const struct sr_signature *s = sr_info(ctx, (enum sr_op_code)i)->signature;
		if (strncmp(rows[i].form, "CUSTOM", 6) == 0)
			continue;
		char *text = strdup(rows[i].form), *at = text;
		for (char *p = text; *p; p++) { /* replace literals, directives and punctuation by blanks */
			char end = *p == '`' ? '`' : *p == '<' ? '>' : 0;
			if (end)
				for (*p++ = ' '; *p && *p != end; p++)
					*p = ' ';
			if (*p == '`' || *p == '>' || *p == '(' || *p == ')' || *p == '?')
				*p = ' ';
		}
		for (char *word = strtok(at, " "); word; word = strtok(NULL, " ")) {
			bool is_known = false;
			for (size_t k = 0; k < sizeof words / sizeof *words; k++)
				is_known = is_known || strcmp(word, words[k]) == 0;
			for (int k = 0; k < s->n_operands; k++)
				is_known = is_known || strcmp(word, s->operands[k].name) == 0;
			for (int k = 0; k < s->n_regions; k++)
				is_known = is_known || strcmp(word, s->regions[k].name) == 0;
			for (int k = 0; k < s->n_attrs; k++)
				is_known = is_known || strcmp(word, s->attrs[k].name) == 0;
			ck_assert_msg(is_known, "%s: the form names %s", rows[i].name, word);
		}
		free(text);
	}
}
END_TEST

START_TEST(type_classes_have_descriptions)
{
	for (int i = 0; i < SR_TYPES_COUNT; i++)
		ck_assert_int_gt((int)strlen(sr_type_class_str(ctx, i)), 0);
	ck_assert_str_eq(sr_type_class_str(ctx, SR_TYPES_pred_or_int), "ranked tensor of bool or 2/4/8/16/32/64-bit integer "
								       "values");
	for (int i = 0; i < SR_KIND_COUNT; i++)
		ck_assert_int_gt((int)strlen(sr_attr_kind_str(i)), 0);
}
END_TEST

/* ---------------------------------------------------------------- inference */

static const struct sr_type *tensor_type(enum sr_dtype t, int rank, int64_t a, int64_t c, int64_t d)
{
	int64_t shape[] = {a, c, d};
	return sr_type_tensor(ctx, t, rank, shape);
}

static struct sr_value *splat_value(const struct sr_type *t)
{
	return sr_build_splat(&b, t, 1);
}

static const struct sr_attr *ints_attr(int n, int64_t a, int64_t c, int64_t d)
{
	int64_t v[] = {a, c, d};
	return sr_attr_i64s(ctx, v, n);
}

#define TYPE_IS(v, words) ck_assert_str_eq(sr_type_string(ctx, (v)->type), words)

START_TEST(elementwise_types)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 2, 4, 5, 0)), *z = splat_value(tensor_type(SR_C64, 1, 3, 0, 0));
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_add, (struct sr_value *[]){x, x}, 2, NULL, 0), "tensor<4x5xf32>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_real, &z, 1, NULL, 0), "tensor<3xf32>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_is_finite, &x, 1, NULL, 0), "tensor<4x5xi1>");
	struct sr_named_attr direction = {"comparison_direction", sr_attr_enum(ctx, "stablehlo", "comparison_direction", "LT")};
	struct sr_value *is_less = sr_build_infer(&b, SR_OP_stablehlo_compare, (struct sr_value *[]){x, x}, 2, &direction, 1);
	TYPE_IS(is_less, "tensor<4x5xi1>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_select, (struct sr_value *[]){is_less, x, x}, 3, NULL, 0), "tensor<4x5xf32>");
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

START_TEST(shape_types)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 2, 4, 6, 0)), *padding = splat_value(tensor_type(SR_F32, 0, 0, 0, 0));
	struct sr_named_attr slice[] = {
		{"start_indices", ints_attr(2, 1, 0, 0)}, {"limit_indices", ints_attr(2, 4, 6, 0)}, {"strides", ints_attr(2, 2, 4, 0)}};
	struct sr_named_attr pad[] = {{"edge_padding_low", ints_attr(2, 1, 0, 0)}, {"edge_padding_high", ints_attr(2, -1, 2, 0)},
				 {"interior_padding", ints_attr(2, 1, 0, 0)}};
	struct sr_named_attr permutation = {"permutation", ints_attr(2, 1, 0, 0)}, dim = {"dimension", sr_attr_i64(ctx, 1)};
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_slice, &x, 1, slice, 3), "tensor<2x2xf32>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_pad, (struct sr_value *[]){x, padding}, 2, pad, 3), "tensor<7x8xf32>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_transpose, &x, 1, &permutation, 1), "tensor<6x4xf32>");
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_concatenate, (struct sr_value *[]){x, x, x}, 3, &dim, 1), "tensor<4x18xf32>");
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

START_TEST(product_types)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 3, 2, 4, 6)), *y = splat_value(tensor_type(SR_F32, 3, 2, 6, 5));
	const struct sr_attr *fields[] = {ints_attr(1, 0, 0, 0), ints_attr(1, 0, 0, 0), ints_attr(1, 2, 0, 0), ints_attr(1, 1, 0, 0)};
	struct sr_named_attr dims = {"dot_dimension_numbers", sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), fields)};
	TYPE_IS(sr_build_infer(&b, SR_OP_stablehlo_dot_general, (struct sr_value *[]){x, y}, 2, &dims, 1), "tensor<2x4x5xf32>");
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

/* ---------------------------------------------------------------- verification */

static struct sr_op *make_op(enum sr_op_code code, struct sr_value *const *operands, int n, const struct sr_named_attr *attrs, int n_attrs,
			     const struct sr_type *result)
{
	return sr_build(&b, code, operands, n, attrs, n_attrs, &result, 1);
}

static void expect_error(const char *words)
{
	ck_assert_int_eq(sr_verify(ctx, module), SR_INVALID);
	ck_assert_ptr_nonnull(ctx->diags.first);
	ck_assert_msg(strstr(ctx->diags.first->message, words) != NULL, "got: %s", ctx->diags.first->message);
}

START_TEST(missing_attributes_are_named)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 2, 4, 6, 0));
	make_op(SR_OP_stablehlo_transpose, &x, 1, NULL, 0, x->type);
	expect_error("'stablehlo.transpose' op requires attribute 'permutation'");
}
END_TEST

START_TEST(operand_classes_are_checked)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 1, 4, 0, 0));
	make_op(SR_OP_stablehlo_and, (struct sr_value *[]){x, x}, 2, NULL, 0, x->type);
	expect_error("operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'");
}
END_TEST

START_TEST(numbers_of_operands_are_checked)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 1, 4, 0, 0));
	make_op(SR_OP_stablehlo_add, &x, 1, NULL, 0, x->type);
	expect_error("expected 2 operands, but found 1");
}
END_TEST

START_TEST(declared_types_are_compared)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 2, 4, 6, 0));
	struct sr_named_attr permutation = {"permutation", ints_attr(2, 1, 0, 0)};
	make_op(SR_OP_stablehlo_transpose, &x, 1, &permutation, 1, x->type);
	expect_error("inferred type(s) 'tensor<6x4xf32>' are incompatible with return type(s) of operation 'tensor<4x6xf32>'");
}
END_TEST

START_TEST(unknown_extents_are_compatible)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 2, 4, 6, 0));
	struct sr_named_attr permutation = {"permutation", ints_attr(2, 1, 0, 0)};
	make_op(SR_OP_stablehlo_transpose, &x, 1, &permutation, 1, tensor_type(SR_F32, 2, SR_DYNAMIC, 4, 0));
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

START_TEST(a_padding_that_overflows_is_an_error)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 1, 4, 0, 0)), *padding = splat_value(tensor_type(SR_F32, 0, 0, 0, 0));
	struct sr_named_attr pad[] = {{"edge_padding_low", ints_attr(1, INT64_MAX, 0, 0)}, {"edge_padding_high", ints_attr(1, 0, 0, 0)},
				 {"interior_padding", ints_attr(1, INT64_MAX, 0, 0)}};
	make_op(SR_OP_stablehlo_pad, (struct sr_value *[]){x, padding}, 2, pad, 3, x->type);
	expect_error("too large");
}
END_TEST

START_TEST(constraints_are_checked)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 1, 4, 0, 0));
	struct sr_named_attr dims = {"dimensions", ints_attr(2, 0, 0, 0)};
	make_op(SR_OP_stablehlo_reverse, &x, 1, &dims, 1, x->type);
	expect_error("dimensions should be unique");
}
END_TEST

/* ---------------------------------------------------------------- shardings */

static const char *x_axis_name(void)
{
	return sr_intern(ctx, "x");
}

static void add_mesh(void)
{
	struct sr_axis axes[] = {{x_axis_name(), 4}, {sr_intern(ctx, "y"), 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_named_attr attrs[] = {{"sym_name", sr_attr_string(ctx, "mesh", 4)}, {"mesh", sr_attr_mesh(ctx, &mesh)}};
	sr_build(&b, SR_OP_sdy_mesh, NULL, 0, attrs, 2, NULL, 0);
}

static const struct sr_attr *make_sharding(int rank, const char *axis)
{
	struct sr_sdy_axis ref = {axis, 1, 0};
	struct sr_sdy_dim dims[3] = {{.axes = {&ref, 1}, .closed = true, .priority = -1}, {.closed = true, .priority = -1},
					 {.closed = true, .priority = -1}};
	struct sr_sdy_sharding s = {.mesh_name = sr_intern(ctx, "mesh"), .dims = dims, .rank = rank};
	return sr_attr_sharding(ctx, &s);
}

START_TEST(meshes_are_found_by_name)
{
	add_mesh();
	const struct sr_mesh *mesh = sr_mesh_find(module, "mesh");
	ck_assert_ptr_nonnull(mesh);
	ck_assert_int_eq(sr_mesh_devices(mesh), 8);
	ck_assert_ptr_null(sr_mesh_find(module, "other"));
}
END_TEST

START_TEST(a_result_keeps_its_sharding)
{
	add_mesh();
	struct sr_value *v = splat_value(tensor_type(SR_F32, 2, 8, 8, 0));
	const struct sr_attr *s = make_sharding(2, x_axis_name());
	ck_assert_ptr_null(sr_value_sharding(ctx, v));
	sr_value_set_sharding(ctx, v, s);
	ck_assert_ptr_eq(sr_value_sharding(ctx, v), s);
	ck_assert_int_eq(sr_op_attr(v->def, "sdy.sharding")->kind, SR_ATTR_SHARDINGS);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
	sr_value_set_sharding(ctx, v, NULL);
	ck_assert_ptr_null(sr_op_attr(v->def, "sdy.sharding"));
}
END_TEST

START_TEST(unknown_axes_are_reported)
{
	add_mesh();
	struct sr_value *v = splat_value(tensor_type(SR_F32, 2, 8, 8, 0));
	sr_value_set_sharding(ctx, v, make_sharding(2, sr_intern(ctx, "z")));
	expect_error("'stablehlo.constant' op result - unknown axis name: \"z\"");
}
END_TEST

START_TEST(ranks_are_compared)
{
	add_mesh();
	struct sr_value *v = splat_value(tensor_type(SR_F32, 2, 8, 8, 0));
	sr_value_set_sharding(ctx, v, make_sharding(1, x_axis_name()));
	expect_error("sharding doesn't match tensor rank: 1 != 2");
}
END_TEST

static struct sr_op *make_function(const char *name, const struct sr_type *t)
{
	struct sr_named_attr attrs[] = {{"sym_name", sr_attr_string(ctx, name, strlen(name))},
				   {"function_type", sr_attr_type(ctx, sr_type_function(ctx, &t, 1, &t, 1))}};
	struct sr_op *func = sr_build(&b, SR_OP_func_func, NULL, 0, attrs, 2, NULL, 0);
	struct sr_block *block = sr_block_new(ctx, &func->regions[0]);
	struct sr_value *arg = sr_block_add_arg(ctx, block, t, ctx->unknown_loc);
	struct sr_builder inner_builder = {.ctx = ctx, .block = block};
	sr_build(&inner_builder, SR_OP_func_return, &arg, 1, NULL, 0, NULL, 0);
	return func;
}

START_TEST(an_argument_keeps_its_sharding_on_the_function)
{
	add_mesh();
	struct sr_op *func = make_function("f", tensor_type(SR_F32, 1, 8, 0, 0));
	struct sr_value *arg = sr_func_entry(func)->args[0];
	const struct sr_attr *s = make_sharding(1, x_axis_name());
	sr_value_set_sharding(ctx, arg, s);
	ck_assert_ptr_eq(sr_func_arg_attr(func, 0, "sdy.sharding"), s);
	ck_assert_ptr_eq(sr_value_sharding(ctx, arg), s);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
	sr_value_set_sharding(ctx, arg, NULL);
	ck_assert_ptr_null(sr_op_attr(func, "arg_attrs"));
	ck_assert_ptr_eq(sr_op_module(sr_func_entry(func)->first), module);
}
END_TEST

START_TEST(attributes_of_all_arguments_are_set_at_once)
{
	const struct sr_type *t = sr_type_tensor(ctx, SR_F32, 0, NULL), *in[] = {t, t, t};
	struct sr_named_attr attrs[] = {{"function_type", sr_attr_type(ctx, sr_type_function(ctx, in, 3, in, 1))},
				   {"sym_name", sr_attr_string(ctx, "f", 1)}};
	struct sr_op *func = sr_build(&b, SR_OP_func_func, NULL, 0, attrs, 2, NULL, 0);
	const struct sr_attr *one = sr_attr_i64(ctx, 1), *two = sr_attr_i64(ctx, 2);
	sr_func_set_arg_attr(ctx, func, 1, "a", one);
	sr_func_set_arg_attrs(ctx, func, "a", (const struct sr_attr *[]){two, NULL, two});
	sr_func_set_result_attrs(ctx, func, "a", (const struct sr_attr *[]){NULL});
	ck_assert_ptr_eq(sr_func_arg_attr(func, 0, "a"), two);
	ck_assert_ptr_eq(sr_func_arg_attr(func, 1, "a"), one);
	ck_assert_ptr_eq(sr_func_arg_attr(func, 2, "a"), two);
	ck_assert_ptr_null(sr_op_attr(func, "res_attrs"));
}
END_TEST

START_TEST(calls_find_their_callee)
{
	const struct sr_type *t = tensor_type(SR_F32, 1, 8, 0, 0);
	struct sr_op *func = make_function("f", t);
	struct sr_value *v = splat_value(t);
	struct sr_named_attr callee = {"callee", sr_attr_symbol(ctx, "f")};
	struct sr_op *call = make_op(SR_OP_func_call, &v, 1, &callee, 1, t);
	ck_assert_ptr_eq(sr_call_callee(module, call), func);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

START_TEST(groups_of_a_table)
{
	int64_t shape[] = {2, 2}, ids[] = {0, 2, 1, 3};
	struct sr_value *v = splat_value(tensor_type(SR_F32, 1, 8, 0, 0));
	struct sr_named_attr attrs[] = {{"replica_groups", sr_attr_dense_i64(ctx, 2, shape, ids)}};
	struct sr_op *op = make_op(SR_OP_stablehlo_all_reduce, &v, 1, attrs, 1, v->type);
	struct sr_groups groups;
	ck_assert_int_eq(sr_op_groups(ctx, op, &groups), SR_OK);
	ck_assert_int_eq(groups.n_groups, 2);
	ck_assert_int_eq(groups.group_size, 2);
	ck_assert_int_eq(groups.ids[1], 2);
}
END_TEST

START_TEST(segments_of_operands)
{
	struct sr_value *x = splat_value(tensor_type(SR_F32, 1, 8, 0, 0)), *i = splat_value(tensor_type(SR_F32, 0, 0, 0, 0));
	struct sr_named_attr dims = {"dimensions", ints_attr(1, 0, 0, 0)};
	struct sr_op *op = make_op(SR_OP_stablehlo_reduce, (struct sr_value *[]){x, x, i, i}, 4, &dims, 1, i->type);
	int first, n;
	sr_op_segment(op, "init_values", &first, &n);
	ck_assert_int_eq(first, 2);
	ck_assert_int_eq(n, 2);
}
END_TEST

/* ---------------------------------------------------------------- quantized types */

static bool read_quant(const char *text, struct sr_quant *q)
{
	struct sr_type t = {.kind = SR_TYPE_OPAQUE, .text = sr_intern(ctx, text)};
	return sr_type_quant_values(ctx, &t, q);
}

START_TEST(quantized_types_are_read)
{
	struct sr_quant q;
	ck_assert(read_quant("quant.uniform<i8:f32:1, {0.5:3, 2.0}>", &q));
	ck_assert_int_eq(q.axis, 1);
	ck_assert_int_eq(q.n, 2);
	ck_assert_int_eq(q.zero_points[0], 3);
	ck_assert(q.scales[1] == 2.0);
	ck_assert(!read_quant("quant.uniform<i8:f32, 1.0:300>", &q));
	ck_assert(!read_quant("quant.any<i8>", &q));
	ck_assert_str_eq(sr_quant_text(ctx, "quant.uniform<u8<0:255>:f32, 0.1:3>"), "quant.uniform<u8:f32, 1.000000e-01:3>");
	ck_assert_str_eq(sr_quant_text(ctx, "other.type<8>"), "other.type<8>");
}
END_TEST

static bool is_attribute(const char *name)
{
	for (int code = 1; code < SR_OP_COUNT; code++) {
		const struct sr_signature *sig = sr_info(ctx, (enum sr_op_code)code)->signature;
		for (int i = 0; i < sig->n_attrs; i++)
			if (!strcmp(sig->attrs[i].name, name))
				return true;
	}
	return false;
}

static bool is_field(const char *name)
{
	static const char *const fields[] = {
#define FIELD(name, kind, of, initial) #name
#define STRUCT(dialect, name, form, ...) __VA_ARGS__,
#include "dialect/attr/attr_defs.def"
#undef FIELD
	};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (!strcmp(fields[i], name))
			return true;
	return false;
}

START_TEST(names_are_of_the_table)
{
	static const char *const names[] = {
#define NAME(name) SR_NAME_##name,
#include "dialect/attr_names.def"
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_msg(is_attribute(names[i]) || is_field(names[i]), "%s is the name of no attribute and of no field", names[i]);
}
END_TEST

/* ---------------------------------------------------------------- the registry */

enum { THREADS = 8 };

static void *register_in_context(void *out)
{
	struct sr_context *own_context = sr_context_new();
	sr_dialects_register(own_context);
	*(const struct sr_registry **)out = own_context->registry;
	if (sr_info(own_context, SR_OP_stablehlo_add) != sr_op_info_of(own_context, "stablehlo.add") ||
	    sr_intern(own_context, "stablehlo.add") != sr_op_info_of(own_context, "stablehlo.add")->name)
		*(const struct sr_registry **)out = NULL;
	sr_context_free(own_context);
	return NULL;
}

/* Threads that need the registry at the same time create it once; all contexts share it. */
START_TEST(threads_share_the_registry)
{
	pthread_t threads[THREADS];
	const struct sr_registry *registries[THREADS];
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, register_in_context, &registries[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_ptr_nonnull(registries[i]);
		ck_assert_ptr_eq(registries[i], registries[0]);
	}
}
END_TEST

/* Names of ops that are not in the op table belong to their context. */
START_TEST(contexts_own_other_names)
{
	struct sr_context *other_ctx = sr_context_new();
	sr_dialects_register(other_ctx);
	ck_assert_ptr_eq(sr_op_info_of(ctx, "stablehlo.add"), sr_op_info_of(other_ctx, "stablehlo.add"));
	ck_assert_ptr_ne(sr_op_info_of(ctx, "mine.add"), sr_op_info_of(other_ctx, "mine.add"));
	ck_assert_int_eq(sr_op_info_of(ctx, "mine.add")->code, SR_OP_UNREGISTERED);
	ck_assert_ptr_ne(sr_intern(ctx, "mine"), sr_intern(other_ctx, "mine"));
	ck_assert_ptr_eq(sr_intern(ctx, "mine"), sr_intern(ctx, "mine"));
	sr_context_free(other_ctx);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dialect");
	TCase *registry = tcase_create("registry");
	tcase_add_test(registry, threads_share_the_registry);
	suite_add_tcase(suite, registry);
	TCase *t = tcase_create("dialect");
	tcase_add_checked_fixture(t, setup, close_context);
	tcase_add_test(t, every_row_is_complete);
	tcase_add_test(t, names_are_unique_and_sorted_in_their_file);
	tcase_add_test(t, signatures_compile_and_infos_answer_by_code);
	tcase_add_test(t, forms_name_existing_parts);
	tcase_add_test(t, type_classes_have_descriptions);
	tcase_add_test(t, names_are_of_the_table);
	tcase_add_test(t, elementwise_types);
	tcase_add_test(t, shape_types);
	tcase_add_test(t, product_types);
	tcase_add_test(t, missing_attributes_are_named);
	tcase_add_test(t, operand_classes_are_checked);
	tcase_add_test(t, numbers_of_operands_are_checked);
	tcase_add_test(t, declared_types_are_compared);
	tcase_add_test(t, unknown_extents_are_compatible);
	tcase_add_test(t, a_padding_that_overflows_is_an_error);
	tcase_add_test(t, constraints_are_checked);
	tcase_add_test(t, meshes_are_found_by_name);
	tcase_add_test(t, a_result_keeps_its_sharding);
	tcase_add_test(t, unknown_axes_are_reported);
	tcase_add_test(t, ranks_are_compared);
	tcase_add_test(t, an_argument_keeps_its_sharding_on_the_function);
	tcase_add_test(t, attributes_of_all_arguments_are_set_at_once);
	tcase_add_test(t, calls_find_their_callee);
	tcase_add_test(t, groups_of_a_table);
	tcase_add_test(t, segments_of_operands);
	tcase_add_test(t, quantized_types_are_read);
	tcase_add_test(t, contexts_own_other_names);
	suite_add_tcase(suite, t);
	return sr_run_suite(suite);
}
