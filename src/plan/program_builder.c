/* Append to the tables of a program under construction: buffers, instructions, texts and ids. */
#include "plan/program_builder.h"
#include "kernels/sort_runs.h"
#include "support/checked.h"
#include <string.h>
#include "support/format_text.h"

static bool count_bytes(enum sr_dtype type, int64_t elements, int64_t *bytes)
{
	return elements >= 0 && !sr_mul_overflows(elements, (int64_t)sr_dtype_bytes(type), bytes) && *bytes <= INT64_MAX / 4;
}

/* Return true if the size in bytes of a value of type t fits int64_t, with space for sums. */
static bool size_fits(const struct sr_plan_builder *b, const struct sr_type *t)
{
	int64_t n = 0, bytes;
	return sr_type_elements(t, &n) && !sr_mul_overflows(n, b->lanes ? b->lanes : 1, &n) && count_bytes(t->dtype, n, &bytes);
}

enum sr_status sr_plan_check_type(struct sr_plan_builder *b, struct sr_op *op, const struct sr_type *t, const char *kind, int i,
				  const char *name)
{
	bool is_static = sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE, fits = is_static && size_fits(b, t);
	if (fits && t->rank <= SR_KERNEL_MAX_RANK)
		return SR_OK;
	const char *value = name ? sr_printf(b->arena, "%s %d (%s)", kind, i, name) : sr_printf(b->arena, "%s %d", kind, i);
	if (fits)
		return sr_op_error(op, &b->ctx->diags, SR_UNSUPPORTED, "cannot be run: %s has %d dimensions, at most %d are supported",
				   value, t->rank, SR_KERNEL_MAX_RANK);
	return sr_op_error(op, &b->ctx->diags, is_static ? SR_NO_MEMORY : SR_UNSUPPORTED, "cannot be run: %s has type %s, %s", value,
			   sr_type_string(b->ctx, t),
			   is_static ? "whose size in bytes overflows" : "not a tensor of static shape and a known element type");
}

int sr_plan_buffer(struct sr_plan_builder *b, enum sr_dtype type, int64_t elements)
{
	struct sr_buffer buffer = {.dtype = (uint8_t)type};
	if (!count_bytes(type, elements, &buffer.bytes))
		sr_arena_unwind(b->arena);
	sr_push(b->arena, &b->buffers, buffer);
	sr_push(b->arena, &b->uses, 0);
	sr_push(b->arena, &b->makers, b->op);
	return (int)b->buffers.n - 1;
}

enum sr_dtype sr_plan_dtype(const struct sr_value *v)
{
	return v->type->dtype ? v->type->dtype : SR_I1; /* a token has no elements, so its element type does not matter */
}

int64_t sr_plan_elements(const struct sr_plan_builder *b, const struct sr_value *v)
{
	int64_t n = 0;
	if (v->type->kind != SR_TYPE_TENSOR)
		return 0; /* a token or a tuple has no bytes of its own */
	if (!sr_type_elements(v->type, &n))
		sr_arena_unwind(b->arena);
	return b->lanes ? n * b->lanes : n;
}

int sr_plan_buffer_for(struct sr_plan_builder *b, struct sr_value *v)
{
	void **at = sr_map_at(&b->buffer_of, v);
	if (!*at) {
		*at = (void *)(intptr_t)(1 + sr_plan_buffer(b, sr_plan_dtype(v), sr_plan_elements(b, v)));
		b->makers.data[b->makers.n - 1] = v->def;
	}
	return (int)(intptr_t)*at - 1;
}

void sr_plan_bind_value(struct sr_plan_builder *b, struct sr_value *v, int buffer)
{
	sr_map_put(&b->buffer_of, v, (void *)(intptr_t)(1 + buffer));
}

void sr_plan_add_use(struct sr_plan_builder *b, int buffer, unsigned uses)
{
	b->uses.data[buffer] |= (uint8_t)uses;
}

