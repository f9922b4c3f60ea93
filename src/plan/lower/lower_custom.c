/* Lower custom calls: targets that return their operand, checks of test programs, LAPACK routines as JAX calls them on CPUs, and
 * FFI handlers. Any other target is an error with its name, operand types and location. */
#include "plan/lower/lower.h"
#include "import/import.h"
#include "dialect/attr_names.h"
#include "kernels/kernel_check.h"
#include "support/checked.h"
#include <stddef.h>
#include <string.h>

static const char *const transparent[] = {"Sharding", "annotate_device_placement", "SPMDFullToShardShape", "SPMDShardToFullShape",
					  "MoveToHost", "MoveToDevice", "LayoutConstraint"};

/* ---- LAPACK ---- */

static int64_t config_option(const struct sr_op *op, const char *name, int64_t default_value)
{
	const struct sr_attr *config = sr_op_attr(op, "mhlo.backend_config"),
			     *backend_config = sr_op_attr(op, SR_NAME_backend_config);
	const struct sr_attr *a = sr_dict_get(config && config->kind == SR_ATTR_DICT ? config
					      : backend_config && backend_config->kind == SR_ATTR_DICT ? backend_config
										     : NULL,
					      name);
	return a && (a->kind == SR_ATTR_INTEGER || a->kind == SR_ATTR_BOOL) ? a->i : default_value;
}

/* Return the operand whose trailing dimensions are the m x n matrix of the LAPACK routine. */
static int main_operand(int routine)
{
	return routine == SR_LAPACK_TRSM ? 1 : routine == SR_LAPACK_ORMQR ? 2 : routine == SR_LAPACK_GTSV ? 3 : 0;
}

static void lapack_params(struct sr_op *op, struct sr_lapack_params *p)
{
	const struct sr_type *t = sr_operand(op, main_operand(p->routine))->type;
	bool is_complex = sr_dtype_is_complex(t->dtype);
	p->batch = 1;
	for (int d = 0; d < t->rank - 2; d++)
		p->batch *= t->shape[d];
	p->m = t->shape[t->rank - 2], p->n = t->shape[t->rank - 1];
	if (p->routine == SR_LAPACK_ORGQR || p->routine == SR_LAPACK_ORMQR) {
		const struct sr_type *tau = sr_operand(op, 1)->type;
		p->k = tau->rank ? tau->shape[tau->rank - 1] : 1;
	}
	p->uplo = (uint8_t)config_option(op, "uplo", 'L');
	p->side = (uint8_t)config_option(op, "side", config_option(op, "left", 1) ? 'L' : 'R');
	p->trans = (uint8_t)config_option(op, "trans_x", config_option(op, "transpose", 0) ? (is_complex ? 'C' : 'T') : 'N');
	p->diag = (uint8_t)config_option(op, "diag", 'N');
	p->mode = (uint8_t)config_option(op, SR_NAME_mode, 'N');
	p->left = (uint8_t)config_option(op, "compute_left", 'N');
	p->right = (uint8_t)config_option(op, "compute_right", 'N');
	p->low = config_option(op, "low", 1);
	p->high = config_option(op, "high", p->n);
}

