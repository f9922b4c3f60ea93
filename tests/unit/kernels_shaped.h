/* Kernels with shapes: the second half of kernels.c, which includes this once. */

START_TEST(moves)
{
	int32_t in[6] = {1, 2, 3, 4, 5, 6}, out[8] = {0};
	struct sr_move_params transpose = {.rank = 2, .bytes = 4, .shape = {3, 2}, .src_stride = {1, 3}, .dst_stride = {2, 1}};
	struct sr_move_params reverse = {
		.rank = 1, .bytes = 4, .shape = {6}, .src_stride = {-1}, .dst_stride = {1}, .src_offset = 5};
	struct sr_move_params broadcast = {.rank = 2, .bytes = 4, .shape = {2, 3}, .src_stride = {1, 0}, .dst_stride = {3, 1}};
	struct sr_move_params scalar = {.bytes = 4, .src_offset = 2, .dst_offset = 7};

	run(SR_KERNEL_MOVE, SR_UI32, &transpose, (void *[]){in, out}, 0, 3);
	ck_assert(memcmp(out, (int32_t[]){1, 4, 2, 5, 3, 6}, 24) == 0);
	memset(out, 0, sizeof(out));
	run(SR_KERNEL_MOVE, SR_UI32, &transpose, (void *[]){in, out}, 1, 2);
	ck_assert(memcmp(out, (int32_t[]){0, 0, 2, 5, 0, 0}, 24) == 0);
	run(SR_KERNEL_MOVE, SR_UI32, &reverse, (void *[]){in, out}, 0, 6);
	ck_assert(memcmp(out, (int32_t[]){6, 5, 4, 3, 2, 1}, 24) == 0);
	run(SR_KERNEL_MOVE, SR_UI32, &broadcast, (void *[]){in, out}, 0, 2);
	ck_assert(memcmp(out, (int32_t[]){1, 1, 1, 2, 2, 2}, 24) == 0);
	run(SR_KERNEL_MOVE, SR_UI32, &scalar, (void *[]){in, out}, 0, 1);
	ck_assert(out[7] == 3);
	const struct sr_move_params *const all[] = {&transpose, &reverse, &broadcast};
	for (int i = 0; i < 3; i++)
		for (int lacking = 0; lacking < 3; lacking++) { /* none, the source's last element, the destination's */
			const int64_t bytes[] = {(i == 2 ? 8 : 24) - (lacking == 1), 24 - (lacking == 2)};
			struct sr_kernel_call call = {
			    .kernel = SR_KERNEL_MOVE, .type = SR_UI32, .params = all[i], .n_params = sizeof transpose,
			    .n_buffers = 2, .bytes = bytes, .range = all[i]->shape[0]};
			ck_assert_int_eq(sr_kernel_check(&call), !lacking);
		}
}
END_TEST

/* Every permutation of four dimensions, for element sizes 1 to 16, compared with indexing by hand. */
START_TEST(moves_of_every_permutation)
{
	enum { D0 = 3, D1 = 18, D2 = 2, D3 = 17, TOTAL = D0 * D1 * D2 * D3 };
	static const int64_t shape[4] = {D0, D1, D2, D3}, stride[4] = {D1 * D2 * D3, D2 * D3, D3, 1};
	static const enum sr_dtype types[5] = {SR_UI8, SR_UI16, SR_UI32, SR_UI64, SR_C128};
	int bytes = 1 << _i;
	char *in = malloc(TOTAL * 16), *out = malloc(TOTAL * 16);

	for (int i = 0; i < TOTAL * bytes; i++)
		in[i] = (char)(i * 7 + i / 251);
	for (int code = 0; code < 256; code++) {
		int perm[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6}, seen_dims = 0;
		for (int d = 0; d < 4; d++)
			seen_dims |= 1 << perm[d];
		if (seen_dims != 15)
			continue;
		struct sr_move_params p = {.rank = 4, .bytes = bytes};
		int64_t s = 1;
		for (int d = 3; d >= 0; d--) {
			p.shape[d] = shape[perm[d]];
			p.src_stride[d] = stride[perm[d]];
			p.dst_stride[d] = s;
			s *= p.shape[d];
		}
		run(SR_KERNEL_MOVE, types[_i], &p, (void *[]){in, out}, 0, 1);
		run(SR_KERNEL_MOVE, types[_i], &p, (void *[]){in, out}, 1, p.shape[0]);
		for (int64_t i = 0; i < TOTAL; i++) {
			int64_t at = 0, remainder = i;
			for (int d = 3; d >= 0; d--) {
				at += remainder % p.shape[d] * p.src_stride[d];
				remainder /= p.shape[d];
			}
			ck_assert(memcmp(out + i * bytes, in + at * bytes, (size_t)bytes) == 0);
		}
	}
	free(in);
	free(out);
}
END_TEST

