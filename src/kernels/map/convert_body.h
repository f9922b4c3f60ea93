/* Conversion of TYPE to and from the widest type of its class, in blocks. Included through each_type.h by convert.c. */
#if CLASS == COLUMNS_COMPLEX
#define WIDE sr_c128
#define WIDE_KIND WIDE_COMPLEX
#define FROM_REAL(v) STORE((T)(v))
#define FROM_INT(v) STORE((T)(v))
#define FROM_COMPLEX(v) STORE((T)(v))
#elif CLASS == COLUMNS_FLOAT
#define WIDE double
#define WIDE_KIND WIDE_DOUBLE
#define FROM_REAL(v) FN(round)(v)
#define FROM_INT(v) (BITS >= 32 ? (S)(v) : FN(round)((double)(v)))
#define FROM_COMPLEX(v) FN(round)(RE(v))
#elif CLASS == COLUMNS_BOOL
#define WIDE uint64_t
#define WIDE_KIND WIDE_UNSIGNED
#define FROM_REAL(v) ((v) != 0)
#define FROM_INT(v) ((v) != 0)
#define FROM_COMPLEX(v) (RE(v) != 0)
#elif CLASS == COLUMNS_SINT
#define WIDE int64_t
#define WIDE_KIND WIDE_SIGNED
#define FROM_REAL(v) (S)saturate_signed(v, BITS)
#define FROM_INT(v) STORE((T)(v))
#define FROM_COMPLEX(v) (S)saturate_signed(RE(v), BITS)
#else
#define WIDE uint64_t
#define WIDE_KIND WIDE_UNSIGNED
#define FROM_REAL(v) (S)saturate_unsigned(v, BITS)
#define FROM_INT(v) STORE((T)(v))
#define FROM_COMPLEX(v) (S)saturate_unsigned(RE(v), BITS)
#endif

static int64_t FN(widen)(const void *from, int64_t step, int64_t begin, int64_t n, void *wide)
{
	const S *a = from;
	WIDE *w = wide;
	for (int64_t i = 0; i < n; i++)
		w[i] = LOAD(a[(begin + i) * step]);
	return n;
}

#define NARROW(name, wide_type, convert) \
	static void FN(name)(const void *wide, int64_t begin, int64_t n, void *to) \
	{ \
		const wide_type *w = wide; \
		S *out = (S *)to + begin; \
		for (int64_t i = 0; i < n; i++) \
			out[i] = (S)convert(w[i]); \
	}
NARROW(from_signed, int64_t, FROM_INT)
NARROW(from_unsigned, uint64_t, FROM_INT)
NARROW(from_double, double, FROM_REAL)
NARROW(from_complex, sr_c128, FROM_COMPLEX)
#undef NARROW

static const struct conversion FN(conversion) = {
	FN(widen), WIDE_KIND, {FN(from_signed), FN(from_unsigned), FN(from_double), FN(from_complex)}};

#undef WIDE
#undef WIDE_KIND
#undef FROM_REAL
#undef FROM_INT
#undef FROM_COMPLEX
