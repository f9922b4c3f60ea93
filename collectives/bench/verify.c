/* Inputs whose results are exact in every type, so that results can be compared without a tolerance.
 *
 * Element i of member m is a small integer derived from a hash of (m, i). For sums its range is the largest exactly
 * representable integer divided by the number of members (256 for bf16); for products at most six factors are 2; other
 * reductions have no restriction. */
#include "collectives/bench/bench.h"

/* Return the largest n such that the type represents 0..n exactly. Integers may wrap, which is exact. */
static int64_t exact_limit(enum sr_dtype type)
{
	switch (sr_dtypes[type].class) {
	case SR_CLASS_BOOL:
		return 1;
	case SR_CLASS_SINT:
	case SR_CLASS_UINT:
		return sr_dtypes[type].bits < 8 ? 1 : 127;
	default:
		return sr_dtypes[type].bits >= 32 ? 1 << 20 : type == SR_F16 ? 2048 : type == SR_BF16 ? 256 : 4;
	}
}

static uint32_t hash(uint32_t member, int64_t i)
{
	uint32_t h = (uint32_t)i * 2654435761u + member * 2246822519u;
	h ^= h >> 15;
	h *= 3266489917u;
	return h ^ h >> 16;
}

static int64_t input_value(const struct sr_coll_call *call, int member, int64_t i)
{
	int64_t limit = exact_limit(call->type), n = call->n;
	bool reduces = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	if (reduces && call->monoid == SR_MONOID_MUL && call->type == SR_I1)
		return hash((uint32_t)member, i) % 8 > 0;
	if (reduces && call->monoid == SR_MONOID_MUL)
		return limit > 4 && (member + i) % n < 6 ? 2 : 1;
	if (reduces && call->monoid == SR_MONOID_ADD && call->type != SR_I1) {
		if (limit < n)
			return member < limit;
		limit /= n;
	}
	return hash((uint32_t)member, i) % (limit < 100 ? limit + 1 : 101);
}

static int64_t combine_values(const struct sr_coll_call *call, int64_t a, int64_t b)
{
	bool is_boolean = call->type == SR_I1;
	switch (call->monoid) {
	case SR_MONOID_ADD:
		return is_boolean ? a | b : a + b;
	case SR_MONOID_MUL:
		return a * b;
	case SR_MONOID_MIN:
		return a < b ? a : b;
	case SR_MONOID_AND:
		return a & b;
	case SR_MONOID_OR:
		return a | b;
	case SR_MONOID_XOR:
		return a ^ b;
	default:
		return a > b ? a : b;
	}
}

static int64_t expected_value(const struct sr_coll_call *call, int64_t i)
{
	int64_t block = call->count / call->n, sum;
	switch (call->coll) {
	case SR_ALL_GATHER:
		return input_value(call, (int)(i / call->count), i % call->count);
	case SR_ALL_TO_ALL:
		return input_value(call, (int)(i / block), call->member * block + i % block);
	case SR_PERMUTE:
	case SR_BROADCAST:
		return call->from < 0 ? 0 : input_value(call, call->from, i);
	default:
		i += call->coll == SR_REDUCE_SCATTER ? call->member * block : 0;
		sum = input_value(call, 0, i);
		for (int k = 1; k < call->n; k++)
			sum = combine_values(call, sum, input_value(call, k, i));
		return sum;
	}
}

void bench_fill(const struct sr_coll_call *call, void *in)
{
	int size = sr_dtype_bytes(call->type);
	for (int64_t i = 0; i < call->count; i++) {
		int64_t x = input_value(call, call->member, i);
		sr_element_set(call->type, (char *)in + sr_coll_layout_offset(&call->form[SR_IN], i * size), x, (double)x, 0);
	}
}

int64_t bench_count_wrong(const struct sr_coll_call *call, const void *out)
{
	int size = sr_dtype_bytes(call->type);
	int64_t n = sr_coll_out_bytes(call) / size, n_wrong = 0;
	for (int64_t i = 0; i < n; i++) {
		int64_t correct = expected_value(call, i), got = 0;
		double d = 0, im = 0;
		sr_element_get(call->type, (const char *)out + sr_coll_layout_offset(&call->form[SR_OUT], i * size), &got, &d, &im);
		if (sr_dtype_is_integer(call->type)) {
			char wrapped[8];
			sr_element_set(call->type, wrapped, correct, 0, 0);
			sr_element_get(call->type, wrapped, &correct, NULL, NULL);
			n_wrong += got != correct;
		} else {
			n_wrong += d != (double)correct || im != 0;
		}
	}
	return n_wrong;
}
