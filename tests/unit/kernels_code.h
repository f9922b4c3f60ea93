/* Elementwise ops of threaded code compared with the kernels of each instruction set, bit by bit. */
#pragma once
#include "kernels/code/code.h"

static struct sr_code_address pointer_to(void *at)
{
	return (struct sr_code_address){.base = SR_CODE_POINTER, .pointer = at};
}

/* Execute a kernel on one element as code with single ops. If copied >= 0, an op before it computes the maximum of that input and
 * itself in place, and passes it on. Returns false if the element types have no such op. */
static bool run_single_op(enum sr_kernel k, enum sr_dtype t, const struct sr_map_params *p, void *const *in, int n_in, int copied,
			  void *out)
{
	struct sr_arena *arena = sr_arena_new();
	struct sr_code code = {0};
	struct sr_code_address at[SR_CODE_ADDRESSES];
	const struct sr_map_params same = {.n = 1, .in = (uint8_t)t, .out = (uint8_t)t};
	bool exists = sr_code_scalar(k, t, p) != NULL;
	for (int i = 0; copied >= 0 && i < 3; i++)
		at[i] = pointer_to(in[copied]);
	if (copied >= 0)
		sr_code_push_map(&code, arena, &reference, SR_KERNEL_MAXIMUM, t, &same, at, 2);
	for (int i = 0; i < n_in; i++)
		at[i] = pointer_to(in[i]);
	at[n_in] = pointer_to(out);
	sr_code_push_map(&code, arena, &reference, k, t, p, at, n_in);
	void *memory = aligned_alloc(64, ((size_t)sr_code_bytes(&code) + 63) / 64 * 64);
	sr_code_run(&code, NULL, NULL, memory, NULL);
	free(memory);
	sr_arena_free(arena);
	return exists;
}

static int check_single_ops(enum sr_kernel k, enum sr_dtype t, enum sr_dtype out_t, int variant)
{
	_Alignas(16) char in[3][16], expected[16] = {0}, got[16] = {0};
	struct sr_map_params p = {.n = 1, .in = (uint8_t)t, .out = (uint8_t)out_t, .variant = (uint8_t)variant};
	int n = sr_kernel_arity(k), count = 0;
	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < n; i++)
			fill_array(k == SR_KERNEL_SELECT && !i ? SR_I1 : t, in[i], 1, true);
		int copied = k == SR_KERNEL_SELECT || !reference.fn[SR_KERNEL_MAXIMUM][t] ? -1 : round % (n + 1) - 1;
		count += run_single_op(k, t, &p, (void *[]){in[0], in[1], in[2]}, n, copied, got);
		for (int isa = 0; isa < n_isa && count; isa++) {
			void *buffers[4] = {in[0], in[1], in[2]};
			buffers[n] = expected;
			fast[isa].fn[k][t](&p, buffers, NULL, 0, 1);
			ck_assert_msg(are_close(out_t, expected, got, 0), "%s %s to %s, isa %d", sr_kernel_name(k),
				      sr_dtypes[t].name, sr_dtypes[out_t].name, isa);
		}
	}
	return count;
}

START_TEST(single_ops_of_code)
{
	enum sr_dtype t = (enum sr_dtype)_i;
	int count = 0;
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_COUNT; k++) {
		if (!reference.fn[k][t] || sr_kernel_arity((enum sr_kernel)k) == 0 || k == SR_KERNEL_BITCAST ||
		    k == SR_KERNEL_COMPLEX || k == SR_KERNEL_REDUCE_PRECISION)
			continue;
		if (k == SR_KERNEL_COMPARE)
			for (int variant = 0; variant < 16; variant += variant == SR_GE ? 3 : 1)
				count += variant % 8 <= SR_GE ? check_single_ops(SR_KERNEL_COMPARE, t, SR_I1, variant) : 0;
		else if (k == SR_KERNEL_CONVERT)
			for (int out = SR_DTYPE_NONE + 1; out < SR_DTYPE_COUNT; out++)
				count += check_single_ops(SR_KERNEL_CONVERT, t, (enum sr_dtype)out, 0);
		else
			count += check_single_ops((enum sr_kernel)k, t, result_type((enum sr_kernel)k, t), 0);
	}
	bool has_ops = sr_dtype_is_integer(t) || t == SR_F32 || t == SR_F64;
	ck_assert(has_ops == (count > 0));
}
END_TEST

/* Memory of random ops: elements, slices of `array`, an index for these, and a truth value. */
struct code_memory {
	_Alignas(8) char element[4][8], array[4][8];
	int32_t index;
	uint8_t truth;
};

