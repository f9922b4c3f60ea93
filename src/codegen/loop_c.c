/* Generate C for while loops: instructions in the order of their computations, on regions r0, r1, ... */
#include "codegen/loop_c.h"
#include "codegen/loop_threads.h"
#include "support/checked.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_INSTRS = 512, MAX_TRIP_BYTES = 256 << 10 };
enum { LOCAL_BYTES = 16 }; /* maximum bytes of a region that is copied to a local array, unless the executor accesses it */

static const void *params_of(const struct sr_program *p, const struct sr_instr *instr)
{
	return sr_program_params(p) + instr->params;
}

static const struct sr_buffer *operand(const struct sr_program *p, const struct sr_instr *instr, uint32_t i)
{
	return sr_program_buffers(p) + sr_program_operands(p)[instr->first_operand + i];
}

/* ---- what is compiled ---- */

struct access { /* a buffer that a loop accesses */
	int32_t buffer;
	bool is_written, is_called; /* is_called: the executor accesses the buffer, for an instruction that is called */
};

struct survey { /* Totals over the instructions of a loop, with those of nested computations: number, bytes, buffers. */
	const struct sr_program *p;
	struct sr_arena *arena; /* arena of the list of accesses; NULL: only count, without listing them */
	SR_VEC(struct access) accesses; /* accesses of the loop's instructions, with duplicates */
	SR_VEC(uint64_t) calls;         /* instructions that the executor executes */
	int64_t instrs, bytes;
};

struct writer;
typedef bool emit_fn(struct writer *w, const struct sr_instr *instr);
static emit_fn map_instr, move_instr, fill_instr, update_slice_instr, product_instr;
/* Emitters of kernels, which append statements for one instruction; NULL: the loop's function calls the executor for an instruction
 * of that kernel. An emitter returns false for an element type that is not compiled. */
static emit_fn *const emitters[SR_KERNEL_COUNT] = {
#define EMIT(f) f##_instr
#define NO_EMITTER NULL
#define KERNEL(id, name, params, aliasing, split, chunks, emitter, ...) [SR_KERNEL_##id] = emitter,
#include "kernels/kernels.def"
};

static bool is_compiled_kernel(const struct sr_program *p, const struct sr_instr *instr)
{
	bool is_product = instr->kernel == SR_KERNEL_PRODUCT;
	return emitters[instr->kernel] && (!is_product || sr_product_is_small((enum sr_dtype)instr->dtype, params_of(p, instr)));
}

/* Return true if a loop's function calls the executor for an instruction. */
static bool is_called(const struct sr_program *p, const struct sr_instr *instr)
{
	return sr_instr_is_collective(instr) || instr->kind == SR_INSTR_CUSTOM_CALL || instr->kind == SR_INSTR_DEVICE_ID ||
	       (instr->kind == SR_INSTR_KERNEL && !is_compiled_kernel(p, instr));
}

static void add_access(struct survey *v, int32_t buffer, bool is_written, bool is_called)
{
	struct access access = {buffer, is_written, is_called};
	if (v->arena)
		sr_push(v->arena, &v->accesses, access);
}

/* Return true if an instruction stores to its operand i. Loops and branches store by the instructions of their computations, and
 * the executor stores the results of instructions that it is called for. */
static bool is_output(const struct sr_program *p, const struct sr_instr *instr, uint32_t i)
{
	if (instr->kind == SR_INSTR_NEST)
		return i >= (uint32_t)((const struct sr_nest *)params_of(p, instr))->n_inputs;
	return instr->kind == SR_INSTR_KERNEL && i + 1 == instr->n_operands;
}

static bool survey_computation(struct survey *v, uint64_t computation, int depth);

static bool survey_computations(struct survey *v, const struct sr_instr *instr, int depth)
{
	if (instr->kind == SR_INSTR_WHILE) {
		const struct sr_while_instr *w = params_of(v->p, instr);
		add_access(v, w->predicate, false, false);
		return survey_computation(v, (uint64_t)w->cond, depth + 1) && survey_computation(v, (uint64_t)w->body, depth + 1);
	}
	const struct sr_case_instr *c = params_of(v->p, instr);
	for (int32_t k = 0; k < c->n; k++)
		if (!survey_computation(v, (uint64_t)(c->first + k), depth + 1))
			return false;
	return true;
}

static bool survey_instr(struct survey *v, const struct sr_instr *instr, int depth)
{
	bool calls_executor = is_called(v->p, instr);
	bool is_compilable = instr->kind == SR_INSTR_NEST || instr->kind == SR_INSTR_WHILE || instr->kind == SR_INSTR_CASE ||
		     instr->kind == SR_INSTR_KERNEL || calls_executor;
	if (!is_compilable || depth > MAX_DEPTH || ++v->instrs > MAX_INSTRS)
		return false;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		add_access(v, sr_program_operands(v->p)[instr->first_operand + i], is_output(v->p, instr, i), calls_executor);
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		int32_t start = sr_program_dynamic_offsets(v->p)[instr->first_dynamic_offset + i].start;
		if (start >= 0)
			add_access(v, start, false, calls_executor);
	}
	if (calls_executor && v->arena)
		sr_push(v->arena, &v->calls, (uint64_t)(instr - sr_program_instrs(v->p)));
	if (instr->kind == SR_INSTR_WHILE || instr->kind == SR_INSTR_CASE)
		return survey_computations(v, instr, depth);
	return !sr_add_overflows(v->bytes, sr_program_instr_bytes(v->p, instr), &v->bytes) && v->bytes <= MAX_TRIP_BYTES;
}

