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
