/* CUMULATE of contiguous rows by sums and products, in vectors. Elements are combined in blocks of PREFIX: three steps combine each
 * element with the ones 1, 2 and 4 before it in the block (Hillis and Steele 1986), and then with all elements before the block, so
 * that a block waits for one operation of the block before it. The order is the same for all instruction sets. Included by loops.h,
 * once per instruction set. */
enum { PREFIX = 8 };

/* Combine each element with an earlier one of its block, by shuffles; the first elements, which have none, stay. */
#define PREFIX_STEP(v, combined, ...) v = __builtin_shufflevector(v, combined, __VA_ARGS__)
#define MOVED(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#define REVERSED(v) MOVED(v, 7, 6, 5, 4, 3, 2, 1, 0)
#define PREFIXES(name, id, type, op) \
	static void prefixes_##name##_##id(void *to, const void *from, const void *init, int64_t n, bool reverse) \
	{ \
		typedef type vector __attribute__((vector_size(PREFIX * sizeof(type)))); \
		typedef type stored __attribute__((vector_size(PREFIX * sizeof(type)), aligned(sizeof(type)), may_alias)); \
		const type *in = from; \
		type *out = to, acc = *(const type *)init; \
		vector carry = acc - (vector){0}; \
		int64_t i = 0; \
		for (; i + PREFIX <= n; i += PREFIX) { \
			int64_t at = reverse ? n - PREFIX - i : i; \
			vector v = *(const stored *)(in + at); \
			v = reverse ? REVERSED(v) : v; \
			PREFIX_STEP(v, v op MOVED(v, 0, 0, 1, 2, 3, 4, 5, 6), 0, 9, 10, 11, 12, 13, 14, 15); \
			PREFIX_STEP(v, v op MOVED(v, 0, 0, 0, 1, 2, 3, 4, 5), 0, 1, 10, 11, 12, 13, 14, 15); \
			PREFIX_STEP(v, v op MOVED(v, 0, 0, 0, 0, 0, 1, 2, 3), 0, 1, 2, 3, 12, 13, 14, 15); \
			vector sums = carry op v; \
			carry = carry op MOVED(v, 7, 7, 7, 7, 7, 7, 7, 7); \
			*(stored *)(out + at) = reverse ? REVERSED(sums) : sums; \
		} \
		for (acc = carry[0]; i < n; i++) { \
			int64_t at = reverse ? n - 1 - i : i; \
			acc = acc op in[at]; \
			out[at] = acc; \
		} \
	}
#define BOTH(id, type) \
	PREFIXES(add, id, type, +) \
	PREFIXES(multiply, id, type, *)
BOTH(F32, float)
BOTH(F64, double)
BOTH(32, uint32_t)
BOTH(64, uint64_t)
#undef BOTH
#undef PREFIXES
#undef PREFIX_STEP
#undef REVERSED
#undef MOVED

/* functions for rows whose elements are contiguous; NULL: elements are combined one by one */
typedef void prefixes_fn(void *to, const void *from, const void *init, int64_t n, bool reverse);
#define PREFIX_ROW(id) {[SR_MONOID_ADD] = prefixes_add_##id, [SR_MONOID_MUL] = prefixes_multiply_##id}
static prefixes_fn *const prefixes[SR_DTYPE_COUNT][SR_MONOID_COUNT] = {
	[SR_F32] = PREFIX_ROW(F32), [SR_F64] = PREFIX_ROW(F64), [SR_I32] = PREFIX_ROW(32),
	[SR_UI32] = PREFIX_ROW(32), [SR_I64] = PREFIX_ROW(64),  [SR_UI64] = PREFIX_ROW(64)};
#undef PREFIX_ROW
