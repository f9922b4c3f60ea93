/* Reductions of loop nests (sr_accumulate_fn, sr_combine_lanes_fn) compared with elementwise kernels, bit by bit. */
#pragma once

enum { MAX_ELEMENTS = 12 * (70 << 5) }; /* each element takes at most 16 bytes */

static const struct {
	enum sr_kernel kernel;
	enum sr_monoid monoid;
} combiners[] = {{SR_KERNEL_ADD, SR_MONOID_ADD}, {SR_KERNEL_MULTIPLY, SR_MONOID_MUL}, {SR_KERNEL_MINIMUM, SR_MONOID_MIN},
		 {SR_KERNEL_MAXIMUM, SR_MONOID_MAX}, {SR_KERNEL_AND, SR_MONOID_AND}, {SR_KERNEL_OR, SR_MONOID_OR},
		 {SR_KERNEL_XOR, SR_MONOID_XOR}};
enum { N_COMBINERS = sizeof combiners / sizeof *combiners };

static void combine_one(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, char *target, char *source, int64_t n)
{
	struct sr_map_params p = {.n = n, .in = (uint8_t)t, .out = (uint8_t)t};
	table->fn[k][t](&p, (void *[]){target, source, target}, NULL, 0, n);
}

/* Replace each NaN of an array of floats of 16 bits by a zero of its sign: without them, extrema are those of integers. */
static void replace_nan(enum sr_dtype t, uint16_t *v, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		v[i] = (v[i] & 0x7fff) > (t == SR_BF16 ? 0x7f80 : 0x7c00) ? v[i] & 0x8000 : v[i];
}

/* Accumulate runs of n elements in `width` accumulators, then combine the accumulators in halves until n_lanes are left, and
 * compare with elementwise kernels. */
static void check_accumulation(int isa, int c, enum sr_dtype t, int64_t runs, int64_t n, int64_t width, int64_t n_lanes)
{
	static int64_t in[2 * MAX_ELEMENTS], expected[2 * MAX_ELEMENTS], got[2 * MAX_ELEMENTS];
	const struct sr_kernels *table = &fast[isa];
	int64_t bytes = sr_dtype_bytes(t);
	enum sr_kernel k = combiners[c].kernel;

	bool is_extremum = k == SR_KERNEL_MINIMUM || k == SR_KERNEL_MAXIMUM;
	fill_array(t, in, runs * n, is_extremum);
	fill_array(t, expected, width, false);
	if (is_extremum && (t == SR_BF16 || t == SR_F16) && next_random() % 4)
		replace_nan(t, (uint16_t *)(void *)in, runs * n);
	memcpy(got, expected, (size_t)(width * bytes));
	if (!table->accumulate[t](combiners[c].monoid, got, in, runs, n, width))
		return;
	for (int64_t i = 0; i < runs * n; i++)
		combine_one(table, k, t, (char *)expected + i % n % width * bytes, (char *)in + i * bytes, 1);
	for (int64_t i = 0; i < width; i++)
		ck_assert_msg(are_close(t, (char *)expected + i * bytes, (char *)got + i * bytes, 0),
			      "%s %s isa %d: accumulator %d of %d", sr_kernel_name(k), sr_dtypes[t].name, isa, (int)i, (int)width);
	ck_assert(table->combine_lanes[t](combiners[c].monoid, got, width, n_lanes));
	for (int64_t half_width = width / 2; half_width >= n_lanes; half_width /= 2)
		combine_one(table, k, t, (char *)expected, (char *)expected + half_width * bytes, half_width);
	for (int64_t i = 0; i < n_lanes; i++)
		ck_assert_msg(are_close(t, (char *)expected + i * bytes, (char *)got + i * bytes, 0), "%s %s isa %d: lane %d of %d",
			      sr_kernel_name(k), sr_dtypes[t].name, isa, (int)i, (int)width);
}

START_TEST(accumulations)
{
	enum sr_dtype t = (enum sr_dtype)_i;

	for (int isa = 0; isa < n_isa && fast[isa].accumulate[t]; isa++)
		for (int i = 0; i < 120; i++) {
			int64_t n_lanes = 1 + (int64_t)next_random() % (i % 3 ? 9 : 70), width = n_lanes << next_random() % 6;
			int64_t n = 1 + (int64_t)next_random() % 400, runs = 1 + (int64_t)next_random() % (i % 2 ? 2 : 12);
			check_accumulation(isa, i % N_COMBINERS, t, runs, i % 5 ? n : width, width, n_lanes);
		}
}
END_TEST