static bool survey_computation(struct survey *v, uint64_t computation, int depth)
{
	const struct sr_computation *range = sr_program_computations(v->p) + computation;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++)
		if (!survey_instr(v, sr_program_instrs(v->p) + i, depth))
			return false;
	return true;
}

struct byte_range {
	int64_t begin, end;
	struct access access;
};

static int compare_begins(const void *x, const void *y)
{
	const struct byte_range *a = x, *b = y;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end != b->end ? (a->end > b->end ? -1 : 1) : a->access.buffer - b->access.buffer;
}

bool sr_loop_is_compilable(const struct sr_program *p, uint64_t instr)
{
	const struct sr_instr *s = sr_program_instrs(p) + instr;
	return s->kind == SR_INSTR_WHILE && survey_instr(&(struct survey){.p = p}, s, 0);
}

void sr_loop_regions(const struct sr_program *p, uint64_t instr, struct sr_arena *arena, struct sr_regions *out)
{
	struct survey v = {.p = p, .arena = arena};
	survey_instr(&v, sr_program_instrs(p) + instr, 0);
	size_t n = v.accesses.n;
	struct byte_range *ranges = SR_NEW_ARRAY(arena, struct byte_range, n + 1);
	int32_t *first = SR_NEW_ARRAY(arena, int32_t, n + 1);
	int64_t *bytes = SR_NEW_ARRAY(arena, int64_t, n + 1), begin = 0, end = INT64_MIN;
	bool *is_written = SR_NEW_ARRAY(arena, bool, n + 1), *is_called = SR_NEW_ARRAY(arena, bool, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct access a = v.accesses.data[i];
		const struct sr_buffer *b = sr_program_buffers(p) + a.buffer;
		ranges[i] = (struct byte_range){b->offset, b->offset + b->bytes, a};
	}
	qsort(ranges, n, sizeof *ranges, compare_begins);
	*out = (struct sr_regions){.buffers = first, .bytes = bytes, .is_written = is_written, .is_called = is_called,
				   .calls = v.calls.data, .n_calls = (int)v.calls.n};
	for (int i = 0; i < out->n_calls; i++)
		out->n_collectives += sr_instr_is_collective(sr_program_instrs(p) + out->calls[i]);
	for (size_t i = 0; i < n; i++) {
		if (ranges[i].begin == ranges[i].end)
			continue;
		if (ranges[i].begin >= end) {
			begin = ranges[i].begin;
			is_written[out->n] = is_called[out->n] = false;
			first[out->n++] = ranges[i].access.buffer;
		}
		end = ranges[i].end > end ? ranges[i].end : end;
		bytes[out->n - 1] = end - begin;
		is_written[out->n - 1] |= ranges[i].access.is_written;
		is_called[out->n - 1] |= ranges[i].access.is_called;
	}
}

/* Return true if a region is copied to a local array of the loop's function. */
static bool is_local(const struct sr_regions *regions, int region)
{
	return regions->bytes[region] <= LOCAL_BYTES && !regions->is_called[region];
}

/* ---- generated code ---- */

struct thread_copy { /* local variable tK of each thread, with the value of a buffer of few bytes */
	int32_t buffer;
	bool is_current; /* true if the next instruction may read it instead of memory */
};

struct writer {
	const struct sr_program *p;
	const struct sr_regions *regions;
	const struct sr_loop_nest_functions *nests;
	struct sr_buf *out;
	struct sr_c_functions *functions;
	int depth;
	int64_t units; /* units of the loop that threads divide; 0: one thread executes the function */
	struct sr_loop_division division; /* division of the current instruction; iterations 0: it is not divided */
	struct sr_pending_accesses pending; /* accesses since the last barrier */
	SR_VEC(struct thread_copy) copies;
};

static void indent(struct writer *w)
{
	for (int i = 0; i < w->depth; i++)
		sr_buf_putc(w->out, '\t');
}

