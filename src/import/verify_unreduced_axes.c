/* Implement sdy-verify-unreduced-axes: reject programs that use a partial sum as if it were reduced. Unreduced axes may be
 * introduced by an op that reduces (with the same reduction kind), kept, or removed by a reshard or collective; any other change
 * is an error.
 *
 *	%1 = tanh %0, %0 with unreduced={"x"}, %1 without   is rejected */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

struct verifier {
	struct sr_context *ctx;
	struct sr_op *module;
	bool allows_manual_axes; /* if set, values inside manual computations are not checked along the manual axes */
	enum sr_status status;
};

enum { NO_UNREDUCED_KIND = -1 }; /* instead of a reduction kind: the op must not introduce or remove unreduced axes */

typedef SR_VEC(const struct sr_sharding *) sharding_vec; /* shardings of an op's values; values without a sharding are omitted */
typedef SR_VEC(struct sr_axis_ref) ref_vec;

static bool is_resharded(const struct sr_value *v)
{
	const struct sr_op *def = sr_value_before_barriers(v)->def;
	return def && (sr_op_is(def, SR_OP_sdy_reshard) || sr_op_is(def, SR_OP_sdy_sharding_constraint));
}

static const struct sr_sharding *resolve_sharding(struct verifier *f, const struct sr_attr *attr)
{
	const struct sr_mesh *mesh = attr ? sr_sharding_mesh(f->module, attr->sharding) : NULL;
	return mesh ? sr_sharding_resolve(f->ctx->scratch, mesh, attr->sharding) : NULL;
}

static const struct sr_sharding *sharding_of(struct verifier *f, struct sr_value *v)
{
	return resolve_sharding(f, sr_value_sharding(f->ctx, sr_value_before_barriers(v)));
}

static struct sr_axes unreduced_axes_of(const struct sr_sharding *s)
{
	return s ? s->unreduced : (struct sr_axes){0};
}

static struct sr_axes all_unreduced(struct verifier *f, const sharding_vec *shardings)
{
	ref_vec out = {0};
	for (size_t i = 0; i < shardings->n; i++)
		for (int k = 0; k < shardings->data[i]->unreduced.n; k++)
			sr_push(f->ctx->scratch, &out, shardings->data[i]->unreduced.refs[k]);
	return (struct sr_axes){out.data, (int)out.n};
}

static bool have_same_mesh(struct verifier *f, const sharding_vec *shardings, const struct sr_mesh **mesh)
{
	for (size_t i = 0; i < shardings->n; i++) {
		const struct sr_mesh *sharding_mesh = sr_mesh_of(f->module, shardings->data[i]->mesh,
								 shardings->data[i]->mesh_name);
		if (*mesh && sharding_mesh && !sr_mesh_equal(*mesh, sharding_mesh))
			return false;
		*mesh = *mesh ? *mesh : sharding_mesh;
	}
	return true;
}

/* Check that every sharding with one of the axes has the expected reduction kind. */
static bool check_kind(struct verifier *f, struct sr_op *op, const sharding_vec *shardings, struct sr_axes axes, int expected_kind,
		       const char *verb)
{
	for (size_t i = 0; i < shardings->n; i++) {
		const struct sr_sharding *s = shardings->data[i];
		if (!sr_axes_overlap(s->unreduced, axes) || (int)s->unreduced_kind == expected_kind)
			continue;
		sr_op_error(op, &f->ctx->diags, SR_INVALID, "cannot %s '%s' unreduced axes. Expected '%s'.", verb,
			    sr_unreduced_kind_names[s->unreduced_kind], sr_unreduced_kind_names[expected_kind]);
		return false;
	}
	return true;
}

static bool check_kept(struct verifier *f, struct sr_op *op, const sharding_vec *in, const sharding_vec *out)
{
	for (size_t r = 0; r < out->n; r++)
		for (size_t i = 0; i < in->n; i++)
			if (sr_axes_overlap(out->data[r]->unreduced, in->data[i]->unreduced) &&
			    out->data[r]->unreduced_kind != in->data[i]->unreduced_kind) {
				sr_op_error(op, &f->ctx->diags, SR_INVALID,
					    "cannot change the reduction operator of kept unreduced axes from %s to %s.",
					    sr_unreduced_kind_names[in->data[i]->unreduced_kind],
					    sr_unreduced_kind_names[out->data[r]->unreduced_kind]);
				return false;
			}
	return true;
}

