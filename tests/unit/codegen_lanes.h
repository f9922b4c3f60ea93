/* Reductions of loop nests with several lanes or of short rows: interpreted and compiled ones give the same bits. */
#pragma once

/* Compiled nests use the number of lanes that a program records, for each number that it may record. */
START_TEST(test_numbers_of_lanes)
{
	for (int i = 0; i < 90; i++) {
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 1 + (int)next_random(2), .n_inputs = 2, .n_outputs = 1},
					 .lanes = 1 << i % 9};
		for (int l = 0; l < 3; l++)
			m.t.extent[l] = loop_extents[next_random(8)];
		enum sr_dtype type = i % 2 ? SR_F32 : SR_F64;
		m.elements[0] = m.elements[1] = 1;
		m.types[0] = m.types[1] = (uint8_t)type;
		add_stage(&m, false);
		int fill_value = add_constant(&m, type, 2), init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int total = add_reduce(&m, SR_KERNEL_ADD, type, random_value(&m, type, 3, fill_value, -1), init);
		add_stage(&m, false);
		add_store(&m, total, 2, m.t.n_parallel, loop_order);
		collect_nest(&m, 0, "lanes");
	}
	compare_collected(0);
}
END_TEST

/* Collect a nest that reduces rows of kernel(x, row), where one `row` is added to all; the result of a row is read again at each of
 * its elements. */
static void collect_rows(enum sr_dtype type, enum sr_kernel kernel, enum sr_kernel reducer, int lanes, int64_t n_rows,
			 int64_t length)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 2}, .lanes = lanes};
	m.t.extent[0] = n_rows, m.t.extent[1] = length;
	m.elements[0] = m.elements[1] = 1;
	add_stage(&m, false);
	int init = add_constant(&m, type, 1);
	add_stage(&m, true);
	int x = add_load(&m, type, 0, 2, loop_order), row = add_load(&m, type, 1, 1, loop_order + 1);
	int total = add_reduce(&m, reducer, type, add_map(&m, kernel, type, type, 2, (int[]){x, row}), init);
	add_stage(&m, true);
	x = add_load(&m, type, 0, 2, loop_order), row = add_load(&m, type, 1, 1, loop_order + 1);
	int difference = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (int[]){x, total});
	add_store(&m, add_map(&m, SR_KERNEL_ADD, type, type, 2, (int[]){difference, row}), 3, 2, loop_order);
	add_stage(&m, false);
	add_store(&m, total, 2, 1, loop_order);
	collect_nest(&m, 0, "rows of a tile");
}

/* Collect a nest over loops (p, r, c) that reduces x[p, c, r] * y[p, r, c] over the last `n_inner` loops, and subtracts the result
 * from each x. With is_column, x and y change places. With is_stored, the differences are stored as x is. */
static void collect_transposed_rows(enum sr_dtype type, int n_inner, bool is_column, bool is_stored, int64_t rows,
					int64_t columns)
{
	struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 3 - n_inner, .n_inputs = 2, .n_outputs = 2,
				       .extent = {3, rows, columns}}};
	static const int swapped[] = {0, 2, 1};
	const int *x_order = is_column ? loop_order : swapped, *y_order = is_column ? swapped : loop_order;
	add_stage(&m, false);
	int init = add_constant(&m, type, 1);
	add_stage(&m, true);
	int args[] = {add_load(&m, type, 0, 3, x_order), add_load(&m, type, 1, 3, y_order)};
	int total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, args), init);
	add_stage(&m, true);
	args[0] = add_load(&m, type, 0, 3, x_order);
	args[1] = total;
	add_store(&m, add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, args), 3, 3, is_stored ? x_order : y_order);
	add_stage(&m, false);
	add_store(&m, total, 2, 3 - n_inner, loop_order);
	collect_nest(&m, 0, "transposed rows");
}

/* Rows that are columns of an input are transposed in blocks, in all forms of reductions. Rows may have more elements than
 * a block of columns. */