/* Return the region that contains a buffer, the last one that begins at or before it. */
static int region_of(const struct writer *w, const struct sr_buffer *b)
{
	int lo = 0, hi = w->regions->n;
	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		if (sr_program_buffers(w->p)[w->regions->buffers[mid]].offset <= b->offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Return the C expression of a buffer's address in memory or, for a small region, in its local array. */
static const char *region_address(const struct writer *w, const struct sr_buffer *b)
{
	if (!b->bytes || !w->regions->n)
		return "(char *)0";
	int region = region_of(w, b);
	int64_t offset = b->offset - sr_program_buffers(w->p)[w->regions->buffers[region]].offset;
	if (!offset)
		return sr_printf(w->out->arena, "r%d", region);
	return sr_printf(w->out->arena, "(r%d + %lld)", region, (long long)offset);
}

/* Return the number of the variable tK that is a thread's copy of the buffer; -1: there is none. */
static int find_copy(const struct writer *w, int32_t buffer)
{
	for (size_t i = 0; i < w->copies.n; i++)
		if (w->copies.data[i].buffer == buffer)
			return (int)i;
	return -1;
}

static bool has_current_copy(const struct writer *w, const struct sr_buffer *b)
{
	int copy = find_copy(w, (int32_t)(b - sr_program_buffers(w->p)));
	return copy >= 0 && w->copies.data[copy].is_current;
}

/* Return the C expression of the address from which a thread reads a buffer: its own copy if that is current. */
static const char *buffer_address(const struct writer *w, const struct sr_buffer *b)
{
	if (has_current_copy(w, b))
		return sr_printf(w->out->arena, "t%d", find_copy(w, (int32_t)(b - sr_program_buffers(w->p))));
	return region_address(w, b);
}

/* Return the C expression of an operand's address: pK if begin_offsets has defined it, else the address of the operand's
 * buffer. */
static const char *operand_address(const struct writer *w, const struct sr_instr *instr, uint32_t k)
{
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++)
		if (sr_program_dynamic_offsets(w->p)[instr->first_dynamic_offset + i].operand == (int32_t)k)
			return sr_printf(w->out->arena, "p%u", k);
	return buffer_address(w, operand(w->p, instr, k));
}

static const char *element_expression(const struct writer *w, enum sr_dtype type, const char *begin, const char *index)
{
	w->functions->has_small_floats |= sr_c_is_small_float(type);
	return sr_printf(w->out->arena, "((any_%s *)%s)[%s]", sr_c_type_of(type)->id, begin, index);
}

static const char *element(const struct writer *w, enum sr_dtype type, const struct sr_buffer *b, const char *index)
{
	return element_expression(w, type, buffer_address(w, b), index);
}

/* Return the C expression of a slice's start index, with 64 bits. */
static const char *start_expression(const struct writer *w, const struct sr_buffer *b, enum sr_dtype type)
{
	const char *start = element(w, type, b, "0");
	return type == SR_UI64 ? sr_printf(w->out->arena, "(%s > INT64_MAX ? INT64_MAX : %s)", start, start) : start;
}

static void open_count(struct writer *w, int64_t n)
{
	if (n == 1)
		return;
	indent(w);
	sr_buf_printf(w->out, "for (int64_t i = 0; i < %lld; i++)\n", (long long)n);
	w->depth++;
}

static void close_count(struct writer *w, int64_t n)
{
	w->depth -= n != 1;
}

static bool map_instr(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_map_params *m = params_of(w->p, instr);
	enum sr_dtype in_type = (enum sr_dtype)instr->dtype, out_type = (enum sr_dtype)m->out;
	struct sr_nest_instr in = {.op = SR_NEST_MAP, .type = instr->dtype, .kernel = instr->kernel, .variant = m->variant,
				   .n_args = (uint8_t)(instr->n_operands - 1)};
	const char *args[SR_NEST_MAX_ARGS], *i = instr->range == 1 ? "0" : "i";
	if (!instr->range)
		return true;
	if (instr->n_operands < 2 || instr->n_operands > 5 || !sr_c_type_of(in_type) || !sr_c_type_of(out_type))
		return false;
	for (uint32_t k = 0; k + 1 < instr->n_operands; k++) {
		enum sr_dtype type = instr->kernel == SR_KERNEL_SELECT && !k ? SR_I1 : in_type;
		args[k] = element_expression(w, type, operand_address(w, instr, k), m->scalar[k] ? "0" : i);
		if (sr_c_is_narrow_float(type))
			args[k] = sr_printf(w->out->arena, "float_%s(%s)", sr_c_type_of(type)->id, args[k]);
	}
	open_count(w, instr->range);
	indent(w);
	sr_buf_printf(w->out, "%s = ", element_expression(w, out_type, operand_address(w, instr, instr->n_operands - 1), i));
	if (sr_c_is_narrow_float(out_type))
		sr_buf_printf(w->out, "bits_%s(", sr_c_type_of(out_type)->id);
	bool is_written = sr_c_map(w->out, w->functions, &in, instr->kernel == SR_KERNEL_SELECT ? SR_I1 : in_type, out_type, args);
	sr_buf_puts(w->out, sr_c_is_narrow_float(out_type) ? ");\n" : ";\n");
	close_count(w, instr->range);
	return is_written;
}

/* Return the C type of an element of `bytes` bytes, or NULL if there is none. */
static const char *element_type(int32_t bytes)
{
	static const char *const names[9] = {[1] = "any_UI8", [2] = "any_UI16", [4] = "any_UI32", [8] = "any_UI64"};
	return bytes >= 0 && bytes <= 8 ? names[bytes] : NULL;
}

struct copy_box { /* A loop nest that executes to[...] = from[...] for all points of `shape`. Dimensions of extent 1 have no loop. */
	int rank;
	const int64_t *shape, *from_stride, *to_stride;
	const char *c_type, *from, *to, *from_offset, *to_offset;
};

/* Append the index of an element: the offset plus the sum of strides times loop variables j0, j1, ... */
static void append_index(struct sr_buf *out, const struct copy_box *b, const char *offset, const int64_t *stride)
{
	bool has_terms = strcmp(offset, "0") != 0;
	sr_buf_puts(out, has_terms ? offset : "");
	for (int d = 0; d < b->rank; d++) {
		if (!stride[d] || b->shape[d] == 1)
			continue;
		sr_buf_puts(out, has_terms ? " + " : "");
		if (stride[d] != 1)
			sr_buf_printf(out, "%lld * ", (long long)stride[d]);
		sr_buf_printf(out, "j%d", d);
		has_terms = true;
	}
	sr_buf_puts(out, has_terms ? "" : "0");
}

static void copy_box(struct writer *w, const struct copy_box *b)
{
	int depth = w->depth;
	for (int d = 0; d < b->rank; d++) {
		if (b->shape[d] == 1)
			continue;
		indent(w);
		sr_buf_printf(w->out, "for (int64_t j%d = 0; j%d < %lld; j%d++)\n", d, d, (long long)b->shape[d], d);
		w->depth++;
	}
	indent(w);
	sr_buf_printf(w->out, "((%s *)%s)[", b->c_type, b->to);
	append_index(w->out, b, b->to_offset, b->to_stride);
	sr_buf_printf(w->out, "] = ((%s *)%s)[", b->c_type, b->from);
	append_index(w->out, b, b->from_offset, b->from_stride);
	sr_buf_puts(w->out, "];\n");
	w->depth = depth;
}

static bool move_instr(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_move_params *m = params_of(w->p, instr);
	struct sr_arena *arena = w->out->arena;
	struct copy_box b = {.rank = m->rank, .shape = m->shape, .from_stride = m->src_stride, .to_stride = m->dst_stride,
			.c_type = element_type(m->bytes), .from = operand_address(w, instr, 0), .to = operand_address(w, instr, 1)};
	if (!b.c_type)
		return false;
	b.from_offset = sr_printf(arena, "%lld", (long long)m->src_offset);
	b.to_offset = sr_printf(arena, "%lld", (long long)m->dst_offset);
	copy_box(w, &b);
	return true;
}

static bool fill_instr(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_fill_params *f = params_of(w->p, instr);
	const char *c_type = element_type(f->bytes);
	if (!c_type)
		return false;
	open_count(w, f->n);
	indent(w);
	sr_buf_printf(w->out, "((%s *)%s)[%s] = *(%s *)%s;\n", c_type, operand_address(w, instr, 1), f->n == 1 ? "0" : "i", c_type,
		      operand_address(w, instr, 0));
	close_count(w, f->n);
	return true;
}

/* Generate a dynamic_update_slice. Operands: source, update, start indices, destination, which may be the source. */
static bool update_slice_instr(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_dynamic_slice_params *p = params_of(w->p, instr);
	const struct sr_buffer *source = operand(w->p, instr, 0), *target = operand(w->p, instr, instr->n_operands - 1);
	enum sr_dtype type = (enum sr_dtype)p->index_type;
	int64_t update_stride[SR_KERNEL_MAX_RANK], operand_stride[SR_KERNEL_MAX_RANK], n_update = 1, n_operand = 1;
	struct copy_box b = {p->rank, p->size, update_stride, operand_stride, element_type(p->bytes), operand_address(w, instr, 1),
			buffer_address(w, target), "0", "at"};
	if (!b.c_type || !sr_c_type_of(type) || sr_dtype_is_float(type))
		return false;
	for (int d = p->rank - 1; d >= 0; d--) {
		update_stride[d] = n_update;
		operand_stride[d] = n_operand;
		n_update *= p->size[d];
		n_operand *= p->src[d];
	}
	if (source->offset != target->offset) {
		indent(w);
		sr_buf_printf(w->out, "__builtin_memcpy(%s, %s, %lld);\n", buffer_address(w, target), buffer_address(w, source),
			      (long long)target->bytes);
	}
	indent(w);
	sr_buf_puts(w->out, "{\n");
	w->depth++;
	indent(w);
	sr_buf_puts(w->out, "const int64_t at = 0");
	for (int d = 0; d < p->rank; d++) {
		const char *start = start_expression(w, operand(w->p, instr, (uint32_t)(2 + d)), type);
		if (p->src[d] != p->size[d])
			sr_buf_printf(w->out, " + %lld * clamped_index(%s, %lld)", (long long)operand_stride[d], start,
				      (long long)(p->src[d] - p->size[d]));
	}
	sr_buf_puts(w->out, ";\n");
	copy_box(w, &b);
	w->depth--;
	indent(w);
	sr_buf_puts(w->out, "}\n");
	return true;
}

/* Append the address of a product's operand: of matrix x of a batch, and of row `begin` of a divided product. */
static void product_operand(struct writer *w, const struct sr_instr *instr, uint32_t k, int64_t batch_stride, int64_t row_stride)
{
	const struct sr_product_params *p = params_of(w->p, instr);
	sr_buf_printf(w->out, "(any_%s *)%s", sr_c_type_of((enum sr_dtype)instr->dtype)->id, operand_address(w, instr, k));
	if (p->batch != 1)
		sr_buf_printf(w->out, " + %lld * x", (long long)batch_stride);
	if (w->division.iterations && !w->division.is_batch && row_stride)
		sr_buf_printf(w->out, " + %lld * begin", (long long)row_stride);
}

static bool product_instr(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_product_params *p = params_of(w->p, instr);
	bool has_parts = w->division.iterations, divides_rows = has_parts && !w->division.is_batch;
	indent(w);
	if (p->batch != 1) {
		sr_buf_printf(w->out, has_parts ? "for (int64_t x = begin; x < end; x++)\n" : "for (int64_t x = 0; x < %lld; x++)\n",
			      (long long)p->batch);
		w->depth++;
		indent(w);
		w->depth--;
	}
	sr_buf_printf(w->out, "product_%s(", sr_c_type_of((enum sr_dtype)instr->dtype)->id);
	product_operand(w, instr, 0, p->lhs_batch, p->lhs_m);
	sr_buf_printf(w->out, ", %lld, %lld, ", (long long)p->lhs_m, (long long)p->lhs_k);
	product_operand(w, instr, 1, p->rhs_batch, 0);
	sr_buf_printf(w->out, ", %lld, ", (long long)p->rhs_k);
	product_operand(w, instr, 2, p->m * p->n, p->n);
	sr_buf_printf(w->out, divides_rows ? ", end - begin" : ", %lld", (long long)p->m);
	sr_buf_printf(w->out, ", %lld, %lld);\n", (long long)p->n, (long long)p->k);
	return true;
}

static bool write_nest(struct writer *w, uint64_t instr)
{
	const struct sr_instr *s = sr_program_instrs(w->p) + instr;
	int number;
	int64_t iterations;
	if (!w->nests->find(w->nests->data, instr, &number, &iterations))
		return false;
	indent(w);
	sr_buf_printf(w->out, "sr_nest_%d((void *const[]){", number);
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_buf_printf(w->out, "%s%s", i ? ", " : "", operand_address(w, s, i));
	if (w->division.iterations)
		sr_buf_puts(w->out, "}, begin, end, cache_bytes);\n");
	else
		sr_buf_printf(w->out, "}, 0, %lld, cache_bytes);\n", (long long)iterations);
	return !w->division.iterations || w->division.iterations == iterations;
}

/* Open a C block that defines pK, the address of operand K, for each operand with dynamic offsets. */
static bool begin_offsets(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_dynamic_offset *shifts = sr_program_dynamic_offsets(w->p) + instr->first_dynamic_offset;
	indent(w);
	sr_buf_puts(w->out, "{\n");
	w->depth++;
	for (uint32_t k = 0; k < instr->n_operands; k++) {
		if (strcmp(operand_address(w, instr, k), buffer_address(w, operand(w->p, instr, k))) == 0)
			continue;
		indent(w);
		sr_buf_printf(w->out, "char *const p%u = %s", k, buffer_address(w, operand(w->p, instr, k)));
		for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
			const struct sr_dynamic_offset *x = &shifts[i];
			if (x->operand != (int32_t)k)
				continue;
			if (x->start < 0) {
				sr_buf_printf(w->out, " + %lld", (long long)(x->limit * x->stride));
				continue;
			}
			const struct sr_buffer *start = sr_program_buffers(w->p) + x->start;
			if (!sr_c_type_of((enum sr_dtype)start->dtype))
				return false;
			sr_buf_printf(w->out, " + %lld * clamped_index(%s, %lld)", (long long)x->stride,
				      start_expression(w, start, (enum sr_dtype)start->dtype), (long long)x->limit);
		}
		sr_buf_puts(w->out, ";\n");
	}
	return true;
}

