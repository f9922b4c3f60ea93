/* Tests of loop nests without reductions whose C code or vector code has a special form: images of 8-bit channels, gathers from
 * large tables, short rows, parities of integers, and integers in wider types. Included by codegen.c. */
#pragma once
/* Collect a nest that converts images of 8-bit channels to f32: it writes a plane per channel, or mirrors the rows. */
static void collect_pixels(enum sr_dtype type, int64_t pixels, int64_t channels, bool is_reversed)
{
	struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 3, .n_inputs = 2, .n_outputs = 1}};
	int pixel = is_reversed ? 1 : 2, channel = is_reversed ? 2 : 1;
	char name[64];
	m.t.extent[0] = 3;
	m.t.extent[pixel] = pixels;
	m.t.extent[channel] = channels;
	add_stage(&m, false);
	int v = add_load(&m, type, 0, 3, (const int[]){0, pixel, channel});
	if (is_reversed) {
		m.accesses[0].offset = channels * (pixels - 1);
		m.accesses[0].stride[pixel] = -channels;
	}
	v = add_map(&m, SR_KERNEL_CONVERT, type, SR_F32, 1, &v);
	v = add_map(&m, SR_KERNEL_DIVIDE, SR_F32, SR_F32, 2, (const int[]){v, add_load(&m, SR_F32, 1, 1, &channel)});
	add_store(&m, v, 2, 3, loop_order);
	snprintf(name, sizeof name, "%d %s pixels of %d %s", (int)pixels, is_reversed ? "reversed" : "split", (int)channels,
		 sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

START_TEST(test_pixels)
{
	for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
		for (int i = 0; i < 24; i++)
			collect_pixels(i % 2 ? SR_UI8 : SR_I8, (const int64_t[]){64, 67, 1024, 2081}[i / 6], 2 + i % 3,
				       is_reversed);
		compare_collected_with(0, INT64_MAX, is_reversed ? "reverse_pixels(&" : "split_channels(&");
	}
}
END_TEST

/* Gathers of table rows by indices of every integer type, many of them out of range. */
START_TEST(test_lookups)
{
	static const int64_t limits[] = {0, 5, 126, 600};
	for (int t = 1; sr_dtype_is_integer(types[t]); t++)
		for (int k = 0; k < 8; k++) {
			struct nest_builder m = begin_line_nest(2);
			int index = add_load(&m, types[t], 0, 1, loop_order);
			m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = 1, .fill = -1, .n_dims = 1};
			m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 3, .limit = limits[k / 2], .offset = 1, .coef = {k % 2}, .index = index};
			m.elements[1] = 3 * (limits[k / 2] + 2 + (k % 2) * ITERATIONS);
			m.types[1] = SR_F32;
			struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, SR_F32);
			in->access = 1;
			add_store(&m, in->result, 2, 1, loop_order);
			collect_nest(&m, 0, sr_dtypes[types[t]].name);
		}
	compare_collected(0);
}
END_TEST

/* Elements of a table that exceeds a core's caches are gathered one by one. */
START_TEST(test_large_table)
{
	enum { TABLE = 1 << 20 };
	struct nest_builder m = begin_line_nest(2);
	int index = add_load(&m, SR_I32, 0, 1, loop_order);
	index = add_map(&m, SR_KERNEL_MULTIPLY, SR_I32, SR_I32, 2, (const int[]){index, add_constant(&m, SR_I32, 30001)});
	m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = 1, .fill = -1, .n_dims = 1};
	m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .limit = TABLE - 1, .index = index};
	m.elements[1] = TABLE;
	m.types[1] = SR_F32;
	struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, SR_F32);
	in->access = 1;
	add_store(&m, in->result, 2, 1, loop_order);
	collect_nest(&m, 0, "large table");
	compare_collected_with(0, INT64_MAX, "flatten SCALAR_GATHERS");
}
END_TEST

/* Add a load of element index[i] of row i0 of a table with n elements in each row. */
static int add_table(struct nest_builder *m, enum sr_dtype type, int buffer, int64_t n, int index)
{
	m->accesses[m->t.n_accesses] = (struct sr_nest_access){.buffer = buffer, .fill = -1, .first_dim = m->t.n_dims, .n_dims = 1};
	m->accesses[m->t.n_accesses++].stride[0] = 3 * n;
	m->dims[m->t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 2, .limit = n - 1, .offset = 1, .index = index};
	m->elements[buffer] = 3 * n * m->t.extent[0];
	m->types[buffer] = (uint8_t)type;
	struct sr_nest_instr *in = add(m, SR_NEST_LOAD, type);
	in->access = m->t.n_accesses - 1;
	return in->result;
}

