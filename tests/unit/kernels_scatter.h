/* Scatters, and selections of windows, compared with the reference. Included by kernels_fast.c. */
#pragma once

enum { SCATTER_ELEMENTS = 6 * 6 * 6, SCATTER_INDICES = 3 * 3 * 40 * 6, SCATTER_UPDATES = 3 * 40 * 6 * 6 * 6 };

/* A random scatter: operand dimensions of three kinds (inserted, window, batching), batch dimensions between those of the
 * window. */
static void random_scatter(struct sr_scatter_params *p, enum sr_dtype index_type)
{
	struct sr_gather_params *g = &p->g;
	int n_batch = (int)(next_random() % 3), batching_dim = -1, dims[8], n_dims = 0, n_placed = 0;
	int64_t batch[2] = {1 + (int64_t)(next_random() % 3), 1 + (int64_t)(next_random() % 40)};

	*p = (struct sr_scatter_params){.g = {.operand_rank = 1 + (int)(next_random() % 3), .index_type = (int32_t)index_type, .bytes = 4}};
	if (n_batch == 2 && next_random() % 4 == 0)
		batching_dim = (int)(next_random() % (uint64_t)g->operand_rank);
	for (int d = 0; d < g->operand_rank; d++) {
		bool is_window = d != batching_dim && next_random() % 2;
		g->operand[d] = d == batching_dim ? batch[0] : 1 + (int64_t)(next_random() % 6);
		g->slice_sizes[d] = is_window ? 1 + (int64_t)(next_random() % (uint64_t)g->operand[d]) : 1;
		g->batch_of_operand[d] = -1;
		if (is_window)
			dims[n_dims++] = d;
		if (d != batching_dim && next_random() % 4)
			g->index_map[g->n_index_map++] = (int8_t)d;
	}
	g->index_vector_dim = g->n_index_map == 1 && next_random() % 2 ? n_batch : (int)(next_random() % (uint64_t)(n_batch + 1));
	for (int d = 0, b = 0; b < n_batch || d <= g->index_vector_dim; d++)
		g->indices[g->indices_rank++] = d == g->index_vector_dim ? g->n_index_map : batch[b++ + 2 - n_batch];
	if (g->n_index_map == 1 && g->index_vector_dim == n_batch)
		g->indices_rank = n_batch;
	if (batching_dim >= 0)
		g->batch_of_operand[batching_dim] = (int8_t)(g->index_vector_dim == 0);
	while (n_batch > 0 || n_placed < n_dims) {
		bool take_batch = n_batch > 0 && (n_placed == n_dims || next_random() % 2);
		g->out_operand_dim[g->out_rank] = (int8_t)(take_batch ? -1 : dims[n_placed]);
		g->out[g->out_rank++] = take_batch ? batch[2 - n_batch] : g->slice_sizes[dims[n_placed]];
		*(take_batch ? &n_batch : &n_placed) += take_batch ? -1 : 1;
	}
}

START_TEST(scatters)
{
	static const enum sr_dtype index_types[] = {SR_I8, SR_I32, SR_I64, SR_UI8, SR_UI64}, types[] = {SR_F32, SR_BF16, SR_I32, SR_I1, SR_C128};
	enum sr_dtype t = types[_i];
	bool is_integer = sr_dtype_is_integer(t);
	size_t bytes = SCATTER_ELEMENTS * (size_t)sr_dtype_bytes(t);
	char *operand = malloc(bytes), *expected = malloc(bytes), *got = malloc(bytes),
	     *updates = malloc(SCATTER_UPDATES * (size_t)sr_dtype_bytes(t)), *indices = malloc(SCATTER_INDICES * 8);

	for (int round = 0; round < 600; round++) {
		enum sr_dtype index_type = index_types[round % 5];
		struct sr_scatter_params p;
		random_scatter(&p, index_type);
		p.monoid = (int)(next_random() % (is_integer ? SR_MONOID_COUNT + 1 : SR_MONOID_MAX + 2)) - 1;
		fill_array(t, operand, SCATTER_ELEMENTS, true);
		fill_array(t, updates, SCATTER_UPDATES, true);
		for (int64_t i = 0, index = 0; i < SCATTER_INDICES; i++) {
			bool is_same = round % 4 == 3 && i && next_random() % 8; /* runs of equal indices */
			index = is_same ? index : next_random() % 16 ? (int64_t)(next_random() % 7) : (int64_t)(next_random() % 100) - 50;
			sr_element_set(index_type, indices + i * sr_dtype_bytes(index_type), index, 0, 0);
		}
		bool in_place = round % 2;
		int64_t elements = 1, grain, end;
		for (int d = 0; d < p.g.operand_rank; d++)
			elements *= p.g.operand[d];
		p.splat = round % 7 == 0;
		memcpy(expected, operand, bytes);
		memcpy(got, operand, bytes);
		reference.fn[SR_KERNEL_SCATTER][t](&p, (void *[]){operand, indices, updates, expected}, NULL, 0, elements);
		p.g.bytes = sr_dtype_bytes(t);
		grain = round % 3 ? sr_kernel_split_of(SR_KERNEL_SCATTER, &p).grain : 0;
		for (int64_t i = 0; i < elements; i = end) {
			end = grain && i + grain < elements ? i + grain : elements;
			fast[round % n_isa].fn[SR_KERNEL_SCATTER][t](
			    &p, (void *[]){in_place ? got : operand, indices, updates, got}, NULL, i, end);
		}
		for (int64_t i = 0, width = sr_dtype_bytes(t); i < SCATTER_ELEMENTS; i++)
			ck_assert_msg(are_close(t, expected + i * width, got + i * width, 0), "round %d of %s, monoid %d: [%d]", round,
				      sr_dtypes[t].name, p.monoid, (int)i);
	}
	free(operand), free(expected), free(got), free(updates), free(indices);
}
END_TEST