static void end_offsets(struct writer *w)
{
	w->depth--;
	indent(w);
	sr_buf_puts(w->out, "}\n");
}

/* ---- threads ---- */

static void write_barrier(struct writer *w)
{
	indent(w);
	sr_buf_puts(w->out, "if (last > 1)\n");
	w->depth++;
	indent(w);
	sr_buf_puts(w->out, "barrier(team, first, last);\n");
	w->depth--;
	w->pending.n = 0;
}

static bool is_private(const struct writer *w, const struct sr_buffer *b)
{
	return !b->bytes || is_local(w->regions, region_of(w, b));
}

static struct sr_loop_access access_of(const struct sr_buffer *b, bool is_written, enum sr_accessor by)
{
	return (struct sr_loop_access){.begin = b->offset, .end = b->offset + b->bytes, .is_written = is_written, .by = by};
}

/* Record the accesses of the next statement. Write a barrier before it if one of them conflicts with an access since the last
 * barrier. */
static void order_accesses(struct writer *w, const struct sr_pending_accesses *accesses)
{
	bool conflicts = false;
	for (int i = 0; i < accesses->n; i++)
		conflicts = conflicts || sr_access_conflicts(&w->pending, &accesses->list[i]);
	if (conflicts || !sr_access_add_all(&w->pending, accesses, NULL)) {
		write_barrier(w);
		sr_access_add_all(&w->pending, accesses, NULL);
	}
}