/* Tables of at most 256 bytes are read by permutations of vectors, and indices of larger ones are read from the smaller ones. */
START_TEST(test_small_tables)
{
	static const enum sr_dtype element_types[] = {SR_UI8, SR_I8, SR_BF16, SR_I16, SR_F32, SR_UI32};
	static const enum sr_dtype index_types[] = {SR_I32, SR_UI8, SR_I8, SR_I64, SR_UI32};
	for (int i = 0; i < 60; i++) {
		enum sr_dtype type = element_types[i % 6], index_type = index_types[i / 6 % 5];
		int64_t n_max = 256 / sr_dtype_bytes(type), sizes[] = {1, 7, n_max / 4, n_max / 2, n_max / 2 + 1};
		int64_t n = i / 30 ? n_max : sizes[i / 6];
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 4, .n_outputs = 2}};
		char name[64];
		m.t.extent[0] = 2;
		m.t.extent[1] = 512 + 97 * i;
		add_stage(&m, false);
		int number = add_load(&m, index_type, 0, 2, loop_order);
		int index = add_map(&m, SR_KERNEL_MULTIPLY, index_type, index_type, 2,
				    (const int[]){number, add_constant(&m, index_type, 7)});
		int v = add_table(&m, type, 1, n, index), w = add_table(&m, SR_UI8, 2, 200, number);
		v = add_map(&m, SR_KERNEL_MAXIMUM, type, type, 2, (const int[]){v, add_constant(&m, type, 1)});
		add_store(&m, v, 4, 2, loop_order);
		add_store(&m, add_table(&m, SR_F32, 3, 30, w), 5, 2, loop_order);
		snprintf(name, sizeof name, "table of %d %s", (int)n, sr_dtypes[type].name);
		collect_nest(&m, 0, name);
	}
	compare_collected_with(0, INT64_MAX, "lookup_");
}
END_TEST

/* Integers of few bits are divided by constants without a division, as pixels are by 255. */
START_TEST(test_quotients)
{
	static const double divisors[] = {255, 127, -3, 0.1, 65535, 1e-3, -1e20, 3e38};
	for (int i = 0; i < 8; i++) {
		struct nest_builder m = begin_line_nest(1);
		m.t.n_outputs = 2;
		m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = -1, .fill = -1, .offset = -i * 150, .stride = {1}};
		struct sr_nest_instr *in = add(&m, SR_NEST_INDEX, SR_I64);
		in->access = 0;
		int number = in->result, pixel = add_load(&m, i % 2 ? SR_UI8 : SR_I16, 0, 1, loop_order);
		int divisor = add_constant(&m, SR_F32, divisors[i]);
		for (int k = 0; k < 2; k++) {
			enum sr_dtype from = k ? SR_I64 : i % 2 ? SR_UI8 : SR_I16;
			int v = add_map(&m, SR_KERNEL_CONVERT, from, SR_F32, 1, k ? &number : &pixel);
			v = add_map(&m, SR_KERNEL_DIVIDE, SR_F32, SR_F32, 2, (const int[]){v, divisor});
			add_store(&m, v, 1 + k, 1, loop_order);
		}
		collect_nest(&m, 0, "quotients");
	}
	compare_collected_with(0, INT64_MAX, "quotient(v");
}
END_TEST

/* Loads and stores of vectors of 3 to 12 elements, which compilers would not vectorize if they knew that they are neighbours unless
 * the length is 3 or a power of two. The stores are to one output or to one for each element, and exchange the elements. */
START_TEST(test_interleaved_elements)
{
	static const enum sr_dtype element_types[] = {SR_F32, SR_F64, SR_I16, SR_UI8};
	for (int i = 0; i < 40; i++) {
		int n = 3 + i % 10, n_used = n < 6 ? n : 6;
		enum sr_dtype type = element_types[i % 4];
		struct nest_builder m = begin_line_nest(1);
		int values[6];
		m.t.n_outputs = 1 + i % 2;
		for (int k = 0; k < n_used; k++) {
			values[k] = add_load(&m, type, 0, 1, loop_order);
			m.accesses[k].offset = k;
			m.accesses[k].stride[0] = n;
		}
		m.elements[0] = n * m.t.extent[0];
		for (int k = 0; k < n_used; k++) {
			int v = add_map(&m, k % 2 ? SR_KERNEL_MAXIMUM : SR_KERNEL_MINIMUM, type, type, 2,
					(const int[]){values[k], values[(k + 1) % n_used]});
			add_store(&m, v, 1 + k % m.t.n_outputs, 1, loop_order);
			m.accesses[m.t.n_accesses - 1].offset = n_used - 1 - k;
			m.accesses[m.t.n_accesses - 1].stride[0] = n;
			m.elements[1 + k % m.t.n_outputs] = n * m.t.extent[0];
		}
		collect_nest(&m, 0, "interleaved elements");
	}
	compare_collected_with(0, INT64_MAX, "o1 = b0 + 1;");
}
END_TEST

/* Rows of up to 128 bytes are one loop with the loop over rows if an elementary function of each row is computed, in a stage of its
 * own or not. The loop over rows is then a vector loop, too. */
START_TEST(test_elementary_rows)
{
	for (int i = 0; i < 12; i++) {
		enum sr_dtype type = i / 2 % 2 ? SR_F64 : SR_F32;
		int last = 2;
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2 + i % 2, .n_inputs = 2, .n_outputs = 1,
					       .extent = {2, 64 + 37 * i, 5 + i}}};
		add_stage(&m, false);
		int row = add_load(&m, type, 0, 2, loop_order);
		row = add_map(&m, SR_KERNEL_LOGISTIC, type, type, 1, &row);
		if (i % 2 == 0)
			add_stage(&m, true);
		int v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){add_load(&m, type, 1, 1, &last), row});
		add_store(&m, v, 2, 3, loop_order);
		collect_nest(&m, 4, "elementary rows");
	}
	compare_collected_with(0, INT64_MAX, "repeat(y");
}
END_TEST

