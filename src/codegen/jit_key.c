/* The key of a program's JIT module: the SHA-256 digest of everything that determines the object code. Of the program, that is
 * what the generator reads: loop nests, which are self-contained blocks, and the instructions and buffers of while loops that
 * are compiled. Texts are left out: programs that differ only in source locations have equal keys. */
#include "codegen/jit.h"
#include "codegen/jit_tools.h"
#include "codegen/loop_c.h"

static const size_t kernel_params_bytes[SR_KERNEL_COUNT] = {
#define KERNEL(id, name, params, ...) [SR_KERNEL_##id] = sizeof(struct params),
#include "kernels/kernels.def"
};

static void add_numbers(struct sr_sha256 *h, const int64_t *numbers, size_t n)
{
	sr_sha256_add(h, numbers, n * sizeof *numbers);
}

static void add_buffer(struct sr_sha256 *h, const struct sr_program *p, int32_t buffer)
{
	const struct sr_buffer *b = buffer >= 0 ? sr_program_buffers(p) + buffer : NULL;
	const int64_t numbers[] = {b ? b->offset : -1, b ? b->bytes : 0, b ? b->dtype : 0};
	add_numbers(h, numbers, sizeof numbers / sizeof *numbers);
}

static void add_nest(struct sr_sha256 *h, const struct sr_program *p, const struct sr_instr *s)
{
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + s->params);
	sr_sha256_add(h, nest, nest->bytes);
	for (uint32_t i = 0; i < s->n_operands; i++)
		add_numbers(h, (const int64_t[]){sr_jit_equal_operand(p, s, (int)i)}, 1);
}

static void add_computation(struct sr_sha256 *h, const struct sr_program *p, uint64_t computation);

/* Add the parameters of an instruction in a compiled loop, and the computations that it executes, to the hash. */
static void add_params(struct sr_sha256 *h, const struct sr_program *p, const struct sr_instr *s)
{
	const void *params = sr_program_params(p) + s->params;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *c = params;
	if (s->kind == SR_INSTR_KERNEL) {
		sr_sha256_add(h, params, kernel_params_bytes[s->kernel]);
	} else if (s->kind == SR_INSTR_NEST) {
		add_nest(h, p, s);
	} else if (s->kind == SR_INSTR_WHILE) {
		add_buffer(h, p, w->predicate);
		add_numbers(h, &w->trips, 1);
		add_computation(h, p, (uint64_t)w->cond);
		add_computation(h, p, (uint64_t)w->body);
	} else if (s->kind == SR_INSTR_CASE) {
		add_numbers(h, (const int64_t[]){c->n, c->is_predicate}, 2);
		for (int32_t k = 0; k < c->n; k++)
			add_computation(h, p, (uint64_t)(c->first + k));
	}
}

static void add_instr(struct sr_sha256 *h, const struct sr_program *p, const struct sr_instr *s)
{
	const int64_t head[] = {s->kind, s->dtype, s->kernel, s->range, s->n_operands, s->n_dynamic_offsets};
	add_numbers(h, head, sizeof head / sizeof *head);
	for (uint32_t i = 0; i < s->n_operands; i++)
		add_buffer(h, p, sr_program_operands(p)[s->first_operand + i]);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *x = sr_program_dynamic_offsets(p) + s->first_dynamic_offset + i;
		add_numbers(h, (const int64_t[]){x->operand, x->limit, x->stride}, 3);
		add_buffer(h, p, x->start);
	}
	add_params(h, p, s);
}

static void add_computation(struct sr_sha256 *h, const struct sr_program *p, uint64_t computation)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	add_numbers(h, (const int64_t[]){range->n}, 1);
	for (uint32_t i = 0; i < range->n; i++)
		add_instr(h, p, sr_program_instrs(p) + range->first + i);
}

bool sr_jit_key(const struct sr_jit_options *o, const struct sr_program *p, struct sr_arena *arena, struct sr_digest *key,
		const char **why)
{
	struct sr_sha256 h;
	sr_sha256_begin(&h);
	sr_sha256_add_build(&h);
	if (!sr_jit_add_tools(&h, o, arena, why))
		return false;
	add_numbers(&h, (const int64_t[]){(int64_t)p->instrs.n}, 1);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		bool is_loop = s->kind == SR_INSTR_WHILE && sr_loop_is_compilable(p, i);
		if (s->kind != SR_INSTR_NEST && !is_loop)
			continue;
		add_numbers(&h, (const int64_t[]){(int64_t)i, s->kind}, 2);
		if (is_loop)
			add_instr(&h, p, s);
		else
			add_nest(&h, p, s);
	}
	*key = sr_sha256_end(&h);
	return true;
}
