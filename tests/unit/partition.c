/* Reshard plans between all pairs of shardings of a matrix on small meshes: every step has the effect of its op, the last one
 * reaches the output sharding, and the cheapest plan is valid with padding and sends no more than upstream's. */
#include "partition/reshard/reshard_plan.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <string.h>
#include "tests/unit/partition_search.h"

static struct sr_arena *arena;
static const char x[] = "x", y[] = "y";

static void setup(void)
{
	arena = sr_arena_new();
}

static void teardown(void)
{
	sr_arena_free(arena);
}

enum { MAX_SHARDINGS = 400 };

struct shardings {
	struct sr_sharding *at[MAX_SHARDINGS];
	int n;
};

static struct sr_sharding *make_sharding(const struct sr_axis_list dims[2])
{
	struct sr_sharding *s = SR_NEW(arena, struct sr_sharding);
	struct sr_dim_sharding *out = SR_NEW_ARRAY(arena, struct sr_dim_sharding, 2);
	for (int d = 0; d < 2; d++)
		out[d] = (struct sr_dim_sharding){sr_axis_list_axes(arena, &dims[d]), true, -1};
	*s = (struct sr_sharding){.mesh_name = "mesh", .dims = out, .rank = 2};
	return s;
}

/* Enumerate all assignments of sub-axes to no dimension or one of two, in every order. Equal shardings (of merged sub-axes)
 * occur more than once. */
static void enumerate(struct shardings *all, const struct sr_axis_ref *sub_axes, int n, bool *is_used, struct sr_axis_list dims[2])
{
	ck_assert_int_lt(all->n, MAX_SHARDINGS);
	all->at[all->n++] = make_sharding(dims);
	for (int i = 0; i < n; i++)
		for (int d = 0; d < 2 && !is_used[i]; d++) {
			struct sr_axis_list extended_lists[2];
			if (d == 0 && dims[1].n)
				continue; /* fill the dimensions in order, so that no assignment occurs twice */
			for (int k = 0; k < 2; k++) {
				extended_lists[k] = (struct sr_axis_list){0};
				sr_axis_list_extend(arena, &extended_lists[k], (struct sr_axes){dims[k].data, (int)dims[k].n});
			}
			sr_axis_list_merge(arena, &extended_lists[d], sub_axes[i]);
			is_used[i] = true;
			enumerate(all, sub_axes, n, is_used, extended_lists);
			is_used[i] = false;
		}
}

static bool is_concatenation(struct sr_axes a, struct sr_axes b, struct sr_axes concatenation)
{
	return sr_axes_equal(sr_axes_concat(arena, a, b), concatenation);
}

/* Return true if the reshard step leads from axes `axes_before` to the step's axes. */
static bool has_effect(const struct sr_reshard_step *step, const struct sr_axes *axes_before)
{
	bool ok = true;
	struct sr_axes no_axes = {0};
	for (int d = 0; d < 2; d++) {
		struct sr_axes axes_after = step->dims[d],
			       moved = step->axes ? step->axes[step->code == SR_OP_sdy_all_to_all ? 0 : d] : no_axes;
		switch (step->code) {
		case SR_OP_sdy_all_slice:
			ok = ok && is_concatenation(axes_before[d], moved, axes_after);
			break;
		case SR_OP_sdy_all_gather:
			ok = ok && is_concatenation(axes_after, moved, axes_before[d]);
			break;
		case SR_OP_sdy_all_to_all:
			ok = ok && (d == step->src   ? is_concatenation(axes_after, moved, axes_before[d])
				    : d == step->tgt ? is_concatenation(axes_before[d], moved, axes_after)
						     : false);
			break;
		default:
			ok = ok && step->code == SR_OP_sdy_collective_permute &&
			     sr_axes_size(axes_after) == sr_axes_size(axes_before[d]);
		}
	}
	return ok && !(sr_axes_overlap(step->dims[0], step->dims[1]));
}

static void check_plan(const struct sr_reshard_plan *plan)
{
	struct sr_axes now[2] = {plan->in->dims[0].axes, plan->in->dims[1].axes};
	for (size_t i = 0; i < plan->steps.n; i++) {
		ck_assert(has_effect(&plan->steps.data[i], now));
		memcpy(now, plan->steps.data[i].dims, sizeof now);
	}
	for (int d = 0; d < 2; d++)
		ck_assert(sr_axes_equal(now[d], plan->out->dims[d].axes));
}

static void check_pairs(const struct sr_mesh *mesh, const struct sr_axis_ref *sub_axes, int n, const int64_t shape[2])
{
	struct shardings all = {.n = 0};
	bool is_used[4] = {false};
	struct sr_axis_list empty_dims[2] = {{0}, {0}};
	int cheaper = 0;
	enumerate(&all, sub_axes, n, is_used, empty_dims);
	for (int i = 0; i < all.n * all.n; i++) {
		struct sr_reshard_plan upstream = {.arena = arena,
					    .mesh = mesh,
					    .rank = 2,
					    .shape = shape,
					    .is_same_mesh = true,
					    .in = all.at[i / all.n],
					    .out = all.at[i % all.n]},
				cheapest = upstream;
		sr_reshard_plan_upstream(&upstream);
		sr_reshard_plan_cheapest(&cheapest, 4);
		check_plan(&upstream);
		check_plan(&cheapest);
		ck_assert(sr_reshard_plan_is_valid(&cheapest));
		double upstream_bytes = sr_reshard_plan_bytes(&upstream, 4), bytes = sr_reshard_plan_bytes(&cheapest, 4);
		if (sr_reshard_plan_is_valid(&upstream))
			ck_assert_double_le(bytes, upstream_bytes + 1e-6);
		cheaper += bytes < upstream_bytes - 1e-6;
	}
	ck_assert_int_gt(cheaper, 0);
}