/* Integers of up to 32 bits, and those of 64 bits that are converted from them, are divided as floats along a vector loop. */
START_TEST(test_vector_quotients)
{
	static const double factors[][2] = {{1, 1}, {1, 3}, {715827883, 1}, {1640531527, 97}, {-1640531527, 40503}, {3, 715827883}};
	for (int t = 1; sr_dtype_is_integer(types[t]); t++)
		for (int i = 0; i < 6; i++) {
			struct nest_builder m = begin_line_nest(2);
			enum sr_dtype type = types[t] == SR_I64 ? SR_I32 : types[t];
			m.t.n_outputs = 2;
			int args[2];
			for (int k = 0; k < 2; k++) {
				args[k] = add_load(&m, type, k, 1, loop_order);
				double factor = sr_dtypes[type].bits < 32 ? (int)factors[i][k] % 128 : factors[i][k];
				args[k] = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2,
						  (const int[]){args[k], add_constant(&m, type, factor)});
				if (type != types[t]) {
					args[k] = add_map(&m, SR_KERNEL_MAXIMUM, type, type, 2,
							  (const int[]){args[k], add_constant(&m, type, -INT32_MAX)});
					args[k] = add_map(&m, SR_KERNEL_CONVERT, type, types[t], 1, &args[k]);
				}
			}
			for (int k = 0; k < 2; k++)
				add_store(&m, add_map(&m, k ? SR_KERNEL_REMAINDER : SR_KERNEL_DIVIDE, types[t], types[t], 2, args),
					  2 + k, 1, loop_order);
			collect_nest(&m, 0, sr_dtypes[types[t]].name);
		}
	compare_collected_with(0, INT64_MAX, "modulus_I32(v");
}
END_TEST

/* Collect a nest over points and their short rows: out[i][k] = (max(rows[i][k], point[i]) + bias[k] + k) * table[index[i]][k]. The
 * last factor is `point` for rows of the table out of its bounds. If `is_line_first`, a stage of the points precedes. */
static void collect_short_rows(enum sr_dtype type, int64_t points, int64_t row, bool is_line_first)
{
	enum { TABLE = 50 };
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2 - is_line_first, .n_inputs = 5, .n_outputs = 1}};
	const int column = 1;
	char name[64];
	m.t.n_outputs += is_line_first;
	m.t.extent[0] = points;
	m.t.extent[1] = row;
	add_stage(&m, false);
	int point = add_load(&m, type, 0, 1, loop_order), index = add_load(&m, SR_I32, 1, 1, loop_order);
	if (is_line_first) {
		point = add_map(&m, SR_KERNEL_MAXIMUM, type, type, 2, (const int[]){point, add_constant(&m, type, 3)});
		add_store(&m, point, 6, 1, loop_order);
		add_stage(&m, true);
	}
	int v = add_load(&m, type, 2, 2, loop_order), bias = add_load(&m, type, 3, 1, &column);
	v = add_map(&m, SR_KERNEL_MAXIMUM, type, type, 2, (const int[]){v, point});
	v = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){v, bias});
	m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = -1, .fill = -1, .stride = {0, 1}};
	struct sr_nest_instr *in = add(&m, SR_NEST_INDEX, SR_I64);
	in->access = m.t.n_accesses - 1;
	int number = add_map(&m, SR_KERNEL_CONVERT, SR_I64, type, 1, &in->result);
	v = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){v, number});
	m.accesses[m.t.n_accesses++] = (struct sr_nest_access){
		.buffer = 4, .fill = point, .first_dim = m.t.n_dims, .n_dims = 1, .stride = {0, 1}};
	m.dims[m.t.n_dims++] = (struct sr_nest_dim){
		.divisor = 1, .stride = row, .limit = TABLE + 9, .extent = TABLE, .index = index};
	m.elements[4] = TABLE * row;
	m.types[4] = (uint8_t)type;
	in = add(&m, SR_NEST_LOAD, type);
	in->access = m.t.n_accesses - 1;
	v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, in->result});
	add_store(&m, v, 5, 2, loop_order);
	snprintf(name, sizeof name, "%d rows of %d %s%s", (int)points, (int)row, sr_dtypes[type].name, is_line_first ? " 2" : "");
	collect_nest(&m, 0, name);
}

/* Rows shorter than a vector are executed in one loop with the points around them, in blocks. */
START_TEST(test_short_rows)
{
	static const int64_t points[] = {64, 255, 256, 1003};
	for (int i = 0; i < 64; i++) {
		enum sr_dtype type = (const enum sr_dtype[]){SR_UI8, SR_I16, SR_F32, SR_BF16}[i % 4];
		int64_t row = 2 + i / 4 % 4 * (type == SR_UI8 ? 4 : 1);
		collect_short_rows(type, points[i / 16], row, i & 1);
		collect_short_rows(type, points[i / 16], row, !(i & 1));
	}
	compare_collected_with(0, INT64_MAX, "const int32_t i1 = p %");
}
END_TEST

static int add_index(struct nest_builder *m, int loop)
{
	struct sr_nest_access *a = &m->accesses[m->t.n_accesses++];
	*a = (struct sr_nest_access){.buffer = -1, .fill = -1};
	a->stride[loop] = 1;
	struct sr_nest_instr *in = add(m, SR_NEST_INDEX, SR_I64);
	in->access = m->t.n_accesses - 1;
	return in->result;
}

