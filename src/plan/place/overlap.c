/* Place the finish of each collective: each computation is walked backward with the next instruction that names each buffer.
 * Cost: operands times nesting depth, and a layout per attempt. */
#include "plan/place/overlap.h"
#include "kernels/sort_runs.h"
#include <string.h>

/* Which collectives may stay in flight after their start. */
enum extent {
	EXTENT_NONE,
	EXTENT_FREE, /* collectives whose operand stays live until the FINISH in any case, or shares the result's memory */
	EXTENT_ALL,
};

struct next_uses { /* the next instructions of the current computation that name, or write, a buffer */
	int computation;
	size_t next_access, next_write; /* instructions of the next access and of the next write; SIZE_MAX: none follows */
};

struct overlap {
	struct sr_plan_builder *b;
	struct next_uses *next; /* for each buffer: the next instructions that access it */
	sr_effects effects;
	size_t at; /* the instruction of the current computation whose effects are recorded */
	int *n_references; /* sr_plan_count_references */
	struct next_uses uses_of_unpacked; /* next uses of the next instruction's last operand after that instruction */
	enum extent extent;
	int computation;
	int64_t split;
};

struct insertion { /* a FINISH that is to be inserted before instruction `position` */
	size_t start, position;
	bool keeps_operand; /* true if the operand stays live until the FINISH */
	bool moves_unpacking; /* true if the unpacking move that follows the start is moved after the FINISH */
};

typedef SR_VEC(struct insertion) sr_insertions;

static struct next_uses *next_of(struct overlap *o, int buffer)
{
	struct next_uses *n = &o->next[buffer];
	if (n->computation != o->computation + 1)
		*n = (struct next_uses){o->computation + 1, SIZE_MAX, SIZE_MAX};
	return n;
}

/* Record the effects of instruction o->at of the current computation, or of one nested in it. */
static void record_effects(void *data, const struct sr_instr *instr, sr_instr_effects_fn *fn)
{
	struct overlap *o = data;
	const int32_t *operands = o->b->operands.data + instr->first_operand;
	sr_instr_effects(o->b, instr, fn, &o->effects);
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		int32_t start = o->b->dynamic_offsets.data[instr->first_dynamic_offset + i].start;
		if (start >= 0)
			next_of(o, start)->next_access = o->at;
	}
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		struct next_uses *n = next_of(o, operands[i]);
		if (o->effects.data[i] != SR_EFFECT_NONE)
			n->next_access = o->at;
		if (sr_effect_writes(o->effects.data[i]))
			n->next_write = o->at;
	}
}

static size_t min_index(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Return true if the instruction moves the collective's result, which nothing else names, to its destination. */
static bool is_unpacking(const struct overlap *o, const struct sr_instr *start, const struct sr_instr *instr)
{
	const int32_t *operands = o->b->operands.data + instr->first_operand;
	return instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_MOVE && instr->n_operands == 2 &&
	       operands[0] != operands[1] && operands[0] == o->b->operands.data[start->first_operand + 1] &&
	       o->n_references[operands[0]] == 2;
}

/* Return the index of the instruction before which collective i must finish; i + 1: the collective does not stay in flight. */
static size_t find_end(struct overlap *o, const struct sr_instr *instr, size_t i, size_t last, bool *keeps_operand,
		       bool moves_unpacking)
{
	const int32_t *operands = o->b->operands.data + instr->first_operand;
	const struct sr_buffer *in = &o->b->buffers.data[operands[0]], *out = &o->b->buffers.data[operands[1]];
	const struct next_uses *next_read = next_of(o, operands[0]),
			       *next_write = moves_unpacking ? &o->uses_of_unpacked : next_of(o, operands[1]);
	size_t at = min_index(last, min_index(next_write->next_access, next_read->next_write));
	uint8_t uses = o->b->uses.data[operands[0]];
	bool stays_live = uses & SR_USE_PERMANENT || (next_read->next_access != SIZE_MAX && next_read->next_access >= at);
	bool may_share = in->bytes == out->bytes && sr_coll_supports_in_place((enum sr_coll)sr_plan_collective(o->b, instr)->coll);
	*keeps_operand = !may_share || next_read->next_access != SIZE_MAX || uses & SR_USE_OUTSIDE;
	return *keeps_operand && !stays_live && o->extent == EXTENT_FREE ? i + 1 : at;
}

static void insert_finishes(struct overlap *o, struct sr_instr_list *list, const sr_insertions *insertions)
{
	struct sr_instr_list out = {0};
	size_t n = list->instrs.n;
	/* first[i]: 1 + first of the insertions before instruction i, in the order of their starts; next: 1 + the following one */
	size_t *first = SR_NEW_ARRAY(o->b->arena, size_t, n + 1), *next = SR_NEW_ARRAY(o->b->arena, size_t, insertions->n);
	bool *is_moved = SR_NEW_ARRAY(o->b->arena, bool, n + 1);
	for (size_t k = 0; k < insertions->n; k++) { /* insertions begin with the last start */
		const struct insertion *insertion = &insertions->data[k];
		next[k] = first[insertion->position];
		first[insertion->position] = k + 1;
		is_moved[insertion->start + 1] = is_moved[insertion->start + 1] || insertion->moves_unpacking;
	}
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = first[i]; k; k = next[k - 1]) {
			const struct insertion *insertion = &insertions->data[k - 1];
			struct sr_instr instr = list->instrs.data[insertion->start];
			instr.kind = SR_INSTR_FINISH;
			instr.n_dynamic_offsets = 0; /* the dynamic offsets belong to the instruction that starts the collective */
			instr.first_operand += !insertion->keeps_operand;
			instr.n_operands -= !insertion->keeps_operand;
			sr_push(o->b->arena, &out.instrs, instr);
			if (insertion->moves_unpacking)
				sr_push(o->b->arena, &out.instrs, list->instrs.data[insertion->start + 1]);
		}
		if (i < n && !is_moved[i])
			sr_push(o->b->arena, &out.instrs, list->instrs.data[i]);
	}
	*list = out;
}

