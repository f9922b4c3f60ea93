/* Compute one op at compile time: build its loop nest, interpret it, erase it. */
#include "work/emit/emit.h"
#include "work/nest/nest_from_op.h"
#include <stdlib.h>
#include <string.h>

/* Let every access of the buffer read the buffer's first element. */
static void read_one(struct sr_nest *nest, int buffer)
{
	struct sr_nest_access *accesses = (struct sr_nest_access *)(void *)((char *)nest + nest->accesses);
	struct sr_nest_dim *dims = (struct sr_nest_dim *)(void *)((char *)nest + nest->dims);
	for (int i = 0; i < nest->n_accesses; i++) {
		struct sr_nest_access *a = &accesses[i];
		if (a->buffer != buffer)
			continue;
		a->offset = 0;
		memset(a->stride, 0, sizeof a->stride);
		for (int d = 0; d < a->n_dims; d++)
			dims[a->first_dim + d].stride = 0;
	}
}

static bool interpret(const struct sr_nest *nest, const struct sr_kernels *kernels, void *const *buffers)
{
	enum sr_dtype missing_type;
	struct sr_nest_prepared *prepared_nest = sr_nest_kernels_exist(nest, kernels, &missing_type)
						     ? sr_nest_prepare(nest, kernels, SR_NEST_STREAM_BYTES)
						     : NULL;
	void *scratch = prepared_nest ? aligned_alloc(64, sr_nest_scratch(prepared_nest) / 64 * 64 + 64) : NULL;
	if (scratch)
		sr_nest_execute(prepared_nest, buffers, scratch, 0, sr_nest_chunk_count(prepared_nest));
	free(scratch);
	if (prepared_nest)
		sr_nest_release(prepared_nest);
	return scratch != NULL;
}

bool sr_work_execute(struct sr_context *ctx, const struct sr_kernels *kernels, struct sr_op *op, const struct sr_work_input *in, bool splat, void *out)
{
	struct sr_op *nest_op = sr_work_nest_from_op(ctx, op);
	struct sr_nest *nest = nest_op ? sr_work_emit(ctx, ctx->arena, nest_op) : NULL;
	void *buffers[SR_NEST_MAX_BUFFERS];
	bool is_executed = false;
	if (nest && nest->n_outputs == 1) {
		/* map the nest's operands, which may be in another order, to those of the op */
		for (int i = 0; i < nest->n_inputs; i++) {
			int k = 0;
			while (sr_operand(op, k) != sr_operand(nest_op, i))
				k++;
			buffers[i] = (void *)(uintptr_t)in[k].data;
			if (in[k].splat)
				read_one(nest, i);
		}
		for (int l = 0; splat && l < nest->n_loops; l++)
			nest->extent[l] = 1;
		buffers[nest->n_inputs] = out;
		is_executed = interpret(nest, kernels, buffers);
	}
	if (nest_op)
		sr_op_erase(nest_op);
	return is_executed;
}
