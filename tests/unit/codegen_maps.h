/* Tests of loop nests without reductions whose C code has a special form: images of 8-bit channels, gathers from large tables, and
 * parities of integers. Included by codegen.c. */
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