START_TEST(fills)
{
	uint16_t v = 7, out[6] = {0};
	struct sr_fill_params f = {.n = 6, .bytes = 2};

	run(SR_KERNEL_FILL, SR_UI16, &f, (void *[]){&v, out}, 1, 3);
	ck_assert(out[0] == 0 && out[1] == 7 && out[2] == 7 && out[3] == 0);
}
END_TEST

START_TEST(dynamic_slices)
{
	int32_t in[12], out[4], updated[12];
	int64_t row = 5, col = -3;
	uint8_t at = 1;
	struct sr_dynamic_slice_params p = {.rank = 2, .bytes = 4, .index_type = SR_I64, .src = {3, 4}, .size = {2, 2}};

	for (int i = 0; i < 12; i++)
		in[i] = i;
	run(SR_KERNEL_DYNAMIC_SLICE, SR_I32, &p, (void *[]){in, &row, &col, out}, 0, 1);
	ck_assert(memcmp(out, (int32_t[]){4, 5, 8, 9}, 16) == 0);
	p.index_type = SR_UI8;
	run(SR_KERNEL_DYNAMIC_UPDATE_SLICE, SR_I32, &p, (void *[]){in, (int32_t[]){-1, -2, -3, -4}, &at, &at, updated}, 0, 2);
	ck_assert(memcmp(updated, (int32_t[]){0, 1, 2, 3, 4, -1, -2, 7, 8, -3, -4, 11}, 48) == 0);
	run(SR_KERNEL_DYNAMIC_UPDATE_SLICE, SR_I32, &p, (void *[]){in, (int32_t[]){-1, -2, -3, -4}, &at, &at, in}, 0, 2);
	ck_assert(memcmp(updated, in, 48) == 0);
}
END_TEST

START_TEST(reductions)
{
	int32_t in[12], init = 100, out[4] = {0};
	struct sr_reduce_params p = {.rank = 3, .monoid = SR_MONOID_ADD, .shape = {2, 3, 2}, .reduced = {1, 0, 1}};
	struct sr_reduce_params all = {.rank = 1, .monoid = SR_MONOID_ADD, .shape = {2000}, .reduced = {1}};
	uint16_t bf[2000], zero_bits = 0, sum;
	uint8_t bits[3] = {1, 0, 1}, bit, one = 1;

	for (int i = 0; i < 12; i++)
		in[i] = i;
	run(SR_KERNEL_REDUCE, SR_I32, &p, (void *[]){in, &init, out}, 0, 3);
	ck_assert(out[0] == 114 && out[1] == 122 && out[2] == 130 && out[3] == 0);
	p.monoid = SR_MONOID_MAX;
	run(SR_KERNEL_REDUCE, SR_I32, &p, (void *[]){in, &(int32_t){-1}, out}, 1, 2);
	ck_assert(out[0] == 114 && out[1] == 9 && out[2] == 130);
	for (int i = 0; i < 2000; i++)
		bf[i] = sr_f32_to_bf16(1);
	run(SR_KERNEL_REDUCE, SR_BF16, &all, (void *[]){bf, &zero_bits, &sum}, 0, 1);
	ck_assert(sr_bf16_to_f32(sum) == 2000);
	all.shape[0] = 3;
	all.monoid = SR_MONOID_AND;
	run(SR_KERNEL_REDUCE, SR_I1, &all, (void *[]){bits, &one, &bit}, 0, 1);
	ck_assert(bit == 0);
	all.shape[0] = 0;
	run(SR_KERNEL_REDUCE, SR_I1, &all, (void *[]){bits, &one, &bit}, 0, 1);
	ck_assert(bit == 1);
}
END_TEST

