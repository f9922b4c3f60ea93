/* Generated code of nests with borders. */
#pragma once

/* Add a load of buffer 1, which has n elements, at the index of the loop plus `offset`; out of bounds it is fill_value. */
static int add_shifted_load(struct nest_builder *m, int64_t n, int64_t offset, int fill_value)
{
	int v = add_load(m, SR_F32, 1, 0, NULL);
	struct sr_nest_access *a = &m->accesses[m->t.n_accesses - 1];
	a->fill = fill_value;
	a->n_dims = 1;
	m->dims[m->t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .extent = n, .offset = offset, .index = -1,
						      .coef = {1}};
	m->elements[1] = n;
	return v;
}

static const char *source_of_shift(int64_t wrapped_offset)
{
	enum { N = 100 };
	static const int only_loop[] = {0};
	struct nest_builder m = {.t = {.n_loops = 1, .n_parallel = 1, .n_inputs = 2, .n_outputs = 1, .extent = {N}}};
	struct sr_jit_source text;
	struct sr_jit_counts counts;
	add_stage(&m, false);
	int fill_value = add_load(&m, SR_F32, 0, 0, NULL);
	int wrapped = add_shifted_load(&m, N, wrapped_offset, fill_value);
	add_store(&m, add_shifted_load(&m, N, -1, wrapped), 2, 1, only_loop);
	const struct sr_nest *nest = finish_nest(&m);
	sr_jit_generate(NULL, &nest, 1, arena, &text, &counts);
	ck_assert_int_eq(counts.compiled, 1);
	return sr_buf_string(&text.files[0]);
}

/* The fill value of a periodic border is never used, so its load is left out: another thread may write the element meanwhile. */
START_TEST(test_unused_fill_values)
{
	ck_assert_ptr_null(strstr(source_of_shift(99), "b0[0]"));
	ck_assert_ptr_nonnull(strstr(source_of_shift(100), "b0[0]")); /* the first element is out of bounds of both loads */
}
END_TEST

/* Add a load from a buffer with `rows` rows: from row (index of loop 0) + offset, and from columns forwards, backwards, by an
 * index, or always the same column, with or without bounds of columns. fill: the value out of bounds, -1 if there are none. */
static int add_row_load(struct nest_builder *m, enum sr_dtype type, int buffer, int64_t rows, int64_t offset, int fill, int index)
{
	enum { FORWARDS, BACKWARDS, SAME, BY_INDEX };
	int64_t n = m->t.extent[1];
	int v = add_load(m, type, buffer, 0, NULL), order = index >= 0 ? BY_INDEX : (int)next_random(BY_INDEX);
	struct sr_nest_access *a = &m->accesses[m->t.n_accesses - 1];
	a->fill = fill;
	m->elements[buffer] = rows * n;
	m->dims[m->t.n_dims + a->n_dims++] = (struct sr_nest_dim){
		.divisor = 1, .stride = n, .extent = fill >= 0 ? rows : 0, .offset = offset, .index = -1, .coef = {1}};
	if (order == BY_INDEX)
		m->dims[m->t.n_dims + a->n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .limit = n - 1, .index = index};
	else if (fill >= 0 && order != SAME && next_random(2))
		m->dims[m->t.n_dims + a->n_dims++] = (struct sr_nest_dim){
			.divisor = 1, .stride = 1, .extent = n, .offset = order == BACKWARDS ? n - 1 : (int)next_random(3) - 1,
			.index = -1, .coef = {0, order == BACKWARDS ? -1 : 1}};
	else
		a->stride[1] = order == SAME ? 0 : order == BACKWARDS ? -1 : 1, a->offset = order == BACKWARDS ? n - 1 : 0;
	m->t.n_dims += a->n_dims;
	return v;
}

/* Rows out of bounds of a load are in another buffer, as those of a halo are, in a third one, or have a fill value. */
START_TEST(test_rows_of_several_buffers)
{
	enum { ROWS = 9, COLUMNS = 40, LOADS = 3 };
	for (int k = 0; k < 150; k++) {
		enum sr_dtype type = types[k % N_TYPES];
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = LOADS + 2, .n_outputs = 1,
					       .extent = {ROWS, COLUMNS}}};
		add_stage(&m, false);
		int index = next_random(4) ? -1 : add_load(&m, SR_I32, LOADS, 2, loop_order);
		int v = next_random(3) ? add_constant(&m, type, 3) : add_load(&m, type, LOADS + 1, (int)next_random(3), loop_order);
		if (!next_random(4))
			v = add_row_load(&m, type, 0, ROWS, 0, -1, -1);
		for (int i = 1; i < LOADS; i++)
			v = add_row_load(&m, type, i, i == LOADS - 1 ? ROWS - 2 : 1 + (int64_t)next_random(3),
					 -(int64_t)next_random(ROWS) * (i < LOADS - 1) - 1 + (int64_t)next_random(3), v,
					 i == LOADS - 1 ? index : -1);
		add_store(&m, v, LOADS + 2, 2, loop_order);
		for (int b = 0; b < LOADS + 2; b++)
			if (!m.elements[b])
				m.elements[b] = 1, m.types[b] = SR_I32;
		collect_nest(&m, 0, "rows of several buffers");
	}
	compare_collected(0);
}
END_TEST

