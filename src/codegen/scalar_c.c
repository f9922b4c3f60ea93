/* Generate C for element types and elementwise functions. */
#include "codegen/scalar_c.h"
#include "kernels/element.h"
#include "kernels/small_product.h"
#include <string.h>

/* In the text, functions have the attribute SR_INLINE, which the prelude defines. */
#undef SR_INLINE
#undef SR_SCALAR
#define SR_SCALAR SR_INLINE
/* Conversions, unlike shifts of words, show GCC that the bits above a sign are its copies: it then shifts vectors of 16 bits */
#undef SIGN_EXTEND
#define SIGN_EXTEND(v) \
	(BITS == 16 ? (int16_t)(v) : BITS == 8 ? (int8_t)(v) : BITS < 8 ? (int8_t)((v) << (8 - BITS)) >> (8 - BITS) \
	 : (SR_CAT(SIGNED_, WORD))(v))
#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
/* Maximum and minimum of two floats, with the results of SR_EXTREMA in scalar_functions.h. GCC vectorizes the function `select` to
 * one instruction: it is compiled for floats without NaN and sign of zeros, and its result is used for others only. Combining the
 * bits of equal operands gives the right sign of zeros. If one operand is a constant, one comparison suffices, which is true for
 * equal operands unless the constant is the zero that the other zero precedes. */