START_TEST(windows)
{
	int64_t in[6] = {1, 2, 3, 4, 5, 6}, init = 0, out[6];
	struct sr_reduce_window_params p = {.rank = 2,
				     .monoid = SR_MONOID_ADD,
				     .in = {3, 2},
				     .out = {2, 2},
				     .window = {2, 1},
				     .stride = {4, 1},
				     .base_dilation = {2, 1},
				     .window_dilation = {3, 1},
				     .pad_low = {2, 0}};
	struct sr_reduce_window_params pool = {.rank = 1, .monoid = SR_MONOID_MAX, .in = {6}, .out = {3}, .window = {3}, .stride = {2},
					.base_dilation = {1}, .window_dilation = {1}, .pad_low = {1}};

	run(SR_KERNEL_REDUCE_WINDOW, SR_I64, &p, (void *[]){in, &init, out}, 0, 4);
	ck_assert(out[0] == 0 && out[1] == 0 && out[2] == 3 && out[3] == 4);
	run(SR_KERNEL_REDUCE_WINDOW, SR_I64, &pool, (void *[]){in, &init, out}, 0, 3);
	ck_assert(out[0] == 2 && out[1] == 4 && out[2] == 6);
}
END_TEST

START_TEST(products)
{
	float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {7, 8, 9, 10, 11, 12}, out[4] = {0};
	struct sr_product_params p = {1, 2, 2, 3, 0, 3, 1, 0, 1, 2, SR_F32, SR_F32};
	struct sr_product_params q = {1, 1, 1, 2, 0, 2, 1, 0, 1, 1, SR_I32, SR_I8};
	int8_t x[2] = {100, 100};
	int32_t sum;

	run(SR_KERNEL_PRODUCT, SR_F32, &p, (void *[]){a, b, out}, 0, 2);
	ck_assert(out[0] == 58 && out[1] == 64 && out[2] == 139 && out[3] == 154);
	run(SR_KERNEL_PRODUCT, SR_I8, &q, (void *[]){x, x, &sum}, 0, 1);
	ck_assert_int_eq(sum, 20000);
	q.rhs = SR_BF16;
	q.out = SR_F32;
	uint16_t h[2] = {sr_f32_to_bf16(3), sr_f32_to_bf16(-2)};
	run(SR_KERNEL_PRODUCT, SR_BF16, &q, (void *[]){h, h, out}, 0, 1);
	ck_assert(out[0] == 13);
	q.rhs = q.out = SR_C64;
	float z[4] = {1, 2, 0, 1}, zz[2];
	run(SR_KERNEL_PRODUCT, SR_C64, &q, (void *[]){z, z, zz}, 0, 1);
	ck_assert(zz[0] == -4 && zz[1] == 4);
}
END_TEST

/* The specification's example: 1x4x4x1 by 3x3x1x1, strides 4, input dilated by 2. */
START_TEST(convolutions)
{
	int64_t in[16] = {1, 2, 5, 6, 3, 4, 7, 8, 10, 11, 14, 15, 12, 13, 16, 17}, kernel[9], out[4];
	struct sr_conv_params p = {.spatial = 2,
				   .out = SR_I64,
				   .batch = 1,
				   .in_features = 1,
				   .out_features = 1,
				   .feature_groups = 1,
				   .batch_groups = 1,
				   .in = {4, 4},
				   .out_shape = {2, 2},
				   .window = {3, 3},
				   .stride = {4, 4},
				   .lhs_dilation = {2, 2},
				   .rhs_dilation = {1, 1},
				   .lhs_stride = {16, 1, 4, 1},
				   .rhs_stride = {1, 1, 3, 1},
				   .out_stride = {4, 1, 2, 1}};

	for (int i = 0; i < 9; i++)
		kernel[i] = 1;
	run(SR_KERNEL_CONVOLUTION, SR_I64, &p, (void *[]){in, kernel, out}, 0, 1);
	ck_assert(out[0] == 10 && out[1] == 26 && out[2] == 46 && out[3] == 62);

	/* Two groups of one feature each, as feature groups (a depthwise convolution) and as batch groups. */
	float x[6] = {1, 2, 3, 4, 5, 6}, w[4] = {1, 2, 10, 20}, y[4];
	struct sr_conv_params g = {.spatial = 1,
				   .out = SR_F32,
				   .batch = 1,
				   .in_features = 2,
				   .out_features = 2,
				   .feature_groups = 2,
				   .batch_groups = 1,
				   .in = {3},
				   .out_shape = {2},
				   .window = {2},
				   .stride = {1},
				   .lhs_dilation = {1},
				   .rhs_dilation = {1},
				   .lhs_stride = {6, 3, 1},
				   .rhs_stride = {2, 2, 1},
				   .out_stride = {4, 2, 1}};
	run(SR_KERNEL_CONVOLUTION, SR_F32, &g, (void *[]){x, w, y}, 0, 2);
	ck_assert(y[0] == 5 && y[1] == 8 && y[2] == 140 && y[3] == 170);
	g.feature_groups = 1;
	g.batch_groups = 2;
	g.in_features = 1;
	g.lhs_stride[0] = 3;
	run(SR_KERNEL_CONVOLUTION, SR_F32, &g, (void *[]){x, w, y}, 0, 2);
	ck_assert(y[0] == 5 && y[1] == 8 && y[2] == 140 && y[3] == 170);
	g.reversal[0] = 1;
	run(SR_KERNEL_CONVOLUTION, SR_F32, &g, (void *[]){x, w, y}, 0, 1);
	ck_assert(y[0] == 4 && y[1] == 7);
}
END_TEST