/* Scaled small matrices whose diagonals are replaced by the number of their row are executed in one loop over their elements. */
START_TEST(test_small_matrices)
{
	static const enum sr_dtype element_types[] = {SR_F32, SR_F64, SR_I16, SR_BF16, SR_UI8};
	for (int i = 0; i < 30; i++) {
		enum sr_dtype type = element_types[i % 5];
		struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 3, .n_inputs = 2, .n_outputs = 1}};
		m.t.extent[0] = 67;
		m.t.extent[1] = 2 + i / 5;
		m.t.extent[2] = 2 + i / 5 % 3;
		add_stage(&m, false);
		int scale = add_load(&m, type, 1, 1, loop_order), v = add_load(&m, type, 0, 3, loop_order);
		v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, scale});
		int row = add_index(&m, 1), column = add_index(&m, 2);
		int is_diagonal = add_map(&m, SR_KERNEL_COMPARE, SR_I64, SR_I1, 2, (const int[]){row, column});
		m.instrs[m.t.n_instrs - 1].variant = SR_EQ;
		row = add_map(&m, SR_KERNEL_CONVERT, SR_I64, type, 1, &row);
		v = add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){is_diagonal, row, v});
		add_store(&m, v, 2, 3, loop_order);
		collect_nest(&m, 0, sr_dtypes[type].name);
	}
	compare_collected_with(0, INT64_MAX, "{ const int64_t c = 0, h = ");
}
END_TEST

/* Collect a nest over pixels of n colors and an opacity: it multiplies the colors with the opacity of their pixel, and writes them
 * after the opacity. */
static void collect_opacities(enum sr_dtype type, int64_t pixels, int n)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 2}};
	char name[64];
	m.t.extent[0] = pixels;
	m.t.extent[1] = n;
	add_stage(&m, false);
	int opacity = add_load(&m, type, 1, 1, loop_order);
	add_store(&m, opacity, 2, 1, loop_order);
	add_stage(&m, true);
	int v = add_load(&m, type, 0, 2, loop_order);
	v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, opacity});
	add_store(&m, v, 3, 2, loop_order);
	for (int i = 0; i < m.t.n_accesses; i++)
		m.accesses[i].stride[0] = n + 1;
	for (int b = 0; b < 4; b++)
		m.elements[b] = (n + 1) * pixels;
	snprintf(name, sizeof name, "%d pixels of %d %s", (int)pixels, n, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

/* Stages over a few inner elements and stages before them are executed in one vector loop. */
START_TEST(test_unrolled_stages)
{
	static const enum sr_dtype element_types[] = {SR_F32, SR_I16, SR_UI8, SR_F64, SR_BF16};
	for (int i = 0; i < 15; i++) {
		collect_opacities(element_types[i % 5], 64, 2 + i / 5);
		collect_opacities(element_types[i % 5], 1003, 2 + i / 5);
	}
	compare_collected_with(0, INT64_MAX, "#pragma GCC unroll 4");
}
END_TEST

/* Collect a nest that shifts integers by k bits, 0 <= k < n: to planes out[i][k][j] = in[i][j] >> k, or to rows out[i][j][k]. */
static void collect_shifts(enum sr_dtype type, int n, int64_t columns, bool are_planes)
{
	struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 3, .n_inputs = 1, .n_outputs = 1, .extent = {5}}};
	int bit = are_planes ? 1 : 2, column = are_planes ? 2 : 1;
	char name[64];
	m.t.extent[bit] = n;
	m.t.extent[column] = columns;
	add_stage(&m, false);
	int v = add_load(&m, type, 0, 2, (const int[]){0, column});
	m.accesses[m.t.n_accesses] = (struct sr_nest_access){.buffer = -1, .fill = -1};
	m.accesses[m.t.n_accesses++].stride[bit] = 1;
	struct sr_nest_instr *in = add(&m, SR_NEST_INDEX, SR_I64);
	in->access = m.t.n_accesses - 1;
	int count = add_map(&m, SR_KERNEL_CONVERT, SR_I64, type, 1, &in->result);
	v = add_map(&m, SR_KERNEL_SHIFT_RIGHT_ARITHMETIC, type, type, 2, (const int[]){v, count});
	add_store(&m, v, 1, 3, loop_order);
	snprintf(name, sizeof name, "%d %s of %d %s", n, are_planes ? "planes" : "rows", (int)columns, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

/* Loops over bits of integers of 8 and 16 bits are unrolled around the vector loop. */
START_TEST(test_bit_planes)
{
	static const enum sr_dtype element_types[] = {SR_I8, SR_UI8, SR_I16, SR_UI16};
	for (int i = 0; i < 12; i++)
		collect_shifts(element_types[i % 4], (const int[]){3, 4, 8}[i / 4], i % 2 ? 100 : 512, true);
	compare_collected_with(0, INT64_MAX, "#pragma GCC unroll 8");
}
END_TEST

/* Rows of up to 4 bytes that depend on their number in the row are executed in one loop. */
START_TEST(test_rows_of_bits)
{
	for (int i = 0; i < 12; i++)
		collect_shifts(i % 2 ? SR_I8 : SR_UI8, 2 + i % 3, i / 3 ? 67 + 100 * i : 1024, false);
	compare_collected_with(0, INT64_MAX, "p % ");
}
END_TEST

/* Parities (x % 2 == 0) are compiled without value range propagation, which keeps GCC 12 from vectorizing them. */
START_TEST(test_parities)
{
	for (int t = 1; sr_dtype_is_integer(types[t]); t++) {
		struct nest_builder m = begin_line_nest(1);
		int v = add_load(&m, types[t], 0, 1, loop_order), two = add_constant(&m, types[t], 2);
		v = add_map(&m, SR_KERNEL_REMAINDER, types[t], types[t], 2, (const int[]){v, two});
		v = add_map(&m, SR_KERNEL_COMPARE, types[t], SR_I1, 2, (const int[]){v, add_constant(&m, types[t], 0)});
		m.instrs[m.t.n_instrs - 1].variant = SR_EQ;
		add_store(&m, v, 1, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[types[t]].name);
	}
	compare_collected_with(0, INT64_MAX, "no-tree-vrp");
}
END_TEST

/* Collect nests of vector code with two types: two arguments of type `narrow` are converted to `wide`, and the result is converted
 * back, is compared with an argument, and chooses between the arguments. */
static void collect_narrow(enum sr_dtype narrow, enum sr_dtype wide)
{
	struct nest_builder m = begin_line_nest(2);
	char name[64];
	int args[] = {add_load(&m, narrow, 0, 1, loop_order), add_load(&m, narrow, 1, 1, loop_order)}, v[3];
	for (int k = 0; k < 2; k++)
		v[k] = add_map(&m, SR_KERNEL_CONVERT, narrow, wide, 1, &args[k]);
	v[0] = add_map(&m, SR_KERNEL_ADD, wide, wide, 2, v);
	v[1] = add_constant(&m, wide, 3);
	v[1] = add_map(&m, SR_KERNEL_MAXIMUM, wide, wide, 2, v);
	v[1] = add_map(&m, SR_KERNEL_CONVERT, wide, narrow, 1, &v[1]);
	v[0] = add_map(&m, SR_KERNEL_COMPARE, narrow, SR_I1, 2, (const int[]){v[1], args[1]});
	m.instrs[m.t.n_instrs - 1].variant = SR_LT;
	v[2] = args[0];
	v[0] = add_map(&m, SR_KERNEL_SELECT, narrow, narrow, 3, v);
	add_store(&m, v[0], 2, 1, loop_order);
	snprintf(name, sizeof name, "%s in %s", sr_dtypes[narrow].name, sr_dtypes[wide].name);
	collect_nest(&m, 0, name);
}

/* The interpreter converts integers to wider types and back within vector code. */
START_TEST(test_narrow_types)
{
	for (int t = 1; t < N_TYPES; t++)
		for (int u = 1; u < N_TYPES; u++) {
			bool is_f32 = types[t] == SR_F32 && types[u] == SR_F64;
			if (sr_dtype_bytes(types[t]) >= sr_dtype_bytes(types[u]) || types[u] == SR_BF16 || types[u] == SR_F16 ||
			    (!sr_dtype_is_integer(types[t]) && !is_f32))
				continue;
			collect_narrow(types[t], types[u]);
			struct sr_nest_prepared *r = sr_nest_prepare(all.nests[all.n - 1], &kernels, SR_NEST_STREAM_BYTES);
			if (types[u] != SR_F64 || is_f32) {
				ck_assert_int_eq(r->code->n_groups, 2);
				ck_assert_int_eq(r->code->groups[0].bytes, sr_dtype_bytes(types[u]));
				ck_assert_int_eq(r->code->groups[1].bytes, sr_dtype_bytes(types[t]));
			}
			sr_nest_release(r);
		}
	compare_collected(0);
}
END_TEST

/* Collect a nest over rows, as in a one-hot encoding: out[i][k] = compare(x[i], k - 3), converted to `to`. */
static void collect_compared(enum sr_dtype from, enum sr_dtype to, int64_t n_rows, int64_t length, uint8_t variant)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 1, .n_outputs = 1, .extent = {n_rows, length}}};
	char name[64];
	add_stage(&m, false);
	int v[2] = {add_load(&m, from, 0, 1, loop_order)};
	if (from != SR_I64)
		v[0] = add_map(&m, SR_KERNEL_CONVERT, from, SR_I64, 1, v);
	m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.buffer = -1, .fill = -1, .offset = -3, .stride = {0, 1}};
	struct sr_nest_instr *in = add(&m, SR_NEST_INDEX, SR_I64);
	in->access = m.t.n_accesses - 1;
	v[1] = in->result;
	v[0] = add_map(&m, SR_KERNEL_COMPARE, SR_I64, SR_I1, 2, variant & 1 ? v : (const int[]){v[1], v[0]});
	m.instrs[m.t.n_instrs - 1].variant = variant;
	v[0] = add_map(&m, SR_KERNEL_CONVERT, SR_I1, to, 1, v);
	add_store(&m, v[0], 1, 2, loop_order);
	snprintf(name, sizeof name, "%s compared with %d indices to %s", sr_dtypes[from].name, (int)length, sr_dtypes[to].name);
	collect_nest(&m, 0, name);
}

