/* The loops of complex TYPE that go into vectors: parts and absolute values, sums, products. Numbers are pairs of reals. A
 * product's parts may be rounded once where the reference rounds twice (the compiler makes one instruction of them). See
 * loops.h. */
#define ARGUMENTS const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end
#define EACH_PLACE _Pragma("GCC ivdep") for (int64_t i = begin; i < end; i++)

static inline R FN(real_part)(R re, R im)
{
	return re;
}

static inline R FN(imaginary_part)(R re, R im)
{
	return im;
}

/* As hypot: squares that neither overflow nor vanish, infinity also beside NaN. */
static inline R FN(absolute)(R re, R im)
{
	R x = re < 0 ? -re : re, y = im < 0 ? -im : im;
	double large = (double)(x < y ? y : x), small = (double)(x < y ? x : y), r;

	if (sizeof(R) == 4) {
		r = sqrt(large * large + small * small);
	} else {
		double scale = large < 0x1p-500 ? 0x1p600 : large > 0x1p500 ? 0x1p-600 : 1;
		large *= scale, small *= scale;
		r = sqrt(large * large + small * small) / scale;
	}
	return x == (R)INFINITY || y == (R)INFINITY ? (R)INFINITY : (R)r;
}

#define OF_NUMBER(name, of) \
	static void FN(name)(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const R *a = buffers[0]; \
		R *out = buffers[1]; \
		if (p->scalar[0]) { \
			R v = FN(of)(a[0], a[1]); \
			EACH_PLACE out[i] = v; \
		} else { \
			EACH_PLACE out[i] = FN(of)(a[2 * i], a[2 * i + 1]); \
		} \
	}
OF_NUMBER(fast_abs, absolute)
OF_NUMBER(fast_real, real_part)
OF_NUMBER(fast_imag, imaginary_part)
#undef OF_NUMBER

/* re and im: of a (x, y) and b (u, v). */
#define PAIRS(re, im) \
	EACH_PLACE \
	{ \
		R x = a[2 * i * step], y = a[2 * i * step + 1], u = b[2 * i * step_b], v = b[2 * i * step_b + 1]; \
		out[2 * i] = re; \
		out[2 * i + 1] = im; \
	}
#define ARITHMETIC(name, re, im) \
	static void FN(name)(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const R *a = buffers[0], *b = buffers[1]; \
		R *out = buffers[2]; \
		if (!p->scalar[0] && !p->scalar[1]) { \
			const int64_t step = 1, step_b = 1; \
			PAIRS(re, im) \
		} else { \
			int64_t step = !p->scalar[0], step_b = !p->scalar[1]; \
			PAIRS(re, im) \
		} \
	}
ARITHMETIC(fast_add, x + u, y + v)
ARITHMETIC(fast_subtract, x - u, y - v)
ARITHMETIC(fast_multiply, x *u - y * v, x *v + y * u)
#undef ARITHMETIC
#undef PAIRS

/* From two reals. */
static void FN(fast_complex)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const R *a = buffers[0], *b = buffers[1];
	R *out = buffers[2];
	int64_t step = !p->scalar[0], step_b = !p->scalar[1];

	if (step && step_b) {
		EACH_PLACE
		{
			out[2 * i] = a[i];
			out[2 * i + 1] = b[i];
		}
	} else {
		EACH_PLACE
		{
			out[2 * i] = a[i * step];
			out[2 * i + 1] = b[i * step_b];
		}
	}
}

/* In double, whose vector functions are far more exact than a float; what is not finite, and the real axis, as the reference has them. */
static void FN(fast_exponential)(ARGUMENTS)
{
	enum { BLOCK = 256 };
	const struct sr_map_params *p = params;
	const R *a = buffers[0];
	R *out = buffers[1];
	double re[BLOCK], im[BLOCK], size[BLOCK], c[BLOCK], s[BLOCK];
	const int64_t step = p->scalar[0] ? 0 : 2;

	for (int64_t at = begin; at < end; at += BLOCK) {
		int n = end - at < BLOCK ? (int)(end - at) : BLOCK;
		for (int i = 0; i < n; i++) {
			re[i] = (double)a[(at + i) * step];
			im[i] = (double)a[(at + i) * step + 1];
		}
		for (int i = 0; i < n; i++)
			size[i] = exp(re[i]);
		for (int i = 0; i < n; i++)
			c[i] = cos(im[i]);
		for (int i = 0; i < n; i++)
			s[i] = sin(im[i]);
		for (int i = 0; i < n; i++) {
			out[2 * (at + i)] = (R)(size[i] * c[i]);
			out[2 * (at + i) + 1] = (R)(size[i] * s[i]);
		}
		for (int i = 0; i < n; i++) {
			if (isfinite(re[i]) && isfinite(im[i]) && im[i] != 0)
				continue;
			sr_c128 exact = __builtin_cexp(__builtin_complex(re[i], im[i]));
			out[2 * (at + i)] = (R)__real__ exact;
			out[2 * (at + i) + 1] = (R)__imag__ exact;
		}
	}
}

static void FN(fast_rows)(struct sr_kernels *table)
{
	if (sizeof(R) == 4)
		sr_kernels_set(table, SR_KERNEL_EXPONENTIAL, DTYPE_ID, FN(fast_exponential));
	sr_kernels_set(table, SR_KERNEL_ABS, DTYPE_ID, FN(fast_abs));
	sr_kernels_set(table, SR_KERNEL_REAL, DTYPE_ID, FN(fast_real));
	sr_kernels_set(table, SR_KERNEL_IMAG, DTYPE_ID, FN(fast_imag));
	sr_kernels_set(table, SR_KERNEL_ADD, DTYPE_ID, FN(fast_add));
	sr_kernels_set(table, SR_KERNEL_SUBTRACT, DTYPE_ID, FN(fast_subtract));
	sr_kernels_set(table, SR_KERNEL_MULTIPLY, DTYPE_ID, FN(fast_multiply));
	sr_kernels_set(table, SR_KERNEL_COMPLEX, sizeof(R) == 4 ? SR_F32 : SR_F64, FN(fast_complex));
}

#undef ARGUMENTS
#undef EACH_PLACE
