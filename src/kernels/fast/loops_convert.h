/* Vectorized conversions between common element types; the reference converts all others. As in kernels/map/convert.c, each value
 * is rounded once, and floats are truncated to integers and saturate, with NaN becoming 0. See loops.h. */
#define CONVERT(from, to, ...) \
	static void convert_##from##_##to(const void *in_, void *out_, int64_t step, int64_t begin, int64_t end) \
	{ \
		const S_##from *in = in_; \
		S_##to *out = out_; \
		if (step) { \
			_Pragma("GCC ivdep") for (int64_t i = begin; i < end; i++) \
			{ \
				T_##from v = load_##from(in[i]); \
				out[i] = store_##to((T_##to)(__VA_ARGS__)); \
			} \
		} else if (begin < end) { \
			T_##from v = load_##from(in[0]); \
			S_##to w = store_##to((T_##to)(__VA_ARGS__)); \
			for (int64_t i = begin; i < end; i++) \
				out[i] = w; \
		} \
	}
/* Expand X(from, to, expression of v) for each source type of a group. */
#define OF_SHORT(X, to, ...) X(I1, to, __VA_ARGS__) X(I8, to, __VA_ARGS__) X(UI8, to, __VA_ARGS__) X(I16, to, __VA_ARGS__) X(UI16, to, __VA_ARGS__)
#define OF_INTEGERS(X, to, ...) OF_SHORT(X, to, __VA_ARGS__) X(I32, to, __VA_ARGS__) X(UI32, to, __VA_ARGS__)
#define OF_LONG(X, to, ...) X(I64, to, __VA_ARGS__) X(UI64, to, __VA_ARGS__)
#define OF_HALVES(X, to, ...) X(BF16, to, __VA_ARGS__) X(F16, to, __VA_ARGS__)
#define OF_FLOATS(X, to, ...) OF_HALVES(X, to, __VA_ARGS__) X(F32, to, __VA_ARGS__) X(F64, to, __VA_ARGS__)
#define TO_INTEGER(X, to, low, high, limit, middle) \
	OF_INTEGERS(X, to, v) OF_LONG(X, to, v) OF_FLOATS(X, to, v != v ? 0 : v >= limit ? high : v <= low ? low : (T_##to)(middle)v)
/* Convert a float to a narrow integer: limit it as a float, since floats have vector instructions for minimum and maximum. */
#define LIMITED(low, high) (low && v != v ? 0 : (v > low ? v : low) < high ? (v > low ? v : low) : high)
#define TO_NARROW(X, to, low, high) OF_INTEGERS(X, to, v) OF_LONG(X, to, v) OF_FLOATS(X, to, (T_##to)(int32_t)LIMITED(low, high))
/* Conversions between a float of at most 8 bits and those of 16 and 32 bits. */
#define SMALL(X, id) X(id, F32, v) X(id, BF16, v) X(id, F16, v) X(F32, id, v) X(BF16, id, v) X(F16, id, v)
#define SMALLS(X) \
	SMALL(X, F4E2M1FN) SMALL(X, F6E2M3FN) SMALL(X, F6E3M2FN) SMALL(X, F8E3M4) SMALL(X, F8E4M3) SMALL(X, F8E4M3B11FNUZ) \
	SMALL(X, F8E4M3FN) SMALL(X, F8E4M3FNUZ) SMALL(X, F8E5M2) SMALL(X, F8E5M2FNUZ) SMALL(X, F8E8M0FNU)
#define CONVERSIONS(X) \
	OF_INTEGERS(X, I1, v != 0) OF_LONG(X, I1, v != 0) OF_FLOATS(X, I1, v != 0) \
	TO_NARROW(X, I8, INT8_MIN, INT8_MAX) TO_NARROW(X, UI8, 0, UINT8_MAX) \
	TO_NARROW(X, I16, INT16_MIN, INT16_MAX) TO_NARROW(X, UI16, 0, UINT16_MAX) \
	TO_INTEGER(X, I32, INT32_MIN, INT32_MAX, 0x1p31f, int32_t) TO_INTEGER(X, UI32, 0, UINT32_MAX, 0x1p32f, uint32_t) \
	TO_INTEGER(X, I64, INT64_MIN, INT64_MAX, 0x1p63f, int64_t) TO_INTEGER(X, UI64, 0, UINT64_MAX, 0x1p64f, uint64_t) \
	OF_SHORT(X, BF16, v) OF_SHORT(X, F16, v) X(F32, BF16, v) X(F32, F16, v) X(F16, BF16, v) X(BF16, F16, v) \
	OF_INTEGERS(X, F32, v) OF_LONG(X, F32, v) OF_HALVES(X, F32, v) X(F64, F32, v) \
	OF_INTEGERS(X, F64, v) OF_LONG(X, F64, v) OF_HALVES(X, F64, v) X(F32, F64, v) \
	X(F32, C64, v) X(F64, C128, v) X(C64, C128, v) X(C128, C64, v) \
	SMALLS(X)
CONVERSIONS(CONVERT)

static void fast_convert(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	typedef void convert_fn(const void *in, void *out, int64_t step, int64_t begin, int64_t end);
#define ROW(from, to, ...) [SR_##from][SR_##to] = convert_##from##_##to,
	static convert_fn *const conversions[SR_DTYPE_COUNT][SR_DTYPE_COUNT] = {CONVERSIONS(ROW)};
#undef ROW
	const struct sr_map_params *p = params;

	if (conversions[p->in][p->out])
		conversions[p->in][p->out](buffers[0], buffers[1], !p->scalar[0], begin, end);
	else
		sr_convert_reference(params, buffers, scratch, begin, end);
}