/* Rows of a 3x2 table: out[i][:] = in[index[i]][:]; indices are clamped by gather and skipped by scatter. */
START_TEST(gather_and_scatter)
{
	float in[6] = {1, 2, 3, 4, 5, 6}, out[6], updates[6] = {10, 20, 30, 40, 50, 60};
	int32_t rows[3] = {2, 9, 0}, repeated[3] = {1, 1, -1};
	struct sr_scatter_params p = {.g = {.operand_rank = 2,
					    .indices_rank = 1,
					    .out_rank = 2,
					    .index_type = SR_I32,
					    .bytes = 4,
					    .index_vector_dim = 1,
					    .n_index_map = 1,
					    .operand = {3, 2},
					    .indices = {3},
					    .out = {3, 2},
					    .slice_sizes = {1, 2},
					    .index_map = {0},
					    .out_operand_dim = {-1, 1},
					    .batch_of_operand = {-1, -1}},
				      .monoid = SR_MONOID_ADD};

	run(SR_KERNEL_GATHER, SR_F32, &p.g, (void *[]){in, rows, out}, 0, 6);
	ck_assert(memcmp(out, (float[]){5, 6, 5, 6, 1, 2}, 24) == 0);
	run(SR_KERNEL_SCATTER, SR_F32, &p, (void *[]){in, repeated, updates, out}, 0, 6);
	ck_assert(memcmp(out, (float[]){1, 2, 43, 64, 5, 6}, 24) == 0);
	p.monoid = -1;
	run(SR_KERNEL_SCATTER, SR_F32, &p, (void *[]){in, rows, updates, in}, 0, 6);
	ck_assert(memcmp(in, (float[]){50, 60, 3, 4, 10, 20}, 24) == 0);
}
END_TEST

START_TEST(batched_gather)
{
	uint8_t in[6] = {1, 2, 3, 4, 5, 6}, out[2];
	int64_t columns[2] = {2, 0};
	struct sr_gather_params p = {.operand_rank = 2,
				     .indices_rank = 2,
				     .out_rank = 1,
				     .index_type = SR_I64,
				     .bytes = 1,
				     .index_vector_dim = 1,
				     .n_index_map = 1,
				     .operand = {2, 3},
				     .indices = {2, 1},
				     .out = {2},
				     .slice_sizes = {1, 1},
				     .index_map = {1},
				     .out_operand_dim = {-1},
				     .batch_of_operand = {0, -1}};

	run(SR_KERNEL_GATHER, SR_UI8, &p, (void *[]){in, columns, out}, 0, 2);
	ck_assert(out[0] == 3 && out[1] == 4);
}
END_TEST