static bool check_transition(struct verifier *f, struct sr_op *op, const sharding_vec *in, const sharding_vec *out, int introduces,
			     int removes)
{
	const struct sr_mesh *mesh = NULL;
	if (!have_same_mesh(f, in, &mesh) || !have_same_mesh(f, out, &mesh))
		return true;
	struct sr_axes in_axes = all_unreduced(f, in), out_axes = all_unreduced(f, out), added_axes, dropped_axes;
	if (!sr_axes_difference(f->ctx->scratch, out_axes, in_axes, &added_axes) ||
	    !sr_axes_difference(f->ctx->scratch, in_axes, out_axes, &dropped_axes))
		return true;
	if (added_axes.n > 0 && introduces == NO_UNREDUCED_KIND) {
		sr_op_error(op, &f->ctx->diags, SR_INVALID, "cannot add new unreduced axis '%s'.", added_axes.refs[0].axis);
		return false;
	}
	if (added_axes.n > 0 && !check_kind(f, op, out, added_axes, introduces, "introduce"))
		return false;
	if (dropped_axes.n > 0 && removes == NO_UNREDUCED_KIND) {
		sr_op_error(op, &f->ctx->diags, SR_INVALID,
			    "dropped unreduced axis '%s' without a blessed operation (e.g., sdy.reshard). This is an invalid "
			    "transition from unreduced to reduced.",
			    dropped_axes.refs[0].axis);
		return false;
	}
	if (dropped_axes.n > 0 && !check_kind(f, op, in, dropped_axes, removes, "reduce"))
		return false;
	return check_kept(f, op, in, out);
}

/* ---------------------------------------------------------------- checks by op kind */

static void add_sharding(struct verifier *f, sharding_vec *list, const struct sr_sharding *s)
{
	if (s)
		sr_push(f->ctx->scratch, list, s);
}

/* Return the kind of reduction that the op's body computes, if it is the same for every value that the body yields;
 * NO_UNREDUCED_KIND otherwise. */
static int body_kind(const struct sr_op *op)
{
	const struct sr_block *body = op->n_regions ? op->regions[0].first : NULL;
	const struct sr_op *terminator = body ? sr_block_terminator(body) : NULL;
	int common_kind = NO_UNREDUCED_KIND;
	for (int i = 0; terminator && i < terminator->n_operands; i++) {
		const struct sr_op *def = sr_operand(terminator, i)->def;
		const struct sr_reducer *r = def ? sr_reducer_find(sr_op_code_of(def)) : NULL;
		enum sr_unreduced_kind kind;
		if (!r || !sr_reducer_unreduced_kind(r, false, &kind) ||
		    (common_kind != NO_UNREDUCED_KIND && common_kind != (int)kind))
			return NO_UNREDUCED_KIND;
		common_kind = (int)kind;
	}
	return common_kind;
}

static bool check_op(struct verifier *f, struct sr_op *op, int introduces, int removes, bool skips_resharded)
{
	sharding_vec in = {0}, out = {0};
	int n = sr_op_is(op, SR_OP_stablehlo_reduce) ? op->n_operands / 2 : op->n_operands;
	for (int i = 0; i < n; i++)
		if (!skips_resharded || !is_resharded(sr_operand(op, i)))
			add_sharding(f, &in, sharding_of(f, sr_operand(op, i)));
	for (int i = 0; i < op->n_results; i++)
		add_sharding(f, &out, sharding_of(f, sr_result(op, i)));
	return check_transition(f, op, &in, &out, introduces, removes);
}

/* Check a manual computation along the axes that it leaves to the partitioner; along manual axes the user is responsible. */
static bool check_manual(struct verifier *f, struct sr_op *op)
{
	static const char *const lists[] = {SR_NAME_in_shardings, SR_NAME_out_shardings};
	sharding_vec shardings[2] = {0};
	for (int k = 0; k < 2; k++) {
		const struct sr_attr *list = sr_op_attr(op, lists[k]);
		for (int i = 0; list && i < list->n; i++)
			add_sharding(f, &shardings[k],
				     resolve_sharding(f, sr_sharding_without_axes(f->ctx, list->list[i], sr_op_attr(op, SR_NAME_manual_axes))));
	}
	return check_transition(f, op, &shardings[0], &shardings[1], SR_UNREDUCED_SUM, NO_UNREDUCED_KIND);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Check that both axis lists are equal as sets; otherwise report the axes in only one of them, sorted by name. */
static bool check_equal_axes(struct verifier *f, struct sr_op *op, struct sr_axes a, struct sr_axes b, const char *position_text)
{
	SR_VEC(const char *) names = {0};
	struct sr_axes lists[2] = {a, b};
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < lists[side].n; i++) {
			bool is_shared = false;
			for (int k = 0; k < lists[!side].n; k++)
				is_shared = is_shared || sr_axis_ref_equal(lists[side].refs[i], lists[!side].refs[k]);
			if (!is_shared)
				sr_push(f->ctx->scratch, &names, lists[side].refs[i].axis);
		}
	if (names.n == 0)
		return true;
	qsort(names.data, names.n, sizeof *names.data, compare_strings);
	const char *joined_names = names.data[0];
	for (size_t i = 1; i < names.n; i++)
		if (names.data[i] != names.data[i - 1])
			joined_names = sr_printf(f->ctx->scratch, "%s, %s", joined_names, names.data[i]);
	sr_op_error(op, &f->ctx->diags, SR_INVALID, "has unreduced axes mismatch for '%s%s", joined_names, position_text);
	return false;
}