/* Append an instruction that fails with the message `description` when it is executed. */
static struct sr_instr *add_failing_call(struct sr_plan_builder *b, struct sr_op *op, int kind, const char *description)
{
	struct sr_custom_call_instr instr = {.n_inputs = kind, .description = sr_plan_add_printable_text(b, description)};
	int *buffers = SR_NEW_ARRAY(b->arena, int, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		buffers[i] = sr_plan_buffer_for(b, sr_result(op, i));
	return sr_plan_add_instr(b, SR_INSTR_CUSTOM_CALL, buffers, op->n_results, &instr, sizeof instr);
}

/* Results that are vectors, which a routine leaves undefined if its option is 'N'. */
static const struct {
	enum sr_lapack routine;
	int result, complex_result; /* number of the result; the same for complex types */
	size_t option;              /* offset of the option's letter in sr_lapack_params */
} vectors[] = {
#define OPTION(name) offsetof(struct sr_lapack_params, name)
    {SR_LAPACK_GESDD, 2, 2, OPTION(mode)}, {SR_LAPACK_GESDD, 3, 3, OPTION(mode)}, {SR_LAPACK_GESVD, 2, 2, OPTION(mode)},
    {SR_LAPACK_GESVD, 3, 3, OPTION(mode)}, {SR_LAPACK_GEEV, 2, 1, OPTION(left)},  {SR_LAPACK_GEEV, 3, 2, OPTION(right)},
    {SR_LAPACK_GEES, 1, 1, OPTION(mode)},
#undef OPTION
};

/* Return true if result i of the routine is left undefined, since the call asks for values without vectors. */
static bool is_undefined_result(const struct sr_lapack_params *p, bool is_complex, int i)
{
	for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
		if ((int)vectors[k].routine == (int)p->routine && i == (is_complex ? vectors[k].complex_result : vectors[k].result))
			return ((const char *)p)[vectors[k].option] == 'N';
	return false;
}

/* Return an empty buffer for an undefined result. If the result has uses, as with --verify, they read zeros. */
static int undefined_result(struct sr_plan_builder *b, struct sr_value *v)
{
	enum sr_dtype type = sr_plan_dtype(v);
	static const char zero[16];
	struct sr_fill_params p = {.n = sr_plan_elements(b, v), .bytes = sr_dtype_bytes(type)};
	if (v->uses && p.n) {
		int scalar = sr_plan_add_constant(b, type, zero, p.bytes, 1);
		sr_plan_add_kernel(b, SR_KERNEL_FILL, type, p.n, (int[]){scalar, sr_plan_buffer_for(b, v)}, 2, &p, sizeof p);
	}
	return sr_plan_buffer(b, type, 0);
}

/* Return true if a call's operands and results have the element types that the routine expects, its operands at least as many
 * elements, and its results as many. */
static bool has_lapack_types(struct sr_plan_builder *b, struct sr_op *op, const struct sr_lapack_params *p)
{
	enum sr_dtype type = sr_plan_dtype(sr_operand(op, main_operand(p->routine)));
	bool is_complex = sr_dtype_is_complex(type), has_types = is_complex || type == SR_F32 || type == SR_F64;
	struct sr_lapack_buffer buffers[SR_LAPACK_MAX_BUFFERS];
	int n = has_types ? sr_lapack_buffers(p, type, buffers) : 0;
	for (int i = 0; i < n && has_types; i++) {
		int result = i - op->n_operands;
		struct sr_value *v = result < 0 ? sr_operand(op, i) : sr_result(op, result);
		int64_t elements = sr_plan_elements(b, v), all;
		bool has_elements = !sr_mul_overflows(p->batch, buffers[i].n, &all) &&
				    (result < 0 ? elements >= all : elements == all);
		has_types = sr_plan_dtype(v) == buffers[i].type &&
			    (has_elements || (result >= 0 && is_undefined_result(p, is_complex, result)));
	}
	return has_types;
}

/* Lower a call to a LAPACK routine. A call with other operands or results than the routine's fails when it is executed, as it does
 * on XLA, where the routine checks them. */
static enum sr_status lower_lapack(struct sr_plan_builder *b, struct sr_op *op, int routine)
{
	struct sr_lapack_params p = {.routine = routine};
	int n = 0, *buffers = SR_NEW_ARRAY(b->arena, int, op->n_operands + op->n_results), at = main_operand(routine);
	bool is_routine = op->n_operands == sr_lapack_operand_count(routine) && sr_operand(op, at)->type->rank >= 2 &&
			  op->n_results == sr_lapack_result_count(routine, sr_plan_dtype(sr_operand(op, at)));
	if (is_routine)
		lapack_params(op, &p);
	if (p.m > INT32_MAX / 2 || p.n > INT32_MAX / 2 || p.m * p.n > INT32_MAX)
		return sr_lower_unsupported(b, op, "has a matrix that is too large for LAPACK");
	if (!is_routine || !has_lapack_types(b, op, &p)) {
		add_failing_call(b, op, SR_CUSTOM_UNKNOWN, "has other operands or results than the LAPACK routine that it names");
		return SR_OK;
	}
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	bool is_complex = sr_dtype_is_complex(sr_plan_dtype(sr_operand(op, at)));
	for (int i = 0; i < op->n_results; i++)
		buffers[n++] = is_undefined_result(&p, is_complex, i) ? undefined_result(b, sr_result(op, i))
								      : sr_plan_buffer_for(b, sr_result(op, i));
	if (p.batch && p.m && p.n)
		sr_plan_add_kernel(b, SR_KERNEL_LAPACK, sr_plan_dtype(sr_operand(op, at)), p.batch, buffers, n, &p, sizeof p);
	return SR_OK;
}

/* ---- all ---- */

/* Lower a call whose results are its operands. */
static enum sr_status lower_transparent(struct sr_plan_builder *b, struct sr_op *op, const char *target)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *from = sr_operand(op, i)->type, *to = sr_result(op, i)->type;
		if (from->kind != to->kind || from->dtype != to->dtype || from->rank != to->rank ||
		    (to->rank && memcmp(from->shape, to->shape, (size_t)to->rank * sizeof *to->shape)))
			return sr_op_error(op, &b->ctx->diags, SR_INVALID, "@%s must have results of its operands' types", target);
	}
	return sr_lower_identity(b, op);
}