/* Append a random op whose kind forms pairs with others. array: that of slices. */
static void push_random_op(struct sr_code *code, struct sr_arena *arena, enum sr_dtype t, int op, struct code_memory *m,
			   void *array)
{
	static const enum sr_kernel kernels[] = {SR_KERNEL_ADD, SR_KERNEL_SUBTRACT, SR_KERNEL_MULTIPLY};
	const struct sr_map_params p = {.n = 1, .in = (uint8_t)t, .out = (uint8_t)t};
	struct sr_code_slice *slice = SR_NEW(arena, struct sr_code_slice);
	int bytes = sr_dtype_bytes(t), x = op / 8 % 4, y = op / 32 % 4, to = op / 128 % 4;
	struct sr_code_address at[SR_CODE_ADDRESSES] = {pointer_to(m->element[x]), pointer_to(m->element[y]),
							pointer_to(m->element[to])};
	struct sr_code_address in_slice[SR_CODE_ADDRESSES] = {
		[0] = pointer_to(&m->index), [SR_CODE_SLICE_ELEMENT] = at[0], [SR_CODE_INDICES] = pointer_to(array)};
	slice->n = 1;
	slice->index[0].type = SR_I32;
	slice->index[0].limit = 3;
	slice->index[0].stride = bytes;
	if (op % 8 < 3)
		sr_code_push_map(code, arena, &reference, kernels[op % 8], t, &p, at, 2);
	else if (op % 8 == 3)
		sr_code_push_map(code, arena, &reference, SR_KERNEL_SELECT, t, &p,
				 (struct sr_code_address[]){pointer_to(&m->truth), at[0], at[1], at[2]}, 3);
	else if (op % 8 == 4)
		sr_code_push_slice_load(code, arena, slice, in_slice, t, bytes);
	else if (op % 8 == 5)
		sr_code_push_slice_store(code, arena, slice, in_slice, bytes);
	else
		sr_code_push_copy(code, arena, at[2], at[0], bytes);
}

static void run_code_of(const struct sr_code *code)
{
	void *memory = aligned_alloc(64, ((size_t)sr_code_bytes(code) + 63) / 64 * 64);
	sr_code_run(code, NULL, NULL, memory, NULL);
	free(memory);
}

static void fill_memory(struct code_memory *m, enum sr_dtype t)
{
	memset(m, 0, sizeof *m);
	for (int k = 0; k < 4; k++) {
		fill_array(t, m->element[k], 1, true);
		fill_array(t, m->array[k], 1, true);
	}
	m->index = rand() % 6 - 1;
	m->truth = rand() % 2;
}

static const enum sr_dtype paired_types[] = {SR_I32, SR_I64, SR_F32, SR_F64};

/* Sequences of ops, most of them executed in pairs, have the results of the single ops. */
START_TEST(pairs_of_code)
{
	enum { LENGTH = 12, ROUNDS = 1000 };
	enum sr_dtype t = paired_types[_i];
	int n_pairs = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct sr_arena *arena = sr_arena_new();
		struct code_memory got, expected, start;
		struct sr_code all = {0};
		const enum sr_code_form in_memory[2] = {SR_CODE_MEMORY, SR_CODE_MEMORY};
		fill_memory(&start, t);
		expected = got = start;
		for (int i = 0; i < LENGTH; i++) {
			int op = rand() % 512;
			struct sr_code single = {0};
			push_random_op(&all, arena, t, op, &got, got.array);
			push_random_op(&single, arena, t, op, &expected, expected.array);
			run_code_of(&single);
		}
		for (int i = 0; i + 1 < LENGTH; i++)
			n_pairs += sr_code_pair(&all.ops.data[i], in_memory) != NULL;
		run_code_of(&all);
		for (int k = 0; k < 4; k++) {
			ck_assert(are_close(t, expected.element[k], got.element[k], 0));
			ck_assert(are_close(t, expected.array[k], got.array[k], 0));
		}
		sr_arena_free(arena);
	}
	ck_assert_int_eq(n_pairs, ROUNDS * (LENGTH - 1));
}
END_TEST

/* The counter of a loop: an element of type t, what is added to it, and its limit. */
struct code_counter {
	_Alignas(8) char at[3][8];
	uint8_t truth;
};

/* Append the end of a loop that begins at op `first`. */
static void push_loop_end(struct sr_code *code, struct sr_arena *arena, enum sr_dtype t, int64_t first, struct code_counter *c)
{
	const struct sr_map_params sum = {.n = 1, .in = (uint8_t)t, .out = (uint8_t)t};
	const struct sr_map_params less = {.n = 1, .in = (uint8_t)t, .out = SR_I1, .variant = SR_LT};
	struct sr_code_address i = pointer_to(c->at[0]), step = pointer_to(c->at[1]), truth = pointer_to(&c->truth);
	struct sr_code_address compared[] = {i, pointer_to(c->at[2]), truth};
	sr_code_push_map(code, arena, &reference, SR_KERNEL_ADD, t, &sum, (struct sr_code_address[]){i, step, i}, 2);
	sr_code_push_map(code, arena, &reference, SR_KERNEL_COMPARE, t, &less, compared, 2);
	sr_code_push_jump_if(code, arena, truth, true);
	int64_t back = (int64_t)code->ops.n - 1;
	code->ops.data[back].op.n = first + 1 - back;
	code->ops.data[first].op.n = back - first;
}

/* Loops, which carry values in registers, have the results of the single ops. Slices overlap elements, and the last test has ops of
 * two types: none may read a register whose element another op has overwritten. One loop is long: it must not need stack. */
