/* The player: runs the steps of a plan one after another. Nothing is allocated here. */
#include "run/device.h"
#include <string.h>

static void kernel(struct sr_device *d, const struct sr_step *s)
{
	const struct sr_program *p = d->program;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	void *buffers[SR_STEP_OPERANDS];
	for (uint32_t i = 0; i < s->n_operands; i++)
		buffers[i] = sr_device_buffer(d, operands[i]);
	d->kernels->fn[s->kernel][s->dtype](sr_program_params(p) + s->params, buffers, d->scratch, 0, s->range);
}

static enum sr_status collective(struct sr_device *d, const struct sr_step *s)
{
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	const struct sr_buffer *in = sr_program_buffers(d->program) + operands[0],
			       *out = sr_program_buffers(d->program) + operands[1];
	struct sr_prepared *ready = d->prepared[s - sr_program_steps(d->program)];
	const struct sr_collective_step *c = (const void *)(sr_program_params(d->program) + s->params);
	double start = sr_now();
	enum sr_status status = SR_OK;
	if (ready) {
		status = sr_start(ready, d->arena + in->offset, d->arena + out->offset);
		if (!status)
			status = sr_finish(ready);
	} else if (c->group < 0 && !d->transport) { /* one device: it sends to itself or gets zeros */
		const int64_t *pair = sr_program_ids(d->program) + c->pairs;
		if (c->n_pairs && pair[0] == 0 && pair[1] == 0)
			memcpy(d->arena + out->offset, d->arena + in->offset, (size_t)out->bytes);
		else
			memset(d->arena + out->offset, 0, (size_t)out->bytes);
	} else if (c->coll == SR_BROADCAST && d->transport) { /* in no group: zeros */
		memset(d->arena + out->offset, 0, (size_t)out->bytes);
	} else { /* in no group: the operand is the result */
		memcpy(d->arena + out->offset, d->arena + in->offset, (size_t)(in->bytes < out->bytes ? in->bytes : out->bytes));
	}
	d->collective_s += sr_now() - start;
	return status;
}

static enum sr_status loop(struct sr_device *d, const struct sr_while_step *w)
{
	const uint8_t *predicate = sr_device_buffer(d, w->predicate);
	enum sr_status status = sr_play(d, (uint64_t)w->cond);
	while (!status && *predicate) {
		status = sr_play(d, (uint64_t)w->body);
		if (!status)
			status = sr_play(d, (uint64_t)w->cond);
	}
	return status;
}

/* case takes its last branch where the index is out of range; if takes the first on true. */
static enum sr_status choose(struct sr_device *d, const struct sr_step *s, const struct sr_case_step *c)
{
	const void *index = sr_device_buffer(d, sr_program_operands(d->program)[s->first_operand]);
	int32_t i;
	if (c->is_predicate) {
		i = *(const uint8_t *)index ? 0 : 1;
	} else {
		memcpy(&i, index, sizeof i);
		if (i < 0 || i >= c->n)
			i = c->n - 1;
	}
	return sr_play(d, (uint64_t)(c->first + i));
}

/* Outside of interpreter.run_parallel all devices compute the same, so device 0 alone looks. */
static enum sr_status look(struct sr_device *d, const struct sr_step *s)
{
	const struct sr_check_step *c = (const void *)(sr_program_params(d->program) + s->params);
	const int32_t *operands = sr_program_operands(d->program) + s->first_operand;
	if (c->kind <= SR_CHECK_CLOSE && s->n_operands > 2)
		*(uint8_t *)sr_device_buffer(d, operands[2]) = 1;
	if (!d->hooks.look)
		return SR_UNSUPPORTED;
	return d->id && !d->apart ? SR_OK : d->hooks.look(d->hooks.data, d, s);
}

static void device_id(struct sr_device *d, const struct sr_step *s)
{
	const struct sr_program *p = d->program;
	int32_t replica;
	memcpy(&replica, sr_program_params(p) + s->params, sizeof replica);
	uint32_t id = (uint32_t)(replica ? d->id / d->partitions : d->id % d->partitions);
	memcpy(sr_device_buffer(d, sr_program_operands(p)[s->first_operand]), &id, sizeof id);
}

enum sr_status sr_play(struct sr_device *d, uint64_t plan)
{
	const struct sr_program *p = d->program;
	const struct sr_plan *range = sr_program_plans(p) + plan;
	const struct sr_step *s = sr_program_steps(p) + range->first, *end = s + range->n;
	for (; s < end; s++) {
		const void *params = sr_program_params(p) + s->params;
		enum sr_status status = SR_OK;
		d->current = s - sr_program_steps(p);
		switch ((enum sr_step_kind)s->kind) {
		case SR_STEP_KERNEL:
			kernel(d, s);
			break;
		case SR_STEP_COLLECTIVE:
			status = collective(d, s);
			break;
		case SR_STEP_WHILE:
			status = loop(d, params);
			break;
		case SR_STEP_CASE:
			status = choose(d, s, params);
			break;
		case SR_STEP_DEVICE_ID:
			device_id(d, s);
			break;
		case SR_STEP_BODY:
			status = sr_play_body(d, s);
			break;
		case SR_STEP_CHECK:
			status = look(d, s);
			break;
		case SR_STEP_PARALLEL:
			status = sr_play_parallel(d, s);
			break;
		case SR_STEP_CUSTOM:
			status = SR_UNSUPPORTED;
			break;
		case SR_STEP_TILE:
			sr_play_tile(d, s);
			break;
		case SR_STEP_COUNT:
			status = SR_INTERNAL;
		}
		if (status)
			return status;
	}
	return SR_OK;
}

enum sr_status sr_device_step(struct sr_device *d)
{
	d->collective_s = 0;
	enum sr_status status = sr_play(d, 0);
	if (!status)
		d->current = -1;
	return status;
}
