/* stablehlo-check-shape-assertions: check custom calls @shape_assertion(%what, %inputs...) on static shapes.
 *
 * An assertion that holds is removed. One that fails is an error with its own message, in which {0}, {1}, ... are replaced by the
 * inputs. Operands must be constant, as they are after shape refinement. */
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include <stdlib.h>
#include <string.h>

struct checker {
	struct sr_context *ctx;
	bool enabled;
	enum sr_status status;
};

static enum sr_status report(struct checker *c, const struct sr_op *op, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sr_vreport(&c->ctx->diags, SR_ERROR, sr_loc_source(op->loc), format, args);
	va_end(args);
	return SR_INVALID;
}

static bool is_scalar(const struct sr_value *v, enum sr_dtype a, enum sr_dtype b)
{
	return v->type->kind == SR_TYPE_TENSOR && v->type->rank == 0 && (v->type->dtype == a || v->type->dtype == b);
}

static enum sr_status check_form(struct checker *c, const struct sr_op *op)
{
	if (op->n_operands < 1 || op->n_results || !sr_op_attr(op, "error_message"))
		return report(c, op, "expects an assertion: operands, no results and an error_message attribute");
	if (!is_scalar(sr_operand(op, 0), SR_I1, SR_I1))
		return report(c, op, "expects assert_what (operand #0) to be a constant of type tensor<i1>");
	for (int i = 1; i < op->n_operands; i++)
		if (!is_scalar(sr_operand(op, i), SR_I32, SR_I64))
			return report(c, op,
				      "expects error_message_input (operand #%d) to be a constant of type tensor<i32> or "
				      "tensor<i64>",
				      i);
	return SR_OK;
}

/* Format the message: {k} is replaced by the value of input k. */
static enum sr_status format_message(struct checker *c, const struct sr_op *op, const char **out)
{
	struct sr_buf text;
	struct sr_ints v;
	sr_buf_init(&text, c->ctx->arena);
	for (const char *at = sr_op_attr(op, "error_message")->s; *at;) {
		char *end = NULL;
		long k = *at == '{' ? strtol(at + 1, &end, 10) : -1;
		if (k < 0 || end == at + 1 || *end != '}') {
			sr_buf_putc(&text, *at++);
			continue;
		}
		if (k >= op->n_operands - 1)
			return report(c, op,
				      "expects error_message to contain format specifiers with error_message_input index less "
				      "than %d. Found "
				      "specifier {%ld}",
				      op->n_operands - 1, k);
		if (!sr_value_ints(c->ctx, sr_operand(op, (int)k + 1), &v))
			return report(c, op, "expects static error_message_input (operand #%ld)", k + 1);
		sr_buf_int(&text, v.v[0]);
		at = end + 1;
	}
	*out = sr_buf_string(&text);
	return SR_OK;
}

static enum sr_status check_assertion(struct checker *c, struct sr_op *op)
{
	struct sr_ints condition;
	const char *message = "";
	if (check_form(c, op))
		return SR_INVALID;
	if (!sr_value_ints(c->ctx, sr_operand(op, 0), &condition))
		return report(c, op, "expects static assert_what (operand #0)");
	if (condition.v[0] == 0)
		return format_message(c, op, &message) ? SR_INVALID : report(c, op, "%s", message);
	sr_op_erase(op);
	return SR_OK;
}

static bool visit(void *data, struct sr_op *op)
{
	struct checker *c = data;
	const struct sr_attr *target = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	if (!target || strcmp(target->s, "shape_assertion") != 0)
		return true;
	if (!c->enabled)
		sr_op_erase(op);
	else if (check_assertion(c, op))
		c->status = SR_INVALID;
	return true;
}

enum sr_status sr_run_check_shape_assertions(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct checker c = {ctx, sr_option_bool(options, "enable-shape-assertions"), SR_OK};
	sr_walk(root, visit, &c);
	return c.status;
}
