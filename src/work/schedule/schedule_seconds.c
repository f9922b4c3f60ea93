/* Estimate the duration of an op as precisely as schedules need: memory traffic, matrix products, and internode transfers, by
 * the cost model. */
#include "cost/cost.h"
#include "support/integers.h"
#include "work/schedule/schedule.h"
#include <math.h>

static double elements_of(const struct sr_value *v)
{
	int64_t n;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_elements(v->type, &n) ? (double)n : 0;
}

/* Estimate the cost of an op on the device: operands and results are moved once; a matrix product counts as a cube with the same
 * number of multiply-adds. */
static double compute_seconds(const struct sr_machine *machine, const struct sr_op *op)
{
	struct sr_elementwise_work w = {0};
	for (int i = 0; i < op->n_results; i++)
		w.written_bytes += sr_value_bytes(sr_result(op, i));
	for (int i = 0; i < op->n_operands; i++)
		w.read_bytes += sr_value_bytes(sr_operand(op, i));
	double seconds = sr_cost_of_elementwise(machine, &w).seconds;
	if (sr_op_has(op, SR_MATMUL)) {
		const struct sr_value *out = sr_result(op, 0);
		double n_all = elements_of(sr_operand(op, 0)) * elements_of(sr_operand(op, 1)) * elements_of(out);
		int64_t edge = (int64_t)cbrt(sqrt(n_all));
		struct sr_product_work product = {.batch = 1, .m = edge, .n = edge, .k = edge, .dtype = out->type->dtype};
		seconds = fmax(seconds, sr_cost_of_product(machine, &product).seconds);
	}
	return seconds;
}

static double transfer_seconds(const struct sr_machine *machine, const struct sr_op *op)
{
	struct sr_collective_work w = {0};
	w.rounds[SR_LINK_NETWORK] = w.messages[SR_LINK_NETWORK] = 1;
	for (int i = 0; i < op->n_results && i < op->n_operands; i++)
		w.sent_bytes[SR_LINK_NETWORK] += sr_max(sr_value_bytes(sr_result(op, i)), sr_value_bytes(sr_operand(op, i)));
	return sr_cost_of_collective(machine, &w).seconds;
}

bool sr_schedule_communicates(const struct sr_op *op)
{
	return sr_op_has(op, SR_COLLECTIVE) && op->n_operands && op->n_results;
}

double sr_schedule_seconds(const struct sr_machine *machine, const struct sr_op *op)
{
	return sr_schedule_communicates(op) ? transfer_seconds(machine, op) : compute_seconds(machine, op);
}