START_TEST(test_transposed_rows)
{
	static const enum sr_dtype row_types[] = {SR_F32, SR_F64, SR_I32, SR_BF16, SR_I8};
	static const int64_t extents[][2] = {{16, 16}, {33, 70}, {64, 129}, {100, 1000}, {40, 2100}, {37, 24}};
	for (int i = 0; i < 6; i++) {
		for (int t = 0; t < 5; t++)
			for (int form = 0; form < 3; form++)
				collect_transposed_rows(row_types[t], form == 1 ? 2 : 1, form == 2, (t + form) % 2, extents[i][0],
							extents[i][1]);
		compare_collected_with(0, INT64_MAX, "transpose_4(&b");
	}
	collect_transposed_rows(SR_F32, 1, true, false, 100, 200);
	collect_transposed_rows(SR_F32, 1, false, false, 100, 200);
	compare_collected_with(0, INT64_MAX, "transpose_4(q");
}
END_TEST

/* Sums over all pairs of vectors' components, stored with a stride: the order does not depend on the stride. The second sums every
 * third column of a matrix. */
START_TEST(test_lanes_of_strided_sums)
{
	enum { N = 256 };
	for (int i = 0; i < 4; i++) {
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1, .extent = {N, N}}};
		add_stage(&m, false);
		int init = add_constant(&m, SR_F32, 0);
		add_stage(&m, true);
		int pair[] = {add_load(&m, SR_F32, 0, 0, loop_order), add_load(&m, SR_F32, 0, 0, loop_order)};
		m.accesses[0].stride[0] = 3;
		m.accesses[1].stride[1] = i / 2 ? 3 * N : 3;
		m.accesses[1].stride[0] = i / 2 ? 3 : 0;
		m.elements[0] = 3 * N * (i / 2 ? N : 1);
		int sum = add_reduce(&m, SR_KERNEL_ADD, SR_F32, add_map(&m, SR_KERNEL_SUBTRACT, SR_F32, SR_F32, 2, pair), init);
		add_stage(&m, false);
		add_store(&m, sum, 1, 1, loop_order);
		m.accesses[2].stride[0] = i % 2 ? 3 : 1;
		m.elements[1] = 3 * N;
		collect_nest(&m, 0, "strided sums");
		ck_assert_int_eq(sr_nest_stages(all.nests[all.n - 1])[1].lanes, i / 2 ? 1 : 64);
	}
	compare_collected(0);
}
END_TEST

/* Rows that the interpreter reduces several of at once, of 60 to 539 elements. The last nests are sums of few lanes, which GCC 12
 * miscompiles if it unrolls the loop over the lanes. */
START_TEST(test_rows_of_a_tile)
{
	static const enum sr_kernel reducers[] = {SR_KERNEL_ADD, SR_KERNEL_MAXIMUM, SR_KERNEL_MINIMUM};
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_I32, SR_BF16};
	for (int i = 0; i < 72; i++) {
		int64_t n_rows = 1 + (int64_t)next_random(40), length = 60 + (int64_t)next_random(480);
		enum sr_kernel kernel = i % 2 ? SR_KERNEL_MULTIPLY : SR_KERNEL_ADD;
		collect_rows(some[i % 4], kernel, reducers[i / 2 % 3], 1 << i % 9, n_rows, length);
	}
	for (int i = 0; i < 3; i++)
		collect_rows(SR_I32, SR_KERNEL_ADD, SR_KERNEL_ADD, 2 << i, 13, 80 + 16 * i);
	compare_collected(0);
}
END_TEST

/* Sums over the rows and columns of blocks of larger matrices, where each lane has a few columns: GCC 12 miscompiles sums of bytes
 * if it unrolls the loop over the lanes. If is_bounded, the first and the last columns are out of bounds. */
