/* GSPMD tilings: a part of mesh.c, which includes this once. */

static const char *tiling_text(const struct sr_tiling *t)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_tiling_print(t, &buf);
	return sr_buf_string(&buf);
}

static struct sr_tiling parse_tiling(const char *text)
{
	struct sr_tiling t;
	const char *why = NULL;
	ck_assert_msg(sr_tiling_parse(arena, text, &t, &why), "%s: %s", text, why);
	return t;
}

START_TEST(tilings_round_trip)
{
	static const char *const texts[] = {
		"{replicated}", "{manual}", "{unreduced}", "{unknown}", "{maximal device=3}", "{}",
		"{devices=[4,2]0,4,1,5,2,6,3,7}", "{devices=[4,2]<=[8]}", "{devices=[4,2]<=[2,4]T(1,0)}",
		"{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}",
		"{unknown shard_as 3}", "{devices=[2]<=[2] shard_like 4}", "{manual shard_as 1 metadata={op_name=\"b}\"}}",
		"{devices=[2]<=[2] metadata={{op_name=\"a\"}, {op_name=\"b\"}}}", "{{maximal device=3}, {replicated}}",
		"{{replicated}, {replicated}, {replicated}, {replicated}, {replicated}, /*index=5*/{manual}}",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sr_tiling t = parse_tiling(texts[i]);
		ck_assert_str_eq(tiling_text(&t), texts[i]);
	}
}
END_TEST

static void ck_refused(const char *text, const char *message)
{
	struct sr_tiling t;
	const char *why = NULL;
	ck_assert(!sr_tiling_parse(arena, text, &t, &why));
	ck_assert_str_eq(why, message);
}

START_TEST(nesting_of_tuple_shardings_is_limited)
{
	enum { LEVELS = 64 };
	char nested[2 * LEVELS + 3] = {0};
	memset(nested, '{', LEVELS + 1);
	memset(nested + LEVELS + 1, '}', LEVELS + 1);
	ck_refused(nested, "tuples nested too deeply at character 66");
	nested[2 * LEVELS + 1] = '\0';
	ck_assert_int_eq(parse_tiling(nested + 1).kind, SR_TILING_TUPLE);
}
END_TEST