static void split_computation(struct overlap *o, int computation)
{
	struct sr_instr_list *list = &o->b->computations.data[computation];
	size_t last = sr_plan_last_copies(o->b, list);
	sr_insertions insertions = {0};
	o->computation = computation;
	for (size_t i = list->instrs.n; i-- > 0;) {
		const struct sr_instr *instr = &list->instrs.data[i];
		bool keeps_operand = false,
		     moves_unpacking = instr->kind == SR_INSTR_COLLECTIVE && i + 1 < last && is_unpacking(o, instr, instr + 1);
		size_t at = instr->kind == SR_INSTR_COLLECTIVE ? find_end(o, instr, i, last, &keeps_operand, moves_unpacking)
							       : i + 1;
		if (at > i + 1 + moves_unpacking) {
			sr_plan_collective(o->b, instr)->completion_flags |= SR_ENDS_FINISH;
			sr_push(o->b->arena, &insertions, ((struct insertion){i, at, keeps_operand, moves_unpacking}));
		}
		if (instr->n_operands)
			o->uses_of_unpacked = *next_of(o, o->b->operands.data[instr->first_operand + instr->n_operands - 1]);
		o->at = i;
		sr_instr_visit_effects(o->b, instr, record_effects, o);
	}
	if (insertions.n)
		insert_finishes(o, list, &insertions);
	o->split += (int64_t)insertions.n;
}

/* Return true if there is a grid of programs, whose devices run different instructions: then nothing overlaps. */
static bool has_grid(const struct sr_plan_builder *b)
{
	for (size_t computation = 0; computation < b->computations.n; computation++)
		for (size_t i = 0; i < b->computations.data[computation].instrs.n; i++)
			if (b->computations.data[computation].instrs.data[i].kind == SR_INSTR_PARALLEL)
				return true;
	return false;
}

static int64_t split_collectives(struct sr_plan_builder *b, enum extent extent)
{
	struct overlap o = {.b = b,
			    .next = SR_NEW_ARRAY(b->arena, struct next_uses, b->buffers.n),
			    .n_references = sr_plan_count_references(b),
			    .extent = extent};
	for (size_t computation = 0; computation < b->computations.n; computation++)
		split_computation(&o, (int)computation);
	return o.split;
}

/* Remove the FINISH of a collective whose operand should share the result's memory but was not coalesced with it. */
static void drop_finishes_without_sharing(struct sr_plan_builder *b, const struct sr_buffer_classes *classes)
{
	for (size_t computation = 0; computation < b->computations.n; computation++) {
		struct sr_instr_list *list = &b->computations.data[computation];
		size_t n = 0;
		for (size_t i = 0; i < list->instrs.n; i++) {
			const struct sr_instr *instr = &list->instrs.data[i];
			const int32_t *out = b->operands.data + instr->first_operand;
			if (instr->kind == SR_INSTR_FINISH && instr->n_operands == 1 &&
			    classes->class_of[out[0]] != classes->class_of[out[-1]])
				sr_plan_collective(b, instr)->completion_flags &= ~SR_ENDS_FINISH;
			else
				list->instrs.data[n++] = *instr;
		}
		list->instrs.n = n;
	}
}