START_TEST(test_lanes_of_blocks)
{
	static const enum sr_dtype some[] = {SR_I8, SR_I16, SR_I32, SR_UI8, SR_F32};
	for (int i = 0; i < 120; i++) {
		bool is_bounded = i % 2;
		int lanes = 4 << i / 2 % 4;
		int64_t n = lanes * (1 + i / 8 % 3) + (i / 24 ? i / 24 : 0);
		enum sr_dtype type = some[i / 24];
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 1, .n_inputs = 2, .n_outputs = 1, .extent = {3, 20, n}},
					 .lanes = lanes};
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int args[] = {add_load(&m, type, 0, 3, loop_order), add_load(&m, type, 1, 3, loop_order)};
		for (int k = 0; k < 2; k++) {
			memcpy(m.accesses[k].stride, (int64_t[]){40 * n, 2 * n, 1}, 3 * sizeof(int64_t));
			m.elements[k] = 120 * n;
		}
		if (is_bounded) {
			m.accesses[1].stride[2] = 0;
			m.accesses[1].fill = init;
			m.accesses[1].n_dims = m.t.n_dims = 1;
			m.dims[0] = (struct sr_nest_dim){
				.divisor = 1, .stride = 1, .extent = n - 3, .offset = -2, .coef = {0, 0, 1}, .index = -1};
		}
		int total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, args), init);
		add_stage(&m, false);
		add_store(&m, total, 2, 1, loop_order);
		collect_nest(&m, 0, "lanes of blocks");
	}
	compare_collected(0);
}
END_TEST

/* Rows of 16 to 64 elements have accumulators in vector registers, also two reductions of one loop, of values that are saved. */
START_TEST(test_row_vectors)
{
	static const enum sr_kernel reducers[] = {SR_KERNEL_ADD, SR_KERNEL_MAXIMUM, SR_KERNEL_MULTIPLY, SR_KERNEL_MINIMUM};
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_I32, SR_BF16, SR_I64, SR_F16, SR_UI32, SR_UI64};
	for (int i = 0; i < 98; i++) {
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 2,
					       .extent = {21, 16 + i / 2}},
					 .lanes = i % 3 ? 16 : i < 48 ? 8 : 32};
		enum sr_dtype type = some[i % 8];
		add_stage(&m, false);
		int init = add_constant(&m, type, i % 5 - 1), other_init = add_load(&m, type, 1, 1, loop_order);
		add_stage(&m, true);
		int x = add_load(&m, type, 0, 2, loop_order), row = add_load(&m, type, 1, 1, loop_order + 1);
		int v = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (int[]){x, row});
		m.values[v].is_saved = i / 8 % 2;
		int total = add_reduce(&m, reducers[i / 8 % 4], type, v, init);
		int other = add_reduce(&m, reducers[i / 3 % 4], type, i % 2 ? x : row, i / 7 % 2 ? other_init : init);
		add_stage(&m, true);
		x = add_load(&m, type, 0, 2, loop_order);
		x = add_map(&m, SR_KERNEL_ADD, type, type, 2, (int[]){m.values[v].is_saved ? v : x, total});
		add_store(&m, x, 3, 2, loop_order);
		add_stage(&m, false);
		add_store(&m, other, 2, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "\t\tJOIN_ROWS(");
}
END_TEST

/* Rows of 17 to 63 elements of bf16 become vectors of f32 before they are reduced. */
START_TEST(test_row_vectors_of_bf16)
{
	static const enum sr_kernel reducers[] = {SR_KERNEL_ADD, SR_KERNEL_MAXIMUM, SR_KERNEL_MINIMUM};
	for (int i = 17; i < 64; i++)
		if (i % 16)
			collect_rows(SR_BF16, i % 2 ? SR_KERNEL_MULTIPLY : SR_KERNEL_ADD, reducers[i % 3], 16, 21, i);
	compare_collected_with(0, INT64_MAX, "= ROW_OF_BF16(&");
}
END_TEST

/* The last stage computes elementary functions of the rows' results in a vector loop over a block of rows; it reads an array and
 * values of two stages. Rows of 2 to 600 elements: the longest ones are computed row by row. */
