/* Vectorizable loops for complex TYPE, as pairs of reals: parts, absolute values, sums, products. The parts of a product use
 * fused multiply-add explicitly: for the plain expression, GCC uses FMA in vector code and not in the remainder loop, whatever
 * -ffp-contract says, so that results would depend on an element's position. See loops.h. */
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

#define PARTS_C64 32
#define PARTS_C128 64
#define MATH_C64(name) name##f
#define MATH_C128(name) name
#define MATH(name) SR_CAT(MATH_, TYPE)(name)
#define OF_NUMBER(name, of) \
	static void FN(name)(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const R *a = buffers[0]; \
		R *out = buffers[1]; \
		if (p->scalar[0]) { \
			R v = of(a[0], a[1]); \
			EACH_PLACE out[i] = v; \
		} else { \
			EACH_PLACE out[i] = of(a[2 * i], a[2 * i + 1]); \
		} \
	}
OF_NUMBER(fast_abs, MATH(complex_abs))
OF_NUMBER(fast_real, FN(real_part))
OF_NUMBER(fast_imag, FN(imaginary_part))
#undef OF_NUMBER

/* Loop over complex numbers as pairs of reals: re and im are expressions of operands a = (x, y) and b = (u, v). */
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
ARITHMETIC(fast_multiply, MATH(fused)(x, u, -(y * v)), MATH(fused)(x, v, y * u))
#undef ARITHMETIC
#undef PAIRS

/* Make complex numbers from two arrays of reals. */
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

static void FN(fast_negate)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const R *a = buffers[0];
	R *out = buffers[1];
	const int64_t step = p->scalar[0] ? 0 : 2;

	EACH_PLACE
	{
		out[2 * i] = -a[i * step];
		out[2 * i + 1] = -a[i * step + 1];
	}
}

static void FN(fast_select)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const uint8_t *pred = buffers[0];
	const R *a = buffers[1], *b = buffers[2];
	R *out = buffers[3];
	const int64_t step = !p->scalar[0], step_a = p->scalar[1] ? 0 : 2, step_b = p->scalar[2] ? 0 : 2;

	EACH_PLACE
	{
		R re = a[i * step_a], im = a[i * step_a + 1], u = b[i * step_b], v = b[i * step_b + 1];
		out[2 * i] = pred[i * step] ? re : u;
		out[2 * i + 1] = pred[i * step] ? im : v;
	}
}

/* Functions of complex numbers are flattened: GCC vectorizes a loop only if it inlines all that the loop calls. */
#define EACH_VALUE(value) \
	EACH_PLACE \
	{ \
		S x = __builtin_complex(a[2 * i * step], a[2 * i * step + 1]); \
		S y = __builtin_complex(b[2 * i * step_b], b[2 * i * step_b + 1]), v = value; \
		(void)y; \
		out[2 * i] = RE(v); \
		out[2 * i + 1] = IM(v); \
	}
#define OF_FUNCTION(name, arity, value) \
	static __attribute__((flatten)) void FN(name)(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const R *a = buffers[0], *b = buffers[arity - 1]; \
		R *out = buffers[arity]; \
		if (!p->scalar[0] && !p->scalar[arity - 1]) { \
			const int64_t step = 1, step_b = 1; \
			EACH_VALUE(value) \
		} else { \
			const int64_t step = !p->scalar[0], step_b = !p->scalar[arity - 1]; \
			EACH_VALUE(value) \
		} \
	}
OF_FUNCTION(fast_divide, 2, MATH(complex_divide)(x, y))
OF_FUNCTION(fast_exponential, 1, MATH(complex_exponential)(x))
OF_FUNCTION(fast_logistic, 1, MATH(complex_divide)(1, 1 + MATH(complex_exponential)(-x)))
#if SR_CAT(PARTS_, TYPE) == 32
OF_FUNCTION(fast_log, 1, complex_logf(x))
OF_FUNCTION(fast_power, 2, complex_powerf(x, y))
OF_FUNCTION(fast_sqrt, 1, complex_square_rootf(x))
OF_FUNCTION(fast_tanh, 1, complex_hyperbolic_tangentf(x))
#endif
#undef OF_FUNCTION
#undef EACH_VALUE

/* Accumulate complex numbers by accumulating their real and imaginary parts. */
static bool FN(fast_accumulate)(int monoid, void *to, const void *in, int64_t runs, int64_t n, int64_t width)
{
	if (monoid == SR_MONOID_ADD)
		(sizeof(R) == 4 ? accumulate_add_F32 : accumulate_add_F64)(to, in, runs, 2 * n, 2 * width);
	return monoid == SR_MONOID_ADD;
}

static bool FN(fast_combine_lanes)(int monoid, void *lanes, int64_t n, int64_t least)
{
	if (monoid == SR_MONOID_ADD)
		(sizeof(R) == 4 ? combine_add_F32 : combine_add_F64)(lanes, 2 * n, 2 * least);
	return monoid == SR_MONOID_ADD;
}

static void FN(register_fast)(struct sr_kernels *table)
{
#if SR_CAT(PARTS_, TYPE) == 32
	sr_kernels_set(table, SR_KERNEL_LOG, DTYPE_ID, FN(fast_log));
	sr_kernels_set(table, SR_KERNEL_POWER, DTYPE_ID, FN(fast_power));
	sr_kernels_set(table, SR_KERNEL_SQRT, DTYPE_ID, FN(fast_sqrt));
	sr_kernels_set(table, SR_KERNEL_TANH, DTYPE_ID, FN(fast_tanh));
#endif
	sr_kernels_set(table, SR_KERNEL_EXPONENTIAL, DTYPE_ID, FN(fast_exponential));
	sr_kernels_set(table, SR_KERNEL_LOGISTIC, DTYPE_ID, FN(fast_logistic));
	sr_kernels_set(table, SR_KERNEL_DIVIDE, DTYPE_ID, FN(fast_divide));
	sr_kernels_set(table, SR_KERNEL_NEGATE, DTYPE_ID, FN(fast_negate));
	sr_kernels_set(table, SR_KERNEL_SELECT, DTYPE_ID, sizeof(S) == sizeof(int64_t) ? fast_select_I64 : FN(fast_select));
	sr_kernels_set(table, SR_KERNEL_ABS, DTYPE_ID, FN(fast_abs));
	sr_kernels_set(table, SR_KERNEL_REAL, DTYPE_ID, FN(fast_real));
	sr_kernels_set(table, SR_KERNEL_IMAG, DTYPE_ID, FN(fast_imag));
	sr_kernels_set(table, SR_KERNEL_ADD, DTYPE_ID, FN(fast_add));
	sr_kernels_set(table, SR_KERNEL_SUBTRACT, DTYPE_ID, FN(fast_subtract));
	sr_kernels_set(table, SR_KERNEL_MULTIPLY, DTYPE_ID, FN(fast_multiply));
	sr_kernels_set(table, SR_KERNEL_COMPLEX, sizeof(R) == 4 ? SR_F32 : SR_F64, FN(fast_complex));
	table->accumulate[DTYPE_ID] = FN(fast_accumulate);
	table->combine_lanes[DTYPE_ID] = FN(fast_combine_lanes);
}

#undef ARGUMENTS
#undef EACH_PLACE
#undef MATH_C64
#undef MATH_C128
#undef MATH
#undef PARTS_C64
#undef PARTS_C128
