/* Elementwise reductions and conversions by members: NaN, signed zeros, wrapping integers, narrow floats. Part of collectives.c. */
#pragma once

START_TEST(floats_follow_ieee_maximum)
{
	float a[] = {NAN, 1, -0.0f, 0.0f, 3, -INFINITY}, b[] = {1, NAN, 0.0f, -0.0f, 2, 5}, minima[6];
	memcpy(minima, a, sizeof a);
	sr_reduce_elements(SR_F32, SR_MONOID_MIN, minima, b, 6);
	sr_reduce_elements(SR_F32, SR_MONOID_MAX, a, b, 6);
	ck_assert(isnan(a[0]) && isnan(a[1]) && isnan(minima[0]) && isnan(minima[1]));
	ck_assert(!signbit(a[2]) && !signbit(a[3]) && signbit(minima[2]) && signbit(minima[3]));
	ck_assert(a[4] == 3 && a[5] == 5 && minima[4] == 2 && minima[5] == -INFINITY);
}
END_TEST

START_TEST(complex_numbers_propagate_nan)
{
	float _Complex a[] = {1, __builtin_complex(0.0f, NAN), 2, __builtin_complex(1.0f, 3.0f)};
	float _Complex b[] = {__builtin_complex(NAN, 0.0f), 1, __builtin_complex(1.0f, 5.0f), __builtin_complex(1.0f, 2.0f)}, minima[4];
	memcpy(minima, a, sizeof a);
	sr_reduce_elements(SR_C64, SR_MONOID_MIN, minima, b, 4);
	sr_reduce_elements(SR_C64, SR_MONOID_MAX, a, b, 4);
	ck_assert(isnan(crealf(a[0])) && isnan(cimagf(a[1])) && isnan(crealf(minima[0])) && isnan(cimagf(minima[1])));
	ck_assert(a[2] == 2 && cimagf(a[3]) == 3 && cimagf(minima[2]) == 5 && cimagf(minima[3]) == 2);
}
END_TEST

START_TEST(integers_wrap_to_their_bits)
{
	int8_t a[] = {7, -8, 3}, b[] = {1, -1, 2};
	uint8_t c[] = {15, 8}, d[] = {1, 2}, p[] = {1, 0, 1, 0}, q[] = {1, 1, 0, 0};
	int32_t x = INT32_MAX, y = 1;
	sr_reduce_elements(SR_I4, SR_MONOID_ADD, a, b, 3);
	ck_assert(a[0] == -8 && a[1] == 7 && a[2] == 5);
	sr_reduce_elements(SR_UI4, SR_MONOID_ADD, c, d, 1);
	sr_reduce_elements(SR_UI4, SR_MONOID_MUL, c + 1, d + 1, 1);
	ck_assert(c[0] == 0 && c[1] == 0);
	sr_reduce_elements(SR_I32, SR_MONOID_ADD, &x, &y, 1);
	ck_assert_int_eq(x, INT32_MIN);
	sr_reduce_elements(SR_I1, SR_MONOID_ADD, p, q, 4);
	ck_assert(p[0] == 1 && p[1] == 1 && p[2] == 1 && p[3] == 0);
}
END_TEST

START_TEST(narrow_floats_convert_as_support_says)
{
	static const enum sr_dtype types[] = {SR_BF16, SR_F16, SR_F8E4M3FN, SR_F8E5M2};
	for (int t = 0; t < 4; t++)
		for (int i = 0; i < 2000; i++) {
			float x = ldexpf((float)rand() / (float)RAND_MAX - 0.5f, rand() % 40 - 20), decoded_value;
			unsigned char bits[2] = {0}, expected_bits[2] = {0};
			sr_convert_elements(types[t], bits, SR_F32, &x, 1);
			sr_element_set(types[t], expected_bits, 0, x, 0);
			REQUIRE(!memcmp(bits, expected_bits, 2), "%s of %g", sr_dtypes[types[t]].name, x);
			double d = 0;
			sr_convert_elements(SR_F32, &decoded_value, types[t], bits, 1);
			sr_element_get(types[t], bits, NULL, &d, NULL);
			REQUIRE(decoded_value == (float)d || (isnan(decoded_value) && isnan(d)), "%s back from %g", sr_dtypes[types[t]].name,
				x);
		}
}
END_TEST
