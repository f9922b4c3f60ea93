/* Buffer swaps. If a loop's body computes the next value of a carried value (state) in another buffer, the copy from that buffer to
 * the state's at the end of the body is replaced by swapping the addresses of the two buffers. Buffers inside one of the two move
 * with it. When the loop ends with the addresses swapped, the state is copied to its own buffer once.
 *
 * A loop may carry the last two values of an array, as wave equations do: its body ends with a copy of the state to an older state,
 * before the state gets its next value. Then three buffers rotate:
 *
 *	copy state to older state         older state = address of state
 *	copy source to state         ->   state = address of source
 *	                                  source = address of older state */
#include "kernels/kernel.h"
#include "run/execution_context.h"
#include <string.h>

enum { MIN_BYTES = 16 << 10 };

struct table_entry { /* an address of an execution context that is inside one of the swapped buffers */
	int64_t entry; /* index in the context's `addresses`, which `operands` follow in memory */
	int64_t offset;
	int ring; /* which of the swap's buffers */
};

struct sr_buffer_swap {
	int32_t ring[SR_SWAP_BUFFERS]; /* buffer indices: the source, the state that it is copied to, the older state */
	int n;                         /* number of buffers: 2 or 3 */
	int64_t bytes;
	struct table_entry *entries;
	int64_t n_entries;
	int number;          /* index of its struct sr_swap_state in an execution context */
	struct sr_buffer_swap *next; /* next swap of the same loop */
};

struct span {
	int64_t begin, end;
};

static struct span span_of(const struct sr_program *p, int32_t buffer)
{
	const struct sr_buffer *b = sr_program_buffers(p) + buffer;
	return (struct span){b->offset, b->offset + b->bytes};
}

static bool do_spans_overlap(struct span a, struct span b)
{
	return a.begin < b.end && b.begin < a.end;
}

static bool is_inside(struct span a, struct span b)
{
	return a.begin >= b.begin && a.end <= b.end;
}

/* Return true if the instruction copies an entire buffer to another one unchanged. */
static bool is_copy(const struct sr_program *p, const struct sr_instr *s)
{
	const struct sr_move_params *m = (const void *)(sr_program_params(p) + s->params);
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	if (s->kind != SR_INSTR_KERNEL || s->kernel != SR_KERNEL_MOVE || s->n_operands != 2 || m->src_offset || m->dst_offset)
		return false;
	int64_t stride = 1;
	for (int i = m->rank - 1; i >= 0; stride *= m->shape[i--])
		if (m->shape[i] > 1 && (m->src_stride[i] != stride || m->dst_stride[i] != stride))
			return false;
	const struct sr_buffer *buffers = sr_program_buffers(p);
	return buffers[operands[0]].bytes == buffers[operands[1]].bytes && stride * m->bytes == buffers[operands[0]].bytes;
}

/* ---- instructions of a loop ---- */

/* Visit all instructions of a computation, and of the computations that they call, until `visit` returns false. Returns false in
 * that case. */
typedef bool visit_fn(const struct sr_program *p, const struct sr_instr *s, void *data);

static bool visit_computation(const struct sr_program *p, uint64_t computation, visit_fn *visit, void *data);

static bool visit_instr(const struct sr_program *p, const struct sr_instr *s, visit_fn *visit, void *data)
{
	const void *params = sr_program_params(p) + s->params;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *c = params;
	bool continues = visit(p, s, data);
	if (s->kind == SR_INSTR_WHILE)
		return continues && visit_computation(p, (uint64_t)w->cond, visit, data) &&
		       visit_computation(p, (uint64_t)w->body, visit, data);
	for (int i = 0; continues && s->kind == SR_INSTR_CASE && i < c->n; i++)
		continues = visit_computation(p, (uint64_t)(c->first + i), visit, data);
	/* other instructions that own computations (bodies, grids) are rare in loops, so loops with one have no swaps */
	return continues && s->kind != SR_INSTR_BODY && s->kind != SR_INSTR_PARALLEL;
}

static bool visit_computation(const struct sr_program *p, uint64_t computation, visit_fn *visit, void *data)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	for (int64_t i = range->first; i < range->first + range->n; i++)
		if (!visit_instr(p, sr_program_instrs(p) + i, visit, data))
			return false;
	return true;
}

struct query {
	struct span state, source;
};

/* Return true if the instruction allows swapping the two buffers: each buffer that it accesses is inside one of the two or disjoint
 * from both; an inner loop has no state in the copied buffer; and no collective reads either buffer in place. Inner loops and
 * collectives keep addresses from before the swap. */