/* Comparisons of 64-bit integers with indices are compiled in fewer bits, after clamps if necessary. */
START_TEST(test_compared_indices)
{
	static const enum sr_dtype some[] = {SR_I64, SR_I32, SR_I16, SR_I8, SR_UI32, SR_UI64};
	for (int is_long = 0; is_long < 2; is_long++) {
		for (int i = 0; i < 72; i++) {
			enum sr_dtype from = is_long ? SR_I64 : some[i % 6];
			collect_compared(from, (const enum sr_dtype[]){SR_UI8, SR_I16, SR_F32}[i / 6 % 3], i % 5 ? 1003 : 64,
					 is_long ? 97 + i : 2 + i / 18, (uint8_t)(SR_EQ + i % 7 % 6));
		}
		compare_collected_with(0, INT64_MAX, is_long ? "const int32_t limited" : "repeat(y");
	}
}
END_TEST

/* Collect a nest that converts x >> shift & mask, or a clamped x, to a float type. */
static void collect_masked(enum sr_dtype from, enum sr_dtype to, int64_t mask, int shift, bool is_clamped)
{
	struct nest_builder m = {.t = {.n_loops = 1, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1, .extent = {ITERATIONS}}};
	char name[96];
	add_stage(&m, false);
	int v = add_load(&m, from, 0, 1, loop_order);
	int bits = add_constant(&m, from, shift), low = add_constant(&m, from, (double)mask);
	v = add_map(&m, SR_KERNEL_SHIFT_RIGHT_ARITHMETIC, from, from, 2, (const int[]){v, bits});
	if (is_clamped)
		v = add_map(&m, SR_KERNEL_MINIMUM, from, from, 2, (const int[]){v, low});
	v = add_map(&m, is_clamped ? SR_KERNEL_MAXIMUM : SR_KERNEL_AND, from, from, 2, (const int[]){v, is_clamped ? bits : low});
	v = add_map(&m, SR_KERNEL_CONVERT, from, to, 1, &v);
	add_store(&m, v, 1, 1, loop_order);
	snprintf(name, sizeof name, "%s >> %d & %lld to %s", sr_dtypes[from].name, shift, (long long)mask, sr_dtypes[to].name);
	collect_nest(&m, 0, name);
}

