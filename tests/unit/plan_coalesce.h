/* Random programs with loops, branches, updates and donated arguments, simulated twice on symbolic values: once with separate
 * buffers and all copies, once as alias analysis and layout leave them. The results must be equal. An instruction that overwrites
 * memory that it still reads changes them. */
#pragma once
#include "plan/place/effects.h"
#include "plan/place/assign_offsets.h"
#include "plan/lower/lower.h"
#include "support/buf.h"
#include "text/text.h"
#include "work/work_passes.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- random programs

enum { WIDE, NARROW, SCALAR, TYPES, MAX_VALUES = 400 };
static const char *const type_names[TYPES] = {"tensor<16xf32>", "tensor<8xf32>", "tensor<i32>"};

struct program_maker {
	struct sr_buf *out;
	unsigned *state;
	int values[TYPES][MAX_VALUES], n[TYPES]; // numbers of the values in scope, by type
	int next;
};

static int random_value(struct program_maker *m, int type)
{
	int n = m->n[type], distance = rand_r(m->state) % 3 ? rand_r(m->state) % (n < 4 ? n : 4) : rand_r(m->state) % n;
	return m->values[type][n - 1 - distance];
}

static int define_value(struct program_maker *m, int type)
{
	m->values[type][m->n[type]++] = m->next;
	return m->next++;
}

static void make_block(struct program_maker *m, int depth, int n);

/* Append a return of values of the given types for a region's next state: new values, or the old ones, possibly permuted. */
static void make_yield(struct program_maker *m, const int *types, int n, const int *state)
{
	int yielded_values[8];
	for (int i = 0; i < n; i++) {
		yielded_values[i] = random_value(m, types[i]);
		for (int k = rand_r(m->state) % 2 ? n : 0; k-- > 0;)
			if (types[k] == types[i] && rand_r(m->state) % 2)
				yielded_values[i] = state[k];
	}
	sr_buf_puts(m->out, "stablehlo.return ");
	for (int i = 0; i < n; i++)
		sr_buf_printf(m->out, "%s%%v%d", i ? ", " : "", yielded_values[i]);
	for (int i = 0; i < n; i++)
		sr_buf_printf(m->out, "%s%s", i ? ", " : " : ", type_names[types[i]]);
	sr_buf_putc(m->out, '\n');
}

static void make_loop(struct program_maker *m, int depth)
{
	int n = 1 + rand_r(m->state) % 5, types[8], state[8], old_counts[TYPES], first = m->next;
	m->next += n;
	for (int i = 0; i < n; i++)
		types[i] = i ? rand_r(m->state) % TYPES : WIDE;
	sr_buf_printf(m->out, "%%v%d:%d = stablehlo.while(", first, n);
	int first_inner = m->next;
	for (int i = 0; i < n; i++)
		sr_buf_printf(m->out, "%s%%v%d = %%v%d", i ? ", " : "", state[i] = first_inner + i, random_value(m, types[i]));
	m->next += n;
	for (int i = 0; i < n; i++)
		sr_buf_printf(m->out, "%s%s", i ? ", " : ") : ", type_names[types[i]]);
	memcpy(old_counts, m->n, sizeof old_counts);
	for (int i = 0; i < n; i++)
		m->values[types[i]][m->n[types[i]]++] = state[i];
	int saved_n[TYPES];
	memcpy(saved_n, m->n, sizeof saved_n);
	sr_buf_puts(m->out, " cond {\n");
	make_block(m, 0, 2);
	int x = random_value(m, SCALAR), p = m->next++;
	sr_buf_printf(m->out, "%%v%d = stablehlo.compare LT, %%v%d, %%v%d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n", p, x, random_value(m, SCALAR));
	sr_buf_printf(m->out, "stablehlo.return %%v%d : tensor<i1>\n} do {\n", p);
	memcpy(m->n, saved_n, sizeof saved_n);
	make_block(m, depth - 1, 5);
	make_yield(m, types, n, state);
	sr_buf_puts(m->out, "}\n");
	memcpy(m->n, old_counts, sizeof old_counts);
	for (int i = 0; i < n; i++) { // give each result a name of its own
		sr_buf_printf(m->out, "%%v%d = stablehlo.optimization_barrier %%v%d#%d : %s\n", m->next, first, i, type_names[types[i]]);
		define_value(m, types[i]);
	}
}

