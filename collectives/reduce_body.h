/* Reduction loops of one element type, included by reduce.c once per type with:
 *	T      the C type of an element
 *	U      the type in which add and multiply are computed (unsigned for integers, so that they wrap; T for the others)
 *	NAME   suffix of the functions: sum_NAME, ...
 *	LOW(a, b), HIGH(a, b)    min and max
 *	BITS   defined if the type has and, or, xor
 * Blocks of 16 give the compiler a loop of constant length to vectorize. All of these are undefined at the end. */

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define LOOP(op, EXPR)                                                                                           \
	static void PASTE(op, NAME)(void *restrict dst, const void *restrict left_or_right, int64_t n, bool reversed) \
	{                                                                                                        \
		T *restrict d = dst;                                                                             \
		const T *restrict s = left_or_right;                                                             \
		int64_t i = 0;                                                                                   \
		for (; !reversed && i + 16 <= n; i += 16)                                                        \
			for (int j = 0; j < 16; j++) {                                                           \
				const T a = d[i + j], b = s[i + j];                                              \
				d[i + j] = (T)(EXPR);                                                            \
			}                                                                                        \
		for (; i < n; i++) {                                                                             \
			const T a = reversed ? s[i] : d[i], b = reversed ? d[i] : s[i];                          \
			d[i] = (T)(EXPR);                                                                        \
		}                                                                                                \
	}

LOOP(sum, (U)a + (U)b)
LOOP(product, (U)a * (U)b)
LOOP(low, LOW(a, b))
LOOP(high, HIGH(a, b))
#ifdef BITS
LOOP(conjunction, a & b)
LOOP(disjunction, a | b)
LOOP(exclusive, a ^ b)
#define BITWISE                                                                                                                    \
	[SR_MONOID_AND] = PASTE(conjunction, NAME), [SR_MONOID_OR] = PASTE(disjunction, NAME),                                     \
	[SR_MONOID_XOR] = PASTE(exclusive, NAME),
#else
#define BITWISE
#endif

static reduce_fn *const PASTE(table, NAME)[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = PASTE(sum, NAME), [SR_MONOID_MUL] = PASTE(product, NAME),
	[SR_MONOID_MIN] = PASTE(low, NAME), [SR_MONOID_MAX] = PASTE(high, NAME), BITWISE};

#undef T
#undef U
#undef NAME
#undef LOW
#undef HIGH
#undef BITS
#undef BITWISE
#undef LOOP
#undef PASTE
#undef PASTE_
