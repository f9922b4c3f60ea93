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
			sr_assert_each(are_close(out_t, expected, got, 0), "%s %s to %s, isa %d", sr_kernel_name(k),
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