/* Integers that a float type represents are converted without rounding, and those that f32 represents are rounded as f32. */
START_TEST(test_conversions_of_masked_integers)
{
	static const enum sr_dtype from[] = {SR_I32, SR_I64, SR_UI32, SR_UI64, SR_I16};
	static const enum sr_dtype to[] = {SR_BF16, SR_F16, SR_F32, SR_F64, SR_F8E4M3FN};
	static const int64_t masks[] = {15, 255, 257, 2049, 0x7fff, 0xffffff, 0x1ffffff};
	for (int i = 0; i < 300; i++) {
		bool is_exact = i >= 200;
		if (i % 5 != 4 || masks[i / 25 % 7] <= INT16_MAX)
			collect_masked(from[i % 5], to[is_exact ? i / 5 % 2 : i / 5 % 5], is_exact ? 255 : masks[i / 25 % 7],
				       i % 4 * 3, i % 3 == 0);
		if (i % 100 == 99)
			compare_collected_with(0, INT64_MAX, is_exact ? " = (float)v" : " = round_BF16((float)v");
	}
}
END_TEST

/* Values of 64 bits whose range needs fewer are compiled in 32 bits; those that may not fit, or may wrap around, are not. */
START_TEST(test_ranges)
{
	static const enum sr_kernel kernels_of[] = {SR_KERNEL_ADD, SR_KERNEL_SUBTRACT, SR_KERNEL_MULTIPLY, SR_KERNEL_MINIMUM,
						    SR_KERNEL_MAXIMUM};
	static const int64_t constants[] = {0, 7, -7, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
	for (int i = 0; i < 350; i++) {
		enum sr_dtype wide = i % 2 ? SR_I64 : SR_UI64, from = types[1 + i / 2 % 8];
		enum sr_kernel kernel = kernels_of[i % 5];
		struct nest_builder m = begin_line_nest(2);
		int args[] = {add_load(&m, from, 0, 1, loop_order), add_load(&m, SR_I8, 1, 1, loop_order)}, v[3];
		for (int k = 0; k < 2; k++)
			v[k + 1] = add_map(&m, SR_KERNEL_CONVERT, k ? SR_I8 : from, wide, 1, &args[k]);
		v[2] = add_map(&m, kernel, wide, wide, 2, v + 1);
		int constant = add_constant(&m, wide, 0);
		sr_element_set(wide, m.constants + m.instrs[m.t.n_instrs - 1].constant, constants[i % 7], 0, 0);
		v[1] = add_map(&m, kernels_of[i / 5 % 5], wide, wide, 2, (const int[]){v[1], constant});
		v[0] = add_map(&m, SR_KERNEL_COMPARE, wide, SR_I1, 2, v + 1);
		m.instrs[m.t.n_instrs - 1].variant = SR_LT;
		v[0] = add_map(&m, SR_KERNEL_SELECT, wide, wide, 3, v);
		add_store(&m, add_map(&m, SR_KERNEL_MAXIMUM, wide, wide, 2, v), 2, 1, loop_order);
		collect_nest(&m, 0, sr_dtypes[from].name);
	}
	compare_collected_with(0, INT64_MAX, "const int32_t v");
}
END_TEST

/* Collect a nest of two rounds of a hash: x = ((x << n) | (x >> m)) ^ y; x ^= x << 7; x ^= x >> n. Amounts are constants, or m is
 * loaded. If `is_read_twice`, the last op reads the first shifted x instead of y. */
static void collect_rotation(enum sr_dtype type, int n, bool is_loaded, bool is_read_twice)
{
	struct nest_builder m = begin_line_nest(2 + is_loaded);
	int x = add_load(&m, type, 0, 1, loop_order), y = add_load(&m, type, 1, 1, loop_order), v[2];
	int other = is_loaded ? add_load(&m, type, 2, 0, loop_order) : add_constant(&m, type, 8 * sr_dtype_bytes(type) - n);
	v[0] = add_map(&m, SR_KERNEL_SHIFT_RIGHT_LOGICAL, type, type, 2, (const int[]){x, other});
	v[1] = add_map(&m, SR_KERNEL_SHIFT_LEFT, type, type, 2, (const int[]){x, add_constant(&m, type, n)});
	y = is_read_twice ? v[0] : y;
	v[0] = add_map(&m, SR_KERNEL_OR, type, type, 2, v);
	v[0] = add_map(&m, SR_KERNEL_XOR, type, type, 2, (const int[]){y, v[0]});
	v[1] = add_map(&m, SR_KERNEL_SHIFT_LEFT, type, type, 2, (const int[]){v[0], add_constant(&m, type, 7)});
	v[0] = add_map(&m, SR_KERNEL_XOR, type, type, 2, v);
	v[1] = add_map(&m, SR_KERNEL_SHIFT_RIGHT_LOGICAL, type, type, 2, (const int[]){v[0], add_constant(&m, type, n)});
	v[0] = add_map(&m, SR_KERNEL_XOR, type, type, 2, (const int[]){v[1], v[0]});
	add_store(&m, v[0], 2 + is_loaded, 1, loop_order);
	char name[64];
	snprintf(name, sizeof name, "%s rotated by %d", sr_dtypes[type].name, n);
	collect_nest(&m, 0, name);
}

/* Collect a nest of a polynomial with coefficients for two or three intervals of y: x * y + c, and that times y + d, where each of
 * c and d is one of a few constants. */
static void collect_polynomial(enum sr_dtype type, int intervals, bool is_first)
{
	struct nest_builder m = begin_line_nest(2);
	int v = add_load(&m, type, 0, 1, loop_order), y = add_load(&m, type, 1, 1, loop_order), above[2];
	char name[64];
	for (int k = 0; k < 2; k++) {
		above[k] = add_map(&m, SR_KERNEL_COMPARE, type, SR_I1, 2, (const int[]){y, add_constant(&m, type, k ? 1 : 40)});
		m.instrs[m.t.n_instrs - 1].variant = SR_LT;
	}
	for (int k = 0; k < 2; k++) {
		int a = add_constant(&m, type, 3 + k), b = add_constant(&m, type, -7 * k - 1), c = add_constant(&m, type, 2);
		a = intervals == 3 ? add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){above[1], a, c}) : a;
		a = add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){above[0], a, b});
		v = add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, y});
		v = add_map(&m, SR_KERNEL_ADD, type, type, 2, is_first ? (const int[]){a, v} : (const int[]){v, a});
	}
	add_store(&m, v, 2, 1, loop_order);
	snprintf(name, sizeof name, "%s polynomial of %d intervals", sr_dtypes[type].name, intervals);
	collect_nest(&m, 0, name);
}