static bool check_call(struct verifier *f, struct sr_op *call)
{
	struct sr_op *callee = sr_call_callee(f->module, call);
	if (!callee)
		return true;
	struct sr_arena *arena = f->ctx->scratch;
	for (int i = 0; i < call->n_operands; i++) {
		const struct sr_sharding *arg = resolve_sharding(f, sr_func_arg_attr(callee, i, "sdy.sharding"));
		if (!is_resharded(sr_operand(call, i)) &&
		    !check_equal_axes(f, call, unreduced_axes_of(sharding_of(f, sr_operand(call, i))), unreduced_axes_of(arg),
				      sr_printf(arena, "' at call argument %d.", i)))
			return false;
	}
	for (int i = 0; i < call->n_results; i++) {
		const struct sr_sharding *result = resolve_sharding(f, sr_func_result_attr(callee, i, "sdy.sharding"));
		if (!check_equal_axes(f, call, unreduced_axes_of(result), unreduced_axes_of(sharding_of(f, sr_result(call, i))),
				      sr_printf(arena, "' at call result %d.", i)))
			return false;
	}
	return true;
}

/* Check returned values against the results of the enclosing function or computation. */
static bool check_return(struct verifier *f, struct sr_op *op)
{
	struct sr_op *parent = sr_op_parent(op);
	bool is_function = sr_op_is(parent, SR_OP_func_func);
	for (int i = 0; i < op->n_operands && (is_function || i < parent->n_results); i++) {
		const struct sr_attr *attr = is_function ? sr_func_result_attr(parent, i, "sdy.sharding")
							 : sr_value_sharding(f->ctx, sr_result(parent, i));
		if (attr && sr_op_is(parent, SR_OP_sdy_manual_computation))
			attr = sr_sharding_without_axes(f->ctx, attr, sr_op_attr(parent, SR_NAME_manual_axes));
		const struct sr_sharding *result = resolve_sharding(f, attr);
		if (!result || is_resharded(sr_operand(op, i)))
			continue;
		const char *position_text = sr_printf(f->ctx->scratch,
					      "' at return value %d without a blessed operation (e.g., sdy.reshard). This is an "
					      "invalid transition from unreduced to reduced.",
						      i);
		if (!check_equal_axes(f, op, unreduced_axes_of(sharding_of(f, sr_operand(op, i))), unreduced_axes_of(result),
				      position_text))
			return false;
	}
	return true;
}

static bool check_sharded_operand(struct verifier *f, struct sr_op *op)
{
	if (sharding_of(f, sr_operand(op, 0)))
		return true;
	sr_op_error(op, &f->ctx->diags, SR_INVALID, "operand must be sharded.");
	return false;
}

static bool check_op_kind(struct verifier *f, struct sr_op *op)
{
	switch (sr_op_code_of(op)) {
	case SR_OP_sdy_reshard:
	case SR_OP_sdy_sharding_constraint:
		return true;
	case SR_OP_stablehlo_reduce:
		return check_op(f, op, body_kind(op), NO_UNREDUCED_KIND, true);
	case SR_OP_sdy_all_reduce:
	case SR_OP_sdy_reduce_scatter:
		return check_sharded_operand(f, op);
	case SR_OP_stablehlo_all_reduce:
	case SR_OP_stablehlo_reduce_scatter:
		return check_op(f, op, NO_UNREDUCED_KIND, body_kind(op), false);
	case SR_OP_func_call:
		return check_call(f, op);
	case SR_OP_func_return:
	case SR_OP_sdy_return:
		return check_return(f, op);
	case SR_OP_sdy_manual_computation:
		return f->allows_manual_axes ? check_manual(f, op) : check_op(f, op, SR_UNREDUCED_SUM, NO_UNREDUCED_KIND, true);
	default:
		return sr_op_has(op, SR_TERMINATOR) || check_op(f, op, SR_UNREDUCED_SUM, NO_UNREDUCED_KIND, true);
	}
}

static bool verify_op(void *data, struct sr_op *op)
{
	struct verifier *f = data;
	struct sr_arena_position mark = sr_arena_mark(f->ctx->scratch);
	if (!check_op_kind(f, op))
		f->status = SR_INVALID;
	sr_arena_release(f->ctx->scratch, mark);
	return f->status == SR_OK;
}

enum sr_status sr_pass_verify_unreduced_axes(struct sr_context *ctx, struct sr_op *is_function,
					     const struct sr_pass_options *options)
{
	struct verifier f = {ctx, sr_op_module(is_function), sr_option_bool(options, "trust-manual-axes"), SR_OK};
	sr_walk_post(is_function, verify_op, &f);
	return f.status;
}
