/* The algebra of src/mesh compared with a brute-force model. If the boundaries of two sub-axes form a chain of divisors, the
 * axis can be reshaped to digits, and each sub-axis is a set of digits. Tests all pairs of sub-axes of axes up to 16 devices. */
#include "mesh/mesh.h"
#include "mesh/sdy_sharding.h"
#include "mesh/tiling.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static struct sr_arena *arena;
static const char x[] = "x", y[] = "y", z[] = "z";

static void setup(void)
{
	arena = sr_arena_new();
}

static void teardown(void)
{
	sr_arena_free(arena);
}

static struct sr_axes make_axes(int n, const struct sr_axis_ref *refs)
{
	return (struct sr_axes){refs, n};
}

#define REF(...) ((struct sr_axis_ref){__VA_ARGS__})
#define AXES(...)                                                                                                  \
	make_axes((int)(sizeof((struct sr_axis_ref[]){__VA_ARGS__}) / sizeof(struct sr_axis_ref)), (struct sr_axis_ref[]){__VA_ARGS__})
#define NO_AXES ((struct sr_axes){0})
#define ck_ref_eq(a, b)                                                                                            \
	ck_assert_msg(sr_axis_ref_equal((a), (b)), "(%ld)%ld, not (%ld)%ld", (long)(a).pre, (long)(a).size, (long)(b).pre, \
		      (long)(b).size)
#define ck_axes_eq(a, b) ck_assert(sr_axes_equal((a), (b)))

/* ---- the model ---- */

struct model {
	int64_t boundaries[8]; /* boundaries 1 | ... | n of the digits; digit i is between cuts[i] and cuts[i + 1] */
	int n_digits;
};

static int compare_by_value(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
	return (p > q) - (p < q);
}

/* Return false if the boundaries are no chain of divisors, so that the two sub-axes cannot coexist. */
static bool make_model(struct model *m, int64_t n, struct sr_axis_ref a, struct sr_axis_ref b)
{
	int64_t sorted_boundaries[6] = {1, n, a.pre, a.pre * a.size, b.pre, b.pre * b.size};
	qsort(sorted_boundaries, 6, sizeof sorted_boundaries[0], compare_by_value);
	m->n_digits = -1;
	for (int i = 0; i < 6; i++) {
		if (i > 0 && sorted_boundaries[i] == sorted_boundaries[i - 1])
			continue;
		if (i > 0 && sorted_boundaries[i] % sorted_boundaries[i - 1] != 0)
			return false;
		m->boundaries[++m->n_digits] = sorted_boundaries[i];
	}
	return true;
}

static unsigned digits_of_sub_axis(const struct model *m, struct sr_axis_ref r)
{
	unsigned set = 0;
	for (int i = 0; i < m->n_digits; i++)
		if (m->boundaries[i] >= r.pre && m->boundaries[i + 1] <= r.pre * r.size)
			set |= 1u << i;
	return set;
}

/* Find the maximal runs of digits of a set, major to minor. */
static int find_runs(const struct model *m, unsigned set, struct sr_axis_ref out[4])
{
	int n = 0;
	for (int i = 0; i < m->n_digits; i++) {
		if (!(set >> i & 1))
			continue;
		int j = i;
		while (set >> (j + 1) & 1)
			j++;
		out[n++] = REF(x, m->boundaries[i], m->boundaries[j + 1] / m->boundaries[i]);
		i = j;
	}
	return n;
}

static int list_sub_axes(int64_t n, struct sr_axis_ref out[32])
{
	int k = 0;
	for (int64_t pre = 1; pre <= n; pre++)
		for (int64_t size = 2; pre * size <= n; size++)
			if (n % (pre * size) == 0)
				out[k++] = REF(x, pre, size);
	if (n == 1)
		out[k++] = REF(x, 1, 1);
	return k;
}

/* Call check(n, a, b, model or NULL) for all pairs of sub-axes of axes of 2 to 16 devices. */
static void for_all_pairs(void (*check)(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m))
{
	int n_pairs = 0, n_without_model = 0;
	for (int64_t n = 2; n <= 16; n++) {
		struct sr_axis_ref sub_axes[32];
		int k = list_sub_axes(n, sub_axes);
		for (int i = 0; i < k * k; i++) {
			struct model m;
			bool has_model = make_model(&m, n, sub_axes[i / k], sub_axes[i % k]);
			check(n, sub_axes[i / k], sub_axes[i % k], has_model ? &m : NULL);
			n_pairs++;
			n_without_model += !has_model;
		}
	}
	ck_assert_int_gt(n_pairs, 250);
	ck_assert_int_gt(n_without_model, 10);
}

static void check_coexist(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m)
{
	ck_assert_int_eq(sr_axis_can_coexist(a, b), m != NULL);
	ck_assert(sr_axis_can_coexist(a, REF(y, b.pre, b.size)));
}