START_TEST(test_row_results)
{
	static const enum sr_kernel functions[] = {SR_KERNEL_LOG, SR_KERNEL_EXPONENTIAL, SR_KERNEL_TANH, SR_KERNEL_RSQRT};
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_BF16, SR_F16};
	static const int64_t lengths[] = {2, 5, 17, 24, 33, 100, 512};
	for (int i = 0; i < 56; i++) {
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 2, .n_outputs = 2}};
		enum sr_dtype type = some[i % 4];
		m.lanes = i % 3 ? 16 : 8;
		m.t.extent[0] = 1 + i % 2, m.t.extent[1] = 130 + i, m.t.extent[2] = lengths[i % 7];
		add_stage(&m, false);
		int init = add_constant(&m, type, 1), scale = add_constant(&m, type, 3);
		add_stage(&m, true);
		int least = add_reduce(&m, SR_KERNEL_MINIMUM, type, add_load(&m, type, 0, 3, loop_order), init);
		add_stage(&m, false);
		int shift = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (int[]){least, scale});
		add_stage(&m, true);
		int pair[] = {add_load(&m, type, 0, 3, loop_order), shift};
		int total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, pair), init);
		add_stage(&m, false);
		int v = add_map(&m, functions[i / 4 % 4], type, type, 1, &total);
		v = add_map(&m, SR_KERNEL_ADD, type, type, 2, (int[]){v, shift});
		int last_pair[] = {v, add_load(&m, type, 1, 2, loop_order)};
		add_store(&m, add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, last_pair), 2, 2, loop_order);
		add_store(&m, least, 3, 2, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "[i0 - c];\n");
}
END_TEST

/* A stage between two over the elements computes elementary functions of the rows' results in a vector loop over a block of rows:
 * rows are scaled by a power of their largest element, added to their least one, and the power is stored. */
START_TEST(test_scaled_rows)
{
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_BF16};
	static const int64_t lengths[] = {17, 24, 32, 33, 100, 512};
	for (int i = 0; i < 36; i++) {
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 2, .n_outputs = 2}};
		enum sr_dtype type = some[i % 3];
		m.lanes = i % 2 ? 16 : 8;
		m.t.extent[0] = 1 + i % 2, m.t.extent[1] = 130 + i, m.t.extent[2] = lengths[i % 6];
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int most = add_reduce(&m, SR_KERNEL_MAXIMUM, type, add_load(&m, type, 0, 3, loop_order), init);
		int least = add_reduce(&m, SR_KERNEL_MINIMUM, type, add_load(&m, type, 0, 3, loop_order), init);
		add_stage(&m, false);
		int scale = add_map(&m, SR_KERNEL_LOG, type, type, 1, &most);
		scale = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (int[]){scale, add_load(&m, type, 1, 2, loop_order)});
		scale = add_map(&m, SR_KERNEL_EXPONENTIAL, type, type, 1, &scale);
		add_store(&m, scale, 3, 2, loop_order);
		add_stage(&m, true);
		int v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (int[]){add_load(&m, type, 0, 3, loop_order), scale});
		add_store(&m, add_map(&m, SR_KERNEL_ADD, type, type, 2, (int[]){v, least}), 2, 3, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "[i0 - c];\n");
}
END_TEST

/* Rows of 3 to 16 elements that are reduced, and divided by the result, are copied to and from local arrays in blocks. Those of the
 * second input are the same for all iterations of an outer loop. */
