/* One op computed at once: its tile is made before it, interpreted, and taken away again. */
#include "work/emit/emit.h"
#include "work/tile/tile_of.h"
#include <stdlib.h>
#include <string.h>

/* Every access of the buffer reads its one element. */
static void read_one(struct sr_tile *t, int buffer)
{
	struct sr_tile_access *accesses = (struct sr_tile_access *)(void *)((char *)t + t->accesses);
	struct sr_tile_dim *dims = (struct sr_tile_dim *)(void *)((char *)t + t->dims);
	for (int i = 0; i < t->n_accesses; i++) {
		struct sr_tile_access *a = &accesses[i];
		if (a->buffer != buffer)
			continue;
		a->offset = 0;
		memset(a->stride, 0, sizeof a->stride);
		for (int d = 0; d < a->n_dims; d++)
			dims[a->first_dim + d].stride = 0;
	}
}

static bool interpret(const struct sr_tile *t, const struct sr_kernels *kernels, void *const *buffers)
{
	enum sr_dtype missing;
	struct sr_tile_ready *ready = sr_tile_has_kernels(t, kernels, &missing) ? sr_tile_prepare(t, kernels) : NULL;
	void *scratch = ready ? aligned_alloc(64, sr_tile_scratch(ready) / 64 * 64 + 64) : NULL;
	if (scratch)
		sr_tile_run(ready, buffers, scratch, 0, sr_tile_pieces(ready));
	free(scratch);
	if (ready)
		sr_tile_release(ready);
	return scratch != NULL;
}

bool sr_work_play(struct sr_context *ctx, const struct sr_kernels *kernels, struct sr_op *op, const struct sr_work_input *in, bool splat, void *out)
{
	struct sr_op *made = sr_work_tile_of(ctx, op);
	struct sr_tile *t = made ? sr_work_emit(ctx, ctx->arena, made) : NULL;
	void *buffers[SR_TILE_BUFFERS];
	bool done = false;
	if (t && t->n_outputs == 1) {
		for (int i = 0; i < t->n_inputs; i++) { /* the tile's order of operands is its own */
			int k = 0;
			while (sr_operand(op, k) != sr_operand(made, i))
				k++;
			buffers[i] = (void *)(uintptr_t)in[k].data;
			if (in[k].splat)
				read_one(t, i);
		}
		for (int l = 0; splat && l < t->n_loops; l++)
			t->extent[l] = 1;
		buffers[t->n_inputs] = out;
		done = interpret(t, kernels, buffers);
	}
	if (made)
		sr_op_erase(made);
	return done;
}