static void make_case(struct program_maker *m, int depth)
{
	int old_counts[TYPES], type = rand_r(m->state) % 2, n = 1 + rand_r(m->state) % 3, v = m->next++;
	sr_buf_printf(m->out, "%%v%d = \"stablehlo.case\"(%%v%d) (", v, random_value(m, SCALAR));
	memcpy(old_counts, m->n, sizeof old_counts);
	for (int i = 0; i < n; i++) {
		sr_buf_printf(m->out, "%s{\n", i ? ", " : "");
		make_block(m, depth - 1, 3);
		make_yield(m, &type, 1, &(int){random_value(m, type)});
		sr_buf_puts(m->out, "}");
		memcpy(m->n, old_counts, sizeof old_counts);
	}
	sr_buf_printf(m->out, ") : (tensor<i32>) -> %s\n", type_names[type]);
	m->values[type][m->n[type]++] = v;
}

static void make_sort(struct program_maker *m)
{
	int x = random_value(m, WIDE), y = random_value(m, WIDE), v = m->next++;
	const char *comparison = rand_r(m->state) % 2 ? "LT, %a, %b" : "LE, %b, %a"; // the first form becomes a kernel, the second an executed comparator
	sr_buf_printf(m->out,
		      "%%v%d:2 = \"stablehlo.sort\"(%%v%d, %%v%d) ({\n^bb0(%%a: tensor<f32>, %%b: tensor<f32>, %%c: tensor<f32>, "
		      "%%d: tensor<f32>):\n"
		      "%%p = stablehlo.compare %s : (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %%p : tensor<i1>\n"
		      "}) {dimension = 0 : i64} : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)\n",
		      v, x, y, comparison);
	for (int i = 0; i < 2; i++) {
		sr_buf_printf(m->out, "%%v%d = stablehlo.optimization_barrier %%v%d#%d : tensor<16xf32>\n", m->next, v, i);
		define_value(m, WIDE);
	}
}

static void make_op(struct program_maker *m, int depth)
{
	int wide_1 = random_value(m, WIDE), wide_2 = random_value(m, WIDE), narrow_1 = random_value(m, NARROW), scalar = random_value(m, SCALAR);
	int narrow_2 = random_value(m, NARROW), factor = random_value(m, SCALAR), kind = rand_r(m->state) % 12;
	if (kind >= 9 && depth > 0) {
		(kind == 9 ? make_case : make_loop)(m, depth);
		return;
	}
	if (kind == 8) {
		make_sort(m);
		return;
	}
	sr_buf_printf(m->out, "%%v%d = ", define_value(m, kind == 4 || kind == 5 ? NARROW : kind == 6 ? SCALAR : WIDE));
	if (kind < 2)
		sr_buf_printf(m->out, "stablehlo.add %%v%d, %%v%d : tensor<16xf32>\n", wide_1, wide_2);
	else if (kind == 2)
		sr_buf_printf(m->out, "stablehlo.dynamic_update_slice %%v%d, %%v%d, %%v%d : (tensor<16xf32>, tensor<8xf32>, tensor<i32>) -> tensor<16xf32>\n",
			      wide_1, narrow_1, scalar);
	else if (kind == 3)
		sr_buf_printf(m->out,
			      "stablehlo.concatenate %%v%d, %%v%d, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>\n",
			      narrow_1, narrow_2);
	else if (kind == 4)
		sr_buf_printf(m->out, "stablehlo.slice %%v%d [8:16] : (tensor<16xf32>) -> tensor<8xf32>\n", wide_1);
	else if (kind == 5)
		sr_buf_printf(m->out, "stablehlo.negate %%v%d : tensor<8xf32>\n", narrow_1);
	else if (kind == 6)
		sr_buf_printf(m->out, "stablehlo.multiply %%v%d, %%v%d : tensor<i32>\n", scalar, factor);
	else if (kind == 7)
		sr_buf_printf(m->out, "stablehlo.reverse %%v%d, dims = [0] : tensor<16xf32>\n", wide_1);
	else
		sr_buf_printf(m->out, "stablehlo.tanh %%v%d : tensor<16xf32>\n", wide_1);
}

static void make_block(struct program_maker *m, int depth, int n)
{
	for (int i = rand_r(m->state) % (n + 1); i >= 0; i--)
		make_op(m, depth);
}

static const char *make_program(unsigned *state)
{
	struct sr_buf buf;
	struct program_maker m = {.out = &buf, .state = state};
	sr_buf_init(&buf, ctx->arena);
	sr_buf_puts(&buf, "func.func @main(");
	for (int i = 0; i < 6; i++)
		sr_buf_printf(&buf, "%s%%v%d: %s", i ? ", " : "", define_value(&m, i % TYPES), type_names[i % TYPES]);
	sr_buf_puts(&buf, ") -> (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<i32>) {\n");
	sr_buf_printf(&buf, "%%v%d = stablehlo.constant dense<1.5> : tensor<16xf32>\n", define_value(&m, WIDE));
	for (int i = 0; i < 4; i++)
		make_block(&m, 2, 5);
	int results[] = {random_value(&m, WIDE), random_value(&m, WIDE), random_value(&m, NARROW), random_value(&m, SCALAR)};
	sr_buf_printf(&buf, "return %%v%d, %%v%d, %%v%d, %%v%d : tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<i32>\n}\n", results[0], results[1],
		      results[2], results[3]);
	return sr_buf_string(&buf);
}