/* Collect the sum of three loads of rows of n elements, shifted by up to `shift` elements and by a row, with zeros outside. */
static void collect_shifted_rows(enum sr_dtype type, int64_t n, int64_t shift)
{
	enum { ROWS = 6, LOADS = 3 };
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = LOADS, .n_outputs = 1, .extent = {ROWS, n}}};
	char name[64];
	add_stage(&m, false);
	int zero = add_constant(&m, type, 0), sum = zero;
	for (int i = 0; i < LOADS; i++) {
		int v = add_load(&m, type, i, 0, NULL);
		struct sr_nest_access *a = &m.accesses[m.t.n_accesses - 1];
		a->fill = zero;
		m.elements[i] = ROWS * n;
		m.dims[m.t.n_dims + a->n_dims++] = (struct sr_nest_dim){
			.divisor = 1, .stride = n, .extent = ROWS, .offset = i - 1, .index = -1, .coef = {1}};
		m.dims[m.t.n_dims + a->n_dims++] = (struct sr_nest_dim){
			.divisor = 1, .stride = 1, .extent = n, .offset = (i - 1) * shift, .index = -1, .coef = {0, 1}};
		m.t.n_dims += a->n_dims;
		sum = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){sum, v});
	}
	add_store(&m, sum, LOADS, 2, loop_order);
	snprintf(name, sizeof name, "rows of %d %s shifted by %d", (int)n, sr_dtypes[type].name, (int)shift);
	collect_nest(&m, 0, name);
}

/* Elements left after the last whole vector of a row are a vector that overlaps it. Three or more elements of at least 4 bytes at
 * an end of a row, where loads are out of bounds, are a vector with tests. */
START_TEST(test_vectors_at_ends_of_rows)
{
	static const enum sr_dtype element_types[] = {SR_F32, SR_F64, SR_I32, SR_UI8, SR_I64};
	for (int i = 0; i < 5; i++)
		for (int64_t shift = 1; shift <= 8; shift += shift < 4 ? 1 : 4)
			for (int k = 0; k < 2; k++)
				collect_shifted_rows(element_types[i], (const int64_t[]){271, 300}[k], shift);
	compare_collected_with(0, INT64_MAX, "% width");
	for (int64_t n = 64; n < 100; n += 7)
		collect_shifted_rows(SR_F32, n, 3);
	compare_collected_with(0, INT64_MAX, "i1 = 0; i1 < width;");
}
END_TEST

/* Collect a nest of elementary functions of `rows` rows of n elements, and of the elements before them, which are zeros
 * outside. The first rows are `pitch` elements apart. */
static void collect_elementary_rows(enum sr_dtype type, int64_t rows, int64_t n, int64_t pitch)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 2, .n_outputs = 1, .extent = {rows, n}}};
	char name[64];
	add_stage(&m, false);
	int zero = add_constant(&m, type, 0), v = add_load(&m, type, 0, 2, loop_order);
	int before = add_load(&m, type, 1, 0, NULL);
	struct sr_nest_access *a = &m.accesses[m.t.n_accesses - 1];
	m.accesses[m.t.n_accesses - 2].stride[0] = pitch;
	m.elements[0] = rows * pitch;
	m.elements[1] = rows * n;
	*a = (struct sr_nest_access){.buffer = 1, .fill = zero, .first_dim = m.t.n_dims, .n_dims = pitch == n, .stride = {n}};
	if (pitch == n)
		m.dims[m.t.n_dims++] = (struct sr_nest_dim){
			.divisor = 1, .stride = 1, .extent = n, .offset = -1, .index = -1, .coef = {0, 1}};
	else
		a->stride[1] = 1;
	v = add_map(&m, SR_KERNEL_LOGISTIC, type, type, 1, &v);
	v = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){v, before});
	v = add_map(&m, SR_KERNEL_TANH, type, type, 1, &v);
	add_store(&m, v, 2, 2, loop_order);
	snprintf(name, sizeof name, "%d rows of %d of %d %s", (int)rows, (int)n, (int)pitch, sr_dtypes[type].name);
	collect_nest(&m, 4, name);
}

/* Rows of elementary functions that are no multiple of a vector are one loop with the loop over rows if they are adjacent, or short
 * and copied. Otherwise the elements after the last whole vector of a row are a vector that overlaps it. */
START_TEST(test_vectors_of_elementary_functions)
{
	static const int64_t lengths[] = {3, 7, 9, 17, 25, 41, 63, 100, 255};
	for (int i = 0; i < 9; i++)
		for (int k = 0; k < 2; k++)
			collect_elementary_rows(k ? SR_F64 : SR_F32, 70 + 300 * k, lengths[i], lengths[i]);
	compare_collected_with(0, INT64_MAX, "const int32_t i1 = p %");
	for (int64_t n = 9; n < 16; n++)
		collect_elementary_rows(SR_F32, 300, n, n + 3);
	compare_collected_with(0, INT64_MAX, "const int32_t i1 = p %");
	for (int64_t n = 20; n < 60; n += 5)
		for (int k = 0; k < 2; k++)
			collect_elementary_rows(k ? SR_F64 : SR_F32, 5, n, n + 3);
	compare_collected_with(0, INT64_MAX, "% width");
}
END_TEST