/* The interpreter adds a coefficient of a polynomial that depends on the interval in one step of vector code. */
START_TEST(test_polynomials)
{
	for (int i = 0; i < 8; i++) {
		int intervals = 2 + i % 2;
		collect_polynomial(i & 4 ? SR_F64 : SR_F32, intervals, i & 2);
		struct sr_nest_prepared *r = sr_nest_prepare(all.nests[all.n - 1], &kernels, SR_NEST_STREAM_BYTES);
		ck_assert_int_eq(r->code->n_groups, 1);
		/* comparisons, two multiplications and additions, and the end */
		ck_assert_int_eq(r->code->groups[0].n_steps, 2 + 2 * 2 + 1);
		sr_nest_release(r);
	}
	compare_collected(0);
}
END_TEST

/* The interpreter computes ((x << n) | (x >> m)) ^ y, and x ^ (x >> n), in one step of vector code. */
START_TEST(test_rotations)
{
	static const enum sr_dtype integers[] = {SR_UI32, SR_I32, SR_UI64, SR_I64, SR_UI16};
	for (int t = 0; t < 5; t++)
		for (int i = 0; i < 9; i++) {
			bool is_read_twice = i / 3 == 2;
			collect_rotation(integers[t], (const int[]){1, 7, 15}[i % 3], i / 3 == 1, is_read_twice);
			struct sr_nest_prepared *r = sr_nest_prepare(all.nests[all.n - 1], &kernels, SR_NEST_STREAM_BYTES);
			ck_assert_int_eq(r->code->n_groups, 1);
			ck_assert_int_eq(r->code->groups[0].n_steps, integers[t] == SR_UI16 ? 9 : is_read_twice ? 7 : 4);
			sr_nest_release(r);
		}
	compare_collected(0);
}
END_TEST

/* Add a comparison of x and y. */
static int add_comparison(struct nest_builder *m, enum sr_dtype type, int variant, int x, int y)
{
	int v = add_map(m, SR_KERNEL_COMPARE, type, SR_I1, 2, (const int[]){x, y});
	m->instrs[m->t.n_instrs - 1].variant = (uint8_t)variant;
	return v;
}

/* The interpreter computes x == y || x != x, and comparisons by the total order of floats, in one step of vector code. */
START_TEST(test_comparisons_of_nan)
{
	for (int i = 0; i < 16; i++) {
		enum sr_dtype type = i & 1 ? SR_F64 : SR_F32;
		struct nest_builder m = begin_line_nest(2);
		int x = add_load(&m, type, 0, 1, loop_order), y = add_load(&m, type, 1, 1, loop_order), v[2];
		if (i < 8) {
			v[i >> 1 & 1] = add_comparison(&m, type, SR_EQ, i & 4 ? y : x, i & 4 ? x : y);
			v[!(i >> 1 & 1)] = add_comparison(&m, type, SR_NE, x, x);
			v[0] = add_map(&m, SR_KERNEL_OR, SR_I1, SR_I1, 2, v);
		} else {
			v[0] = add_comparison(&m, type, 8 + (i - 8) / 2, x, y);
		}
		add_store(&m, add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){v[0], x, y}), 2, 1, loop_order);
		char name[64];
		snprintf(name, sizeof name, "%s comparison %d of NaN", sr_dtypes[type].name, i / 2);
		collect_nest(&m, 0, name);
		struct sr_nest_prepared *r = sr_nest_prepare(all.nests[all.n - 1], &kernels, SR_NEST_STREAM_BYTES);
		ck_assert_int_eq(r->code->n_groups, 1);
		ck_assert_int_eq(r->code->groups[0].n_steps, 3);
		sr_nest_release(r);
	}
	compare_collected(0);
}
END_TEST

