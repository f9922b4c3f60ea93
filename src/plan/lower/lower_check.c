/* Lower checks of test programs, prints and probes, which inspect values without changing them: ops of the check and interpreter
 * dialects, and custom calls of the same meaning in JAX's test programs. */
#include "plan/lower/lower.h"
#include "dialect/attr_names.h"
#include "support/probe.h"
#include "text/text.h"
#include <string.h>

static const struct row {
	enum sr_op_code code; /* the op's code; SR_OP_UNREGISTERED: a custom call with this target */
	const char *target;
	enum sr_check_kind kind;
	double tolerance;
	uint64_t max_ulp;
} rows[] = {
	{SR_OP_check_expect_eq, NULL, SR_CHECK_EQ, 0, 0},
	{SR_OP_check_expect_eq_const, NULL, SR_CHECK_EQ, 0, 0},
	{SR_OP_check_expect_almost_eq, NULL, SR_CHECK_ALMOST_EQ, 1e-4, 0},
	{SR_OP_check_expect_almost_eq_const, NULL, SR_CHECK_ALMOST_EQ, 1e-4, 0},
	{SR_OP_check_expect_close, NULL, SR_CHECK_CLOSE, 0, 1},
	{SR_OP_check_expect_serialized_eq, NULL, SR_CHECK_SERIALIZED_EQ, 0, 0},
	{SR_OP_interpreter_print, NULL, SR_CHECK_PRINT, 0, 0},
	{SR_OP_interpreter_probe, NULL, SR_CHECK_PROBE, 0, 0},
	{SR_OP_check_probe, NULL, SR_CHECK_VALUE_PROBE, 0, 0},
	{SR_OP_UNREGISTERED, "check.expect_eq", SR_CHECK_EQ, 0, 0},
	{SR_OP_UNREGISTERED, "check.expect_almost_eq", SR_CHECK_ALMOST_EQ, 1e-3, 0},
	{SR_OP_UNREGISTERED, "check.expect_close", SR_CHECK_CLOSE, 0, 3},
	{SR_OP_UNREGISTERED, "check.eq", SR_CHECK_ALMOST_EQ, 1e-4, 0},
};

static const struct row *row_of(const struct sr_op *op, const char *target)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (target ? rows[i].target && !strcmp(rows[i].target, target) : sr_op_is(op, rows[i].code))
			return &rows[i];
	return NULL;
}

bool sr_is_check_target(const char *target)
{
	return row_of(NULL, target) != NULL;
}

/* Read the attributes that override the defaults of the table's row. */
static void read_attributes(struct sr_plan_builder *b, struct sr_op *op, struct sr_check_instr *s)
{
	const struct sr_attr *tolerance = sr_op_attr(op, SR_NAME_tolerance), *probe = sr_op_attr(op, SR_NAME_probe_id);
	if (tolerance && tolerance->kind == SR_ATTR_FLOAT)
		s->tolerance = sr_float_decode(tolerance->type->dtype, (uint64_t)tolerance->i);
	s->max_ulp = (uint64_t)sr_op_int(op, SR_NAME_max_ulp_difference, (int64_t)s->max_ulp);
	s->min_ulp = (uint64_t)sr_op_int(op, SR_NAME_min_ulp_difference, 0);
	s->iteration = (int32_t)sr_op_int(op, SR_NAME_iteration, 0);
	if (s->kind == SR_CHECK_PRINT)
		s->name = sr_plan_add_printable_text(b, sr_value_name(b->ctx, sr_operand(op, 0)));
	else
		s->name = sr_plan_add_text(b, probe && probe->kind == SR_ATTR_STRING ? probe->s : "");
}

/* Return the buffer of the expected value: an operand, or the op's constant; -1: none. */
static int expected_buffer(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	int64_t bytes = 0;
	if (op->n_operands > 1)
		return sr_plan_buffer_for(b, sr_operand(op, 1));
	const void *data = value ? sr_dense_data(b->ctx, value, false, &bytes) : NULL;
	return data ? sr_plan_add_constant(b, sr_plan_dtype(sr_operand(op, 0)), data, bytes, sr_plan_elements(b, sr_operand(op, 0)))
		    : -1;
}