static void check_overlap(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m)
{
	struct sr_axis_ref out = REF(0), runs[4];
	ck_assert(!sr_axis_overlaps(a, REF(y, b.pre, b.size)));
	if (!m) { /* there is no model: the ranges may overlap, but neither a union nor a difference exists */
		ck_assert_int_eq(sr_axis_overlaps(a, b), a.pre < b.pre * b.size && b.pre < a.pre * a.size);
		ck_assert(!sr_axis_overlap(a, b, &out));
		return;
	}
	unsigned common_digits = digits_of_sub_axis(m, a) & digits_of_sub_axis(m, b);
	ck_assert_int_eq(sr_axis_overlaps(a, b), common_digits != 0);
	ck_assert_int_eq(sr_axis_overlap(a, b, &out), common_digits != 0);
	if (common_digits) {
		ck_assert_int_eq(find_runs(m, common_digits, runs), 1);
		ck_ref_eq(out, runs[0]);
	}
}

static void check_prefix(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m)
{
	struct sr_axis_ref out = REF(0);
	if (!m) {
		ck_assert_int_eq(sr_axis_contains(a, b), a.pre <= b.pre && a.pre * a.size >= b.pre * b.size);
		ck_assert(!sr_axis_common_prefix(a, b, &out));
		return;
	}
	unsigned da = digits_of_sub_axis(m, a), db = digits_of_sub_axis(m, b);
	bool is_within = (da & ~db) == 0, same_start = (da & -da) == (db & -db);
	ck_assert_int_eq(sr_axis_contains(b, a), is_within);
	ck_assert_int_eq(sr_axis_is_prefix(a, b), is_within && same_start);
	bool has_common = sr_axis_common_prefix(a, b, &out);
	ck_assert_int_eq(has_common, same_start);
	if (has_common)
		ck_assert_uint_eq(digits_of_sub_axis(m, out), da & db);
}

static void check_difference(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m)
{
	struct sr_axis_ref prefix, suffix, runs[4];
	bool has_prefix = sr_axis_prefix_without_overlap(a, b, &prefix), has_suffix = sr_axis_suffix_without_overlap(a, b, &suffix);
	struct sr_axes difference;
	bool has_difference = sr_axes_difference(arena, make_axes(1, &a), make_axes(1, &b), &difference);
	ck_assert_int_eq(has_difference, m != NULL);
	if (!m) {
		ck_assert(!has_prefix && !has_suffix);
		return;
	}
	unsigned da = digits_of_sub_axis(m, a), db = digits_of_sub_axis(m, b);
	int k = find_runs(m, da & ~db, runs);
	ck_assert_int_eq(difference.n, k);
	for (int i = 0; i < k; i++)
		ck_ref_eq(difference.refs[i], runs[i]);
	unsigned digits_before = da, digits_after = da; /* digits of a that are to the left, and to the right, of all digits of b */
	if (da & db) {
		digits_before = da & ((db & -db) - 1);
		digits_after = 0;
		for (int i = 0; i < m->n_digits; i++)
			if (da >> i & 1 && !(db >> i))
				digits_after |= 1u << i;
	}
	ck_assert_int_eq(has_prefix, digits_before != 0);
	ck_assert_int_eq(has_suffix, digits_after != 0);
	if (has_prefix)
		ck_assert_uint_eq(digits_of_sub_axis(m, prefix), digits_before);
	if (has_suffix)
		ck_assert_uint_eq(digits_of_sub_axis(m, suffix), digits_after);
}

/* Coordinates are mixed-radix numbers: merged sub-axes, and sub-axes that were split and merged, give the coordinate of the full
 * axis. */