/* Nests with several elementary functions compute each in a loop of its own, over blocks. Floats are kept between these loops; where
 * a mask would have to be, the loop is not divided. */
START_TEST(test_divided_loops)
{
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_BF16, SR_F16};
	for (int64_t cache_bytes = 0, n = 0; n < 2; cache_bytes = INT64_MAX, n++) {
		for (int i = 0; i < 48; i++) {
			enum sr_dtype type = some[i % 4];
			struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 2, .n_outputs = 2}};
			m.t.extent[0] = 3, m.t.extent[1] = (const int64_t[]){64, 255, 256, 1301}[i / 4 % 4];
			add_stage(&m, false);
			int x = add_load(&m, type, 0, 2, loop_order), row = add_load(&m, type, 1, 1, loop_order + 1);
			int v = add_map(&m, SR_KERNEL_EXPONENTIAL, type, type, 1, &x);
			int mask = add_map(&m, SR_KERNEL_COMPARE, type, SR_I1, 2, (const int[]){x, row});
			m.instrs[m.t.n_instrs - 1].variant = SR_LT;
			int w = add_map(&m, SR_KERNEL_TANH, type, type, 1, &v);
			add_store(&m, w, 2, 2, loop_order);
			if (i / 16) /* the mask is read before the next function, or after it */
				w = add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){mask, w, row});
			int u = add_map(&m, SR_KERNEL_LOG_PLUS_ONE, type, type, 1, &w);
			u = add_map(&m, SR_KERNEL_POWER, type, type, 2, (const int[]){u, row});
			if (i / 16 == 0)
				u = add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){mask, u, v});
			add_store(&m, u, 3, 2, loop_order);
			collect_nest(&m, 0, sr_dtypes[type].name);
		}
		compare_collected_with(0, cache_bytes, " = t");
	}
}
END_TEST

/* Floats of at most 8 bits are computed in f32, and rounded after every function. */
START_TEST(test_small_floats)
{
	static const enum sr_dtype small[] = {SR_F4E2M1FN, SR_F8E4M3FN, SR_F8E4M3B11FNUZ, SR_F8E5M2};
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
		for (size_t t = 0; t < sizeof small / sizeof *small; t++) {
			enum sr_dtype result = k == SR_KERNEL_IS_FINITE ? SR_I1 : small[t];
			if (kernels.fn[k][small[t]] && sr_kernel_work_class((enum sr_kernel)k) != SR_WORK_TRANSCENDENTAL)
				collect_map((enum sr_kernel)k, small[t], small[t], result, 0, 0);
		}
	for (size_t t = 0; t < sizeof small / sizeof *small; t++) {
		collect_map(SR_KERNEL_COMPARE, small[t], small[t], SR_I1, SR_LT, 0);
		collect_map(SR_KERNEL_SELECT, small[t], SR_I1, small[t], 0, 0);
		collect_map(SR_KERNEL_CLAMP, small[t], small[t], small[t], 0, 0);
	}
	compare_collected(0);
}
END_TEST

START_TEST(test_conversions_of_small_floats)
{
	static const enum sr_dtype others[] = {SR_F32, SR_BF16, SR_F64, SR_I8, SR_UI16, SR_I64, SR_F8E5M2};
	for (int t = 1; t < SR_DTYPE_COUNT; t++)
		for (size_t u = 0; u < sizeof others / sizeof *others; u++) {
			if (!sr_dtype_is_float((enum sr_dtype)t) || sr_dtypes[t].bits > 8 || t == SR_F8E8M0FNU)
				continue;
			collect_map(SR_KERNEL_CONVERT, (enum sr_dtype)t, (enum sr_dtype)t, others[u], 0, 0);
			collect_map(SR_KERNEL_CONVERT, others[u], others[u], (enum sr_dtype)t, 0, 0);
		}
	compare_collected(0);
}
END_TEST

/* Results of integers narrower than a byte wrap around to their bits, in elements and in reductions. */
START_TEST(test_narrow_integers)
{
	static const enum sr_dtype narrow[] = {SR_I2, SR_I4, SR_UI2, SR_UI4};
	static const enum sr_dtype others[] = {SR_I1, SR_I2, SR_UI4, SR_I8, SR_UI16, SR_I32,
					       SR_I64, SR_BF16, SR_F32, SR_F64, SR_F8E5M2};
	for (size_t t = 0; t < sizeof narrow / sizeof *narrow; t++) {
		for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
			if (kernels.fn[k][narrow[t]] && k != SR_KERNEL_POWER)
				collect_map((enum sr_kernel)k, narrow[t], narrow[t], narrow[t], 0, 0);
		for (size_t u = 0; u < sizeof others / sizeof *others; u++) {
			collect_map(SR_KERNEL_CONVERT, narrow[t], narrow[t], others[u], 0, 0);
			collect_map(SR_KERNEL_CONVERT, others[u], others[u], narrow[t], 0, 0);
		}
		collect_map(SR_KERNEL_BITCAST, narrow[t], narrow[t], narrow[t ^ 2], 0, 0);
		collect_map(SR_KERNEL_COMPARE, narrow[t], narrow[t], SR_I1, SR_LT, 0);
		collect_map(SR_KERNEL_SELECT, narrow[t], SR_I1, narrow[t], 0, 0);
		collect_map(SR_KERNEL_CLAMP, narrow[t], narrow[t], narrow[t], 0, 0);
	}
	compare_collected(0);
}
END_TEST