int sr_plan_result(struct sr_plan_builder *b, int buffer)
{
	if (b->uses.data[buffer] & SR_USE_OUTSIDE) {
		const struct sr_buffer *source = &b->buffers.data[buffer];
		enum sr_dtype type = (enum sr_dtype)source->dtype;
		int copy = sr_plan_buffer(b, type, source->bytes / sr_dtype_bytes(type));
		sr_plan_add_copy(b, buffer, copy);
		buffer = copy;
	}
	sr_plan_add_use(b, buffer, SR_USE_RESULT);
	return buffer;
}

int sr_plan_add_constant(struct sr_plan_builder *b, enum sr_dtype type, const void *data, int64_t bytes, int64_t elements)
{
	int buffer = sr_plan_buffer(b, type, elements);
	while (b->data.n % SR_PROGRAM_ALIGN)
		sr_push(b->arena, &b->data, 0);
	struct sr_constant init = {.buffer = buffer, .splat = bytes < b->buffers.data[buffer].bytes, .data = b->data.n, .n = (uint64_t)bytes};
	for (int64_t i = 0; i < bytes; i++)
		sr_push(b->arena, &b->data, ((const char *)data)[i]);
	sr_push(b->arena, &b->constants, init);
	sr_plan_add_use(b, buffer, SR_USE_PERMANENT);
	return buffer;
}

uint32_t sr_plan_add_printable_text(struct sr_plan_builder *b, const char *s)
{
	return sr_plan_add_text(b, sr_intern(b->ctx, sr_printable(b->arena, s)));
}

uint32_t sr_plan_add_text(struct sr_plan_builder *b, const char *s)
{
	void **at = sr_map_at(&b->texts, sr_intern(b->ctx, s));
	if (!*at) {
		*at = (void *)(intptr_t)(1 + b->text.n);
		for (const char *p = s; *p; p++)
			sr_push(b->arena, &b->text, *p);
		sr_push(b->arena, &b->text, '\0');
	}
	return (uint32_t)((intptr_t)*at - 1);
}

uint64_t sr_plan_add_ids(struct sr_plan_builder *b, const int64_t *v, int64_t n)
{
	uint64_t first = b->ids.n;
	for (int64_t i = 0; i < n; i++)
		sr_push(b->arena, &b->ids, v[i]);
	return first;
}

uint32_t sr_plan_add_loc(struct sr_plan_builder *b, struct sr_src_loc loc)
{
	return sr_plan_add_printable_text(b, loc.file ? sr_printf(b->arena, "%s:%d:%d", loc.file, loc.line, loc.col) : "");
}

uint32_t sr_plan_add_op_loc(struct sr_plan_builder *b, const struct sr_op *op)
{
	return sr_plan_add_loc(b, op ? sr_loc_source(op->loc) : (struct sr_src_loc){0});
}

struct sr_instr *sr_plan_add_instr(struct sr_plan_builder *b, enum sr_instr_kind kind, const int *buffers, int n, const void *params, size_t bytes)
{
	struct sr_instr instr = {.kind = (uint8_t)kind, .first_operand = (uint32_t)b->operands.n, .n_operands = (uint32_t)n};
	for (int i = 0; i < n; i++)
		sr_push(b->arena, &b->operands, buffers[i]);
	while (b->params.n % SR_PROGRAM_ALIGN)
		sr_push(b->arena, &b->params, 0);
	instr.params = (uint32_t)b->params.n;
	for (size_t i = 0; i < bytes; i++)
		sr_push(b->arena, &b->params, ((const char *)params)[i]);
	instr.place = sr_plan_add_op_loc(b, b->op);
	instr.op = sr_plan_add_text(b, b->op ? b->op->info->name : "");
	instr.cause = sr_plan_add_text(b, "");
	struct sr_instr_list *list = &b->computations.data[b->computation];
	sr_push(b->arena, &list->instrs, instr);
	return &list->instrs.data[list->instrs.n - 1];
}