START_TEST(loops_of_code)
{
	enum { LENGTH = 6, ROUNDS = 2000, LONG = 3 << 20 };
	bool is_mixed = _i == (int)(sizeof paired_types / sizeof *paired_types);
	for (int round = 0; round < ROUNDS; round++) {
		struct sr_arena *arena = sr_arena_new();
		struct code_memory got, expected, start;
		struct code_counter counter = {{{0}, {1}, {0}}, 0};
		const int32_t limit = round ? 3 : LONG;
		struct sr_code all = {0}, single[LENGTH] = {0};
		fill_memory(&start, is_mixed ? SR_I64 : paired_types[_i]);
		expected = got = start;
		memcpy(counter.at[2], &limit, sizeof limit);
		sr_code_push_loop(&all, arena);
		for (int i = 0; i < LENGTH && round; i++) {
			int op = rand() % 512, in_elements = rand() % 2;
			enum sr_dtype t = paired_types[is_mixed ? rand() % 2 : _i];
			push_random_op(&all, arena, t, op, &got, in_elements ? got.element : got.array);
			push_random_op(&single[i], arena, t, op, &expected, in_elements ? expected.element : expected.array);
		}
		push_loop_end(&all, arena, round % 2 ? SR_I32 : SR_I64, 0, &counter);
		run_code_of(&all);
		for (int i = 0; i < 3 * LENGTH && round; i++)
			run_code_of(&single[i % LENGTH]);
		ck_assert_mem_eq(counter.at[0], counter.at[2], 8);
		for (int k = 0; k < 4; k++) {
			enum sr_dtype t = is_mixed ? SR_I64 : paired_types[_i];
			ck_assert(are_close(t, expected.element[k], got.element[k], 0));
			ck_assert(are_close(t, expected.array[k], got.array[k], 0));
		}
		sr_arena_free(arena);
	}
}
END_TEST

/* The beginning of a loop makes a tail call, too, so that a loop in a loop of a million iterations does not fill the stack. */
START_TEST(nested_loops_of_code)
{
	struct sr_arena *arena = sr_arena_new();
	struct code_counter inner = {{{0}, {1}, {2}}, 0}, outer = {{{0}, {1}, {0}}, 0};
	const int32_t limit = 1 << 20;
	int32_t zero = 0;
	struct sr_code code = {0};
	memcpy(outer.at[2], &limit, sizeof limit);
	sr_code_push_loop(&code, arena);
	sr_code_push_copy(&code, arena, pointer_to(inner.at[0]), pointer_to(&zero), sizeof zero);
	sr_code_push_loop(&code, arena);
	push_loop_end(&code, arena, SR_I32, 2, &inner);
	push_loop_end(&code, arena, SR_I32, 0, &outer);
	run_code_of(&code);
	ck_assert_mem_eq(outer.at[0], outer.at[2], 4);
	sr_arena_free(arena);
}
END_TEST

/* Comparisons are executed with the branch behind them, also after an addition. The branch skips a copy. */
START_TEST(branches_of_code)
{
	enum sr_dtype t = paired_types[_i];
	for (int round = 0; round < 500; round++) {
		struct sr_arena *arena = sr_arena_new();
		struct code_memory m;
		struct sr_code code = {0};
		int variant = round % 6, wanted = round / 6 % 2, adds = round / 12 % 2;
		const struct sr_map_params p = {.n = 1, .in = (uint8_t)t, .out = SR_I1, .variant = (uint8_t)variant};
		const struct sr_map_params sum = {.n = 1, .in = (uint8_t)t, .out = (uint8_t)t};
		const enum sr_code_form forms[3] = {SR_CODE_MEMORY, adds ? SR_CODE_FIRST : SR_CODE_MEMORY};
		fill_memory(&m, t);
		struct sr_code_address x = pointer_to(m.element[0]), y = pointer_to(m.element[1]);
		if (adds)
			sr_code_push_map(&code, arena, &reference, SR_KERNEL_ADD, t, &sum, (struct sr_code_address[]){x, y, x}, 2);
		sr_code_push_map(&code, arena, &reference, SR_KERNEL_COMPARE, t, &p,
				 (struct sr_code_address[]){x, y, pointer_to(&m.truth)}, 2);
		sr_code_push_jump_if(&code, arena, pointer_to(&m.truth), wanted);
		code.ops.data[code.ops.n - 1].op.n = 2;
		sr_code_push_copy(&code, arena, pointer_to(m.element[3]), pointer_to(m.element[2]), 8);
		ck_assert(adds ? sr_code_count(code.ops.data, forms) : sr_code_pair(code.ops.data, forms));
		memset(m.element[3], 1, 8);
		run_code_of(&code);
		bool is_copied = memcmp(m.element[3], m.element[2], 8) == 0;
		uint8_t truth;
		reference.fn[SR_KERNEL_COMPARE][t](&p, (void *[]){m.element[0], m.element[1], &truth}, NULL, 0, 1);
		ck_assert_int_eq(m.truth, truth);
		ck_assert(is_copied == (truth != wanted));
		sr_arena_free(arena);
	}
}
END_TEST