START_TEST(test_row_blocks)
{
	static const enum sr_dtype some[] = {SR_F32, SR_BF16, SR_F16, SR_F64};
	for (int i = 0; i < 56; i++) {
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 2, .n_outputs = 2}};
		enum sr_dtype type = some[i % 4];
		m.t.extent[0] = 2, m.t.extent[1] = (const int64_t[]){64, 257, 600, 1000}[i / 4 % 4], m.t.extent[2] = 3 + i / 4;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int x = add_load(&m, type, 0, 3, loop_order), row = add_load(&m, type, 1, 2, loop_order + 1);
		int v = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (int[]){x, row});
		m.values[v].is_saved = i % 2;
		int total = add_reduce(&m, i / 2 % 2 ? SR_KERNEL_ADD : SR_KERNEL_MAXIMUM, type, v, init);
		add_stage(&m, true);
		x = add_load(&m, type, 0, 3, loop_order);
		x = add_map(&m, SR_KERNEL_DIVIDE, type, type, 2, (int[]){m.values[v].is_saved ? v : x, total});
		add_store(&m, x, 3, 3, loop_order);
		add_stage(&m, false);
		add_store(&m, total, 2, 2, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "[256 * i2 + i1 - c] = b0[");
}
END_TEST

/* Sums of rows of gathered elements times contiguous ones are computed row by row, in the order of the interpreter, if the rows
 * have eight-byte elements or 5 to 15 elements, but not 8. */
START_TEST(test_gathered_rows)
{
	enum { TABLE = 40 };
	static const enum sr_dtype some[] = {SR_F64, SR_F32, SR_I64, SR_BF16, SR_I32, SR_F16};
	for (int i = 0; i < 48; i++) {
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 3, .n_outputs = 1}};
		enum sr_dtype type = some[i % 6];
		int64_t n = 5 + i / 6;
		m.t.extent[0] = 300, m.t.extent[1] = n == 8 ? 15 : n;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int index = add_load(&m, SR_I32, 0, 2, loop_order), scale = add_load(&m, type, 1, 2, loop_order);
		m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = 2, .fill = -1, .n_dims = 1};
		m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .limit = TABLE - 1, .index = index};
		m.elements[2] = TABLE;
		m.types[2] = (uint8_t)type;
		struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, type);
		in->access = m.t.n_accesses - 1;
		int v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (int[]){in->result, scale});
		int total = add_reduce(&m, SR_KERNEL_ADD, type, v, init);
		add_stage(&m, false);
		add_store(&m, total, 3, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "\t\t#pragma GCC ivdep\n\t\tfor (int64_t i1 = 0; i1 < ");
}
END_TEST

/* Two passes over rows of 5 to 15 integers, but not 8, are copied to such arrays, too. */
START_TEST(test_passes_over_integers)
{
	static const enum sr_dtype some[] = {SR_I32, SR_UI8, SR_I64, SR_UI16};
	for (int i = 0; i < 22; i++) {
		enum sr_dtype type = some[i % 4];
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1}};
		m.t.extent[0] = 300, m.t.extent[1] = 5 + i / 2;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int total = add_reduce(&m, SR_KERNEL_MAXIMUM, type, add_load(&m, type, 0, 2, loop_order), init);
		add_stage(&m, true);
		int pair[] = {total, add_load(&m, type, 0, 2, loop_order)};
		total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, pair), init);
		add_stage(&m, false);
		add_store(&m, total, 1, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "[256 * i1 + i0 - c] = b0[");
}
END_TEST

/* A block of rows that is equal in the loops around it, as those of pairwise distances, is copied before these loops. */
START_TEST(test_equal_row_blocks)
{
	static const int terms_alone[] = {0, 2};
	static const enum sr_dtype some[] = {SR_F32, SR_I32, SR_F64, SR_BF16, SR_UI8};
	for (int i = 0; i < 42; i++) {
		enum sr_dtype type = some[i % 5];
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 2, .n_outputs = 2}};
		m.t.extent[0] = 3, m.t.extent[1] = (const int64_t[]){64, 257, 600}[i % 3], m.t.extent[2] = 3 + i / 3;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int x = add_load(&m, type, 0, 2, terms_alone), row = add_load(&m, type, 1, 2, loop_order + 1);
		int v = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (int[]){x, row});
		int total = add_reduce(&m, i / 2 % 2 ? SR_KERNEL_ADD : SR_KERNEL_MULTIPLY, type, v, init);
		add_stage(&m, true);
		x = add_map(&m, SR_KERNEL_ADD, type, type, 2, (int[]){add_load(&m, type, 1, 2, loop_order + 1), total});
		add_store(&m, x, 2, 3, loop_order);
		add_stage(&m, false);
		add_store(&m, total, 3, 2, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "\n\tfor (int64_t c = 0; c < ");
}
END_TEST