static int64_t int_of(const struct sr_attr *dict, const char *name)
{
	const struct sr_attr *a = sr_dict_get(dict, name);
	return a && a->kind == SR_ATTR_INTEGER ? a->i : 0;
}

static const char *text_of(const struct sr_attr *dict, const char *name)
{
	const struct sr_attr *a = sr_dict_get(dict, name);
	return a && a->kind == SR_ATTR_STRING ? a->s : "";
}

/* Add a probe to the program's table; return its number. */
static int32_t add_probe(struct sr_plan_builder *b, struct sr_op *op, int buffer)
{
	const struct sr_attr *info = sr_op_attr(op, SR_NAME_info);
	const char *words = sr_loc_source_name(op->loc);
	const int64_t *sources;
	int64_t n = 0;
	struct sr_probe probe = {.id = sr_op_int(op, SR_NAME_id, 0)};
	probe.io = sr_plan_describe_value(b, sr_operand_type(op, 0), sr_op_attr(op, SR_NAME_global),
					  sr_op_attr(op, SR_PROBE_SHARDING), NULL);
	probe.io.buffer = buffer;
	if (sr_attr_ints(b->ctx, sr_dict_get(info, "sources"), &sources, &n))
		probe.sources = sr_plan_add_ids(b, sources, n);
	probe.n_sources = (int32_t)n;
	probe.flags = (int32_t)int_of(info, "flags");
	probe.reduced = int_of(info, "reduced");
	probe.op = sr_plan_add_text(b, text_of(info, "op"));
	probe.name = sr_plan_add_printable_text(b, text_of(info, "name"));
	probe.source_name = sr_plan_add_printable_text(b, words ? words : "");
	probe.place = sr_plan_add_op_loc(b, op);
	sr_push(b->arena, &b->probes, probe);
	return (int32_t)b->probes.n - 1;
}

static enum sr_status lower_row(struct sr_plan_builder *b, struct sr_op *op, const struct row *row)
{
	int buffers[3], n = 0;
	if (b->lanes)
		return sr_lower_unsupported(b, op, "is inside the body of a reduction or sort, which is not supported");
	if (!op->n_operands || (row->target && op->n_operands != 2))
		return sr_lower_unsupported(b, op, "needs a value and its expected value");
	const struct sr_type *t = sr_operand(op, 0)->type;
	struct sr_check_instr s = {.kind = row->kind, .rank = t->rank, .tolerance = row->tolerance, .max_ulp = row->max_ulp};
	s.shape = sr_plan_add_ids(b, t->shape, t->rank);
	s.type = sr_plan_add_text(b, sr_type_string(b->ctx, t));
	read_attributes(b, op, &s);
	if (row->target && sr_dtype_is_integer(t->dtype))
		s.kind = SR_CHECK_EQ;
	buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, 0));
	if (s.kind <= SR_CHECK_CLOSE) {
		bool is_same = op->n_operands < 2 || sr_plan_dtype(sr_operand(op, 1)) == sr_plan_dtype(sr_operand(op, 0));
		buffers[n++] = expected_buffer(b, op);
		if (!is_same || buffers[1] < 0 || b->buffers.data[buffers[1]].bytes != b->buffers.data[buffers[0]].bytes)
			return sr_lower_unsupported(b, op, "compares values of different types");
	}
	if (s.kind == SR_CHECK_VALUE_PROBE)
		s.iteration = add_probe(b, op, buffers[0]);
	if (s.kind == SR_CHECK_PROBE)
		sr_plan_bind_value(b, sr_result(op, 0), buffers[0]);
	else if (op->n_results)
		buffers[n++] = sr_plan_buffer_for(b, sr_result(op, 0));
	struct sr_instr *instr = sr_plan_add_instr(b, SR_INSTR_CHECK, buffers, n, &s, sizeof s);
	instr->dtype = (uint8_t)t->dtype;
	return SR_OK;
}

enum sr_status sr_lower_check(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_row(b, op, row_of(op, NULL));
}

enum sr_status sr_lower_check_call(struct sr_plan_builder *b, struct sr_op *op, const char *target)
{
	return lower_row(b, op, row_of(op, target));
}
