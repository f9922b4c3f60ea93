/* Execution of interpreter.run_parallel: device i runs entry i of the grid on its inputs; then each entry's results are
 * broadcast from its device to all. */
#include "run/execution_context.h"
#include <string.h>

static size_t bytes_of(const struct sr_execution_context *x, int32_t buffer)
{
	return (size_t)sr_program_buffers(x->program)[buffer].bytes;
}

static void copy_buffer(struct sr_execution_context *x, int32_t src, int32_t dst)
{
	memmove(sr_context_buffer(x, dst), sr_context_buffer(x, src), bytes_of(x, dst));
}

static enum sr_status run_entry(struct sr_execution_context *x, const struct sr_parallel_instr *p, const int32_t *operands)
{
	const int64_t *ids = sr_program_ids(x->program), *entry = ids + p->entries + 3 * x->device->id,
		      *f = ids + p->functions + 5 * entry[0];
	int64_t partitions = x->partitions;
	bool in_parallel = x->in_parallel;
	for (int64_t i = 0; i < f[2]; i++)
		copy_buffer(x, operands[entry[1] + i], operands[f[1] + i]);
	x->partitions = p->partitions;
	x->in_parallel = true;
	enum sr_status status = sr_execute_computation(x, (uint64_t)f[0]);
	if (status && x->device->transport)
		sr_transport_mark_failed(x->device->transport); /* tell the other devices, which would wait for this one */
	x->in_parallel = in_parallel;
	x->partitions = partitions;
	for (int64_t i = 0; !status && i < f[4]; i++)
		copy_buffer(x, operands[f[3] + i], operands[entry[2] + i]);
	return status;
}

enum sr_status sr_execute_parallel(struct sr_execution_context *x, const struct sr_instr *s)
{
	const struct sr_parallel_instr *p = (const void *)(sr_program_params(x->program) + s->params);
	const int32_t *operands = sr_program_operands(x->program) + s->first_operand;
	const int64_t *ids = sr_program_ids(x->program);
	int64_t entries = (int64_t)p->replicas * p->partitions;
	enum sr_status status = x->device->id < entries ? run_entry(x, p, operands) : SR_OK;
	for (int64_t e = 0; !status && x->device->transport && e < entries; e++) {
		const int64_t *entry = ids + p->entries + 3 * e, *f = ids + p->functions + 5 * entry[0];
		for (int64_t i = 0; !status && i < f[4]; i++) {
			int32_t buffer = operands[entry[2] + i];
			status = sr_transport_broadcast(x->device->transport, (int)e, sr_context_buffer(x, buffer), bytes_of(x, buffer));
		}
	}
	return status;
}