START_TEST(sorts)
{
	float keys[8] = {3, 1, NAN, 1, -0.0f, 0, -INFINITY, 2}, sorted_keys[8];
	int64_t values[8] = {0, 1, 2, 3, 4, 5, 6, 7}, sorted_values[8];
	struct sr_sort_params p = {.n_operands = 2, .key = 0, .total = 2, .outer = 1, .length = 8, .inner = 1, .bytes = {4, 8}};

	run(SR_KERNEL_SORT, SR_F32, &p, (void *[]){keys, values, sorted_keys, sorted_values}, 0, 1);
	ck_assert(memcmp(sorted_values, (int64_t[]){6, 4, 5, 1, 3, 7, 0, 2}, 64) == 0);
	ck_assert(isnan(sorted_keys[7]) && sorted_keys[3] == 1);
	p.descending = 1;
	run(SR_KERNEL_SORT, SR_F32, &p, (void *[]){keys, values, sorted_keys, sorted_values}, 0, 1);
	ck_assert(memcmp(sorted_values, (int64_t[]){2, 0, 7, 1, 3, 4, 5, 6}, 64) == 0);

	int8_t columns[6] = {3, 1, 2, 2, 1, 3};
	struct sr_sort_params q = {.n_operands = 1, .outer = 1, .length = 3, .inner = 2, .bytes = {1}};
	run(SR_KERNEL_SORT, SR_I8, &q, (void *[]){columns, columns}, 0, 2);
	ck_assert(memcmp(columns, (int8_t[]){1, 1, 2, 2, 3, 3}, 6) == 0);
}
END_TEST

static void sort_floats(float *keys, int64_t n)
{
	struct sr_sort_params p = {.n_operands = 1, .total = 2, .outer = 1, .length = n, .inner = 1, .bytes = {4}};
	run(SR_KERNEL_SORT, SR_F32, &p, (void *[]){keys, keys}, 0, 1);
}

/* Two sorted runs are divided into two pairs of runs, whose stable sorts are together that of all elements. */
START_TEST(divided_runs)
{
	enum { LENGTH = 48 };
	for (int64_t middle = 0; middle <= LENGTH; middle++) {
		struct sr_sort_params p = {.n_operands = 1, .total = 2, .outer = 1, .length = LENGTH, .inner = 1, .bytes = {4}};
		float keys[LENGTH], expected[LENGTH];
		for (int64_t i = 0; i < LENGTH; i++) {
			int kind = (int)((i * 7 + middle * 5) % 13);
			keys[i] = kind == 0 ? -0.0f : kind == 1 ? 0 : kind == 2 ? NAN : kind == 3 ? -NAN : (float)(i * 11 % 17 - 8);
		}
		memcpy(expected, keys, sizeof keys);
		sort_floats(expected, LENGTH);
		sort_floats(keys, middle);
		sort_floats(keys + middle, LENGTH - middle);
		sr_sort_divide_runs(SR_F32, &p, keys, middle);
		sort_floats(keys, middle);
		sort_floats(keys + middle, LENGTH - middle);
		ck_assert_msg(!memcmp(keys, expected, sizeof keys), "first run of %d of %d elements", (int)middle, LENGTH);
	}
}
END_TEST

/* Every length up to 33 and every kind, compared with the DFT sum. */
START_TEST(transforms)
{
	enum { MAX = 33 };
	double x[2 * MAX], half_spectrum[2 * MAX], out[2 * MAX], expected[2 * MAX], signal[MAX];
	int64_t n = _i;

	for (int i = 0; i < 2 * MAX; i++)
		x[i] = sin(i * 1.7) + 0.3 * (i % 5);
	for (int inverse = 0; inverse < 2; inverse++) {
		struct sr_fft_params p = {.kind = inverse, .rank = 1, .batch = 1, .length = {n}};
		run(SR_KERNEL_FFT, SR_C128, &p, (void *[]){x, out}, 0, 1);
		for (int64_t k = 0; k < n; k++) {
			double re = 0, im = 0, scale = inverse ? 1.0 / (double)n : 1;
			for (int64_t j = 0; j < n; j++) {
				double angle = (inverse ? 2 : -2) * M_PI * (double)(j * k % n) / (double)n;
				re += x[2 * j] * cos(angle) - x[2 * j + 1] * sin(angle);
				im += x[2 * j] * sin(angle) + x[2 * j + 1] * cos(angle);
			}
			expected[2 * k] = re * scale;
			expected[2 * k + 1] = im * scale;
		}
		for (int64_t k = 0; k < 2 * n; k++)
			ck_assert_msg(fabs(out[k] - expected[k]) < 1e-12 * (double)n, "n %d [%d]", (int)n, (int)k);
	}
	struct sr_fft_params real = {.kind = 2, .rank = 1, .batch = 1, .length = {n}};
	run(SR_KERNEL_FFT, SR_C128, &real, (void *[]){x, half_spectrum}, 0, 1);
	real.kind = 3;
	run(SR_KERNEL_FFT, SR_C128, &real, (void *[]){half_spectrum, signal}, 0, 1);
	for (int64_t k = 0; k < n; k++)
		ck_assert(fabs(signal[k] - x[k]) < 1e-12);
}
END_TEST