/* Write a barrier before all threads read a buffer if the read conflicts with an access since the last barrier. A buffer of which
 * each thread has its own copy needs none. */
static void order_read_by_all(struct writer *w, const struct sr_buffer *b)
{
	struct sr_pending_accesses accesses = {.list = {access_of(b, false, SR_ACCESS_BY_ALL)}, .n = 1};
	if (w->units && !is_private(w, b) && !has_current_copy(w, b))
		order_accesses(w, &accesses);
}

static void forget_copies(struct writer *w)
{
	for (size_t i = 0; i < w->copies.n; i++)
		w->copies.data[i].is_current = false;
}

static bool overlap(const struct sr_buffer *a, const struct sr_buffer *b)
{
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Forget the copies of buffers that overlap an output, which has been written. */
static void forget_overlapping_copies(struct writer *w, const struct sr_buffer *output)
{
	for (size_t i = 0; i < w->copies.n; i++) {
		const struct sr_buffer *b = sr_program_buffers(w->p) + w->copies.data[i].buffer;
		if (b != output && overlap(b, output))
			w->copies.data[i].is_current = false;
	}
}

/* Return true if an instruction computes all bytes of its only output, which are few, from inputs in other memory or from copies:
 * the first thread stores the output while others may still read the inputs. */
static bool overwrites_few_bytes(const struct writer *w, const struct sr_instr *instr)
{
	int64_t bytes = 0;
	const struct sr_buffer *out = operand(w->p, instr, instr->n_operands - 1);
	if (instr->n_dynamic_offsets || out->bytes > LOCAL_BYTES)
		return false;
	if (instr->kind == SR_INSTR_NEST) {
		bool has_one_output = ((const struct sr_nest *)params_of(w->p, instr))->n_outputs == 1;
		bytes = has_one_output ? sr_dtype_bytes((enum sr_dtype)out->dtype) : 0;
	} else if (emitters[instr->kernel] == map_instr) {
		bytes = instr->range * sr_dtype_bytes((enum sr_dtype)((const struct sr_map_params *)params_of(w->p, instr))->out);
	} else if (instr->kernel == SR_KERNEL_FILL) {
		const struct sr_fill_params *f = params_of(w->p, instr);
		bytes = f->n * f->bytes;
	} else if (instr->kernel == SR_KERNEL_MOVE) {
		bytes = instr->range * ((const struct sr_move_params *)params_of(w->p, instr))->bytes;
	}
	for (uint32_t i = 0; i + 1 < instr->n_operands; i++)
		if (overlap(operand(w->p, instr, i), out) && !has_current_copy(w, operand(w->p, instr, i)))
			return false;
	return bytes == out->bytes;
}

/* Which threads execute an instruction. BY_FIRST: the first thread. BY_ALL: every thread computes all outputs, in local variables.
 * WITH_COPIES: as BY_ALL, and the first thread also stores the output to memory. BY_PARTS: each thread executes a range of the
 * iterations. */
enum role { BY_FIRST, BY_ALL, WITH_COPIES, BY_PARTS };

/* Set which threads execute an instruction. Returns false for outputs of both kinds, in memory and in local arrays. */
static bool find_role(struct writer *w, uint64_t i, enum role *role)
{
	const struct sr_instr *instr = sr_program_instrs(w->p) + i;
	int n_private = 0, n_shared = 0;
	for (uint32_t k = 0; k < instr->n_operands; k++)
		if (is_output(w->p, instr, k))
			*(is_private(w, operand(w->p, instr, k)) ? &n_private : &n_shared) += 1;
	w->division = n_shared ? sr_loop_divide(w->p, i, w->units, w->out->arena) : (struct sr_loop_division){0};
	*role = !n_shared ? BY_ALL : w->division.iterations ? BY_PARTS : overwrites_few_bytes(w, instr) ? WITH_COPIES : BY_FIRST;
	return !n_private || !n_shared;
}

/* Return an instruction's access to an operand in memory. */
static struct sr_loop_access operand_access(struct writer *w, uint64_t i, uint32_t k, enum role role)
{
	const struct sr_instr *instr = sr_program_instrs(w->p) + i;
	bool is_written = is_output(w->p, instr, k), has_fixed_address = true;
	struct sr_loop_access a = access_of(operand(w->p, instr, k), is_written,
					    role == BY_FIRST || is_written ? SR_ACCESS_BY_FIRST : SR_ACCESS_BY_ALL);
	for (uint32_t o = 0; o < instr->n_dynamic_offsets; o++)
		has_fixed_address &= sr_program_dynamic_offsets(w->p)[instr->first_dynamic_offset + o].operand != (int32_t)k;
	if (role == BY_PARTS && has_fixed_address)
		sr_loop_divide_access(w->p, i, k, &w->division, w->out->arena, &a);
	else if (role == BY_PARTS)
		a.by = SR_ACCESS_BY_ANY;
	return a;
}

/* Record the accesses of an instruction that is no loop or branch, after a barrier if one of them conflicts with an access since
 * the last barrier. Returns false if the instruction has more accesses than can be recorded. */
static bool order_instr(struct writer *w, uint64_t i, enum role role)
{
	const struct sr_instr *instr = sr_program_instrs(w->p) + i;
	struct sr_pending_accesses accesses = {.n = 0};
	bool fits = true;
	for (uint32_t k = 0; k < instr->n_dynamic_offsets; k++) {
		int32_t start = sr_program_dynamic_offsets(w->p)[instr->first_dynamic_offset + k].start;
		const struct sr_buffer *b = sr_program_buffers(w->p) + start;
		if (start < 0 || is_private(w, b) || has_current_copy(w, b))
			continue;
		struct sr_loop_access a = access_of(b, false, SR_ACCESS_BY_ALL);
		fits = sr_access_add(&accesses, &a) && fits;
	}
	for (uint32_t k = 0; k < instr->n_operands; k++) {
		const struct sr_buffer *b = operand(w->p, instr, k);
		if (is_private(w, b) || (!is_output(w->p, instr, k) && has_current_copy(w, b)))
			continue;
		struct sr_loop_access a = operand_access(w, i, k, role);
		fits = sr_access_add(&accesses, &a) && fits;
	}
	order_accesses(w, &accesses);
	return fits;
}

/* Begin the statements of an instruction that some threads or all threads execute. */
static void begin_role(struct writer *w, const struct sr_instr *instr, enum role role)
{
	const struct sr_loop_division *d = &w->division;
	for (uint32_t k = 0; k < instr->n_operands; k++) {
		int32_t buffer = sr_program_operands(w->p)[instr->first_operand + k];
		int copy = find_copy(w, buffer);
		if (!is_output(w->p, instr, k))
			continue;
		if (copy >= 0)
			w->copies.data[copy].is_current = role == WITH_COPIES;
		else if (role == WITH_COPIES)
			sr_push(w->out->arena, &w->copies, (struct thread_copy){buffer, true});
	}
	if (role == BY_ALL || role == WITH_COPIES)
		return;
	indent(w);
	if (role == BY_FIRST) {
		sr_buf_puts(w->out, "if (!first) {\n");
		w->depth++;
		return;
	}
	sr_buf_puts(w->out, "{\n");
	w->depth++;
	indent(w);
	sr_buf_printf(w->out, "const int64_t begin = %lld * ((%lld * first + last - 1) / last);\n", (long long)d->step,
		      (long long)d->units);
	indent(w);
	sr_buf_printf(w->out, "const int64_t e = %lld * ((%lld * (first + 1) + last - 1) / last), end = e < %lld ? e : %lld;\n",
		      (long long)d->step, (long long)d->units, (long long)d->iterations, (long long)d->iterations);
	indent(w);
	sr_buf_puts(w->out, "if (begin < end)\n");
	w->depth++;
}

static void end_role(struct writer *w, const struct sr_instr *instr, enum role role)
{
	if (role == WITH_COPIES) {
		const struct sr_buffer *b = operand(w->p, instr, instr->n_operands - 1);
		indent(w);
		sr_buf_puts(w->out, "if (!first)\n");
		w->depth++;
		indent(w);
		sr_buf_printf(w->out, "__builtin_memcpy(%s, %s, %lld);\n", region_address(w, b), buffer_address(w, b),
			      (long long)b->bytes);
		w->depth--;
	}
	if (role == BY_FIRST || role == BY_PARTS) {
		w->depth -= role == BY_PARTS ? 2 : 1;
		indent(w);
		sr_buf_puts(w->out, "}\n");
	}
	for (uint32_t k = 0; k < instr->n_operands; k++)
		if (is_output(w->p, instr, k))
			forget_overlapping_copies(w, operand(w->p, instr, k));
	w->division = (struct sr_loop_division){0};
}

/* ---- loops and branches ---- */

static bool write_computation(struct writer *w, uint64_t computation);

/* Generate one pass through a loop: an endless loop that tests the condition first. Sets *at_exit to the accesses since the last
 * barrier where the loop ends. */
static bool write_iteration(struct writer *w, const struct sr_while_instr *l, bool has_barrier, struct sr_pending_accesses *at_exit)
{
	const struct sr_buffer *predicate = sr_program_buffers(w->p) + l->predicate;
	indent(w);
	sr_buf_puts(w->out, "for (;;) {\n");
	w->depth++;
	forget_copies(w);
	if (has_barrier)
		write_barrier(w);
	bool is_written = write_computation(w, (uint64_t)l->cond);
	order_read_by_all(w, predicate);
	*at_exit = w->pending;
	indent(w);
	sr_buf_printf(w->out, "if (!%s)\n", element(w, SR_I1, predicate, "0"));
	w->depth++;
	indent(w);
	sr_buf_puts(w->out, "break;\n");
	w->depth--;
	is_written = is_written && write_computation(w, (uint64_t)l->body);
	forget_copies(w);
	w->depth--;
	indent(w);
	sr_buf_puts(w->out, "}\n");
	return is_written;
}

/* Generate a while loop. The accesses pending at the end of the body are pending where it begins again: the loop is generated until
 * those at its end are among those that were assumed at its begin, and after some attempts with a barrier at its begin. */
static bool write_loop(struct writer *w, const struct sr_instr *instr)
{
	enum { MAX_ATTEMPTS = 4 };
	struct sr_pending_accesses assumed = w->pending, at_exit;
	size_t length_before = w->out->n;
	bool is_written = true, has_grown = true;
	for (int attempt = 1; is_written && has_grown; attempt++) {
		bool has_barrier = attempt == MAX_ATTEMPTS;
		w->out->n = length_before;
		w->pending = assumed;
		is_written = write_iteration(w, params_of(w->p, instr), has_barrier, &at_exit);
		if (has_barrier)
			break;
		if (!sr_access_add_all(&assumed, &w->pending, &has_grown)) {
			has_grown = true;
			attempt = MAX_ATTEMPTS - 1;
		}
	}
	w->pending = at_exit;
	return is_written;
}

/* Generate a `case` or `if`. A `case` runs its last branch if the index is out of range; an `if` runs its first branch if the
 * predicate is true. */
static bool write_branch(struct writer *w, const struct sr_instr *instr)
{
	const struct sr_case_instr *c = params_of(w->p, instr);
	bool is_written = true;
	order_read_by_all(w, operand(w->p, instr, 0));
	struct sr_pending_accesses before = w->pending, after = {.n = 0};
	const char *index = element(w, c->is_predicate ? SR_I1 : SR_I32, operand(w->p, instr, 0), "0");
	indent(w);
	sr_buf_printf(w->out, c->is_predicate ? "switch (!%s) {\n" : "switch (%s) {\n", index);
	for (int32_t k = 0; is_written && k < c->n; k++) {
		indent(w);
		if (k + 1 < c->n)
			sr_buf_printf(w->out, "case %d:\n", k);
		else
			sr_buf_puts(w->out, "default:\n");
		w->depth++;
		w->pending = before;
		forget_copies(w);
		is_written = write_computation(w, (uint64_t)(c->first + k)) && sr_access_add_all(&after, &w->pending, NULL);
		indent(w);
		sr_buf_puts(w->out, "break;\n");
		w->depth--;
	}
	forget_copies(w);
	w->pending = after;
	indent(w);
	sr_buf_puts(w->out, "}\n");
	return is_written;
}

/* Generate the call of the executor for instruction i. */
static void write_call(struct writer *w, uint64_t i)
{
	int k = 0;
	while (w->regions->calls[k] != i)
		k++;
	indent(w);
	sr_buf_printf(w->out, "if ((*executor)(executor, %d))\n", k);
	w->depth++;
	indent(w);
	sr_buf_puts(w->out, "return;\n");
	w->depth--;
}

/* Generate an instruction that is no loop or branch. */
static bool write_instr(struct writer *w, uint64_t i)
{
	const struct sr_instr *instr = sr_program_instrs(w->p) + i;
	enum role role = BY_ALL;
	if (is_called(w->p, instr)) {
		write_call(w, i);
		return true;
	}
	if (w->units) {
		if (!find_role(w, i, &role) || !order_instr(w, i, role))
			return false;
	}
	if (instr->n_dynamic_offsets && !begin_offsets(w, instr))
		return false;
	if (w->units)
		begin_role(w, instr, role);
	bool is_written = instr->kind == SR_INSTR_NEST ? write_nest(w, i) : emitters[instr->kernel](w, instr);
	if (w->units)
		end_role(w, instr, role);
	if (instr->n_dynamic_offsets)
		end_offsets(w);
	return is_written;
}

static bool write_computation(struct writer *w, uint64_t number)
{
	const struct sr_computation *range = sr_program_computations(w->p) + number;
	bool is_written = true;
	for (uint64_t i = range->first; is_written && i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(w->p) + i;
		is_written = instr->kind == SR_INSTR_WHILE  ? write_loop(w, instr)
			     : instr->kind == SR_INSTR_CASE ? write_branch(w, instr)
							    : write_instr(w, i);
	}
	return is_written;
}

/* Append the variables of a loop's function: regions, the barrier, and the threads' copies. */
static void write_variables(const struct writer *w, struct sr_buf *out)
{
	const struct sr_regions *regions = w->regions;
	for (int k = 0; k < regions->n; k++)
		if (is_local(regions, k))
			sr_buf_printf(out, "\tchar l%d[%lld] __attribute__((aligned(16))), *const r%d = l%d;\n"
				      "\t__builtin_memcpy(l%d, regions[%d], sizeof l%d);\n",
				      k, (long long)regions->bytes[k], k, k, k, k, k);
		else
			sr_buf_printf(out, "\tchar *%sr%d = regions[%d];\n",
				      w->units || regions->is_called[k] ? "" : "restrict ", k, k);
	if (regions->n_calls)
		sr_buf_printf(out, "\tint (**const executor)(void *, int64_t) = regions[%d];\n", regions->n);
	if (w->units)
		sr_buf_printf(out, "\ttypedef void barrier_fn(void *, int64_t, int64_t);\n"
			      "\tvoid *const team = last > 1 ? regions[%d] : 0;\n"
			      "\tbarrier_fn *const barrier = team ? *(barrier_fn **)team : 0;\n", regions->n);
	for (size_t i = 0; i < w->copies.n; i++)
		sr_buf_printf(out, "\tchar t%zu[%d] __attribute__((aligned(16)));\n", i, LOCAL_BYTES);
}

bool sr_loop_c(const struct sr_program *p, uint64_t instr, const struct sr_regions *regions,
	       const struct sr_loop_nest_functions *nests, int64_t units, struct sr_buf *out, struct sr_c_functions *functions)
{
	struct sr_buf body;
	struct writer w = {.p = p, .regions = regions, .nests = nests, .out = &body, .functions = functions, .depth = 1,
			   .units = units};
	sr_buf_init(&body, out->arena);
	bool is_written = write_loop(&w, sr_program_instrs(p) + instr);
	sr_buf_puts(out, "(void *const *regions, int64_t first, int64_t last, int64_t cache_bytes)\n{\n");
	write_variables(&w, out);
	sr_buf_put(out, body.data, body.n);
	if (units) /* before the first thread ends, the others have read the regions that it stores to */
		sr_buf_puts(out, "\tif (last > 1)\n\t\tbarrier(team, first, last);\n\tif (first)\n\t\treturn;\n");
	for (int k = 0; k < regions->n; k++)
		if (is_local(regions, k) && regions->is_written[k])
			sr_buf_printf(out, "\t__builtin_memcpy(regions[%d], l%d, sizeof l%d);\n", k, k, k);
	sr_buf_puts(out, "}\n\n");
	return is_written;
}