START_TEST(malformed_tilings_are_errors)
{
	static const char *const texts[][2] = {
		{"replicated", "expected '{' at character 1"},
		{"{devices=[4,2]<=[8]", "expected a kind of sharding at character 20"},
		{"{devices=[4,0]<=[8]}", "an extent of 0 at character 15"},
		{"{devices=[4,2]<=[2,4]}", "expected 'T(' at character 22"},
		{"{devices=[4,2]0,1,2,3}", "8 tiles, but 4 devices at character 22"},
		{"{devices=[2]0,2}", "device 2 is beyond the number of tiles at character 16"},
		{"{devices=[2]<=[2] last_tile_dims={tiled}}", "expected manual, unreduced or replicated at character 35"},
		{"{devices=[2]<=[2] last_tile_dims={manual, manual}}",
		 "more kinds of tile dimensions than dimensions at character 51"},
		{"{maximal}", "maximal without a device at character 10"},
		{"{replicated device=1}", "a device, but not maximal at character 22"},
		{"{shard_as 1}", "expected a kind of sharding at character 13"},
		{"{replicated} x", "unexpected text at character 14"},
		{"{devices=[99999999999999999999]<=[8]}", "too large a number at character 29"},
		{"{devices=[65536,65536]<=[8]}", "too many devices at character 23"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_refused(texts[i][0], texts[i][1]);
}
END_TEST

START_TEST(tilings_have_a_canonical_form)
{
	static const char *const texts[][2] = { /* pairs of a sharding and its canonical form in XLA */
		{"{devices=[4,2]<=[4,2]T(0,1)}", "{devices=[4,2]<=[8]}"},
		{"{devices=[8,1]<=[8,1]T(1,0)}", "{devices=[8,1]<=[8]}"},
		{"{devices=[4,4]<=[2,2,4]T(2,0,1)}", "{devices=[4,4]<=[4,4]T(1,0)}"},
		{"{devices=[1,1,8]<=[8] last_tile_dim_replicate}", "{replicated}"},
		{"{devices=[1,8]<=[8] last_tile_dims={manual}}", "{manual}"},
		{"{devices=[1,8]<=[8] last_tile_dims={unreduced}}", "{unreduced}"},
		{"{devices=[2,2,2,1]<=[8] last_tile_dims={manual}}", "{devices=[2,2,2]<=[8]}"},
		{"{devices=[2,4]<=[8] last_tile_dims={replicated}}", "{devices=[2,4]<=[8] last_tile_dim_replicate}"},
		{"{devices=[2,2,2]<=[8] last_tile_dims={replicated, manual}}",
		 "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}"},
		{"{devices=[2,2,2]0,1,2,3,4,5,6,7 last_tile_dims={replicated, manual}}",
		 "{devices=[2,2,2]0,2,1,3,4,6,5,7 last_tile_dims={manual, replicated}}"},
		{"{devices=[2,2,2]3,2,1,0,7,6,5,4 last_tile_dims={unreduced, unreduced}}",
		 "{devices=[2,4]3,2,1,0,7,6,5,4 last_tile_dims={unreduced}}"},
		{"{devices=[2,1,4]3,2,1,0,7,6,5,4 last_tile_dim_replicate}",
		 "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"},
		{"{devices=[2,4]<=[2,2,2]T(1,2,0) last_tile_dim_replicate}",
		 "{devices=[2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"},
		{"{devices=[1,1]<=[1]}", "{devices=[1,1]<=[1]}"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sr_tiling t = parse_tiling(texts[i][0]), canonical = sr_tiling_canonical(arena, &t);
		ck_assert_str_eq(tiling_text(&canonical), texts[i][1]);
		ck_assert(sr_tiling_equal(arena, &t, &canonical));
	}
}
END_TEST

START_TEST(lists_of_devices_and_iotas)
{
	static const char *const texts[][2] = {
		{"{devices=[4,2]0,4,1,5,2,6,3,7}", "{devices=[4,2]<=[2,4]T(1,0)}"},
		{"{devices=[2,2,4]0,8,4,12,1,9,5,13,2,10,6,14,3,11,7,15}", "{devices=[2,2,4]<=[2,2,4]T(2,1,0)}"},
		{"{devices=[6]0,3,1,4,2,5}", "{devices=[6]<=[2,3]T(1,0)}"},
		{"{devices=[3]0,2,1}", "{devices=[3]0,2,1}"}, /* a device list that is not an iota */
		{"{devices=[4]0,1,3,2}", "{devices=[4]0,1,3,2}"},
		{"{devices=[4]1,0,3,2}", "{devices=[4]1,0,3,2}"},
		{"{devices=[8]0,1,2,3,4,6,5,7}", "{devices=[8]0,1,2,3,4,6,5,7}"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sr_tiling list_form = parse_tiling(texts[i][0]), t = sr_tiling_to_v2(arena, &list_form),
				 converted_list = sr_tiling_to_v1(arena, &t);
		ck_assert_str_eq(tiling_text(&t), texts[i][1]);
		ck_assert_str_eq(tiling_text(&converted_list), texts[i][0]);
	}
	struct sr_tiling a = parse_tiling("{devices=[4,2]<=[8]}"), b = parse_tiling("{devices=[2,4]<=[8]}"),
		c = parse_tiling("{devices=[4,2]<=[2,4]T(1,0)}");
	ck_assert(!sr_tiling_equal(arena, &a, &b));
	ck_assert(!sr_tiling_equal(arena, &a, &c));
}
END_TEST

START_TEST(tiles_with_a_mesh)
{
	static const char *const texts[][2] = {
		{"{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}", "{devices=[2,4]<=[8]}"},
		{"{mesh['a'=2,'b'=4], [{'b', ?}, {?}]}", "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"},
		{"{mesh['a'=2,'b'=4], [{'b':(1)2}, {'a'}]}", "{devices=[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"},
		{"{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{'a'}, {}], unreduced={'b'}}",
		 "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dims={unreduced}}"},
		{"{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {}], replicated={'b'}}",
		 "{devices=[2,1,4]4,5,6,7,0,1,2,3 last_tile_dim_replicate}"},
		{"{mesh['a'=2,'b'=4], [{}], manual={'a', 'b'}}", "{manual}"},
		{"{mesh['a'=2], [{}]}", "{replicated}"},
	};
	static const char *const bad[][2] = {
		{"{mesh['a'=2,'a'=2], [{'a'}]}", "the mesh has two axes of one name at character 18"},
		{"{mesh['a'=2], [{'b'}]}", "expected an axis of the mesh at character 20"},
		{"{mesh['a'=4], [{'a':(1)2}, {'a'}]}", "an axis is used twice at character 32"},
		{"{mesh['a'=4], [{'a':(1)3}]}", "a part that does not divide the axis at character 25"},
		{"{mesh['a'=4], device_ids=(0,1,2), [{'a'}]}", "4 tiles, but 3 devices at character 32"},
		{"{mesh['a'=4], [{}], tiled={'a'}}", "expected manual, unreduced or replicated at character 21"},
		{"{mesh['a'=6], [{'a':(1)2}, {'a':(3)2}]}", "an axis is used twice at character 37"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sr_tiling t = parse_tiling(texts[i][0]);
		ck_assert_str_eq(tiling_text(&t), texts[i][1]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_refused(bad[i][0], bad[i][1]);
}
END_TEST

static const char *meshes_text(const char *const *texts, int n)
{
	const struct sr_tiling *tiles[4];
	struct sr_buf buf;
	int n_meshes;
	for (int i = 0; i < n; i++) {
		struct sr_tiling t = parse_tiling(texts[i]), *canonical = SR_NEW(arena, struct sr_tiling);
		*canonical = sr_tiling_canonical(arena, &t);
		tiles[i] = canonical;
	}
	struct sr_tiling_mesh *meshes = sr_tiling_meshes(arena, tiles, n, sr_tiling_devices(tiles[0]), &n_meshes);
	sr_buf_init(&buf, arena);
	for (int i = 0; i < n_meshes; i++) {
		for (int k = 0; k < meshes[i].n; k++)
			sr_buf_printf(&buf, "%s%ld", k > 0 ? "x" : i > 0 ? " " : "", (long)meshes[i].sizes[k]);
		if (meshes[i].device_ids)
			sr_buf_printf(&buf, "@%ld", (long)meshes[i].device_ids[1]);
	}
	return sr_buf_string(&buf);
}

START_TEST(meshes_are_as_few_and_small_as_can_be)
{
	const char *one_tiling[] = {"{devices=[4,2]<=[8]}"};
	const char *two_tilings[] = {"{devices=[8]<=[8]}", "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"};
	const char *unrelated_tilings[] = {"{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"};
	const char *divisor_chain[] = {"{devices=[2,6]<=[12]}", "{devices=[4,3]<=[12]}"};
	const char *device_orders[] = {"{devices=[3]<=[3]}", "{devices=[3]0,2,1}", "{devices=[1,3]<=[3]}"};
	const char *tilings[] = {"{devices=[2,1,2]<=[4] last_tile_dim_replicate}", "{devices=[4]0,1,3,2}"};
	ck_assert_str_eq(meshes_text(one_tiling, 1), "4x2");
	ck_assert_str_eq(meshes_text(two_tilings, 2), "4x2");
	ck_assert_str_eq(meshes_text(unrelated_tilings, 2), "6");
	ck_assert_str_eq(meshes_text(divisor_chain, 2), "2x2x3");
	ck_assert_str_eq(meshes_text(device_orders, 3), "3 3@2");
	ck_assert_str_eq(meshes_text(tilings, 2), "2x2@1");
}
END_TEST

START_TEST(axes_of_tiles_and_back)
{
	struct sr_axis axes[] = {{x, 4}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	static const char *const texts[] = {"{devices=[4,2]<=[8]}", "{devices=[2,4]<=[4,2]T(1,0)}", "{devices=[2,4]<=[2,4]T(1,0)}",
					    "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dim_replicate}"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sr_tiling t = parse_tiling(texts[i]);
		struct sr_axes *dims = sr_tiling_axes(arena, &mesh, &t);
		ck_assert_ptr_nonnull(dims);
		struct sr_tiling converted = sr_tiling_of_axes(arena, &mesh, dims, 2, NO_AXES, NO_AXES);
		ck_assert_str_eq(tiling_text(&converted), texts[i]);
	}
	struct sr_tiling t = parse_tiling("{devices=[2,4]<=[2,2,2]T(1,2,0)}"), sixteen_devices = parse_tiling("{devices=[2,8]<=[16]}"),
		irregular_list = parse_tiling("{devices=[4,2]0,1,2,3,4,6,5,7}");
	struct sr_axes *dims = sr_tiling_axes(arena, &mesh, &t);
	ck_axes_eq(dims[0], AXES(REF(x, 2, 2)));
	ck_axes_eq(dims[1], AXES(REF(y, 1, 2), REF(x, 1, 2)));
	ck_assert_ptr_null(sr_tiling_axes(arena, &mesh, &sixteen_devices));
	ck_assert_ptr_null(sr_tiling_axes(arena, &mesh, &irregular_list));
	struct sr_tiling subgroups = sr_tiling_of_axes(arena, &mesh, dims, 1, AXES(REF(x, 1, 2)), AXES(REF(y, 1, 2)));
	ck_assert_str_eq(tiling_text(&subgroups), "{devices=[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={manual, unreduced}}");
}
END_TEST