static bool is_swappable(const struct sr_program *p, const struct sr_instr *s, void *data)
{
	struct query *q = data;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	for (uint32_t i = 0; i < s->n_operands; i++) {
		struct span b = span_of(p, operands[i]);
		bool overlaps_state = do_spans_overlap(b, q->state), overlaps_source = do_spans_overlap(b, q->source);
		if ((overlaps_state && !is_inside(b, q->state)) || (overlaps_source && !is_inside(b, q->source)) ||
		    (overlaps_source && s->kind == SR_INSTR_WHILE) ||
		    ((overlaps_state || overlaps_source) && s->kind == SR_INSTR_COLLECTIVE && b.end - b.begin > SR_SLOT_BYTES))
			return false;
	}
	return true;
}

/* Return true if a loop nest of the body writes the entire buffer before instruction `end`, so that its contents do not live
 * into the next iteration. */
static bool is_fully_written(const struct sr_program *p, const struct sr_computation *body, int64_t end, int32_t buffer)
{
	for (int64_t i = body->first; i < end; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		const int32_t *operands = sr_program_operands(p) + s->first_operand;
		const struct sr_nest *t = (const void *)(sr_program_params(p) + s->params);
		for (int k = 0; s->kind == SR_INSTR_NEST && k < t->n_outputs; k++) {
			struct span output = span_of(p, operands[t->n_inputs + k]), all = span_of(p, buffer);
			if (is_inside(output, all) && is_inside(all, output) &&
			    !sr_program_max_offset(p, s, (uint32_t)(t->n_inputs + k)))
				return true;
		}
	}
	return false;
}

static bool is_state(const struct sr_program *p, const struct sr_instr *loop, int32_t buffer)
{
	const int32_t *states = sr_program_operands(p) + loop->first_operand;
	for (uint32_t i = 0; i < loop->n_operands; i++)
		if (states[i] == buffer)
			return true;
	return false;
}

/* Return true if the loop's instructions allow that the state has the address of the source and that of the source another one. */
static bool may_move(const struct sr_program *p, const struct sr_instr *loop, const struct sr_while_instr *w, int32_t state,
		     int32_t source)
{
	struct query q = {.state = span_of(p, state), .source = span_of(p, source)};
	return is_state(p, loop, state) && q.state.end - q.state.begin >= MIN_BYTES && !do_spans_overlap(q.state, q.source) &&
	       visit_computation(p, (uint64_t)w->cond, is_swappable, &q) &&
	       visit_computation(p, (uint64_t)w->body, is_swappable, &q);
}

static bool may_swap(const struct sr_program *p, const struct sr_instr *loop, const struct sr_while_instr *w, int64_t copy)
{
	const struct sr_computation *body = sr_program_computations(p) + w->body;
	const int32_t *operands = sr_program_operands(p) + sr_program_instrs(p)[copy].first_operand;
	const int32_t *states = sr_program_operands(p) + loop->first_operand;
	for (uint32_t i = 0; i < loop->n_operands; i++)
		if (states[i] != w->predicate && do_spans_overlap(span_of(p, states[i]), span_of(p, operands[0])))
			return false;
	return is_fully_written(p, body, copy, operands[0]) && may_move(p, loop, w, operands[1], operands[0]);
}

/* Return true if the instruction before this copy, which may_swap, copies the state to another state that may have its address. */
static bool may_rotate(const struct sr_program *p, const struct sr_instr *loop, const struct sr_while_instr *w, int64_t copy)
{
	const struct sr_instr *instrs = sr_program_instrs(p);
	const int32_t *operands = sr_program_operands(p) + instrs[copy].first_operand, *older;
	if (copy == (int64_t)sr_program_computations(p)[w->body].first || !is_copy(p, instrs + copy - 1))
		return false;
	older = sr_program_operands(p) + instrs[copy - 1].first_operand;
	return older[0] == operands[1] && may_move(p, loop, w, older[1], operands[0]) &&
	       may_move(p, loop, w, older[1], operands[1]);
}

/* ---- addresses ---- */

/* Add a table entry to the swap, if the span is in one of its buffers; without memory for the list, only count it. */
static void add_address(const struct sr_program *p, struct sr_buffer_swap *x, struct span b, int64_t entry)
{
	for (int k = 0; k < x->n && b.begin < b.end; k++)
		if (is_inside(b, span_of(p, x->ring[k]))) {
			if (x->entries)
				x->entries[x->n_entries] = (struct table_entry){entry, b.begin - span_of(p, x->ring[k]).begin, k};
			x->n_entries++;
		}
}