static void check_coordinates(int64_t n, struct sr_axis_ref a, struct sr_axis_ref b, const struct model *m)
{
	struct sr_axis axes[] = {{y, 3}, {x, n}, {z, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 3};
	bool adjacent = a.pre * a.size == b.pre;
	ck_assert_int_eq(sr_axis_can_merge(a, b), adjacent);
	struct sr_axis_ref merged_axis = REF(0), overlap, prefix, suffix, sub_axes[3];
	int k = 0;
	if (adjacent) {
		merged_axis = sr_axis_merge(a, b);
		ck_ref_eq(merged_axis, REF(x, a.pre, a.size * b.size));
	}
	if (sr_axis_overlap(a, b, &overlap)) {
		if (sr_axis_prefix_without_overlap(a, b, &prefix))
			sub_axes[k++] = prefix;
		sub_axes[k++] = overlap;
		if (sr_axis_suffix_without_overlap(a, b, &suffix))
			sub_axes[k++] = suffix;
	}
	for (int64_t device = 0; device < 6 * n; device++) {
		int64_t x_coordinate = device / 2 % n; /* in the model, x is reshaped to [pre, size, rest] */
		int64_t minor_size = n / (a.pre * a.size);
		ck_assert_int_eq(sr_mesh_coordinate(&mesh, device, a), x_coordinate / minor_size % a.size);
		if (adjacent) {
			int64_t joined_coordinate = sr_mesh_coordinate_along(&mesh, device, AXES(a, b));
			ck_assert_int_eq(sr_mesh_coordinate(&mesh, device, merged_axis), joined_coordinate);
		}
		if (k > 0)
			ck_assert_int_eq(sr_mesh_coordinate_along(&mesh, device, make_axes(k, sub_axes)),
					 sr_mesh_coordinate(&mesh, device, a));
	}
}

START_TEST(all_pairs_coexist)
{
	for_all_pairs(check_coexist);
}
END_TEST

START_TEST(all_pairs_overlap)
{
	for_all_pairs(check_overlap);
}
END_TEST

START_TEST(all_pairs_prefix)
{
	for_all_pairs(check_prefix);
}
END_TEST

START_TEST(all_pairs_difference)
{
	for_all_pairs(check_difference);
}
END_TEST

START_TEST(all_pairs_coordinates)
{
	for_all_pairs(check_coordinates);
}
END_TEST

/* ---- single cases ---- */

START_TEST(unit_axis_overlaps_itself_and_never_merges)
{
	struct sr_axis_ref one = REF(x, 1, 1), out;
	ck_assert(sr_axis_overlaps(one, one));
	ck_assert(sr_axis_can_coexist(one, one));
	ck_assert(sr_axis_overlap(one, one, &out));
	ck_ref_eq(out, one);
	ck_assert(!sr_axis_can_merge(one, one));
	ck_assert(!sr_axis_prefix_without_overlap(one, one, &out));
	struct sr_axes merged_axes = sr_axes_concat(arena, make_axes(1, &one), AXES(REF(y, 1, 2)));
	ck_assert_int_eq(merged_axes.n, 2);
}
END_TEST

START_TEST(references_that_cannot_coexist)
{
	struct sr_axis_ref out;
	ck_assert(!sr_axis_can_coexist(REF(x, 1, 2), REF(x, 3, 2)));
	ck_assert(!sr_axis_can_coexist(REF(x, 1, 3), REF(x, 2, 3)));
	ck_assert(!sr_axis_can_coexist(REF(x, 2, 3), REF(x, 3, 2)));
	ck_assert(!sr_axis_can_coexist(REF(x, 1, 2), REF(x, 1, 3)));
	ck_assert(sr_axis_is_prefix(REF(x, 1, 2), REF(x, 1, 3))); /* prefixes are compared by range only, as in Shardy */
	ck_assert(!sr_axis_common_prefix(REF(x, 1, 2), REF(x, 1, 3), &out));
}
END_TEST

START_TEST(full_axes_resolve)
{
	struct sr_axis axes[] = {{x, 8}, {y, 3}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_sdy_axis written_axes[] = {{y, 1, 0}, {x, 4, 2}};
	ck_ref_eq(sr_axis_resolve(&mesh, written_axes[0]), REF(y, 1, 3));
	ck_ref_eq(sr_axis_resolve(&mesh, written_axes[1]), REF(x, 4, 2));
	struct sr_axes axes_of_both = sr_axes_resolve(arena, &mesh, (struct sr_sdy_axes){written_axes, 2});
	ck_axes_eq(axes_of_both, AXES(REF(y, 1, 3), REF(x, 4, 2)));
	ck_assert(sr_sdy_axes_equal(sr_axes_to_sdy(arena, &mesh, axes_of_both), (struct sr_sdy_axes){written_axes, 2}));
}
END_TEST

START_TEST(order_of_references)
{
	struct sr_axis axes[] = {{y, 8}, {x, 8}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_axis_ref sorted_axes[] = {{y, 1, 2}, {y, 1, 4}, {y, 1, 8}, {y, 2, 2}, {y, 2, 4}, {y, 4, 2}, {x, 1, 8}, {x, 2, 4}};
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++) {
			ck_assert_int_eq(sr_axis_compare(&mesh, sorted_axes[i], sorted_axes[j]), (i > j) - (i < j));
			int by_name = sr_axis_compare_by_name(sorted_axes[i], sorted_axes[j]);
			if (sorted_axes[i].axis == sorted_axes[j].axis)
				ck_assert_int_eq(by_name, (i > j) - (i < j));
			else
				ck_assert_int_eq(by_name < 0, sorted_axes[i].axis == x);
		}
	ck_assert_int_lt(sr_axes_compare_by_name(AXES(REF(y, 1, 8)), AXES(REF(x, 1, 2), REF(x, 2, 2))), 0);
	ck_assert_int_gt(sr_axes_compare_by_name(AXES(REF(x, 1, 8), REF(y, 1, 2)), AXES(REF(x, 1, 8), REF(x, 2, 2))), 0);
	ck_assert_int_eq(sr_axes_compare_by_name(AXES(REF(x, 1, 8)), AXES(REF(x, 1, 8))), 0);
}
END_TEST

START_TEST(lists_concatenate_and_merge)
{
	ck_axes_eq(sr_axes_concat(arena, AXES(REF(y, 1, 2), REF(x, 1, 2)), AXES(REF(x, 2, 4), REF(z, 1, 2))),
		   AXES(REF(y, 1, 2), REF(x, 1, 8), REF(z, 1, 2)));
	ck_axes_eq(sr_axes_concat(arena, AXES(REF(x, 2, 2)), AXES(REF(x, 1, 2))), AXES(REF(x, 2, 2), REF(x, 1, 2)));
	ck_axes_eq(sr_axes_concat(arena, NO_AXES, NO_AXES), NO_AXES);
	ck_axes_eq(sr_axes_append(arena, AXES(REF(x, 1, 2)), REF(x, 2, 2)), AXES(REF(x, 1, 4)));
	ck_axes_eq(sr_axes_append(arena, NO_AXES, REF(x, 2, 2)), AXES(REF(x, 2, 2)));
	ck_assert_int_eq(sr_axes_size(AXES(REF(x, 1, 4), REF(y, 1, 3))), 12);
	ck_assert_int_eq(sr_axes_size(NO_AXES), 1);
}
END_TEST

START_TEST(lists_sort_and_merge)
{
	struct sr_axis axes[] = {{y, 2}, {x, 8}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	ck_axes_eq(sr_axes_sort_and_merge(arena, &mesh, AXES(REF(x, 4, 2), REF(x, 1, 2), REF(y, 1, 2), REF(x, 2, 2))),
		   AXES(REF(y, 1, 2), REF(x, 1, 8)));
	ck_axes_eq(sr_axes_sort_and_merge(arena, &mesh, AXES(REF(x, 4, 2), REF(x, 1, 2))), AXES(REF(x, 1, 2), REF(x, 4, 2)));
}
END_TEST

START_TEST(list_prefixes)
{
	struct sr_axes a = AXES(REF(y, 1, 2), REF(x, 1, 4)), extended = AXES(REF(y, 1, 2), REF(x, 1, 8), REF(z, 1, 2));
	ck_assert(sr_axes_is_strict_prefix(a, extended));
	ck_assert(!sr_axes_is_prefix(extended, a));
	ck_assert(sr_axes_is_prefix(a, a));
	ck_assert(!sr_axes_is_strict_prefix(a, a));
	ck_assert(sr_axes_is_strict_prefix(NO_AXES, a));
	ck_assert(!sr_axes_is_prefix(AXES(REF(y, 1, 2), REF(x, 2, 2)), extended));
	ck_assert(!sr_axes_is_prefix(AXES(REF(x, 1, 4)), a));
	ck_axes_eq(sr_axes_common_prefix(arena, a, extended), a);
	ck_axes_eq(sr_axes_common_prefix(arena, extended, a), a);
	ck_axes_eq(sr_axes_common_prefix(arena, AXES(REF(x, 1, 2), REF(y, 1, 2)), AXES(REF(x, 1, 4), REF(y, 1, 2))),
		   AXES(REF(x, 1, 2)));
	ck_axes_eq(sr_axes_common_prefix(arena, AXES(REF(x, 1, 2)), AXES(REF(x, 1, 3))), NO_AXES);
	ck_axes_eq(sr_axes_common_prefix(arena, a, NO_AXES), NO_AXES);
}
END_TEST

START_TEST(list_prefix_without_overlaps)
{
	struct sr_axes a = AXES(REF(y, 1, 2), REF(x, 1, 8), REF(z, 1, 2));
	ck_axes_eq(sr_axes_prefix_without_overlaps(arena, a, AXES(REF(x, 4, 2))), AXES(REF(y, 1, 2), REF(x, 1, 4)));
	ck_axes_eq(sr_axes_prefix_without_overlaps(arena, a, AXES(REF(x, 4, 2), REF(x, 2, 2))), AXES(REF(y, 1, 2), REF(x, 1, 2)));
	ck_axes_eq(sr_axes_prefix_without_overlaps(arena, a, AXES(REF(x, 1, 2))), AXES(REF(y, 1, 2)));
	ck_axes_eq(sr_axes_prefix_without_overlaps(arena, a, AXES(REF(y, 1, 2))), NO_AXES);
	ck_axes_eq(sr_axes_prefix_without_overlaps(arena, a, NO_AXES), a);
}
END_TEST

START_TEST(list_difference)
{
	struct sr_axes out;
	ck_assert(sr_axes_difference(arena, AXES(REF(z, 1, 2), REF(x, 1, 16), REF(y, 1, 2)),
				     AXES(REF(y, 1, 2), REF(x, 8, 2), REF(x, 2, 2)), &out));
	ck_axes_eq(out, AXES(REF(z, 1, 2), REF(x, 1, 2), REF(x, 4, 2)));
	ck_assert(sr_axes_difference(arena, AXES(REF(x, 2, 2)), AXES(REF(x, 1, 8)), &out));
	ck_assert_int_eq(out.n, 0);
	ck_assert(!sr_axes_difference(arena, AXES(REF(x, 2, 3)), AXES(REF(x, 3, 2)), &out));
	ck_assert(sr_axes_overlap(AXES(REF(z, 1, 2), REF(x, 1, 4)), AXES(REF(x, 2, 4))));
	ck_assert(!sr_axes_overlap(AXES(REF(z, 1, 2), REF(x, 1, 2)), AXES(REF(x, 2, 4))));
	ck_assert(sr_axes_has(AXES(REF(z, 1, 2), REF(x, 1, 4)), REF(x, 2, 2)));
	ck_assert(!sr_axes_has(AXES(REF(z, 1, 2), REF(x, 1, 4)), REF(x, 2, 4)));
}
END_TEST

START_TEST(unused_axes)
{
	struct sr_axis axes[] = {{x, 8}, {y, 2}, {z, 3}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 3};
	ck_axes_eq(sr_mesh_unused_axes(arena, &mesh, AXES(REF(z, 1, 3), REF(x, 2, 2))),
		   AXES(REF(x, 1, 2), REF(x, 4, 2), REF(y, 1, 2)));
	ck_axes_eq(sr_mesh_unused_axes(arena, &mesh, NO_AXES), AXES(REF(x, 1, 8), REF(y, 1, 2), REF(z, 1, 3)));
}
END_TEST

/* ---- devices and groups ---- */

/* All groups over all pairs of sub-axes of meshes up to 16 devices: members differ only along the axes and are in order of their
 * coordinate, every device is in one group, and groups are in order of their first positions. */
static void check_groups(const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_groups g = sr_mesh_groups(arena, mesh, axes);
	struct sr_axes other_axes = sr_mesh_unused_axes(arena, mesh, axes);
	int64_t n = sr_mesh_devices(mesh), seen_devices = 0, last_position = -1;
	ck_assert_int_eq(g.group_size, sr_axes_size(axes));
	ck_assert_int_eq(g.n_groups * g.group_size, n);
	for (int64_t i = 0; i < g.n_groups; i++) {
		int64_t first_device = g.ids[i * g.group_size];
		ck_assert_int_eq(sr_mesh_coordinate_along(mesh, first_device, other_axes), i);
		ck_assert_int_gt(sr_mesh_position(mesh, first_device), last_position);
		last_position = sr_mesh_position(mesh, first_device);
		for (int64_t k = 0; k < g.group_size; k++) {
			int64_t id = g.ids[i * g.group_size + k];
			ck_assert(id >= 0 && id < n && !(seen_devices >> id & 1));
			seen_devices |= (int64_t)1 << id;
			ck_assert_int_eq(sr_mesh_coordinate_along(mesh, id, axes), k);
			ck_assert_int_eq(sr_mesh_coordinate_along(mesh, id, other_axes), i);
		}
	}
}

static void check_mesh_groups(const struct sr_mesh *mesh)
{
	struct sr_axis_ref refs[64];
	int n = 0;
	for (int i = 0; i < mesh->n_axes; i++) {
		int k = list_sub_axes(mesh->axes[i].size, refs + n);
		for (int j = 0; j < k; j++)
			refs[n + j].axis = mesh->axes[i].name;
		n += k;
	}
	check_groups(mesh, NO_AXES);
	for (int i = 0; i < n; i++) {
		check_groups(mesh, make_axes(1, &refs[i]));
		for (int j = 0; j < n; j++)
			if (sr_axis_can_coexist(refs[i], refs[j]) && !sr_axis_overlaps(refs[i], refs[j]))
				check_groups(mesh, AXES(refs[i], refs[j]));
	}
}

START_TEST(groups_of_all_small_meshes)
{
	for (int64_t a = 1; a <= 16; a++)
		for (int64_t b = 1; a * b <= 16; b++)
			for (int64_t c = 1; a * b * c <= 16; c++) {
				struct sr_axis axes[] = {{x, a}, {y, b}, {z, c}};
				int64_t ids[16];
				int n = (int)(a * b * c);
				for (int i = 0; i < n; i++)
					ids[i] = n % 5 ? (i * 5 + 3) % n : n - 1 - i;
				struct sr_mesh mesh = {.axes = axes, .n_axes = 3};
				check_mesh_groups(&mesh);
				mesh.device_ids = ids;
				mesh.n_device_ids = n;
				check_mesh_groups(&mesh);
			}
}
END_TEST

START_TEST(groups_written_out)
{
	struct sr_axis axes[] = {{x, 4}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	static const int64_t by_minor_x[] = {0, 2, 1, 3, 4, 6, 5, 7}, by_y_and_x[] = {0, 4, 1, 5, 2, 6, 3, 7};
	ck_assert_mem_eq(sr_mesh_groups(arena, &mesh, AXES(REF(x, 2, 2))).ids, by_minor_x, sizeof by_minor_x);
	struct sr_groups g = sr_mesh_groups(arena, &mesh, AXES(REF(y, 1, 2), REF(x, 1, 2)));
	ck_assert_int_eq(g.group_size, 4);
	ck_assert_mem_eq(g.ids, by_y_and_x, sizeof by_y_and_x);
	static const int64_t ids[] = {7, 6, 5, 4, 3, 2, 1, 0};
	mesh.device_ids = ids;
	mesh.n_device_ids = 8;
	static const int64_t reversed_ids[] = {7, 6, 5, 4, 3, 2, 1, 0};
	ck_assert_mem_eq(sr_mesh_groups(arena, &mesh, AXES(REF(y, 1, 2))).ids, reversed_ids, sizeof reversed_ids);
	ck_assert_int_eq(sr_mesh_position(&mesh, 7), 0);
	ck_assert_int_eq(sr_mesh_device(&mesh, 1), 6);
}
END_TEST

START_TEST(single_device_and_empty_meshes)
{
	static const int64_t ids[] = {3};
	struct sr_mesh single_mesh = {.device_ids = ids, .n_device_ids = 1}, empty_mesh = {0};
	ck_assert(sr_mesh_is_single_device(&single_mesh));
	ck_assert(!sr_mesh_is_single_device(&empty_mesh));
	ck_assert_int_eq(sr_mesh_devices(&single_mesh), 1);
	ck_assert_int_eq(sr_mesh_devices(&empty_mesh), 1);
	ck_assert_int_eq(sr_mesh_device(&single_mesh, 0), 3);
	ck_assert_int_eq(sr_mesh_position(&single_mesh, 3), 0);
	ck_assert_int_eq(sr_mesh_position(&single_mesh, 0), -1);
	ck_assert_int_eq(sr_mesh_groups(arena, &single_mesh, NO_AXES).ids[0], 3);
	ck_assert(!sr_mesh_equal(&single_mesh, &empty_mesh));
	ck_assert(!sr_mesh_same_axes(&single_mesh, &empty_mesh));
	ck_assert_int_eq(sr_mesh_axis_index(&single_mesh, x), -1);
}
END_TEST

START_TEST(meshes_compare)
{
	static const int64_t identity_ids[] = {0, 1, 2, 3}, swapped_ids[] = {1, 0, 2, 3};
	struct sr_axis axes[] = {{x, 2}, {y, 2}}, renamed_axes[] = {{x, 2}, {z, 2}};
	struct sr_mesh without_ids = {.axes = axes, .n_axes = 2}, with_ids = {axes, 2, identity_ids, 4},
		       swapped_mesh = {axes, 2, swapped_ids, 4};
	struct sr_mesh renamed_mesh = {.axes = renamed_axes, .n_axes = 2};
	ck_assert(sr_mesh_equal(&without_ids, &with_ids));
	ck_assert(sr_mesh_equal(&with_ids, &without_ids));
	ck_assert(!sr_mesh_equal(&without_ids, &swapped_mesh));
	ck_assert(sr_mesh_same_axes(&without_ids, &swapped_mesh));
	ck_assert(!sr_mesh_same_axes(&without_ids, &renamed_mesh));
}
END_TEST

/* ---- shardings ---- */

static const struct sr_mesh *make_mesh(int64_t n)
{
	struct sr_axis *axes = SR_NEW_ARRAY(arena, struct sr_axis, 2);
	struct sr_mesh *mesh = SR_NEW(arena, struct sr_mesh);
	axes[0] = (struct sr_axis){x, n};
	axes[1] = (struct sr_axis){y, 2};
	mesh->axes = axes;
	mesh->n_axes = 2;
	return mesh;
}

static void check_sizes(int64_t global_size, int64_t shards, const int64_t *sizes)
{
	const struct sr_mesh *mesh = make_mesh(shards);
	struct sr_axis_ref ref = REF(x, 1, shards);
	struct sr_dim_sharding dim = {.axes = make_axes(1, &ref), .priority = -1};
	struct sr_sharding s = {.mesh = mesh, .dims = &dim, .rank = 1};
	for (int64_t device = 0; device < 2 * shards; device++) {
		struct sr_device_slice slice = sr_sharding_slice(&s, mesh, &global_size, device);
		ck_assert_int_eq(slice.size[0], sizes[device / 2]);
		ck_assert_int_le(slice.start[0] + slice.size[0], global_size);
	}
}

START_TEST(slices_of_uneven_dimensions)
{
	check_sizes(10, 4, (int64_t[]){3, 3, 3, 1});
	check_sizes(5, 4, (int64_t[]){2, 2, 1, 0});
	check_sizes(3, 8, (int64_t[]){1, 1, 1, 0, 0, 0, 0, 0});
	check_sizes(8, 4, (int64_t[]){2, 2, 2, 2});
	check_sizes(0, 2, (int64_t[]){0, 0});
	check_sizes(INT64_MAX, 2, (int64_t[]){INT64_MAX / 2 + 1, INT64_MAX / 2});
}
END_TEST

START_TEST(slices_cover_the_tensor_once)
{
	struct sr_axis axes[] = {{x, 4}, {y, 3}};
	static const int64_t ids[] = {11, 3, 5, 0, 1, 2, 4, 6, 7, 8, 9, 10};
	struct sr_mesh mesh = {axes, 2, ids, 12};
	struct sr_axis_ref rows[] = {{y, 1, 3}, {x, 2, 2}}, columns[] = {{x, 1, 2}};
	struct sr_dim_sharding dims[] = {{.axes = make_axes(2, rows)}, {.axes = make_axes(1, columns)}};
	struct sr_sharding s = {.mesh = &mesh, .dims = dims, .rank = 2};
	for (int64_t r = 1; r <= 13; r++)
		for (int64_t c = 1; c <= 5; c++) {
			int count[13][5] = {{0}};
			for (int64_t device = 0; device < 12; device++) {
				struct sr_device_slice l = sr_sharding_slice(&s, &mesh, (int64_t[]){r, c}, device);
				ck_assert_int_eq(l.local[0], (r + 5) / 6);
				for (int64_t i = 0; i < l.size[0]; i++)
					for (int64_t j = 0; j < l.size[1]; j++)
						count[l.start[0] + i][l.start[1] + j]++;
			}
			for (int64_t i = 0; i < r * c; i++)
				ck_assert_int_eq(count[i / c][i % c], 1);
		}
}
END_TEST

START_TEST(slice_of_the_header_example)
{
	struct sr_axis axes[] = {{x, 4}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_axis_ref refs[] = {{x, 1, 4}, {y, 1, 2}};
	struct sr_dim_sharding dims[] = {{.axes = make_axes(1, &refs[0])}, {.axes = make_axes(1, &refs[1])}};
	struct sr_sharding s = {.mesh = &mesh, .dims = dims, .rank = 2};
	struct sr_device_slice l = sr_sharding_slice(&s, &mesh, (int64_t[]){16, 8}, 5);
	ck_assert_int_eq(l.start[0], 8);
	ck_assert_int_eq(l.start[1], 4);
	ck_assert_int_eq(l.size[0], 4);
	ck_assert_int_eq(l.size[1], 4);
}
END_TEST

START_TEST(shardings_compare)
{
	struct sr_axis_ref rx = REF(x, 1, 4), ry = REF(y, 1, 2);
	struct sr_dim_sharding open_dims[] = {{.axes = make_axes(1, &rx), .priority = -1}, {.priority = -1}};
	struct sr_dim_sharding closed_dims[] = {{.axes = make_axes(1, &rx), .closed = true, .priority = -1}, {.priority = -1}};
	struct sr_dim_sharding urgent[] = {{.axes = make_axes(1, &rx), .priority = 0}, {.priority = -1}};
	struct sr_sharding a = {.mesh_name = x, .dims = open_dims, .rank = 2}, b = a;
	ck_assert(sr_sharding_equal(&a, &b));
	b.dims = closed_dims;
	ck_assert(!sr_sharding_equal(&a, &b));
	ck_assert(sr_sharding_same_axes(&a, &b));
	b.dims = urgent;
	ck_assert(!sr_sharding_equal(&a, &b));
	b = a;
	b.replicated = make_axes(1, &ry);
	ck_assert(!sr_sharding_equal(&a, &b));
	b = a;
	b.unreduced = make_axes(1, &ry);
	ck_assert(!sr_sharding_equal(&a, &b));
	struct sr_sharding c = b;
	c.unreduced_kind = SR_UNREDUCED_MAX;
	ck_assert(!sr_sharding_equal(&b, &c));
	b = a;
	b.mesh_name = y;
	ck_assert(!sr_sharding_equal(&a, &b));
}
END_TEST

START_TEST(used_axes)
{
	struct sr_axis_ref one = REF(z, 1, 1), rx = REF(x, 1, 4), ry = REF(y, 1, 2);
	struct sr_dim_sharding dims[] = {{.axes = make_axes(1, &one)}, {.axes = make_axes(1, &rx)}};
	struct sr_sharding t = {.dims = dims, .rank = 2, .unreduced = make_axes(1, &ry)};
	ck_axes_eq(sr_sharding_used_axes(arena, &t), AXES(one, rx, ry));
}
END_TEST

START_TEST(written_shardings_compare)
{
	struct sr_axis axes[] = {{x, 4}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_sdy_axis rx = {x, 1, 0}, ry = {y, 1, 0};
	struct sr_sdy_dim open_dims[] = {{.axes = {&rx, 1}, .priority = -1}, {.priority = -1}};
	struct sr_sdy_dim closed_dims[] = {{.axes = {&rx, 1}, .closed = true, .priority = -1}, {.priority = -1}};
	struct sr_sdy_sharding a = {.mesh_name = x, .dims = open_dims, .rank = 2}, b = a;
	struct sr_sdy_sharding replicated_sharding = sr_sdy_replicated_sharding(arena, x, 2, false);
	ck_assert(!replicated_sharding.dims[0].closed);
	ck_assert_int_eq(replicated_sharding.dims[1].priority, -1);
	ck_assert(sr_sdy_sharding_is_replicated(&replicated_sharding));
	ck_assert(!sr_sdy_sharding_is_replicated(&a));
	ck_assert_int_eq(sr_sdy_dim_shards(&a, &mesh, 0), 4);
	ck_assert_int_eq(sr_sdy_dim_shards(&a, &mesh, 1), 1);
	b.dims = closed_dims;
	b.replicated = (struct sr_sdy_axes){&ry, 1};
	ck_assert(sr_sdy_sharding_is_equivalent(&a, &b));
	b.unreduced = (struct sr_sdy_axes){&ry, 1};
	ck_assert(!sr_sdy_sharding_is_equivalent(&a, &b));
	b = a;
	b.mesh_name = y;
	ck_assert(!sr_sdy_sharding_is_equivalent(&a, &b));
	ck_assert(sr_sdy_sharding_is_equivalent(NULL, &replicated_sharding));
	ck_assert(!sr_sdy_sharding_is_equivalent(&a, NULL));
	replicated_sharding.unreduced = (struct sr_sdy_axes){&ry, 1};
	ck_assert(!sr_sdy_sharding_is_replicated(&replicated_sharding));
}
END_TEST

START_TEST(iota_tiles)
{
	static const int64_t transposed[] = {0, 2, 4, 6, 1, 3, 5, 7};
	ck_assert_mem_eq(sr_iota_tile(arena, (int64_t[]){4, 2}, (int[]){1, 0}, 2), transposed, sizeof transposed);
	static const int64_t iota[] = {0, 1, 2, 3, 4, 5};
	ck_assert_mem_eq(sr_iota_tile(arena, (int64_t[]){6}, NULL, 1), iota, sizeof iota);
	ck_assert_mem_eq(sr_iota_tile(arena, (int64_t[]){2, 3}, (int[]){0, 1}, 2), iota, sizeof iota);
	int64_t shape[] = {2, 3, 4}, *ids = sr_iota_tile(arena, shape, (int[]){2, 0, 1}, 3);
	for (int64_t i = 0; i < 24; i++) /* the result's position (c, a, b) has the id of (a, b, c) */
		ck_assert_int_eq(ids[i], (i / 3 % 2) * 12 + (i % 3) * 4 + i / 6);
	ck_assert_ptr_null(sr_iota_tile(arena, (int64_t[]){INT64_MAX, 2}, NULL, 2));
	ck_assert_ptr_null(sr_iota_tile(arena, (int64_t[]){-1}, NULL, 1));
	ck_assert_ptr_null(sr_iota_tile(arena, (int64_t[]){2, 2}, (int[]){0, 0}, 2));
}
END_TEST

#include "mesh_tiling.h"

int main(void)
{
	const TTest *const tests[] = {
		all_pairs_coexist, all_pairs_overlap, all_pairs_prefix, all_pairs_difference, all_pairs_coordinates,
		unit_axis_overlaps_itself_and_never_merges, references_that_cannot_coexist, full_axes_resolve, order_of_references,
		lists_concatenate_and_merge, lists_sort_and_merge, list_prefixes, list_prefix_without_overlaps, list_difference,
		unused_axes,
		groups_of_all_small_meshes, groups_written_out, single_device_and_empty_meshes, meshes_compare,
		slices_of_uneven_dimensions,
		slices_cover_the_tensor_once, slice_of_the_header_example, shardings_compare, used_axes, written_shardings_compare,
		iota_tiles, tilings_round_trip, malformed_tilings_are_errors, nesting_of_tuple_shardings_is_limited,
		tilings_have_a_canonical_form,
		lists_of_devices_and_iotas, tiles_with_a_mesh, meshes_are_as_few_and_small_as_can_be, axes_of_tiles_and_back,
	};
	return sr_run_tests("mesh", tests, sizeof tests / sizeof tests[0], setup, teardown);
}
