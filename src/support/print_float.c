/* Print floating-point numbers exactly as LLVM's APFloat does, for every format.
 *
 * First try 6 significant digits in scientific notation, zero-padded to 6 decimals (1.000000e+00): used if parsing them gives
 * the same bits. Else use the number of digits that identifies a value of the format (2 + precision * 59 / 196), without
 * padding, in fixed or scientific notation, whichever is shorter (0.333333343, 9.99999993E-9): used if the result has a decimal
 * point. Else, and for infinities and NaN, print the bits in hex.
 *
 * The digits come from the exact value, a big integer times a power of ten, shortened to the precision first in binary by
 * truncation, then in decimal by rounding half up. The last digit is thus not always the nearest one; LLVM does the same, so
 * printf cannot be used. */
#include "support/buf.h"
#include "support/dtype.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMBS = 84, MAX_DIGITS = 800 }; /* maximum size: a double's largest intermediate value, 2^53 * 5^1074, has 2548 bits */

struct bigint { /* an unsigned big integer, least significant limb first */
	uint32_t limb[LIMBS];
	int n;
};

static void multiply(struct bigint *b, uint32_t by)
{
	uint64_t carry = 0;
	for (int i = 0; i < b->n; i++) {
		carry += (uint64_t)b->limb[i] * by;
		b->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		b->limb[b->n++] = (uint32_t)carry;
}

static uint32_t divide(struct bigint *b, uint32_t by)
{
	uint64_t remainder = 0;
	for (int i = b->n; i-- > 0;) {
		remainder = remainder << 32 | b->limb[i];
		b->limb[i] = (uint32_t)(remainder / by);
		remainder %= by;
	}
	while (b->n && !b->limb[b->n - 1])
		b->n--;
	return (uint32_t)remainder;
}

static int bits_of(const struct bigint *b)
{
	return b->n ? 32 * b->n - __builtin_clz(b->limb[b->n - 1]) : 0;
}

struct decimal {
	char digit[MAX_DIGITS]; /* decimal digits, the least significant first */
	int n, exponent;
};

/* Convert value > 0 to decimal with at most about `precision` digits. */
static void to_decimal(double value, int precision, struct decimal *d)
{
	int e;
	uint64_t significand = (uint64_t)ldexp(frexp(value, &e), 53);
	int shift = __builtin_ctzll(significand);
	struct bigint b = {{0}, 0};
	significand >>= shift;
	e += shift - 53;
	b.limb[0] = (uint32_t)significand;
	b.limb[1] = (uint32_t)(significand >> 32);
	b.n = b.limb[1] ? 2 : 1;
	d->exponent = e < 0 ? e : 0;
	for (; e > 0; e -= e > 31 ? 31 : e)
		multiply(&b, (uint32_t)1 << (e > 31 ? 31 : e));
	for (; e < 0; e++)
		multiply(&b, 5);
	int removable = (bits_of(&b) - (precision * 196 + 58) / 59) * 59 / 196;
	for (int i = 0; i < removable; i++, d->exponent++)
		divide(&b, 10);
	d->n = 0;
	for (bool is_trailing = true; b.n;) {
		char digit = (char)divide(&b, 10);
		if (is_trailing && !digit) {
			d->exponent++;
			continue;
		}
		is_trailing = false;
		d->digit[d->n++] = digit;
	}
}

static void drop_low_digits(struct decimal *d, int n)
{
	memmove(d->digit, d->digit + n, (size_t)(d->n - n));
	d->n -= n;
	d->exponent += n;
}

static void round_to_precision(struct decimal *d, int precision)
{
	if (d->n <= precision)
		return;
	int first = d->n - precision;
	if (d->digit[first - 1] < 5) {
		while (first < d->n && d->digit[first] == 0)
			first++;
		drop_low_digits(d, first);
		return;
	}
	for (int i = first; i < d->n; i++) {
		if (d->digit[i] != 9) {
			d->digit[i]++;
			break;
		}
		first++;
	}
	if (first == d->n) {
		d->exponent += first;
		d->digit[0] = 1;
		d->n = 1;
		return;
	}
	drop_low_digits(d, first);
}

/* Write d.ddde+xx; `is_padded`: zeros up to 6 decimals, lower-case e, two exponent digits. */
static int write_scientific(const struct decimal *d, char *out, bool is_padded)
{
	int n = 0, e = d->exponent + d->n - 1;
	out[n++] = (char)('0' + d->digit[d->n - 1]);
	out[n++] = '.';
	if (d->n == 1 && !is_padded)
		out[n++] = '0';
	for (int i = d->n - 2; i >= 0; i--)
		out[n++] = (char)('0' + d->digit[i]);
	for (int i = d->n; is_padded && i < 7; i++)
		out[n++] = '0';
	return n + sprintf(out + n, is_padded ? "e%c%02d" : "E%c%d", e < 0 ? '-' : '+', abs(e));
}

static int write_fixed(const struct decimal *d, char *out)
{
	int n = 0, integer_digits = d->n + d->exponent;
	if (integer_digits <= 0) {
		n += sprintf(out, "0.");
		for (int i = integer_digits; i < 0; i++)
			out[n++] = '0';
	}
	for (int i = d->n - 1; i >= 0; i--) {
		out[n++] = (char)('0' + d->digit[i]);
		if (d->exponent < 0 && integer_digits > 0 && d->n - i == integer_digits)
			out[n++] = '.';
	}
	for (int i = 0; i < d->exponent; i++)
		out[n++] = '0';
	out[n] = '\0';
	return n;
}

/* Write 6 significant digits. Return false if they do not round-trip to `bits`. */
static bool try_six_digits(enum sr_dtype t, uint64_t bits, double value, char *out)
{
	struct decimal d;
	int n = 0;
	if (signbit(value))
		out[n++] = '-';
	if (value == 0) {
		memcpy(out + n, "0.000000e+00", 13);
		return true;
	}
	to_decimal(fabs(value), 6, &d);
	round_to_precision(&d, 6);
	write_scientific(&d, out + n, true);
	double parsed_value = strtod(out, NULL);
	if (t == SR_F32) { /* parse as float directly, since parsing as double would round twice */
		float f = strtof(out, NULL);
		uint32_t u;
		memcpy(&u, &f, 4);
		return u == bits;
	}
	return sr_float_encode(t, parsed_value) == bits;
}

static bool try_all_digits(enum sr_dtype t, double value, char *out)
{
	struct decimal d;
	int n = 0, precision = 2 + sr_float_precision(t) * 59 / 196;
	if (signbit(value))
		out[n++] = '-';
	if (value == 0) {
		out[n++] = '0';
		out[n] = '\0';
		return false;
	}
	to_decimal(fabs(value), precision, &d);
	round_to_precision(&d, precision);
	int first = d.exponent + d.n - 1; /* decimal exponent of the first digit */
	bool exponent = d.exponent >= 0 ? d.exponent > 3 || d.n + d.exponent > precision : first < 0 && -first > 3;
	if (exponent)
		write_scientific(&d, out + n, false);
	else
		write_fixed(&d, out + n);
	return strchr(out, '.') != NULL;
}

void sr_print_float(struct sr_buf *out, enum sr_dtype type, uint64_t bits)
{
	char text[MAX_DIGITS + 32];
	double value = sr_float_decode(type, bits);
	if (isfinite(value) && (try_six_digits(type, bits, value, text) || try_all_digits(type, value, text)))
		sr_buf_puts(out, text);
	else
		sr_buf_printf(out, "0x%llX", (unsigned long long)bits);
}

void sr_print_number(struct sr_buf *out, enum sr_dtype type, const void *at)
{
	int64_t i = 0;
	uint64_t bits = 0;
	if (sr_dtype_is_complex(type)) {
		enum sr_dtype component = sr_dtype_complex_part(type);
		sr_buf_putc(out, '[');
		sr_print_number(out, component, at);
		sr_buf_puts(out, ", ");
		sr_print_number(out, component, (const char *)at + sr_dtype_bytes(component));
		sr_buf_putc(out, ']');
	} else if (sr_dtype_is_float(type)) {
		memcpy(&bits, at, (size_t)sr_dtype_bytes(type));
		sr_print_float(out, type, bits);
	} else {
		sr_element_get(type, at, &i, NULL, NULL);
		if (type == SR_I1)
			sr_buf_puts(out, i ? "true" : "false");
		else if (sr_dtypes[type].class == SR_CLASS_UINT)
			sr_buf_uint(out, (uint64_t)i);
		else
			sr_buf_int(out, i);
	}
}
