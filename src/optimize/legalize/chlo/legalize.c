/* chlo-legalize-to-stablehlo: rewrite every chlo op as stablehlo ops.
 *
 * Elementwise ops are rewritten by formulas (formulas.c), with small floats computed in f32 where the rule says so; other ops by
 * functions of structure.c. chlo ops in the result are rewritten in turn. */
#include "optimize/legalize/chlo/formulas.h"
#include "optimize/legalize/chlo/structure.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"
#include <string.h>

struct legalizer {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) worklist;
	enum sr_status status;
};

static void enqueue(void *data, struct sr_op *op)
{
	struct legalizer *l = data;
	sr_push(l->ctx->arena, &l->worklist, op);
}

static bool collect(void *data, struct sr_op *op)
{
	if (strcmp(op->info->dialect, "chlo") == 0)
		enqueue(data, op);
	return true;
}

static const struct sr_formula *find_formula(const char *name)
{
	const struct sr_formula *f = sr_chlo_formulas;
	while (strcmp(f->name, name) != 0)
		f++;
	return f;
}

static bool class_fits(enum sr_chlo_class class, enum sr_dtype t)
{
	switch (class) {
	case SR_CHLO_ANY:
		return true;
	case SR_CHLO_REAL:
		return sr_dtype_is_float(t);
	case SR_CHLO_COMPLEX:
		return sr_dtype_is_complex(t);
	case SR_CHLO_SIGNED:
		return sr_dtypes[t].class == SR_CLASS_SINT;
	case SR_CHLO_UNSIGNED:
		return sr_dtypes[t].class == SR_CLASS_UINT;
	}
	return false;
}

static bool is_small_float(enum sr_dtype t)
{
	return sr_dtype_is_float(t) && sr_dtypes[t].bits < 32;
}

static const struct sr_chlo_rule *find_rule(const struct sr_op *op)
{
	enum sr_dtype t = sr_operand(op, 0)->type->dtype;
	for (const struct sr_chlo_rule *r = sr_chlo_rules; r->code; r++) {
		enum sr_dtype compute_type = r->upcast && is_small_float(t) ? SR_F32 : t;
		if (sr_op_is(op, r->code) && class_fits(r->class, t) &&
		    (r->element_type == SR_DTYPE_NONE || r->element_type == compute_type))
			return r;
	}
	return NULL;
}

static struct sr_value *convert(struct sr_builder *b, struct sr_value *v, enum sr_dtype t)
{
	const struct sr_type *type = sr_type_tensor_of(b->ctx, sr_type_scalar(b->ctx, t), v->type->rank, v->type->shape,
						       v->type->encoding);
	return sr_result(sr_build(b, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &type, 1), 0);
}

static struct sr_value *apply_formula(struct legalizer *l, struct sr_builder *b, const struct sr_chlo_rule *rule,
				      const struct sr_op *op)
{
	struct sr_value *operands[SR_FORMULA_PARAMETERS];
	enum sr_dtype t = sr_operand(op, 0)->type->dtype;
	bool up = rule->upcast && is_small_float(t);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = up ? convert(b, sr_operand(op, i), SR_F32) : sr_operand(op, i);
	struct sr_value *v = sr_formula_build(b, find_formula(rule->formula), operands, sr_chlo_formulas, enqueue, l);
	return up ? convert(b, v, t) : v;
}

static bool legalize(struct legalizer *l, struct sr_op *op)
{
	struct sr_builder b = {.ctx = l->ctx, .block = op->block, .anchor = op, .loc = op->loc};
	const struct sr_chlo_rule *rule = op->n_operands && sr_operand(op, 0)->type->kind == SR_TYPE_TENSOR ? find_rule(op) : NULL;
	if (!rule)
		return sr_chlo_restructure(&b, op, enqueue, l);
	sr_value_replace_all(sr_result(op, 0), apply_formula(l, &b, rule, op));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_run_chlo_legalize(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct legalizer l = {.ctx = ctx};
	sr_walk_post(root, collect, &l);
	for (size_t i = 0; i < l.worklist.n; i++) {
		struct sr_op *op = l.worklist.data[i];
		if (op->block && !legalize(&l, op))
			return sr_error(&ctx->diags, SR_INVALID, sr_loc_source(op->loc),
					"failed to legalize operation '%s' that was explicitly marked illegal", op->info->name);
	}
	return SR_OK;
}