/* Integers added to few elements, as in histograms: a number of updates that is no multiple of the number of tables, indices out of
 * bounds, and operands of up to, and more than, the bytes of a table. */
START_TEST(histograms)
{
	enum { UPDATES = 9001, BINS = 4100 };
	static const enum sr_dtype types[] = {SR_I8, SR_UI16, SR_I32, SR_I64, SR_I1, SR_F32};
	static const int64_t bins[] = {1, 5, 255, 512, 513};
	enum sr_dtype t = types[_i];
	int64_t width = sr_dtype_bytes(t);
	char *operand = malloc(BINS * 8), *expected = malloc(BINS * 8), *got = malloc(BINS * 8), *updates = malloc(UPDATES * 8);
	int32_t *indices = malloc(UPDATES * sizeof *indices);

	for (int round = 0; round < 20; round++) {
		int64_t n_bins = bins[round % 5], n = UPDATES - round / 5;
		struct sr_scatter_params p = {.g = {.operand_rank = 1, .operand = {n_bins}, .slice_sizes = {1}, .n_index_map = 1,
						    .batch_of_operand = {-1}, .index_vector_dim = 1, .indices_rank = 1,
						    .indices = {n}, .out_rank = 1, .out = {n}, .out_operand_dim = {-1},
						    .index_type = SR_I32, .bytes = (int32_t)width},
					      .monoid = SR_MONOID_ADD, .splat = round % 2};
		fill_array(t, operand, BINS, true);
		fill_array(t, updates, UPDATES, true);
		for (int64_t i = 0; i < n; i++)
			indices[i] = (int32_t)(next_random() % (uint64_t)(n_bins + 2)) - 1;
		reference.fn[SR_KERNEL_SCATTER][t](&p, (void *[]){operand, indices, updates, expected}, NULL, 0, n_bins);
		fast[round % n_isa].fn[SR_KERNEL_SCATTER][t](&p, (void *[]){operand, indices, updates, got}, NULL, 0, n_bins);
		for (int64_t i = 0; i < n_bins; i++)
			ck_assert_msg(are_close(t, expected + i * width, got + i * width, 0), "round %d of %s: [%d]", round,
				      sr_dtypes[t].name, (int)i);
	}
	free(operand), free(expected), free(got), free(updates), free(indices);
}
END_TEST

/* Windows over two dimensions, before an inner run longer than a strip, or over the innermost dimensions, in all groups or some. */
START_TEST(selections)
{
	static const enum sr_dtype types[] = {SR_F32, SR_F64, SR_BF16, SR_I8, SR_UI32};
	enum sr_dtype t = types[_i];
	static uint64_t in[8 * MAX], source[8 * MAX];
	for (int round = 0; round < 60; round++) {
		struct sr_select_and_scatter_params p = {.window = {.rank = 4, .monoid = round % 3 ? SR_MONOID_ADD : SR_MONOID_MAX}, .select = (int32_t)(next_random() % 6)};
		struct sr_reduce_window_params *w = &p.window;
		int64_t n = 1, n_places = 1;
		uint64_t init = 0;
		for (int d = 0; d < 4; d++) {
			bool moves = round % 5 == 2 ? d >= 2 : (d + round % 2) % 3 == 1 || (d == 2 && round % 2 == 0);
			w->window[d] = moves ? 1 + (int64_t)(next_random() % 3) : 1;
			w->stride[d] = moves ? 1 + (int64_t)(next_random() % 3) : 1;
			w->pad_low[d] = moves ? (int64_t)(next_random() % 3) : 0;
			w->base_dilation[d] = 1;
			w->window_dilation[d] = 1 + (moves && !(next_random() % 4));
			w->in[d] = moves ? 3 + (int64_t)(next_random() % 6) : d == 3 && !(round % 4) ? 300 : 1 + (int64_t)(next_random() % 3);
			w->out[d] = moves ? (w->in[d] + w->pad_low[d] + 1) / w->stride[d] : w->in[d];
			n *= w->in[d];
			n_places *= w->out[d];
		}
		if (n > MAX * 8 || n_places > MAX * 8)
			continue;
		fill_array(t, in, n, true);
		fill_array(t, source, n_places, true);
		fill_array(t, &init, 1, false);
		void *buffers[] = {in, source, &init};
		int64_t groups = sr_select_and_scatter_groups(w);
		for (int64_t begin = 0; begin < groups; begin += groups / 2 + 1)
			check_chunks_of_kernel(SR_KERNEL_SELECT_AND_SCATTER, t, t, &p, buffers, 3, n, begin, groups, 0);
	}
}
END_TEST