/* Return true if the op is in a branch. Programs for several platforms branch on their first argument, and call targets of
 * other platforms in branches that are not executed. */
static bool is_in_branch(const struct sr_op *op)
{
	while (op && !sr_op_is(op, SR_OP_stablehlo_case) && !sr_op_is(op, SR_OP_stablehlo_if))
		op = sr_op_parent(op);
	return op != NULL;
}

/* Return the message for a library's check that raises an exception from a callback in a branch (equinox.error_if, which diffrax,
 * lineax and optimistix use). The message names the function on the call stack that has "error" or "check" in its name, and its
 * callers; *loc: location of the first caller. Return NULL if there is no such function. */
static const char *failed_check(struct sr_plan_builder *b, const struct sr_op *op, uint32_t *loc)
{
	struct sr_loc_frame frames[256];
	struct sr_buf text;
	int n = sr_loc_frames(op->loc, frames, 256), at = -1;
	for (int i = 0; i < n; i++)
		if (frames[i].function && (strstr(frames[i].function, "error") || strstr(frames[i].function, "check")))
			at = i;
	if (at < 0)
		return NULL;
	*loc = sr_plan_add_loc(b, frames[at + 1 < n ? at + 1 : at].place);
	sr_buf_init(&text, b->arena);
	sr_buf_printf(&text, "is reached when a check in the Python program fails: %s", frames[at].function);
	for (int i = at + 1; i < n && i <= at + 3 && frames[i].function; i++)
		sr_buf_printf(&text, ", called by %s (%s:%d)", frames[i].function, frames[i].place.file, frames[i].place.line);
	return sr_buf_string(&text);
}

/* Lower a call to an unknown target: report an error, or, in a branch, append an instruction that fails when it is reached. */
static enum sr_status lower_unknown_target(struct sr_plan_builder *b, struct sr_op *op, const char *target, const char *operands)
{
	bool is_python_callback = sr_is_python_callback(target);
	uint32_t loc = 0;
	const char *check = is_python_callback && is_in_branch(op) ? failed_check(b, op, &loc) : NULL,
		   *description = check    ? check
			   : is_python_callback ? sr_printf(b->arena, "calls back into Python for values (@%s(%s)), but shardrun runs without Python", target, operands)
				    : sr_printf(b->arena, "calls @%s(%s), an unknown custom call target", target,
						operands);
	if (!is_in_branch(op))
		return sr_op_error(op, &b->ctx->diags, SR_UNSUPPORTED, "%s", description);
	struct sr_instr *custom_call = add_failing_call(b, op, check ? SR_CUSTOM_FAILED_CHECK : SR_CUSTOM_UNKNOWN, description);
	if (check)
		custom_call->place = loc;
	return SR_OK;
}

enum sr_status sr_lower_custom(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *target = sr_op_attr(op, SR_NAME_call_target_name);
	const char *name = target ? target->s : "";
	int routine = sr_lapack_find(name);
	struct sr_buf types;
	for (size_t i = 0; i < sizeof transparent / sizeof *transparent; i++)
		if (!strcmp(transparent[i], name) && op->n_operands == op->n_results)
			return lower_transparent(b, op, name);
	/* FFI handlers are tried before built-in targets, since users may override LAPACK routines. */
	if (sr_is_ffi_target(b, name))
		return sr_lower_ffi_call(b, op, name);
	if (sr_is_check_target(name))
		return sr_lower_check_call(b, op, name);
	if (routine >= 0)
		return lower_lapack(b, op, routine);
	if (!strcmp(name, "CustomSPMDPartitioning"))
		return sr_op_error(op, &b->ctx->diags, SR_UNSUPPORTED, "names a function (custom_partitioning) by its address in the "
				   "Python process that wrote the module: shardrun_export.py writes its body instead");
	sr_buf_init(&types, b->arena);
	for (int i = 0; i < op->n_operands; i++)
		sr_buf_printf(&types, "%s%s", i ? ", " : "", sr_type_string(b->ctx, sr_operand(op, i)->type));
	return lower_unknown_target(b, op, name, sr_buf_string(&types));
}
