/* Let a loop nest write results directly into their concatenation. Lowering emits a move of each operand of a concatenation. If all
 * operands are results of one nest, and have no other readers, the nest's stores get the strides and offsets of the moves, and
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

/* Return the number of the nest's result that is the first operand of an instruction, or -1 if that is no result. */
static int result_read_by(const struct search *f, const struct sr_instr *nest_instr, const struct sr_instr *reader)
{
	const struct sr_nest *nest = sr_plan_params(f->b, nest_instr);
	const int32_t *results = f->b->operands.data + nest_instr->first_operand + nest->n_inputs;
	for (int k = 0; reader->n_operands == 2 && k < nest->n_outputs; k++)
		if (f->b->operands.data[reader->first_operand] == results[k])
			return k;
	return -1;
}

static bool is_one_of(const struct sr_instr *instr, const struct sr_instr *const *moves, int n)
{
	for (int k = 0; k < n; k++)
		if (moves[k] == instr)
			return true;
	return false;
}

static bool has_operand(const struct search *f, const struct sr_instr *instr, int buffer)
{
	for (uint32_t k = 0; k < instr->n_operands; k++)
		if (f->b->operands.data[instr->first_operand + k] == buffer)
			return true;
	return false;
}

/* Find the moves that copy results of the nest at instr[0], in any order, into one buffer that has no other elements. These results
 * have no other readers. moves[k]: the move of result k, or NULL if it is not copied there. Return false if there are no such
 * moves. */
static bool find_moves(const struct search *f, const struct sr_instr *instr, size_t n_remaining, const struct sr_instr **moves)
{
	const struct sr_plan_builder *b = f->b;
	const struct sr_nest *nest = sr_plan_params(b, instr);
	const int32_t *results = b->operands.data + instr->first_operand + nest->n_inputs;
	size_t n = n_remaining < MAX_DISTANCE ? n_remaining : MAX_DISTANCE, n_moves = 0, last = 0;
	int target = -1;
	int64_t bytes = 0;

	memset(moves, 0, (size_t)nest->n_outputs * sizeof *moves);
	if (nest->n_outputs < 2 || instr->n_dynamic_offsets)
		return false;
	for (size_t i = 1; i < n && (target < 0 || bytes < b->buffers.data[target].bytes); i++) {
		int k = result_read_by(f, instr, &instr[i]);
		int to = k >= 0 && target < 0 ? b->operands.data[instr[i].first_operand + 1] : target;
		if (k < 0 || f->n_references[results[k]] != 2 || b->uses.data[results[k]] ||
		    !is_move_of(f, &instr[i], results[k], to))
			continue;
		target = to;
		moves[k] = &instr[i];
		bytes += b->buffers.data[results[k]].bytes;
		last = i;
		n_moves++;
	}
	for (size_t i = 1; i < last; i++)
		if (has_operand(f, &instr[i], target) && !is_one_of(&instr[i], moves, nest->n_outputs))
			return false;
	return n_moves >= 2 && bytes == b->buffers.data[target].bytes;
}

/* Return the nest's block with its stores of moved results retargeted; NULL if strides cannot express that. */
static struct sr_nest *retargeted_nest(const struct search *f, const struct sr_instr *instr, const struct sr_instr *const *moves)
{
	const struct sr_nest *old = sr_plan_params(f->b, instr);
	struct sr_nest *nest = sr_dup(f->b->arena, old, old->bytes, 1);
	struct sr_nest_access *accesses = (struct sr_nest_access *)(void *)((char *)nest + nest->accesses);
	struct sr_nest_output *outputs = (struct sr_nest_output *)(void *)((char *)nest + nest->outputs);

	for (int i = 0; i < nest->n_accesses; i++) {
		int k = accesses[i].buffer - nest->n_inputs;
		const struct sr_instr *move = k >= 0 ? moves[k] : NULL;
		if (move && !retarget(nest, sr_plan_params(f->b, move), &accesses[i]))
			return NULL;
	}
	/* Elements of the target do not correspond to those of an input. */
	for (int k = 0; k < nest->n_outputs; k++)
		if (moves[k])
			outputs[k].may_share = 0;
	return nest;
}

/* Let the nest at instr[0] write into the target of the moves. Returns false if it cannot. */
static bool write_into_target(const struct search *f, struct sr_instr *instr, const struct sr_instr *const *moves)
{
	struct sr_plan_builder *b = f->b;
	struct sr_nest *nest = retargeted_nest(f, instr, moves);
	if (!nest)
		return false;
	int32_t *results = b->operands.data + instr->first_operand + nest->n_inputs;
	for (int k = 0; k < nest->n_outputs; k++)
		results[k] = moves[k] ? b->operands.data[moves[k]->first_operand + 1] : results[k];
	memcpy(b->params.data + instr->params, nest, nest->bytes);
	return true;
}

static void rewrite_computation(const struct search *f, struct sr_instr_list *list)
{
	size_t n = list->instrs.n, n_kept = 0;
	struct sr_instr *instrs = list->instrs.data;
	bool *is_removed = SR_NEW_ARRAY(f->b->arena, bool, n);
	for (size_t i = 0; i < n; i++) {
		const struct sr_instr *moves[SR_NEST_MAX_BUFFERS];
		if (instrs[i].kind != SR_INSTR_NEST || !find_moves(f, &instrs[i], n - i, moves) ||
		    !write_into_target(f, &instrs[i], moves))
			continue;
		for (int k = 0; k < ((const struct sr_nest *)sr_plan_params(f->b, &instrs[i]))->n_outputs; k++)
			if (moves[k])
				is_removed[moves[k] - instrs] = true;
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
