/* Sorts compared with the reference: keys of every type, positions, rows of sorted runs. Included by kernels_fast.c. */
#pragma once

static const enum sr_dtype key_types[] = {SR_F32, SR_F64, SR_BF16, SR_F16, SR_I2, SR_I8, SR_I16, SR_I32, SR_I64, SR_UI4, SR_UI8, SR_UI16, SR_UI32, SR_UI64};
enum { MAX_ROW_LENGTH = 40000 };

/* Sort a row of keys and their positions with the reference and with the fast kernel. With `in_place`, results are in the operands'
 * memory. */
static void run_sort(enum sr_dtype t, const struct sr_sort_params *p, const char *keys, const int64_t *positions, bool in_place)
{
	int64_t n = p->outer * p->length * p->inner, rows = p->outer * p->inner,
		n_kept = p->n_used_results ? p->n_used_results : p->length;
	size_t bytes = (size_t)n * (size_t)sr_dtype_bytes(t);
	int64_t size = sr_kernel_planned_scratch(SR_KERNEL_SORT, t, p);
	char *out[2], *scratch = malloc((size_t)size + 8);
	int64_t *sorted_positions[2];

	for (int i = 0; i <= n_isa; i++) {
		struct sr_kernels *table = i ? &fast[i - 1] : &reference;
		int to = i > 0;
		out[to] = malloc(bytes), sorted_positions[to] = malloc((size_t)n * sizeof(int64_t));
		memcpy(out[to], keys, bytes);
		bool two = p->n_operands == 2;
		if (two)
			memcpy(sorted_positions[to], positions, (size_t)n * sizeof(int64_t));
		const void *in[] = {in_place ? out[to] : keys,
				    two ? (const void *)(in_place ? sorted_positions[to] : positions) : out[to], out[to],
				    sorted_positions[to]};
		memcpy(scratch + size, "1234567", 8);
		table->fn[SR_KERNEL_SORT][t](p, (void *const *)in, scratch, 0, rows);
		ck_assert_str_eq(scratch + size, "1234567");
		for (int64_t k = 0, width = sr_dtype_bytes(t); to && k < n; k++) {
			if (k / p->inner % p->length >= n_kept)
				continue;
			bool same_key = !memcmp(out[0] + k * width, out[1] + k * width, (size_t)width);
			ck_assert_msg(same_key && (!two || sorted_positions[0][k] == sorted_positions[1][k]),
				      "sort of %s, total %d, descending %d, keep %d of %d: [%d]", sr_dtypes[t].name, p->total,
				      p->descending, (int)p->n_used_results, (int)p->length, (int)k);
		}
		if (to)
			free(out[1]), free(sorted_positions[1]);
	}
	free(out[0]), free(sorted_positions[0]), free(scratch);
}

START_TEST(sorts)
{
	static const int64_t shapes[][4] = {{3, 1, 1, 0},   {2, 7, 3, 0},  {1, 24, 1, 0},     {2, 100, 1, 8},
					    {1, 301, 2, 0}, {5, 40, 2, 3}, {1, MAX_ROW_LENGTH, 1, 0}, {1, 3000, 1, 64},
					    {2, 900, 1, 100}, {2, 900, 1, 50}, {3, 130, 1, 8}};
	enum sr_dtype t = key_types[_i];
	char *keys = malloc(MAX_ROW_LENGTH * 8);
	int64_t *positions = malloc(MAX_ROW_LENGTH * sizeof(int64_t));

	for (int64_t i = 0; i < MAX_ROW_LENGTH; i++)
		positions[i] = i;
	for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
		for (int form = 0; form < 48; form++) {
			int operands = form / 2 % 2 + 1, total = form / 4 % 3;
			struct sr_sort_params p = {.n_operands = operands,
						   .descending = form & 1,
						   .total = total,
						   .outer = shapes[s][0],
						   .length = shapes[s][1],
						   .inner = shapes[s][2],
						   .n_used_results = shapes[s][3]};
			p.bytes[0] = sr_dtype_bytes(t);
			p.bytes[1] = sizeof(int64_t);
			if (p.length > 1000 && form % 11)
				continue; /* skip most long rows, to save time */
			fill_array(t, keys, p.outer * p.length * p.inner, form / 12 % 2 && total);
			run_sort(t, &p, keys, positions, form >= 24);
		}
	free(keys);
	free(positions);
}
END_TEST

/* Sort keys[begin, end) in ascending or descending order with the reference kernel. */
static void sort_run(enum sr_dtype t, char *keys, int64_t begin, int64_t end, bool descending)
{
	int64_t size = sr_dtype_bytes(t);
	struct sr_sort_params p = {.n_operands = 1, .descending = descending, .total = 2, .outer = 1, .length = end - begin, .inner = 1};
	void *run = keys + begin * size, *buffers[] = {run, run};
	p.bytes[0] = (int32_t)size;
	void *scratch = malloc((size_t)sr_kernel_planned_scratch(SR_KERNEL_SORT, t, &p));
	reference.fn[SR_KERNEL_SORT][t](&p, buffers, scratch, 0, 1);
	free(scratch);
}

/* Long rows that consist of sorted runs, which are merged: equal and unequal lengths, one much shorter, already in order, in the
 * opposite order, more runs than are merged, equal keys, and odd floats. */
static const enum sr_dtype run_types[] = {SR_F32, SR_F64, SR_I32, SR_UI64};

START_TEST(sorts_of_runs)
{
	static const int64_t run_ends[][20] = {
	    {20000, MAX_ROW_LENGTH},
	    {5000, 10000, 15000, 20000, 25000, 30000, 35000, MAX_ROW_LENGTH},
	    {3, MAX_ROW_LENGTH},
	    {39990, MAX_ROW_LENGTH},
	    {1, 2, 17000, 30001, MAX_ROW_LENGTH},
	    {MAX_ROW_LENGTH},
	    {100, 300, 700, 1500, 3100, 6300, 12700, 12800, 12900, 13000, 14000, 15000, 16000, 17000, 18000, MAX_ROW_LENGTH},
	    {100, 300, 700, 1500, 3100, 6300, 12700, 12800, 12900, 13000, 14000, 15000, 16000, 17000, 18000, 19000, MAX_ROW_LENGTH}};
	enum sr_dtype t = run_types[_i];
	int64_t size = sr_dtype_bytes(t);
	char *keys = malloc((size_t)MAX_ROW_LENGTH * 8);

	for (size_t s = 0; s < sizeof run_ends / sizeof *run_ends; s++)
		for (int form = 0; form < 12; form++) {
			bool descending = form & 1, runs_descend = form == 4;
			struct sr_sort_params p = {.n_operands = 1, .descending = descending, .total = 1 + (form % 4 > 1), .outer = 1, .length = MAX_ROW_LENGTH, .inner = 1};
			p.bytes[0] = (int32_t)size;
			fill_array(t, keys, MAX_ROW_LENGTH, form / 2 % 2);
			for (int64_t i = 1; form == 6 && i < MAX_ROW_LENGTH; i++) /* few different keys */
				memcpy(keys + i * size, keys + i % 5 * size, (size_t)size);
			if (form >= 8) /* the runs have disjoint ranges, in order or in the opposite order */
				sort_run(t, keys, 0, MAX_ROW_LENGTH, descending == (form >= 10));
			for (int64_t i = 0, begin = 0; begin < MAX_ROW_LENGTH; begin = run_ends[s][i++])
				sort_run(t, keys, begin, run_ends[s][i], descending != runs_descend);
			run_sort(t, &p, keys, NULL, form % 3 == 0);
		}
	free(keys);
}
END_TEST