/* ---- attempts ---- */

struct saved_state {
	struct sr_instr_list *computations;
	struct sr_io *values;
};

static struct saved_state save_state(const struct sr_plan_builder *b)
{
	struct saved_state s = {sr_dup(b->arena, b->computations.data, b->computations.n, sizeof *s.computations),
			  sr_dup(b->arena, b->values.data, b->values.n, sizeof *s.values)};
	for (size_t i = 0; i < b->computations.n; i++)
		s.computations[i].instrs.data = sr_dup(b->arena, s.computations[i].instrs.data, s.computations[i].instrs.n, sizeof(struct sr_instr));
	return s;
}

static void restore_state(struct sr_plan_builder *b, const struct saved_state *s)
{
	for (size_t computation = 0; computation < b->computations.n; computation++) {
		struct sr_instr_list *list = &b->computations.data[computation];
		*list = s->computations[computation];
		list->instrs.data = sr_dup(b->arena, list->instrs.data, list->instrs.n, sizeof(struct sr_instr));
		for (size_t i = 0; i < list->instrs.n; i++)
			if (list->instrs.data[i].kind == SR_INSTR_COLLECTIVE)
				sr_plan_collective(b, &list->instrs.data[i])->completion_flags = 0;
	}
	if (b->values.n)
		memcpy(b->values.data, s->values, b->values.n * sizeof *s->values);
}

static bool try_extent(struct sr_plan_builder *b, enum extent extent, const struct saved_state *saved_state,
		       struct sr_buffer_classes *classes, struct sr_arena_size *size, bool *has_finishes)
{
	restore_state(b, saved_state);
	*has_finishes = extent != EXTENT_NONE && split_collectives(b, extent);
	sr_plan_coalesce_buffers(b, classes);
	drop_finishes_without_sharing(b, classes);
	return sr_plan_assign_offsets(b, classes, size);
}

/* Return true if there is a kernel that is faster if operand and result do not share memory. */
static bool has_preference(const struct sr_plan_builder *b)
{
	for (size_t computation = 0; computation < b->computations.n; computation++)
		for (size_t i = 0; i < b->computations.data[computation].instrs.n; i++) {
			const struct sr_instr *instr = &b->computations.data[computation].instrs.data[i];
			if (instr->kind == SR_INSTR_KERNEL &&
			    sr_kernel_prefers_other_memory((enum sr_kernel)instr->kernel, (enum sr_dtype)instr->dtype,
							   sr_plan_params(b, instr)))
				return true;
		}
	return false;
}

/* Coalesce and place all buffers without overlap. Kernels that are faster with separate operands and results get them if that takes
 * no more memory than sharing. */
static bool place_without_overlap(struct sr_plan_builder *b, const struct saved_state *saved_state, struct sr_buffer_classes *classes,
				  struct sr_arena_size *size)
{
	struct sr_arena_size shared_size;
	bool has_finishes;
	b->saves_memory = true;
	bool is_placed = try_extent(b, EXTENT_NONE, saved_state, classes, size, &has_finishes);
	if (!is_placed || !has_preference(b))
		return is_placed;
	shared_size = *size;
	b->saves_memory = false;
	if (try_extent(b, EXTENT_NONE, saved_state, classes, size, &has_finishes) && size->smallest <= shared_size.smallest)
		return true;
	b->saves_memory = true;
	return try_extent(b, EXTENT_NONE, saved_state, classes, size, &has_finishes);
}

bool sr_plan_place_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *classes, struct sr_arena_size *size)
{
	struct saved_state saved_state = save_state(b);
	struct sr_arena_size min_size;
	bool has_finishes, is_placed = place_without_overlap(b, &saved_state, classes, &min_size);
	*size = min_size;
	if (!is_placed || has_grid(b) || b->options->overlap == SR_OVERLAP_OFF)
		return is_placed;
	for (enum extent extent = EXTENT_ALL; is_placed && extent != EXTENT_NONE; extent--) {
		is_placed = try_extent(b, extent, &saved_state, classes, size, &has_finishes);
		if (is_placed && (!has_finishes || size->smallest <= min_size.smallest || b->options->overlap == SR_OVERLAP_ON))
			return true;
	}
	return try_extent(b, EXTENT_NONE, &saved_state, classes, size, &has_finishes);
}