void sr_plan_add_dynamic_offset(struct sr_plan_builder *b, struct sr_dynamic_offset shift)
{
	struct sr_instr_list *list = &b->computations.data[b->computation];
	struct sr_instr *instr = &list->instrs.data[list->instrs.n - 1];
	if (!instr->n_dynamic_offsets++)
		instr->first_dynamic_offset = (uint32_t)b->dynamic_offsets.n;
	sr_push(b->arena, &b->dynamic_offsets, shift);
}

void sr_plan_add_kernel(struct sr_plan_builder *b, enum sr_kernel kernel, enum sr_dtype type, int64_t range, const int *buffers,
			int n, const void *params, size_t bytes)
{
	bool may_share = sr_kernel_prefers_other_memory(kernel, type, params);
	int aliased_operand = may_share ? -1 : sr_kernel_first_aliased_operand(kernel), n_results = sr_kernel_result_count(kernel, type, params);
	int *operands = sr_dup(b->arena, buffers, (size_t)n, sizeof *buffers);
	for (int i = 0; aliased_operand >= 0 && i < n_results; i++) {
		int result = buffers[n - n_results + i];
		sr_plan_add_copy(b, buffers[aliased_operand + i], result);
		operands[aliased_operand + i] = result;
	}
	struct sr_instr *instr = sr_plan_add_instr(b, SR_INSTR_KERNEL, operands, n, params, bytes);
	instr->kernel = (uint16_t)kernel;
	instr->dtype = (uint8_t)type;
	instr->range = range;
	int64_t scratch = sr_kernel_planned_scratch(kernel, type, params);
	if (scratch > b->scratch_bytes)
		b->scratch_bytes = scratch;
}

struct sr_plan_scope sr_plan_begin_computation(struct sr_plan_builder *b)
{
	struct sr_plan_scope scope = {.computation = (int)b->computations.n, .outer = b->computation};
	sr_push(b->arena, &b->computations, (struct sr_instr_list){0});
	b->computation = scope.computation;
	return scope;
}

void sr_plan_end_computation(struct sr_plan_builder *b, struct sr_plan_scope scope)
{
	b->computation = scope.outer;
}

/* Return the unsigned type of the same size, by which move kernels are looked up. */
static enum sr_dtype move_type(enum sr_dtype type)
{
	switch (sr_dtype_bytes(type)) {
	case 1:
		return SR_UI8;
	case 2:
		return SR_UI16;
	case 4:
		return SR_UI32;
	case 8:
		return SR_UI64;
	default:
		return SR_C128;
	}
}

void sr_move_init(struct sr_move_params *m, enum sr_dtype type, int rank, const int64_t *shape)
{
	memset(m, 0, sizeof *m);
	m->rank = rank;
	m->bytes = sr_dtype_bytes(type);
	int64_t stride = 1;
	for (int d = rank - 1; d >= 0; d--) {
		m->shape[d] = shape[d];
		m->src_stride[d] = m->dst_stride[d] = stride;
		stride *= shape[d];
	}
}

void sr_plan_add_move(struct sr_plan_builder *b, int src, int dst, struct sr_move_params *m)
{
	for (int d = 0; d < m->rank; d++)
		if (m->shape[d] == 0)
			return;
	sr_plan_add_kernel(b, SR_KERNEL_MOVE, move_type((enum sr_dtype)b->buffers.data[dst].dtype), m->rank ? m->shape[0] : 1,
			   (int[]){src, dst}, 2, m, sizeof *m);
}

void sr_plan_add_copy(struct sr_plan_builder *b, int source, int target)
{
	struct sr_move_params m;
	enum sr_dtype type = (enum sr_dtype)b->buffers.data[target].dtype;
	int64_t n = b->buffers.data[target].bytes / sr_dtype_bytes(type);
	if (source == target)
		return;
	sr_move_init(&m, type, 1, &n);
	sr_plan_add_move(b, source, target, &m);
}

int64_t sr_row_major_strides(const struct sr_type *t, int64_t *strides)
{
	int64_t n = 1;
	for (int d = t->rank - 1; d >= 0; d--) {
		strides[d] = n;
		n *= t->shape[d];
	}
	return n;
}