// ---------------------------------------------------------------- simulation

enum { LANES = 16 };

struct simulation {
	const struct sr_plan_builder *b;
	uint64_t (*cells)[LANES]; // content of each cell of 64 bytes
	const int64_t *cell_of;   // first cell of each buffer
	unsigned state;           // state of the random generator that decides branches
	uint64_t hash;            // hash of all values that influenced a branch
	int budget;               // number of instructions that may still be executed
};

static uint64_t mix(uint64_t x, uint64_t y)
{
	return (x * 0x9e3779b97f4a7c15u ^ y) * 0xff51afd7ed558ccdu + 1;
}

static uint64_t *lane_values(const struct simulation *p, const struct sr_instr *instr, uint32_t operand)
{
	return p->cells[p->cell_of[p->b->operands.data[instr->first_operand + operand]]];
}

static int operand_lanes(const struct simulation *p, const struct sr_instr *instr, uint32_t operand)
{
	return (int)(p->b->buffers.data[p->b->operands.data[instr->first_operand + operand]].bytes + 3) / 4;
}

static void simulate_move(const struct simulation *p, const struct sr_instr *instr)
{
	const struct sr_move_params *m = sr_plan_params(p->b, instr);
	uint64_t *source = lane_values(p, instr, 0), *to = lane_values(p, instr, 1);
	for (int64_t i = 0; i < (m->rank ? m->shape[0] : 1); i++)
		to[m->dst_offset + i * m->dst_stride[0]] = source[m->src_offset + i * m->src_stride[0]];
}

/* Compute written values from read ones: lane by lane where the instruction's effects say so, else from all of them; write-only
 * memory is overwritten first. */
static void simulate_accesses(const struct simulation *p, const struct sr_instr *instr, sr_instr_effects_fn *fn)
{
	uint8_t access[64] = {0};
	uint64_t all = mix(instr->kernel, instr->params);
	fn(p->b, instr, access);
	for (uint32_t w = 0; w < instr->n_operands; w++)
		for (int i = 0; access[w] == SR_EFFECT_WRITE && i < operand_lanes(p, instr, w); i++) {
			uint64_t lane = mix(instr->kernel, instr->kind);
			for (uint32_t r = 0; r < instr->n_operands; r++)
				if (access[r] == SR_EFFECT_READ_ELEMENTWISE)
					lane = mix(lane, lane_values(p, instr, r)[i]);
			lane_values(p, instr, w)[i] = lane;
		}
	for (uint32_t r = 0; r < instr->n_operands; r++)
		for (int i = 0; access[r] == SR_EFFECT_READ && i < operand_lanes(p, instr, r); i++)
			all = mix(all, lane_values(p, instr, r)[i]);
	for (uint32_t w = 0; w < instr->n_operands; w++)
		for (int i = 0; access[w] >= SR_EFFECT_UPDATE && i < operand_lanes(p, instr, w); i++)
			lane_values(p, instr, w)[i] = mix(lane_values(p, instr, w)[i], all + w);
}

static void simulate_computation(struct simulation *p, int plan);

static void simulate_instr(struct simulation *p, const struct sr_instr *instr)
{
	const struct sr_instr_traits *traits = sr_instr_traits_of(instr);
	if (instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_MOVE)
		simulate_move(p, instr);
	else if (traits->start)
		simulate_accesses(p, instr, traits->start);
	if (traits->flow == SR_FLOW_BRANCHES) {
		int n = 0;
		while (traits->computation(p->b, instr, n) >= 0)
			n++;
		p->hash = mix(p->hash, lane_values(p, instr, 0)[0]);
		simulate_computation(p, traits->computation(p->b, instr, rand_r(&p->state) % n));
	}
	for (bool is_repeated = traits->flow >= SR_FLOW_WHILE && traits->flow != SR_FLOW_BRANCHES; is_repeated && p->budget > 0;) {
		simulate_computation(p, traits->computation(p->b, instr, 0));
		if (traits->flow == SR_FLOW_WHILE)
			p->hash = mix(p->hash, lane_values(p, instr, 0)[0]);
		else
			simulate_accesses(p, instr, traits->end);
		is_repeated = rand_r(&p->state) % 3 != 0;
		if (is_repeated && traits->flow == SR_FLOW_WHILE)
			simulate_computation(p, traits->computation(p->b, instr, 1));
	}
}

