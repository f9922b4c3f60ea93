/* Let a loop nest write its results directly into their concatenation. Lowering emits a move of each operand of a concatenation. If
 * all operands are results of one nest, and have no other readers, the nest's stores get the strides and offsets of the moves, and
 * the moves are removed. Examples are cross products and products of quaternions, which stack their components.
 *
 *	nest %a -> %x, %y                       nest %a -> %r, %r     (first store at [2 * i], second store at [2 * i + 1])
 *	move %x -> %r, stride 2            ->
 *	move %y -> %r, stride 2, offset 1
 */
#include "plan/place/into_concatenation.h"
#include "kernels/nest/nest.h"
#include "plan/place/effects.h"
#include <string.h>

enum { MAX_DISTANCE = 64 }; /* maximum number of instructions inspected after a nest */

/* Find the dimension of the move along which a step of `stride` source elements goes. Return -1 if there is none. */
static int dimension_of_stride(const struct sr_move_params *m, int64_t stride)
{
	for (int d = 0; d < m->rank; d++)
		if (m->shape[d] > 1 && m->src_stride[d] > 0 && stride >= m->src_stride[d] && stride % m->src_stride[d] == 0 &&
		    stride / m->src_stride[d] < m->shape[d])
			return d;
	return -1;
}

/* Make an access to the source of the move, whose elements are contiguous, an access to its destination. Return false if strides
 * cannot express that. */
static bool retarget(const struct sr_nest *nest, const struct sr_move_params *m, struct sr_nest_access *a)
{
	int64_t last_index[SR_KERNEL_MAX_RANK] = {0};

	if (a->n_dims || a->offset || m->src_offset)
		return false;
	for (int l = 0; l < nest->n_loops; l++) {
		if (!a->stride[l] || nest->extent[l] == 1)
			continue;
		int d = dimension_of_stride(m, a->stride[l]);
		if (d < 0)
			return false;
		int64_t steps = a->stride[l] / m->src_stride[d];
		last_index[d] += steps * (nest->extent[l] - 1);
		if (last_index[d] >= m->shape[d])
			return false;
		a->stride[l] = steps * m->dst_stride[d];
	}
	a->offset = m->dst_offset;
	return true;
}

struct search {
	struct sr_plan_builder *b;
	int *n_references; /* sr_plan_count_references */
};

/* Return true if the instruction is a move of all elements of `buffer` into `target`. */
static bool is_move_of(const struct search *f, const struct sr_instr *move, int buffer, int target)
{
	const int32_t *operands = f->b->operands.data + move->first_operand;
	if (move->kind != SR_INSTR_KERNEL || move->kernel != SR_KERNEL_MOVE || move->n_dynamic_offsets || operands[0] != buffer ||
	    operands[1] != target)
		return false;
	const struct sr_move_params *m = sr_plan_params(f->b, move);
	int64_t bytes = m->bytes;
	for (int d = 0; d < m->rank; d++)
		bytes *= m->shape[d];
	return bytes == f->b->buffers.data[buffer].bytes;
}

/* Return the distance to the first of the moves that copy all results of the nest at instr[0] into one buffer, in order, without
 * other readers; 0 if there are none. */
static size_t find_moves(const struct search *f, const struct sr_instr *instr, size_t n_remaining)
{
	const struct sr_plan_builder *b = f->b;
	const struct sr_nest *nest = sr_plan_params(b, instr);
	size_t n_moves = (size_t)nest->n_outputs, at = 1;
	const int32_t *results = b->operands.data + instr->first_operand + nest->n_inputs;

	if (n_moves < 2 || instr->n_dynamic_offsets)
		return 0;
	while (at < MAX_DISTANCE && at + n_moves <= n_remaining &&
	       (instr[at].n_operands != 2 || b->operands.data[instr[at].first_operand] != results[0]))
		at++;
	if (at >= MAX_DISTANCE || at + n_moves > n_remaining)
		return 0;
	int target = b->operands.data[instr[at].first_operand + 1];
	int64_t bytes = 0;
	for (size_t k = 0; k < n_moves; k++) {
		if (f->n_references[results[k]] != 2 || b->uses.data[results[k]] || !is_move_of(f, &instr[at + k], results[k], target))
			return 0;
		bytes += b->buffers.data[results[k]].bytes;
	}
	for (size_t i = 1; i < at; i++)
		for (uint32_t k = 0; k < instr[i].n_operands; k++)
			if (b->operands.data[instr[i].first_operand + k] == target)
				return 0;
	return bytes == b->buffers.data[target].bytes ? at : 0;
}

/* Return the nest's block with its stores retargeted by the moves at `moves`; NULL if strides cannot express that. */
static struct sr_nest *retargeted_nest(const struct search *f, const struct sr_instr *instr, const struct sr_instr *moves)
{
	const struct sr_nest *old = sr_plan_params(f->b, instr);
	struct sr_nest *nest = sr_dup(f->b->arena, old, old->bytes, 1);
	struct sr_nest_access *accesses = (struct sr_nest_access *)(void *)((char *)nest + nest->accesses);
	struct sr_nest_output *outputs = (struct sr_nest_output *)(void *)((char *)nest + nest->outputs);

	for (int i = 0; i < nest->n_accesses; i++)
		if (accesses[i].buffer >= nest->n_inputs &&
		    !retarget(nest, sr_plan_params(f->b, &moves[accesses[i].buffer - nest->n_inputs]), &accesses[i]))
			return NULL;
	/* Elements of the target do not correspond to those of an input. */
	memset(outputs, 0, sizeof *outputs * (size_t)nest->n_outputs);
	return nest;
}

/* Let the nest at instr[0] write into the target of the moves at `moves`, one for each result. Returns false if it cannot. */
static bool write_into_target(const struct search *f, struct sr_instr *instr, const struct sr_instr *moves)
{
	struct sr_plan_builder *b = f->b;
	struct sr_nest *nest = retargeted_nest(f, instr, moves);
	if (!nest)
		return false;
	int32_t *results = b->operands.data + instr->first_operand + nest->n_inputs;
	for (int k = 0; k < nest->n_outputs; k++)
		results[k] = b->operands.data[moves[k].first_operand + 1];
	memcpy(b->params.data + instr->params, nest, nest->bytes);
	return true;
}

static void rewrite_computation(const struct search *f, struct sr_instr_list *list)
{
	size_t n = list->instrs.n, n_kept = 0;
	struct sr_instr *instrs = list->instrs.data;
	bool *is_removed = SR_NEW_ARRAY(f->b->arena, bool, n);
	for (size_t i = 0; i < n; i++) {
		size_t at = instrs[i].kind == SR_INSTR_NEST ? find_moves(f, &instrs[i], n - i) : 0;
		if (at && write_into_target(f, &instrs[i], &instrs[i + at]))
			memset(is_removed + i + at, true, (size_t)((const struct sr_nest *)sr_plan_params(f->b, &instrs[i]))->n_outputs);
	}
	for (size_t i = 0; i < n; i++)
		if (!is_removed[i])
			instrs[n_kept++] = instrs[i];
	list->instrs.n = n_kept;
}

void sr_plan_write_into_concatenations(struct sr_plan_builder *b)
{
	struct search f = {.b = b, .n_references = sr_plan_count_references(b)};
	for (size_t computation = 0; computation < b->computations.n; computation++)
		rewrite_computation(&f, &b->computations.data[computation]);
}
