/* Execution of interpreter.run_parallel: device i runs entry i of the grid on its inputs; then each entry's results are
 * broadcast from its device to all. */
#include "run/device.h"
#include <string.h>

static size_t bytes_of(const struct sr_device *d, int32_t buffer)
{
	return (size_t)sr_program_buffers(d->program)[buffer].bytes;
}

static void copy_buffer(struct sr_device *d, int32_t from, int32_t to)
{
	memmove(sr_device_buffer(d, to), sr_device_buffer(d, from), bytes_of(d, to));
}

static enum sr_status run_entry(struct sr_device *d, const struct sr_parallel_instr *p, const int32_t *operands)
{
	const int64_t *ids = sr_program_ids(d->program), *entry = ids + p->entries + 3 * d->id,
		      *f = ids + p->functions + 5 * entry[0];
	int64_t partitions = d->partitions;
	bool in_parallel = d->in_parallel;
	for (int64_t i = 0; i < f[2]; i++)
		copy_buffer(d, operands[entry[1] + i], operands[f[1] + i]);
	d->partitions = p->partitions;
	d->in_parallel = true;
	enum sr_status status = sr_execute_computation(d, (uint64_t)f[0]);
	if (status && d->transport)
		sr_transport_mark_failed(d->transport); /* mark the device as failed, since only this device knows of the failure */
	d->in_parallel = in_parallel;
	d->partitions = partitions;
	for (int64_t i = 0; !status && i < f[4]; i++)
		copy_buffer(d, operands[f[3] + i], operands[entry[2] + i]);
	return status;
}

enum sr_status sr_execute_parallel(struct sr_device *d, const struct sr_instr *s)
{
	const struct sr_parallel_instr *p = (const void *)(sr_program_params(d->program) + s->params);
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	const int64_t *ids = sr_program_ids(d->program);
	int64_t entries = (int64_t)p->replicas * p->partitions;
	enum sr_status status = d->id < entries ? run_entry(d, p, operands) : SR_OK;
	for (int64_t e = 0; !status && d->transport && e < entries; e++) {
		const int64_t *entry = ids + p->entries + 3 * e, *f = ids + p->functions + 5 * entry[0];
		for (int64_t i = 0; !status && i < f[4]; i++) {
			int32_t buffer = operands[entry[2] + i];
			status = sr_transport_broadcast(d->transport, (int)e, sr_device_buffer(d, buffer), bytes_of(d, buffer));
		}
	}
	return status;
}