static void find_addresses(const struct sr_program *p, struct sr_buffer_swap *x)
{
	x->n_entries = 0;
	for (uint64_t b = 0; b < p->buffers.n; b++)
		add_address(p, x, span_of(p, (int32_t)b), (int64_t)b);
	for (uint64_t i = 0; i < p->operands.n; i++)
		add_address(p, x, span_of(p, sr_program_operands(p)[i]), (int64_t)(p->buffers.n + i));
}

/* Replace the copy instruction, and if `rotates` the one before it, by a swap instruction, and add the swap to the loop. */
static void make_swap(struct sr_loaded_program *l, struct sr_ready_instr *loop, int64_t copy, bool rotates, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	const int32_t *operands = sr_program_operands(p) + sr_program_instrs(p)[copy].first_operand;
	struct sr_buffer_swap *x = SR_NEW(arena, struct sr_buffer_swap);
	*x = (struct sr_buffer_swap){.ring = {operands[0], operands[1]}, .n = 2, .bytes = sr_program_buffers(p)[operands[0]].bytes,
				     .number = l->n_swaps++, .next = loop->swap};
	if (rotates) {
		x->ring[x->n++] = sr_program_operands(p)[sr_program_instrs(p)[copy - 1].first_operand + 1];
		l->instrs[copy - 1].kind = (enum sr_instr_kind)SR_READY_SWAP;
		l->instrs[copy - 1].swap = NULL;
	}
	find_addresses(p, x);
	x->entries = SR_NEW_ARRAY(arena, struct table_entry, x->n_entries);
	find_addresses(p, x);
	loop->swap = l->instrs[copy].swap = x;
	l->instrs[copy].kind = (enum sr_instr_kind)SR_READY_SWAP;
}

int32_t sr_buffer_swap_older_state(const struct sr_buffer_swap *swap)
{
	return swap->n > 2 ? swap->ring[2] : -1;
}

void sr_loaded_prepare_swaps(struct sr_loaded_program *l, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *loop = sr_program_instrs(p) + i;
		const struct sr_while_instr *w = (const void *)(sr_program_params(p) + loop->params);
		if (loop->kind != SR_INSTR_WHILE || sr_jit_function_of(l->jit, i))
			continue;
		const struct sr_computation *body = sr_program_computations(p) + w->body;
		for (int64_t k = (int64_t)body->first + body->n - 1; k >= body->first && is_copy(p, sr_program_instrs(p) + k); k--)
			if (may_swap(p, loop, w, k)) {
				bool rotates = may_rotate(p, loop, w, k);
				make_swap(l, &l->instrs[i], k, rotates, arena);
				k -= rotates;
			}
	}
}

/* ---- execution ---- */

/* Set the addresses of the swap's buffers, which have moved `shift` times: number k has the initial address of number k - shift. */
static void set_addresses(struct sr_execution_context *x, const struct sr_buffer_swap *swap, int shift)
{
	for (int64_t i = 0; i < swap->n_entries; i++) {
		const struct table_entry *e = swap->entries + i;
		x->addresses[e->entry] = x->swaps[swap->number].own[(e->ring + swap->n - shift) % swap->n] + e->offset;
	}
}

void sr_buffer_swaps_begin(struct sr_execution_context *x, const struct sr_buffer_swap *first)
{
	for (const struct sr_buffer_swap *s = first; s; s = s->next) {
		x->swaps[s->number].shift = 0;
		for (int k = 0; k < s->n; k++)
			x->swaps[s->number].own[k] = x->addresses[s->ring[k]];
	}
}

void sr_buffer_swap(struct sr_execution_context *x, const struct sr_buffer_swap *swap)
{
	struct sr_swap_state *s = &x->swaps[swap->number];
	s->shift = (s->shift + 1) % swap->n;
	set_addresses(x, swap, s->shift);
}

void sr_buffer_swaps_all(struct sr_execution_context *x, const struct sr_buffer_swap *first)
{
	for (const struct sr_buffer_swap *s = first; s; s = s->next)
		sr_buffer_swap(x, s);
}

/* Copy the states to their own buffers, and set their addresses to these. The source's contents are not needed, so the buffer whose
 * address it has is free for the first copy. Each copy frees the buffer for the next one. */
void sr_buffer_swaps_end(struct sr_execution_context *x, const struct sr_buffer_swap *first)
{
	for (const struct sr_buffer_swap *swap = first; swap; swap = swap->next) {
		const struct sr_swap_state *s = &x->swaps[swap->number];
		int n = swap->n, to = (n - s->shift) % n;
		while (to != 0) {
			int from = (to + n - s->shift) % n;
			memcpy(s->own[to], s->own[from], (size_t)swap->bytes);
			to = from;
		}
		set_addresses(x, swap, 0);
	}
}