START_TEST(real_transforms_of_two_dimensions)
{
	float x[2 * 3 * 4], spectrum[2 * 2 * 3 * 3], inverse[2 * 3 * 4];
	struct sr_fft_params p = {.kind = 2, .rank = 2, .batch = 2, .length = {3, 4}};

	for (int i = 0; i < 24; i++)
		x[i] = (float)(i * i % 7);
	run(SR_KERNEL_FFT, SR_C64, &p, (void *[]){x, spectrum}, 0, 2);
	float sum = 0;
	for (int i = 12; i < 24; i++)
		sum += x[i];
	ck_assert(fabsf(spectrum[18] - sum) < 1e-4f);
	p.kind = 3;
	run(SR_KERNEL_FFT, SR_C64, &p, (void *[]){spectrum, inverse}, 0, 2);
	for (int i = 0; i < 24; i++)
		ck_assert(fabsf(inverse[i] - x[i]) < 1e-5f);
}
END_TEST

START_TEST(cholesky_factors)
{
	double a[9] = {4, 99, 99, 2, 5, 99, -2, 3, 14}, l[9], u[9], at[9] = {4, 2, -2, 99, 5, 3, 99, 99, 14};
	struct sr_linalg_params p = {.batch = 1, .m = 3, .n = 3, .lower = 1};

	run(SR_KERNEL_CHOLESKY, SR_F64, &p, (void *[]){a, l}, 0, 1);
	ck_assert(memcmp(l, (double[]){2, 0, 0, 1, 2, 0, -1, 2, 3}, 72) == 0);
	p.lower = 0;
	run(SR_KERNEL_CHOLESKY, SR_F64, &p, (void *[]){at, u}, 0, 1);
	ck_assert(memcmp(u, (double[]){2, 1, -1, 0, 2, 2, 0, 0, 3}, 72) == 0);

	float z[8] = {2, 0, 9, 9, 0, 1, 3, 0}, zl[8]; /* [[2, .], [i, 3]]: L = [[sqrt 2, 0], [i / sqrt 2, sqrt 2.5]] */
	struct sr_linalg_params q = {.batch = 1, .m = 2, .n = 2, .lower = 1};
	run(SR_KERNEL_CHOLESKY, SR_C64, &q, (void *[]){z, zl}, 0, 1);
	ck_assert(fabs((double)zl[0] - M_SQRT2) < 1e-6 && fabs((double)zl[5] - M_SQRT1_2) < 1e-6 &&
		  fabs((double)zl[6] - sqrt(2.5)) < 1e-6);
}
END_TEST

/* Every combination of side, triangle, unit diagonal and transposition: multiplying the solution by the matrix gives b. */
START_TEST(triangular_systems)
{
	float a[2 * 9], b[2 * 3 * 2], x[2 * 3 * 2];
	struct sr_linalg_params p = {
		.batch = 1, .lower = _i & 1, .left = _i >> 1 & 1, .unit = _i >> 2 & 1, .transpose = (uint8_t)(_i >> 3)};
	int64_t size = 3;

	p.m = p.left ? 3 : 2;
	p.n = p.left ? 2 : 3;
	for (int i = 0; i < 18; i++)
		a[i] = (float)(i % 5) + (i % 8 < 2 ? 6.0f : 1.0f);
	for (int i = 0; i < 12; i++)
		b[i] = (float)(i + 1);
	run(SR_KERNEL_TRIANGULAR_SOLVE, SR_C64, &p, (void *[]){a, b, x}, 0, 1);
	for (int64_t r = 0; r < p.m; r++)
		for (int64_t c = 0; c < p.n; c++) {
			double re = 0, im = 0;
			for (int64_t k = 0; k < size; k++) {
				int64_t row = p.left ? r : k, col = p.left ? k : c,
					at = p.transpose ? col * size + row : row * size + col;
				bool in_triangle = p.lower ? at / size >= at % size : at / size <= at % size;
				bool one = p.unit && row == col;
				double ar = one	     ? 1
					    : in_triangle ? (double)a[2 * at]
						     : 0,
				       ai = one || !in_triangle ? 0 : (double)a[2 * at + 1];
				int64_t xi = 2 * (p.left ? k * p.n + c : r * p.n + k);
				ai = p.transpose == 2 ? -ai : ai;
				re += ar * (double)x[xi] - ai * (double)x[xi + 1];
				im += ar * (double)x[xi + 1] + ai * (double)x[xi];
			}
			ck_assert_msg(fabs(re - (double)b[2 * (r * p.n + c)]) < 2e-3 &&
					  fabs(im - (double)b[2 * (r * p.n + c) + 1]) < 2e-3,
				      "case %d at %d %d: %g %g", _i, (int)r, (int)c, re, im);
		}
}
END_TEST

