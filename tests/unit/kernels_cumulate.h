/* CUMULATE of rows and columns, forward and backward, compared with the reference; and in place. */
START_TEST(cumulations)
{
	static const int64_t shapes[][3] = {{1, 1, 1}, {3, 7, 1}, {2, 8, 1}, {2, 101, 1}, {1, 600, 1},
					    {2, 50, 8}, {1, 2, 600}, {4, 5, 3}};
	enum sr_dtype t = loop_types[_i];
	_Alignas(32) char a[MAX * 8], got[MAX * 8], in_place[MAX * 8], init[8];

	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
		for (int form = 0; form < 2 * SR_MONOID_COUNT; form++) {
			struct sr_cumulate_params p = {shapes[s][0], shapes[s][1], shapes[s][2], form / 2, form % 2};
			int64_t n = p.outer * p.length * p.inner;
			bool is_product = p.monoid == SR_MONOID_MUL;
			if (!sr_dtype_is_integer(t) && p.monoid >= SR_MONOID_AND)
				continue;
			for (int64_t i = 0; i < n; i++)
				sr_element_set(t, a + i * sr_dtype_bytes(t), (int64_t)next_random() % 2 + 1,
					       1 + (double)(next_random() % 100) * (is_product ? 1e-4 : 1), 0);
			sr_element_set(t, init, is_product, is_product, 0);
			check_chunks_of_kernel(SR_KERNEL_CUMULATE, t, t, &p, (void *[]){a, init}, 2, n, 0, p.outer, 64);
			for (int isa = 0; isa < n_isa; isa++) {
				sr_kernel_fn *fn = fast[isa].fn[SR_KERNEL_CUMULATE][t];
				ck_assert(fn != reference.fn[SR_KERNEL_CUMULATE][t]);
				memcpy(in_place, a, sizeof a);
				fn(&p, (void *[]){a, init, got}, NULL, 0, p.outer);
				fn(&p, (void *[]){in_place, init, in_place}, NULL, 0, p.outer);
				ck_assert_msg(!memcmp(got, in_place, (size_t)(n * sr_dtype_bytes(t))), "%s isa %d shape %d form %d",
					      sr_dtypes[t].name, isa, (int)s, form);
			}
		}
}
END_TEST