#define WITHOUT_NAN __attribute__((always_inline, optimize("finite-math-only", "no-signed-zeros")))
#define EXTREMUM(type, word, name, select, before, join, last_zero) \
	static inline WITHOUT_NAN type select(type x, type y) { return x before y ? x : y; } \
	SR_SCALAR type name(type x, type y) \
	{ \
		union { type v; word bits; } a = {x}, b = {y}, c; \
		if (__builtin_constant_p(y) && y == y) \
			return (b.bits == (word)last_zero ? y before x : y before##= x) ? y : x; \
		if (__builtin_constant_p(x) && x == x) \
			return (a.bits == (word)last_zero ? x before y : x before##= y) ? x : y; \
		c.bits = a.bits join b.bits; \
		c.v = x == y ? c.v : select(x, y); \
		return __builtin_isunordered(x, y) ? x + y : c.v; \
	}
#define EXTREMA \
	EXTREMUM(float, uint32_t, maximumf, select_maximumf, >, &, 0x80000000u) \
	EXTREMUM(float, uint32_t, minimumf, select_minimumf, <, |, 0) \
	EXTREMUM(double, uint64_t, maximum, select_maximum, >, &, 0x8000000000000000u) \
	EXTREMUM(double, uint64_t, minimum, select_minimum, <, |, 0)

/* Integers narrower than a byte: id, type of the byte in which one is stored, least and greatest value */
#define NARROW_INTEGERS(X) X(I2, int8_t, -2, 1) X(I4, int8_t, -8, 7) X(UI2, uint8_t, 0, 3) X(UI4, uint8_t, 0, 15)
#define COMPILED_TYPES(X) \
	X(I1) X(I8) X(I16) X(I32) X(I64) X(UI8) X(UI16) X(UI32) X(UI64) X(BF16) X(F16) X(F32) X(F64) X(C64) X(C128) \
	NARROW_INTEGERS(X) SR_SMALL_FLOATS(X) /* but not E8M0 */

static const char *const expressions[SR_DTYPE_COUNT][SR_KERNEL_COUNT] = {
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 1
#define WANT_FLOAT 1
#define WANT_COMPLEX 1
#define BODY "codegen/expression_rows.h"
#include "kernels/map/each_type.h"
};

#define COMPLEX_PRODUCT(fused) \
	"__builtin_complex(" #fused "(__real__ x, __real__ y, -(__imag__ x * __imag__ y)), " \
	#fused "(__real__ x, __imag__ y, __imag__ x * __real__ y))"
/* Expressions of complex functions that differ from map.ops; they agree with kernels/fast/loops_complex.h. */
static const char *const complex_expressions[SR_DTYPE_COUNT][SR_KERNEL_COUNT] = {
	[SR_C64] = {[SR_KERNEL_ABS] = "complex_absf(__real__ x, __imag__ x)",
		    [SR_KERNEL_DIVIDE] = "complex_dividef(x, y)",
		    [SR_KERNEL_MULTIPLY] = COMPLEX_PRODUCT(fusedf),
		    [SR_KERNEL_EXPONENTIAL] = "complex_exponentialf(x)",
		    [SR_KERNEL_LOG] = "complex_logf(x)",
		    [SR_KERNEL_POWER] = "complex_powerf(x, y)",
		    [SR_KERNEL_SQRT] = "complex_square_rootf(x)",
		    [SR_KERNEL_TANH] = "complex_hyperbolic_tangentf(x)",
		    [SR_KERNEL_LOGISTIC] = "complex_dividef(1, 1 + complex_exponentialf(-x))"},
	[SR_C128] = {[SR_KERNEL_ABS] = "complex_abs(__real__ x, __imag__ x)",
		     [SR_KERNEL_DIVIDE] = "complex_divide(x, y)",
		     [SR_KERNEL_MULTIPLY] = COMPLEX_PRODUCT(fused),
		     [SR_KERNEL_EXPONENTIAL] = "complex_exponential(x)",
		     [SR_KERNEL_LOGISTIC] = "complex_divide(1, 1 + complex_exponential(-x))"},
};

/* Expressions of complex functions with real results. */
static const char *const real_expressions[SR_KERNEL_COUNT] = {
#define MAP(id, name, arity, work, ...) [SR_KERNEL_##id] = TEXT(__VA_ARGS__),
#define COLUMNS COLUMNS_PART
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
};

/* Expressions of float functions with i1 results. */
static const char *const predicate_expressions[SR_KERNEL_COUNT] = {
#define MAP(id, name, arity, work, ...) [SR_KERNEL_##id] = TEXT(__VA_ARGS__),
#define COLUMNS COLUMNS_TEST
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
};

static const struct sr_c_type types[SR_DTYPE_COUNT] = {
	[SR_I1] = {"I1", "uint8_t", "flag"},   	       [SR_I8] = {"I8", "int8_t", "int8_t"},
	[SR_I16] = {"I16", "int16_t", "int16_t"},      [SR_I32] = {"I32", "int32_t", "int32_t"},
	[SR_I64] = {"I64", "int64_t", "int64_t"},      [SR_UI8] = {"UI8", "uint8_t", "uint8_t"},
	[SR_UI16] = {"UI16", "uint16_t", "uint16_t"},  [SR_UI32] = {"UI32", "uint32_t", "uint32_t"},
	[SR_UI64] = {"UI64", "uint64_t", "uint64_t"},  [SR_BF16] = {"BF16", "uint16_t", "float"},
	[SR_F16] = {"F16", "uint16_t", "float"},       [SR_F32] = {"F32", "float", "float"},
	[SR_F64] = {"F64", "double", "double"},	       [SR_C64] = {"C64", "float _Complex", "float _Complex"},
	[SR_C128] = {"C128", "double _Complex", "double _Complex"},
#define NARROW_TYPE(id, byte, ...) [SR_##id] = {#id, #byte, #byte},
	NARROW_INTEGERS(NARROW_TYPE)
#undef NARROW_TYPE
#define SMALL_TYPE(id, ...) [SR_##id] = {#id, "uint8_t", "float"},
	SR_SMALL_FLOATS(SMALL_TYPE)
#undef SMALL_TYPE
};

const struct sr_c_type *sr_c_type_of(enum sr_dtype type)
{
	return types[type].id ? &types[type] : NULL;
}

bool sr_c_is_narrow_float(enum sr_dtype t)
{
	return sr_dtype_is_float(t) && sr_dtypes[t].bits < 32;
}

bool sr_c_is_small_float(enum sr_dtype t)
{
	return sr_c_is_narrow_float(t) && sr_dtypes[t].bits <= 8;
}

static bool is_narrow_integer(enum sr_dtype t)
{
	return sr_dtype_is_integer(t) && t != SR_I1 && sr_dtypes[t].bits < 8;
}

static bool has_real_result(enum sr_kernel k, enum sr_dtype t)
{
	return sr_dtype_is_complex(t) && *real_expressions[k];
}

/* Return the expression of a function; NULL: none, or one that calls a function of shardrun's library. */
static const char *expression_of(enum sr_kernel kernel, enum sr_dtype type)
{
	if (complex_expressions[type][kernel])
		return complex_expressions[type][kernel];
	if (has_real_result(kernel, type))
		return real_expressions[kernel];
	bool is_predicate = sr_dtype_is_float(type) && predicate_expressions[kernel] && *predicate_expressions[kernel];
	const char *text = is_predicate ? predicate_expressions[kernel] : expressions[type][kernel];
	return text && *text && !strstr(text, "sr_") ? text : NULL;
}

bool sr_c_call(struct sr_buf *out, struct sr_c_functions *f, enum sr_kernel kernel, enum sr_dtype type, const char *const *args,
	       int n)
{
	bool is_compiled = !sr_c_is_small_float(type) || sr_kernel_work_class(kernel) != SR_WORK_TRANSCENDENTAL;
	if (!is_compiled || !types[type].id || !expression_of(kernel, type))
		return false;
	f->is_used[kernel][type] = true;
	sr_buf_printf(out, "%s_%s(%s", sr_kernel_name(kernel), types[type].id, args[0]);
	for (int i = 1; i < n; i++)
		sr_buf_printf(out, ", %s", args[i]);
	sr_buf_putc(out, ')');
	return true;
}

/* ---- functions that are not in map.ops ---- */

static const char *real_of(enum sr_dtype t)
{
	return t == SR_C64 ? "float" : "double";
}

/* Append a conversion of x, as in kernels/map/convert.c: each value is rounded once, except that integers of 64 bits become floats
 * of 8 and 16 bits by way of double. */
static void append_convert(struct sr_buf *out, enum sr_dtype in_type, enum sr_dtype out_type, const char *x)
{
	const char *id = types[out_type].id;
	bool from_float = sr_dtype_is_float(in_type), is_narrow = sr_dtypes[in_type].bits < 32;
	if (in_type == out_type)
		sr_buf_puts(out, x);
	else if (out_type == SR_I1)
		sr_buf_printf(out, sr_dtype_is_complex(in_type) ? "__real__ %s != 0" : "%s != 0", x);
	else if (sr_dtype_is_complex(in_type) && sr_dtype_is_complex(out_type))
		sr_buf_printf(out, "(%s)%s", types[out_type].wide_type, x);
	else if (sr_dtype_is_complex(out_type))
		sr_buf_printf(out, "__builtin_complex((%s)%s, (%s)0)", real_of(out_type), x, real_of(out_type));
	else if (sr_c_is_narrow_float(out_type) && (from_float ? in_type != SR_F64 : is_narrow))
		sr_buf_printf(out, "round_%s((float)%s)", id, x);
	else if (sr_c_is_narrow_float(out_type))
		sr_buf_printf(out, "round_once_%s((double)%s)", id, x);
	else if (from_float && !sr_dtype_is_float(out_type))
		sr_buf_printf(out, "%s_of_%s(%s)", id, in_type == SR_F64 ? "F64" : "F32", x);
	else if (is_narrow_integer(out_type))
		sr_buf_printf(out, "wrap_%s(%s)", id, x);
	else
		sr_buf_printf(out, "(%s)%s", types[out_type].wide_type, x);
}

static void append_bitcast(struct sr_buf *out, enum sr_dtype in_type, enum sr_dtype out_type, const char *x)
{
	bool is_from_float = sr_dtype_is_float(in_type), is_to_float = sr_dtype_is_float(out_type);
	if (in_type == out_type)
		sr_buf_puts(out, x);
	else if (is_narrow_integer(out_type))
		sr_buf_printf(out, "wrap_%s(%s)", types[out_type].id, x);
	else
		sr_buf_printf(out, "%s%s%s(%s%s%s)", is_to_float ? "float_" : "(",
			      is_to_float ? types[out_type].id : types[out_type].wide_type, is_to_float ? "" : ")", is_from_float ? "bits_" : "",
			      is_from_float ? types[in_type].id : "", is_from_float ? "" : x);
	if (in_type != out_type && is_from_float) { /* a float is first converted to its bits by bits_TYPE */
		out->n--;
		sr_buf_printf(out, "(%s))", x);
	}
}

static void append_compare(struct sr_buf *out, const struct sr_nest_instr *in, enum sr_dtype type, const char *const *args)
{
	static const char *const signs[8] = {[SR_EQ] = "==", [SR_NE] = "!=", [SR_LT] = "<", [SR_LE] = "<=", [SR_GT] = ">", [SR_GE] = ">="};
	const char *sign = signs[in->variant & SR_COMPARE_MASK];
	const char *id = type == SR_F64 ? "F64" : "F32";
	if ((in->variant & SR_COMPARE_TOTAL) && sr_dtype_is_float(type))
		sr_buf_printf(out, "total_%s(%s) %s total_%s(%s)", id, args[0], sign, id, args[1]);
	else
		sr_buf_printf(out, "%s %s %s", args[0], sign, args[1]);
}

static bool append_clamp(struct sr_buf *out, struct sr_c_functions *f, enum sr_dtype type, const char *const *args)
{
	struct sr_buf inner;
	sr_buf_init(&inner, out->arena);
	if (!sr_c_call(&inner, f, SR_KERNEL_MAXIMUM, type, (const char *const[]){args[1], args[0]}, 2))
		return false;
	return sr_c_call(out, f, SR_KERNEL_MINIMUM, type, (const char *const[]){sr_buf_string(&inner), args[2]}, 2);
}

static void append_complex_select(struct sr_buf *out, enum sr_dtype type, const char *const *args)
{
	const char *f = type == SR_C64 ? "f" : "";
	int bits = sr_dtypes[type].bits / 2;
	sr_buf_puts(out, "__builtin_complex(");
	for (int i = 0; i < 2; i++) {
		const char *component = i ? "__imag__" : "__real__";
		sr_buf_printf(out, "blend%s(-(int%d_t)(%s != 0), %s %s, %s %s)%s", f, bits, args[0], component, args[1], component,
			      args[2], i ? ")" : ", ");
	}
}

/* Append condition ? x : y. A selection between an integer and zero is a mask: compilers can make a conditional expression a
 * branch, and then do not vectorize the loop. */
static void append_select(struct sr_buf *out, enum sr_dtype type, const char *const *args)
{
	struct sr_buf zero;
	if (sr_dtype_is_complex(type)) {
		append_complex_select(out, type, args);
		return;
	}
	sr_buf_init(&zero, out->arena);
	sr_c_literal(&zero, type, &(int64_t){0});
	if (sr_dtype_is_integer(type) && !strcmp(args[2], sr_buf_string(&zero)))
		sr_buf_printf(out, "(%s)(%s & -(%s)(%s != 0))", types[type].wide_type, args[1], types[type].wide_type, args[0]);
	else
		sr_buf_printf(out, "%s ? %s : %s", args[0], args[1], args[2]);
}

bool sr_c_map(struct sr_buf *out, struct sr_c_functions *f, const struct sr_nest_instr *in, enum sr_dtype in_type,
	      enum sr_dtype out_type, const char *const *args)
{
	if (!types[in_type].id || !types[out_type].id)
		return false;
	switch (in->kernel) {
	case SR_KERNEL_CONVERT:
		if (sr_dtype_is_complex(in_type) && !sr_dtype_is_complex(out_type) && out_type != SR_I1)
			return false;
		append_convert(out, in_type, out_type, args[0]);
		return true;
	case SR_KERNEL_BITCAST:
		if (sr_dtypes[in_type].bits != sr_dtypes[out_type].bits ||
		    sr_dtype_is_float(is_narrow_integer(in_type) ? out_type : is_narrow_integer(out_type) ? in_type : SR_I1))
			return false;
		append_bitcast(out, in_type, out_type, args[0]);
		return true;
	case SR_KERNEL_COMPARE:
		append_compare(out, in, in_type, args);
		return in->variant % 8 <= (sr_dtype_is_complex(in_type) ? SR_NE : SR_GE) &&
		       !((in->variant & SR_COMPARE_TOTAL) && sr_c_is_small_float(in_type));
	case SR_KERNEL_SELECT:
		append_select(out, out_type, args);
		return true;
	case SR_KERNEL_COMPLEX:
		sr_buf_printf(out, "__builtin_complex(%s, %s)", args[0], args[1]);
		return true;
	case SR_KERNEL_CLAMP:
		return append_clamp(out, f, out_type, args);
	default:
		return sr_c_call(out, f, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type, args, in->n_args);
	}
}

void sr_c_literal(struct sr_buf *out, enum sr_dtype type, const void *element)
{
	if (sr_dtype_is_complex(type)) {
		enum sr_dtype component = type == SR_C64 ? SR_F32 : SR_F64;
		sr_buf_puts(out, "__builtin_complex(");
		sr_c_literal(out, component, element);
		sr_buf_puts(out, ", ");
		sr_c_literal(out, component, (const char *)element + sr_dtype_bytes(component));
		sr_buf_putc(out, ')');
		return;
	}
	int64_t i = 0;
	double d = 0;
	uint64_t bits = 0;
	sr_element_get(type, element, &i, &d, NULL);
	memcpy(&bits, element, (size_t)sr_dtype_bytes(type));
	if (sr_dtype_is_float(type)) {
		if (isfinite(d))
			sr_buf_printf(out, "%a%s", d, type == SR_F64 ? "" : "f");
		else
			sr_buf_printf(out, "float_%s(0x%llxu)", types[type].id, (unsigned long long)bits);
	} else if (sr_dtypes[type].class == SR_CLASS_UINT) {
		sr_buf_printf(out, "%lluu", (unsigned long long)i);
	} else if (i == INT64_MIN) {
		sr_buf_puts(out, "INT64_MIN");
	} else {
		sr_buf_printf(out, i < 0 ? "(%lld)" : "%lld", (long long)i);
	}
}

/* ---- beginning of a file ---- */

static const char conversions[] =
#include "codegen/c_prelude.h"
	;

/* Append the source of functions that are also part of shardrun's library, one statement per line. */
static void shared_functions(struct sr_buf *out, const char *text)
{
	int depth = 0;
	for (const char *c = text; *c; c++) {
		bool in_union = depth > 1;
		depth += (*c == '{') - (*c == '}');
		sr_buf_putc(out, *c);
		if (in_union || depth > 1 || !strchr("{};", *c))
			continue;
		sr_buf_putc(out, '\n');
		for (c++; *c == ' '; c++)
			;
		c--;
		if (depth && c[1] != '}')
			sr_buf_putc(out, '\t');
	}
}

/* Append the definition of an elementwise function. The result is rounded or wrapped if it is computed in a wider type. Functions
 * of i1 are macros: the width of `flag` differs from nest to nest. */
static void define_function(struct sr_buf *out, enum sr_kernel k, enum sr_dtype t)
{
	if (t == SR_I1) {
		const char *y = sr_kernel_arity(k) == 2 ? ", y" : "";
		sr_buf_printf(out, "#define %s_I1(x%s) (%s)\n", sr_kernel_name(k), y, expression_of(k, t));
		return;
	}
	const char *wide_type = types[t].wide_type, *id = types[t].id;
	const char *result = k == SR_KERNEL_IS_FINITE ? "int" : has_real_result(k, t) ? real_of(t) : wide_type;
	bool is_selection = k == SR_KERNEL_NEGATE || k == SR_KERNEL_ABS || k == SR_KERNEL_MAXIMUM || k == SR_KERNEL_MINIMUM;
	/* some floats of 8 bits have no -0 */
	bool is_exact = k == SR_KERNEL_IS_FINITE || (is_selection && !sr_c_is_small_float(t));
	bool is_rounded = sr_c_is_narrow_float(t) && !is_exact;
	sr_buf_printf(out, "SR_INLINE %s %s_%s(%s x%s%s%s) { return ", result, sr_kernel_name(k), id, wide_type,
		      sr_kernel_arity(k) == 2 ? ", " : "", sr_kernel_arity(k) == 2 ? wide_type : "",
		      sr_kernel_arity(k) == 2 ? " y" : "");
	if (t == SR_BF16 && (k == SR_KERNEL_ADD || k == SR_KERNEL_SUBTRACT || k == SR_KERNEL_MULTIPLY || k == SR_KERNEL_DIVIDE))
		sr_buf_printf(out, "round_result_BF16(%s); }\n", expression_of(k, t));
	else if (is_rounded || is_narrow_integer(t))
		sr_buf_printf(out, "%s_%s(%s); }\n", is_rounded ? "round" : "wrap", id, expression_of(k, t));
	else
		sr_buf_printf(out, "(%s)(%s); }\n", result, expression_of(k, t));
}

/* Return true if a function is used whose expression needs elementary.h. Most loops use none, and parsing it takes the compiler
 * time. */
static bool uses_elementary(const struct sr_c_functions *f)
{
	for (int k = 0; k < SR_KERNEL_COUNT; k++)
		for (int t = 0; t < SR_DTYPE_COUNT; t++)
			if (f->is_used[k][t] && (sr_kernel_work_class((enum sr_kernel)k) == SR_WORK_TRANSCENDENTAL ||
				sr_dtype_is_complex((enum sr_dtype)t)))
				return true;
	return false;
}

/* Append the conversions of floats of at most 8 bits. */
static void small_floats(struct sr_buf *out)
{
	sr_buf_puts(out, "enum { SR_SMALL_IEEE, SR_SMALL_FN, SR_SMALL_FNUZ, SR_SMALL_FINITE };\n");
	shared_functions(out, TEXT(SR_SMALL_FLOAT_FUNCTIONS));
#define CONVERSIONS(id, decode, encode) \
	SR_INLINE float float_##id(uint8_t v) { return decode; } \
	SR_INLINE uint8_t bits_##id(float v) { return encode; } \
	SR_INLINE float round_##id(float v) { return float_##id(bits_##id(v)); } \
	SR_INLINE float round_once_##id(double v) { return round_##id(odd(v)); }
#define SMALL(id, ...) CONVERSIONS(id, sr_small_decode(v, FORMAT(__VA_ARGS__)), sr_small_encode(v, FORMAT(__VA_ARGS__)))
#define FORMAT(exponent, mantissa, bias, top) exponent, mantissa, bias, SR_SMALL_##top
	shared_functions(out, TEXT(SR_SMALL_FLOATS(SMALL)));
#undef CONVERSIONS
#undef SMALL
#undef FORMAT
}

/* Append the divisions of integers of 8 to 32 bits as floats. */
static void quotients(struct sr_buf *out)
{
	shared_functions(out, TEXT(SR_UNSIGNED_DOUBLES));
#define QUOTIENTS(id, type, word, is_signed, quotient) \
	SR_INLINE type quotient_of_##id(type x, type y) { return (type)quotient; } \
	SR_QUOTIENTS(type, word, is_signed, quotient_of_##id, quotient_##id, modulus_##id)
#define SHORT(id, type, word, is_signed) QUOTIENTS(id, type, word, is_signed, (int32_t)((float)x / (float)y))
	shared_functions(out, TEXT(SHORT(I8, int8_t, uint8_t, 1) SHORT(UI8, uint8_t, uint8_t, 0)));
	shared_functions(out, TEXT(SHORT(I16, int16_t, uint16_t, 1) SHORT(UI16, uint16_t, uint16_t, 0)));
	shared_functions(out, TEXT(QUOTIENTS(I32, int32_t, uint32_t, 1, (int32_t)((double)x / (double)y))));
	shared_functions(out, TEXT(QUOTIENTS(UI32, uint32_t, uint32_t, 0, unsigned_of(double_of(x) / double_of(y)))));
#undef QUOTIENTS
#undef SHORT
}

void sr_c_prelude(struct sr_buf *out, const struct sr_c_functions *f)
{
	/* GCC's jump threading and partial redundancy elimination turn selections whose conditions imply each other, as in a
	 * sequence of elementary functions or of index computations, into branches, and a loop with branches is not vectorized. */
	sr_buf_puts(out, "#if defined __GNUC__ && !defined __clang__\n#pragma GCC optimize(\"no-thread-jumps\", \"no-tree-pre\")\n#endif\n");
	sr_buf_puts(out, "#include <math.h>\n#include <stdint.h>\n");
	/* Loops with calls are not vectorized. The attribute flatten does not inline all calls in functions that have other
	 * optimization options than the callee. */
	sr_buf_puts(out, "#define SR_INLINE static inline __attribute__((always_inline))\n");
#define TYPE_ROW(id, ...)                                                                     \
	sr_buf_printf(out, "enum { BITS_" #id " = %d };\n", sr_dtypes[SR_##id].bits);          \
	sr_buf_printf(out, "typedef %s any_" #id " __attribute__((may_alias));\n", types[SR_##id].memory);
	COMPILED_TYPES(TYPE_ROW)
#undef TYPE_ROW
	sr_buf_puts(out, "typedef uint8_t flag; /* i1; functions define it with the width of the values that they select */\n");
	sr_buf_puts(out, "/* a * b + c, rounded once if the machine has an instruction for it */\n#ifdef __FMA__\n");
	shared_functions(out, TEXT(SR_FUSED_FMA SR_REMAINDER_FMA));
	sr_buf_puts(out, "#else\n");
	shared_functions(out, TEXT(SR_FUSED_PLAIN SR_REMAINDER_PLAIN));
	sr_buf_puts(out, "#endif\n/* minimum and maximum, total order, f16, bit counts, complex numbers, elementary functions */\n");
	shared_functions(out, TEXT(EXTREMA SR_TOTAL_ORDER SR_MODULO SR_HALF_FUNCTIONS SR_BIT_COUNTS SR_CHOSEN));
	if (uses_elementary(f))
		shared_functions(out, TEXT(SR_EXPONENTIAL SR_ELEMENTARY SR_COMPLEX_FUNCTIONS));
	sr_buf_puts(out, "#if defined(__FMA__) || defined(__aarch64__)\n");
	shared_functions(out, TEXT(SR_MULTIPLY_ADD_FUSED));
	sr_buf_puts(out, "#else\n");
	shared_functions(out, TEXT(SR_MULTIPLY_ADD_PLAIN));
	sr_buf_puts(out, "#endif\n");
	shared_functions(out, TEXT(SR_DOT));
	sr_buf_puts(out, conversions);
#define NARROW_FUNCTIONS(id, byte, low, high) \
	NARROW_OF(id, byte, low, high) \
	SR_INLINE byte wrap_##id(int64_t v) { return (byte)(low + ((v - low) & (high - low))); }
	shared_functions(out, TEXT(NARROW_INTEGERS(NARROW_FUNCTIONS)));
#undef NARROW_FUNCTIONS
	if (f->has_small_floats)
		small_floats(out);
	if (f->has_quotients)
		quotients(out);
	sr_buf_printf(out, "enum { SUM_BLOCK = %d, MAX_LONG_SUMS = %d };\nPRODUCT(F32, float)\nPRODUCT(F64, double)\n",
		      SR_PRODUCT_SUM_BLOCK, SR_SMALL_PRODUCT_FLOPS / 2 / SR_PRODUCT_SUM_BLOCK);
	for (int k = 0; k < SR_KERNEL_COUNT; k++)
		for (int t = 0; t < SR_DTYPE_COUNT; t++)
			if (f->is_used[k][t])
				define_function(out, (enum sr_kernel)k, (enum sr_dtype)t);
	sr_buf_putc(out, '\n');
}