/* Expected bits are those of XLA on CPUs. */
START_TEST(random_bits)
{
	uint64_t state[3] = {1, 2, 3}, next[3], words[5];
	uint32_t out[9];
	uint16_t narrow_bits[3];
	struct sr_rng_params p = {.n = 9, .rank = 2, .shape = {3, 3}, .algorithm = 1, .bytes = 4, .state_words = 2};

	run(SR_KERNEL_RNG_BITS, SR_UI32, &p, (void *[]){state, next, out}, 0, 1);
	ck_assert(next[0] == 1 && next[1] == 8 && out[0] == 0x296e954 && out[1] == 0xed3492d3 && out[3] == 0x802fd53b &&
		  out[8] == 0xaafe5a17);
	p = (struct sr_rng_params){.n = 4, .rank = 2, .shape = {2, 2}, .algorithm = 1, .bytes = 8, .state_words = 2};
	run(SR_KERNEL_RNG_BITS, SR_UI64, &p, (void *[]){state, next, words}, 0, 1);
	ck_assert(next[1] == 6 && words[0] == 9236835810183407956u && words[3] == 2658481902456610144u);
	p = (struct sr_rng_params){.n = 9, .algorithm = 0, .bytes = 4, .state_words = 2};
	run(SR_KERNEL_RNG_BITS, SR_UI32, &p, (void *[]){state, next, out}, 0, 1);
	ck_assert(next[0] == 1 && next[1] == 5 && out[0] == 0x7d34a749 && out[4] == 0x6cf923fe && out[8] == 0x19d83063);
	p = (struct sr_rng_params){.n = 5, .algorithm = 2, .bytes = 8, .state_words = 2};
	run(SR_KERNEL_RNG_BITS, SR_UI64, &p, (void *[]){state, next, words}, 0, 1);
	ck_assert(next[1] == 5 && words[0] == 0xa9b8bbe87d34a749 && words[4] == 0x95b31c3419d83063);
	p = (struct sr_rng_params){.n = 3, .algorithm = 2, .bytes = 2, .state_words = 3};
	state[1] = UINT64_MAX;
	run(SR_KERNEL_RNG_BITS, SR_UI16, &p, (void *[]){state, next, narrow_bits}, 0, 1);
	ck_assert(next[1] == 0 && next[2] == 4);
}
END_TEST

static TCase *shaped_tests(void)
{
	TCase *t = tcase_create("shaped");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, moves);
	tcase_add_loop_test(t, moves_of_every_permutation, 0, 5);
	tcase_add_test(t, fills);
	tcase_add_test(t, dynamic_slices);
	tcase_add_test(t, reductions);
	tcase_add_test(t, windows);
	tcase_add_test(t, products);
	tcase_add_test(t, convolutions);
	tcase_add_test(t, gather_and_scatter);
	tcase_add_test(t, batched_gather);
	tcase_add_test(t, sorts);
	tcase_add_test(t, divided_runs);
	tcase_add_loop_test(t, transforms, 1, 34);
	tcase_add_test(t, real_transforms_of_two_dimensions);
	tcase_add_test(t, cholesky_factors);
	tcase_add_loop_test(t, triangular_systems, 0, 24);
	tcase_add_test(t, random_bits);
	return t;
}