START_TEST(plans_on_two_by_two)
{
	struct sr_axis axes[] = {{x, 2}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	check_pairs(&mesh, (struct sr_axis_ref[]){{x, 1, 2}, {y, 1, 2}}, 2, (int64_t[]){8, 8});
}
END_TEST

START_TEST(plans_of_sub_axes)
{
	struct sr_axis axes[] = {{x, 4}, {y, 3}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	check_pairs(&mesh, (struct sr_axis_ref[]){{x, 1, 2}, {x, 2, 2}, {y, 1, 3}}, 3, (int64_t[]){24, 12});
}
END_TEST

START_TEST(plans_of_uneven_dimensions)
{
	struct sr_axis axes[] = {{x, 4}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	check_pairs(&mesh, (struct sr_axis_ref[]){{x, 1, 2}, {x, 2, 2}, {y, 1, 2}}, 3, (int64_t[]){10, 7});
}
END_TEST

START_TEST(bytes_on_the_wire)
{
	struct sr_axis axes[] = {{x, 2}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_axis_ref sub_axes[] = {{x, 1, 2}, {y, 1, 2}};
	struct sr_dim_sharding in[] = {{{sub_axes, 2}, true, -1}, {{NULL, 0}, true, -1}},
			       out[] = {{{sub_axes + 1, 1}, true, -1}, {{sub_axes, 1}, true, -1}};
	struct sr_sharding source = {.mesh_name = "mesh", .dims = in, .rank = 2},
			   target = {.mesh_name = "mesh", .dims = out, .rank = 2};
	struct sr_reshard_plan upstream = {.arena = arena,
				    .mesh = &mesh,
				    .rank = 2,
				    .shape = (int64_t[]){8, 8},
				    .is_same_mesh = true,
				    .in = &source,
				    .out = &target},
			cheapest = upstream;
	sr_reshard_plan_upstream(&upstream);
	sr_reshard_plan_cheapest(&cheapest, 4);
	/* shards of 64 bytes: upstream sends a permute and half an all_to_all; the optimum is three quarters and a half */
	ck_assert_double_eq(sr_reshard_plan_bytes(&upstream, 4), 96);
	ck_assert_double_eq(sr_reshard_plan_bytes(&cheapest, 4), 80);
	ck_assert(sr_shard_counts_are_compatible(12, 4, 2));
	ck_assert(!sr_shard_counts_are_compatible(10, 4, 2));
	ck_assert(sr_shard_counts_are_compatible(7, 4, 8));
	ck_assert(sr_shard_counts_are_compatible(10, 4, 1));
}
END_TEST

/* On two nodes of two devices, with x between them, exchanging x and y sends half of the elements to the other node. */
START_TEST(permutes_cost_what_their_links_do)
{
	struct sr_axis axes[] = {{x, 2}, {y, 2}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_mesh_links links = {.mesh = &mesh, .devices_per_node = 2, .bytes_ratio = 10, .latency_ratio = 1};
	struct sr_axis_ref refs[] = {{x, 1, 2}, {y, 1, 2}, {x, 1, 2}};
	struct sr_dim_sharding in_dims[] = {{{refs, 2}, true, -1}}, out_dims[] = {{{refs + 1, 2}, true, -1}};
	struct sr_sharding in = {.mesh_name = "mesh", .dims = in_dims, .rank = 1}, out = {.mesh_name = "mesh", .dims = out_dims, .rank = 1};
	struct sr_reshard_plan plan = {
		.arena = arena, .mesh = &mesh, .rank = 1, .shape = (int64_t[]){16}, .in = &in, .out = &out, .is_same_mesh = true};
	sr_reshard_plan_cheapest(&plan, 4);
	ck_assert_uint_eq(plan.steps.n, 1);
	ck_assert_int_eq(plan.steps.data[0].code, SR_OP_sdy_collective_permute);
	ck_assert_double_eq(sr_reshard_step_cost(&plan, 0, 4, NULL).bytes, 16);
	ck_assert_double_eq(sr_reshard_step_cost(&plan, 0, 4, &links).bytes, 16 + 10 * 8);
	ck_assert_double_eq(sr_reshard_step_cost(&plan, 0, 4, &links).rounds, 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {plans_on_two_by_two, plans_of_sub_axes, plans_of_uneven_dimensions, bytes_on_the_wire, permutes_cost_what_their_links_do,
				      minimum_cuts, searched_as_well_as_all_tried, exhaustive_search_finds_the_cheapest, search_linear_in_layers, costs_count_trips_of_nested_loops};
	return sr_run_tests("partition", tests, sizeof tests / sizeof tests[0], setup, teardown);
}