/* Up to four terms of each column are combined in one pass, also if some values depend on the number of the term only. */
START_TEST(test_few_terms)
{
	static const int terms_alone[] = {1};
	static const enum sr_dtype some[] = {SR_F32, SR_I32, SR_F64, SR_BF16, SR_UI8};
	for (int i = 0; i < 15; i++) {
		enum sr_dtype type = some[i % 5];
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 1}};
		m.t.extent[0] = 777, m.t.extent[1] = 2 + i / 5;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int weight = add_load(&m, type, 1, 1, terms_alone), x = add_load(&m, type, 0, 2, loop_order);
		int v = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (int[]){x, weight});
		int total = add_reduce(&m, i / 2 % 2 ? SR_KERNEL_ADD : SR_KERNEL_MAXIMUM, type, v, init);
		add_stage(&m, false);
		add_store(&m, total, 2, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "\t\tfor (int u = 0; u < 4; u++)");
}
END_TEST

/* Sums of a few rows of 2 to 18 elements, each row multiplied by a number, are vectorized along the rows. */
START_TEST(test_short_scaled_rows)
{
	static const int contiguous[] = {0, 2, 1}, terms_alone[] = {0, 2};
	static const enum sr_dtype some[] = {SR_F32, SR_I32, SR_F64, SR_BF16, SR_UI8};
	for (int i = 0; i < 51; i++) {
		enum sr_dtype type = some[i % 5];
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 2, .n_outputs = 1, .extent = {9, 2 + i / 3, 3 + 5 * (i % 4)}}};
		add_stage(&m, false);
		int init = add_constant(&m, type, 0);
		add_stage(&m, true);
		int pair[] = {add_load(&m, type, 0, 3, contiguous), add_load(&m, type, 1, 2, terms_alone)};
		int total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, pair), init);
		add_stage(&m, false);
		add_store(&m, total, 2, 2, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "#pragma GCC unroll 1\n");
}
END_TEST

/* Sums of 64 bits of narrower integers, along rows or columns, are compiled in 32 bits where no partial sum exceeds these. */
START_TEST(test_narrow_sums)
{
	static const enum sr_dtype some[] = {SR_I1, SR_I8, SR_UI16, SR_I32};
	for (int i = 0; i < 64; i++) {
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1}, .lanes = 1 << i % 7};
		enum sr_dtype from = some[i / 16], type = i / 4 % 2 ? SR_I64 : SR_UI64;
		m.t.extent[0] = 1 + (int64_t)next_random(300), m.t.extent[1] = 1 + (int64_t)next_random(200);
		add_stage(&m, false);
		int init = add_constant(&m, type, i % 3);
		add_stage(&m, true);
		int x = add_load(&m, from, 0, 2, i / 8 % 2 ? loop_order : (const int[]){1, 0});
		int total = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_CONVERT, from, type, 1, &x), init);
		add_stage(&m, false);
		add_store(&m, total, 1, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[from].name);
	}
	compare_collected_with(0, INT64_MAX, "int32_t r");
}
END_TEST

/* Collect a reduction of windows of 3 x 2 pixels with strides of 2 pixels, of an image with the given number of channels.
 * Windows exceed the image by `border` rows at the top, where its elements are 1. */