static void simulate_computation(struct simulation *p, int plan)
{
	const struct sr_instr_list *list = &p->b->computations.data[plan];
	for (size_t i = 0; i < list->instrs.n; i++)
		simulate_instr(p, &list->instrs.data[i]);
	p->budget--;
}

/* Run the program on its arguments. Return a hash of all results and of everything that must stay unchanged. */
static uint64_t simulate_program(const struct sr_plan_builder *b, const int64_t *cell_of, int64_t n_cells)
{
	struct simulation p = {.b = b,
			       .cell_of = cell_of,
			       .state = 7,
			       .budget = 2000,
			       .cells = sr_alloc(ctx->arena, (size_t)n_cells + 1, sizeof *p.cells)};
	for (size_t i = 0; i < b->buffers.n; i++)
		for (uint64_t k = 0; b->uses.data[i] & (SR_USE_ARGUMENT | SR_USE_PERMANENT) && k < (uint64_t)b->buffers.data[i].bytes / 4; k++)
			p.cells[cell_of[i]][k] = mix(i + 100, k);
	simulate_computation(&p, 0);
	for (size_t i = 0; i < b->buffers.n; i++)
		for (int64_t k = 0; b->uses.data[i] & (SR_USE_RESULT | SR_USE_PERMANENT) && k < b->buffers.data[i].bytes / 4; k++)
			p.hash = mix(p.hash, p.cells[cell_of[i]][k]);
	return p.hash;
}

/* Lower a program to instructions; its arguments 0 to 2 are donated, 3 to 5 are not. */
static struct sr_plan_builder *lower_program(const char *text)
{
	struct sr_plan_builder *b = SR_NEW(ctx->arena, struct sr_plan_builder);
	struct sr_op *module;
	ck_assert_int_eq(sr_parse(ctx, "test.mlir", text, strlen(text), &module), SR_OK);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
	ck_assert_int_eq(sr_run_lower_to_work(ctx, module, NULL), SR_OK);
	struct sr_block *entry = sr_func_entry(sr_module_body(module)->first);
	struct sr_op *end = sr_block_terminator(entry);
	b->ctx = ctx, b->arena = ctx->arena, b->module = module, b->n_devices = b->n_replicas = 1;
	sr_map_init(&b->buffer_of, ctx->arena);
	sr_map_init(&b->texts, ctx->arena);
	sr_push(ctx->arena, &b->computations, (struct sr_instr_list){0});
	for (int i = 0; i < entry->n_args; i++)
		sr_plan_add_use(b, sr_plan_buffer_for(b, entry->args[i]), SR_USE_ARGUMENT | (i < 3 ? 0 : SR_USE_PERMANENT));
	ck_assert_int_eq(sr_lower_block(b, entry), SR_OK);
	for (int i = 0; i < end->n_operands; i++)
		sr_plan_result(b, sr_plan_buffer_for(b, sr_operand(end, i)));
	return b;
}

START_TEST(shared_memory_changes_nothing)
{
	unsigned state = 1;
	size_t steps = 0, n_remaining = 0;
	for (int round = 0; round < 400; round++) {
		const char *text = make_program(&state);
		struct sr_plan_builder *b = lower_program(text);
		int64_t n = (int64_t)b->buffers.n, *cells = SR_NEW_ARRAY(ctx->arena, int64_t, n);
		struct sr_buffer_classes classes;
		struct sr_arena_size size;
		for (int64_t i = 0; i < n; i++)
			cells[i] = i;
		uint64_t uncoalesced = simulate_program(b, cells, n);
		for (size_t i = 0; i < b->computations.n; i++)
			steps += b->computations.data[i].instrs.n;
		sr_plan_coalesce_buffers(b, &classes);
		sr_plan_assign_offsets(b, &classes, &size);
		for (int64_t i = 0; i < n; i++)
			cells[i] = b->buffers.data[i].offset / 64;
		for (size_t i = 0; i < b->computations.n; i++)
			n_remaining += b->computations.data[i].instrs.n;
		bool is_equal = simulate_program(b, cells, size.bytes / 64) == uncoalesced;
		if (!is_equal)
			fputs(text, stderr);
		ck_assert_msg(is_equal, "round %d", round);
	}
	ck_assert_msg(n_remaining < steps * 9 / 10, "of %zu steps %zu are left", steps, n_remaining);
}
END_TEST