static void collect_pooling(enum sr_kernel kernel, enum sr_dtype type, int64_t channels, int64_t border)
{
	enum { HEIGHT = 21, WIDTH = 14 };
	struct nest_builder m = {.t = {.n_loops = 5, .n_parallel = 3, .n_inputs = 1, .n_outputs = 1,
				       .extent = {10, WIDTH / 2, channels, 3, 2}}};
	char name[64];
	add_stage(&m, false);
	int init = add_constant(&m, type, 1);
	add_stage(&m, true);
	struct sr_nest_access *x = add_access(&m, 0, 0, loop_order);
	struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, type);
	in->access = m.t.n_accesses - 1;
	m.types[0] = (uint8_t)type;
	m.elements[0] = (HEIGHT - border) * WIDTH * channels;
	x->stride[1] = 2 * channels;
	x->stride[2] = 1;
	x->stride[4] = channels;
	if (border) {
		x->fill = init;
		x->n_dims = 1;
		m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = WIDTH * channels, .extent = HEIGHT - border,
							    .offset = -border, .coef = {2, 0, 0, 1}, .index = -1};
	} else {
		x->stride[0] = 2 * WIDTH * channels;
		x->stride[3] = WIDTH * channels;
	}
	int result = add_reduce(&m, kernel, type, in->result, init);
	add_stage(&m, false);
	add_store(&m, result, 1, 3, loop_order);
	snprintf(name, sizeof name, "%s windows of %d %s, border %d", sr_kernel_name(kernel), (int)channels, sr_dtypes[type].name,
		 (int)border);
	collect_nest(&m, 0, name);
}

/* The interpreter combines the elements of windows where they are. */
START_TEST(test_pooling)
{
	static const enum sr_kernel kernels_of_windows[] = {SR_KERNEL_MAXIMUM, SR_KERNEL_ADD, SR_KERNEL_MINIMUM};
	static const enum sr_dtype some[] = {SR_F32, SR_I8, SR_F64, SR_UI32};
	for (int i = 0; i < 72; i++) {
		collect_pooling(kernels_of_windows[i % 3], some[i / 3 % 4], (const int64_t[]){64, 100, 3}[i / 12 % 3], i / 36);
		struct sr_nest_prepared *r = sr_nest_prepare(all.nests[all.n - 1], &kernels, SR_NEST_STREAM_BYTES);
		int n = 0;
		for (int k = 0; k < r->nest->n_instrs; k++)
			n += r->maps[k].load >= 0;
		ck_assert_int_eq(n, 1);
		sr_nest_release(r);
	}
	compare_collected(0);
}
END_TEST

/* Reductions of rows and of columns of several elementary functions, each in a loop of its own where it depends on another. */
START_TEST(test_divided_reductions)
{
	static const int columns[] = {1, 0};
	for (int i = 0; i < 48; i++) {
		enum sr_dtype type = i % 2 ? SR_F32 : SR_F64;
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 1}, .lanes = i / 24 ? 1 : 64};
		int64_t length = (const int64_t[]){64, 255, 512, 1301}[i / 2 % 4], n = (const int64_t[]){1, 3, 8}[i / 8 % 3];
		m.t.extent[0] = i / 24 ? length : n, m.t.extent[1] = i / 24 ? n : length;
		m.types[0] = m.types[1] = (uint8_t)type;
		add_stage(&m, false);
		int init = add_constant(&m, type, 1);
		add_stage(&m, true);
		int x = add_load(&m, type, 0, 2, i / 24 ? columns : loop_order);
		int y = add_load(&m, type, 1, 1, loop_order + !(i / 24));
		int v = add_map(&m, SR_KERNEL_EXPONENTIAL, type, type, 1, &x);
		int s = add_map(&m, SR_KERNEL_SINE, type, type, 1, &y), c = add_map(&m, SR_KERNEL_COSINE, type, type, 1, &x);
		v = add_map(&m, SR_KERNEL_LOG_PLUS_ONE, type, type, 1, &v);
		v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, s});
		v = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){v, c});
		int total = add_reduce(&m, i % 3 ? SR_KERNEL_ADD : SR_KERNEL_MAXIMUM, type, v, init);
		add_stage(&m, false);
		add_store(&m, total, 2, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, " = t");
}
END_TEST
