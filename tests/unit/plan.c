/* src/plan: gaps of the arena, pairs of permutes from axes, live buffers that do not overlap, shared memory that changes no
 * result, values that are live throughout a loop that reads them, estimates, values on other meshes, invalid programs. */
#include "cost/machine_text.h"
#include "dialect/ops.h"
#include "partition/partition_passes.h"
#include "plan/estimate/estimate.h"
#include "plan/place/gaps.h"
#include "plan/place/assign_offsets.h"
#include "text/text.h"
#include "tests/unit/context.h"
#include "tests/unit/programs.h"
#include "tests/unit/plan_coalesce.h"
#include "tests/unit/plan_layout.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static const struct sr_program *compile_program(const char *text, int64_t n_devices)
{
	struct sr_program *p = NULL;
	struct sr_op *module;
	ck_assert_int_eq(sr_parse(ctx, "test.mlir", text, strlen(text), &module), SR_OK);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
	ck_assert_int_eq(sr_plan_module(ctx, module, &(struct sr_plan_options){.n_devices = n_devices, .n_replicas = 1}, &p),
			 SR_OK);
	return p;
}

/* ---------------------------------------------------------------- permutes */

/* Return the slice of a 24x24 value that `device` holds. */
static struct sr_device_slice device_slice(const struct sr_op *module, const struct sr_attr *sharding, int64_t device)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(module, sharding->sharding);
	return sr_sharding_slice(sr_sharding_resolve(ctx->arena, mesh, sharding->sharding), mesh, (int64_t[]){24, 24}, device);
}

static bool are_equal_slices(struct sr_device_slice a, struct sr_device_slice b)
{
	return a.start[0] == b.start[0] && a.start[1] == b.start[1];
}

static const struct sr_collective_instr *first_collective(const struct sr_program *p)
{
	for (uint64_t i = 0; i < p->instrs.n; i++)
		if (sr_program_instrs(p)[i].kind == SR_INSTR_COLLECTIVE)
			return (const void *)(sr_program_params(p) + sr_program_instrs(p)[i].params);
	return NULL;
}

/* Plan a permute between two shardings by axes: each device receives its new shard, each sends to one, and devices that already
 * have their shard keep it (if the axes' sizes divide each other). */
static void check_permute(const char *axes, const char *source_axes, const char *target_axes, bool keeps_equal_slices)
{
	struct sr_buf text;
	struct sr_op *module;
	struct sr_named_text option = {"max-listed-devices", "1"};
	struct sr_program *p;
	sr_buf_init(&text, ctx->arena);
	sr_buf_printf(
	    &text,
	    "sdy.mesh @mesh = <[%s]>\nfunc.func @main(%%arg0: tensor<24x24xf32> {sdy.sharding = #sdy.sharding<@mesh, %s>}) "
	    "-> (tensor<24x24xf32> {sdy.sharding = #sdy.sharding<@mesh, %s>}) {\n  %%0 = sdy.collective_permute %%arg0 "
	    "out_sharding=<@mesh, %s> : tensor<24x24xf32>\n  return %%0 : tensor<24x24xf32>\n}\n",
	    axes, source_axes, target_axes, target_axes);
	ck_assert_int_eq(sr_parse(ctx, "test.mlir", sr_buf_string(&text), text.n, &module), SR_OK);
	ck_assert_int_eq(sr_localize(ctx, module, &(struct sr_pass_options){&option, 1}), SR_OK);
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
	struct sr_op *func = sr_find_entry_function(ctx, module, NULL, &(enum sr_status){SR_OK});
	const struct sr_attr *in = sr_func_arg_attr(func, 0, "sdy.sharding"), *out = sr_func_result_attr(func, 0, "sdy.sharding");
	int64_t n = sr_mesh_devices(sr_sharding_mesh(module, in->sharding));
	ck_assert_int_eq(sr_plan_module(ctx, module, &(struct sr_plan_options){.n_devices = n, .n_replicas = 1}, &p), SR_OK);
	const struct sr_collective_instr *c = first_collective(p);
	ck_assert_int_eq(c->n_pairs, SR_PAIRS_OF_AXES);
	for (int64_t i = 0; i < n; i++) {
		int64_t source, target, source_of_target;
		sr_program_permute_peers(p, c, i, &source, &target);
		ck_assert_msg(are_equal_slices(device_slice(module, in, source), device_slice(module, out, i)), "%s to %s: %d gets another part",
			      source_axes, target_axes, (int)i);
		sr_program_permute_peers(p, c, source, &source_of_target, &target);
		ck_assert_int_eq(target, i);
		ck_assert(!keeps_equal_slices || !are_equal_slices(device_slice(module, in, i), device_slice(module, out, i)) ||
			  source == i);
	}
}

START_TEST(permutes_by_axes_send_every_shard)
{
	const char *mesh = "\"a\"=2, \"b\"=2, \"c\"=3, \"d\"=4", *ordered = "\"a\"=2, \"b\"=3], device_ids=[4, 2, 0, 5, 1, 3";
	check_permute(mesh, "[{\"a\"}, {}]", "[{\"b\"}, {}]", true);
	check_permute(mesh, "[{\"a\"}, {\"b\"}]", "[{\"b\"}, {\"a\"}]", true);
	check_permute(mesh, "[{\"a\", \"b\"}, {}]", "[{\"d\"}, {}]", true);
	check_permute(mesh, "[{\"d\"}, {\"c\"}]", "[{\"a\", \"b\"}, {\"c\"}]", true);
	check_permute(mesh, "[{\"a\"}, {\"b\"}]", "[{\"d\":(1)2}, {\"a\"}]", true);
	check_permute(mesh, "[{\"c\", \"d\"}, {}]", "[{\"d\", \"c\"}, {}]", false);
	check_permute(mesh, "[{\"c\", \"a\"}, {}]", "[{\"b\", \"c\"}, {}]", false);
	check_permute(ordered, "[{\"a\", \"b\"}, {}]", "[{\"b\", \"a\"}, {}]", false);
}
END_TEST

/* ---------------------------------------------------------------- loops */

static bool has_operand(const struct sr_program *p, const struct sr_instr *instr, int32_t buffer)
{
	for (uint32_t i = 0; i < instr->n_operands; i++)
		if (sr_program_operands(p)[instr->first_operand + i] == buffer)
			return true;
	return false;
}

/* Count other buffers that share bytes with `buffer` and are operands of instructions of the computation. */
static int count_overlapping_operands(const struct sr_program *p, int plan, int32_t buffer)
{
	const struct sr_computation *range = sr_program_computations(p) + plan;
	int n = 0;
	for (uint32_t i = range->first; i < range->first + range->n; i++)
		for (int32_t k = 0; k < (int32_t)p->buffers.n; k++)
			n += k != buffer && has_operand(p, sr_program_instrs(p) + i, k) &&
			     bytes_overlap(sr_program_buffers(p)[k], sr_program_buffers(p)[buffer]);
	return n;
}

static const struct sr_instr *find_instr(const struct sr_program *p, int plan, enum sr_instr_kind kind, const char *op)
{
	const struct sr_computation *range = sr_program_computations(p) + plan;
	for (uint32_t i = range->first; i < range->first + range->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		if (instr->kind == kind && strcmp(sr_program_string(p, instr->op), op) == 0)
			return instr;
	}
	return NULL;
}

static const char loop_program[] =
	"func.func @main(%a: tensor<16xf32>, %n: tensor<i32>) -> tensor<16xf32> {\n"
	"  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
	"  %one = stablehlo.constant dense<1> : tensor<i32>\n"
	"  %outside = stablehlo.sine %a : tensor<16xf32>\n"
	"  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<16xf32>\n"
	"  cond {\n"
	"    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"    stablehlo.return %p : tensor<i1>\n"
	"  } do {\n"
	"    %u = stablehlo.cosine %outside : tensor<16xf32>\n"
	"    %v = stablehlo.tanh %u : tensor<16xf32>\n"
	"    %w = stablehlo.add %v, %x : tensor<16xf32>\n"
	"    %next = stablehlo.add %i, %one : tensor<i32>\n"
	"    stablehlo.return %next, %w : tensor<i32>, tensor<16xf32>\n"
	"  }\n"
	"  return %r#1 : tensor<16xf32>\n"
	"}\n";

START_TEST(loop_operands_stay_live)
{
	const struct sr_program *p = compile_program(loop_program, 1);
	const struct sr_instr *sine = find_instr(p, 0, SR_INSTR_KERNEL, "stablehlo.sine"),
			      *instr = find_instr(p, 0, SR_INSTR_WHILE, "stablehlo.while");
	ck_assert_ptr_nonnull(sine);
	ck_assert_ptr_nonnull(instr);
	const struct sr_while_instr *w = (const void *)(sr_program_params(p) + instr->params);
	int32_t captured = sr_program_operands(p)[sine->first_operand + sine->n_operands - 1];
	ck_assert_ptr_nonnull(find_instr(p, w->body, SR_INSTR_KERNEL, "stablehlo.cosine"));
	ck_assert_int_eq(count_overlapping_operands(p, w->cond, captured), 0);
	ck_assert_int_eq(count_overlapping_operands(p, w->body, captured), 0);
}
END_TEST

/* ---------------------------------------------------------------- estimates */

/* Return a program with a loop whose counter starts at `start` and grows by `step` as long as the comparison `direction` of counter
 * and limit holds (swapped: of limit and counter). */
static const char *counting_loop(const char *start, const char *step, const char *direction, const char *limit, bool is_swapped)
{
	return sr_printf(ctx->arena,
			 "func.func @main(%%a: tensor<4096xf32>) -> tensor<4096xf32> {\n"
			 "  %%from = stablehlo.constant dense<%s> : tensor<i32>\n"
			 "  %%by = stablehlo.constant dense<%s> : tensor<i32>\n"
			 "  %%to = stablehlo.constant dense<%s> : tensor<i32>\n"
			 "  %%r:2 = stablehlo.while(%%i = %%from, %%x = %%a) : tensor<i32>, tensor<4096xf32>\n"
			 "  cond {\n"
			 "    %%p = stablehlo.compare %s, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
			 "    stablehlo.return %%p : tensor<i1>\n"
			 "  } do {\n"
			 "    %%w = stablehlo.add %%x, %%a : tensor<4096xf32>\n"
			 "    %%next = stablehlo.add %%i, %%by : tensor<i32>\n"
			 "    stablehlo.return %%next, %%w : tensor<i32>, tensor<4096xf32>\n"
			 "  }\n"
			 "  return %%r#1 : tensor<4096xf32>\n"
			 "}\n",
			 start, step, limit, direction, is_swapped ? "%to, %i" : "%i, %to");
}

static int64_t trip_count(const char *text)
{
	const struct sr_program *p = compile_program(text, 1);
	const struct sr_instr *instr = find_instr(p, 0, SR_INSTR_WHILE, "stablehlo.while");
	return ((const struct sr_while_instr *)(const void *)(sr_program_params(p) + instr->params))->trips;
}

START_TEST(loops_run_as_often_as_their_form_says)
{
	ck_assert_int_eq(trip_count(counting_loop("0", "1", "LT", "10", false)), 10);
	ck_assert_int_eq(trip_count(counting_loop("3", "4", "LE", "11", false)), 3);
	ck_assert_int_eq(trip_count(counting_loop("3", "4", "LT", "10", false)), 2);
	ck_assert_int_eq(trip_count(counting_loop("10", "-3", "GT", "0", false)), 4);
	ck_assert_int_eq(trip_count(counting_loop("10", "-3", "GE", "1", false)), 4);
	ck_assert_int_eq(trip_count(counting_loop("0", "1", "GT", "10", true)), 10);
	ck_assert_int_eq(trip_count(counting_loop("0", "2", "NE", "10", false)), 5);
	ck_assert_int_eq(trip_count(counting_loop("9", "1", "LT", "3", false)), 0);
	/* Loops that never end, or whose counter wraps around, have no trip count. */
	ck_assert_int_eq(trip_count(counting_loop("0", "3", "NE", "10", false)), -1);
	ck_assert_int_eq(trip_count(counting_loop("0", "-1", "LT", "10", false)), -1);
	ck_assert_int_eq(trip_count(counting_loop("0", "0", "LT", "10", false)), -1);
	ck_assert_int_eq(trip_count(counting_loop("0", "1", "EQ", "0", false)), -1);
	ck_assert_int_eq(trip_count(loop_program), -1);
}
END_TEST

START_TEST(estimates_count_trips)
{
	struct sr_estimate one_trip, ten_trips, thousand_trips, unknown_trips;
	sr_estimate_program(compile_program(counting_loop("0", "1", "LT", "1", false), 1), NULL, ctx->arena, &one_trip);
	sr_estimate_program(compile_program(counting_loop("0", "1", "LT", "10", false), 1), NULL, ctx->arena, &ten_trips);
	sr_estimate_program(compile_program(counting_loop("0", "1", "LT", "1000", false), 1), NULL, ctx->arena, &thousand_trips);
	double round = (ten_trips.step_s - one_trip.step_s) / 9;
	ck_assert_double_gt(round, 0);
	ck_assert_double_eq_tol(thousand_trips.step_s, one_trip.step_s + 999 * round, 1e-9);
	ck_assert(ten_trips.unknown_loops == 0 && ten_trips.collectives_s == 0 && ten_trips.compute_s == ten_trips.step_s);
	sr_estimate_program(compile_program(loop_program, 1), NULL, ctx->arena, &unknown_trips);
	ck_assert_int_eq(unknown_trips.unknown_loops, 1);
}
END_TEST

static const char sum_program[] =
	"func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {\n"
	"  %r = \"stablehlo.all_reduce\"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,\n"
	"      replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({\n"
	"  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
	"    %s = stablehlo.add %x, %y : tensor<f32>\n"
	"    stablehlo.return %s : tensor<f32>\n"
	"  }) : (tensor<1024xf32>) -> tensor<1024xf32>\n"
	"  return %r : tensor<1024xf32>\n"
	"}\n";

/* Messages between nodes use the network's figures; ranks that share cores take longer. */
static double seconds_of_transform(const char *type, int length)
{
	struct sr_estimate e;
	bool real = strcmp(type, "RFFT") == 0;
	const char *in = sr_printf(ctx->arena, real ? "tensor<64x%dxf32>" : "tensor<64x%dxcomplex<f32>>", length);
	const char *out = sr_printf(ctx->arena, "tensor<64x%dxcomplex<f32>>", real ? length / 2 + 1 : length);
	const char *text = sr_printf(ctx->arena,
				     "func.func @main(%%a: %s) -> %s {\n"
				     "  %%0 = stablehlo.fft %%a, type = %s, length = [%d] : (%s) -> %s\n"
				     "  return %%0 : %s\n"
				     "}\n",
				     in, out, type, length, in, out, out);
	sr_estimate_program(compile_program(text, 1), NULL, ctx->arena, &e);
	return e.step_s;
}

START_TEST(estimates_of_transforms)
{
	double smooth = seconds_of_transform("FFT", 4096), doubled = seconds_of_transform("FFT", 8192);
	ck_assert_double_gt(doubled, 2 * smooth);
	ck_assert_double_lt(doubled, 2.5 * smooth);
	ck_assert_double_gt(seconds_of_transform("FFT", 4093), 3 * smooth);
	ck_assert_double_lt(seconds_of_transform("RFFT", 4096), 0.6 * smooth);
}
END_TEST

START_TEST(estimates_know_links_and_cores)
{
	struct sr_machine m;
	struct sr_estimate in_segment, window_estimate, network_estimate, crowded_estimate;
	const struct sr_program *p = compile_program(sum_program, 4);
	sr_machine_default(&m);
	sr_estimate_program(p, &m, ctx->arena, &in_segment);
	ck_assert_double_gt(in_segment.collectives_s, m.segment_round_s);
	m.links[SR_LINK_NODE].latency_s = 1; /* devices of a node read each other's memory and send nothing */
	sr_estimate_program(p, &m, ctx->arena, &window_estimate);
	ck_assert_double_eq(window_estimate.collectives_s, in_segment.collectives_s);
	m.segment_round_s = 1;
	sr_estimate_program(p, &m, ctx->arena, &window_estimate);
	ck_assert_double_gt(window_estimate.collectives_s, 1);
	sr_machine_default(&m);
	m.ranks_per_node = 2;
	m.links[SR_LINK_NETWORK].latency_s = 1;
	sr_estimate_program(p, &m, ctx->arena, &network_estimate);
	ck_assert_double_ge(network_estimate.collectives_s, 1);
	sr_machine_default(&m);
	m.cores_per_node = 2;
	sr_estimate_program(p, &m, ctx->arena, &crowded_estimate);
	ck_assert_double_eq_tol(crowded_estimate.step_s, 2 * in_segment.step_s, 1e-9);
}
END_TEST

/* ---------------------------------------------------------------- meshes */

static const char two_meshes_program[] =
	"sdy.mesh @there = <[\"x\"=4]>\n"
	"sdy.mesh @back = <[\"a\"=2, \"b\"=2], device_ids=[3, 2, 1, 0]>\n"
	"func.func @main(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@there, [{\"x\"}]>, shardrun.global_type = tensor<7xf32>},\n"
	"                %arg1: tensor<2xf32> {sdy.sharding = #sdy.sharding<@back, [{\"a\", \"b\"}]>, shardrun.global_type = tensor<7xf32>}) {\n"
	"  return\n"
	"}\n";

START_TEST(values_keep_their_meshes)
{
	const struct sr_program *p = compile_program(two_meshes_program, 4);
	const char *message;
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_OK);
	for (int64_t device = 0; device < 4; device++) {
		struct sr_device_slice slice = sr_program_slice(p, sr_program_values(p), device),
				       reversed_slice = sr_program_slice(p, sr_program_values(p) + 1, device);
		ck_assert_int_eq(slice.start[0], 2 * device);
		ck_assert_int_eq(slice.size[0], device == 3 ? 1 : 2);
		ck_assert_int_eq(reversed_slice.start[0], 2 * (3 - device));
		ck_assert_int_eq(reversed_slice.size[0], device == 0 ? 1 : 2);
	}
}
END_TEST

/* ---------------------------------------------------------------- invalid programs */

static enum sr_status check_program(const struct sr_program *p)
{
	const char *message = NULL;
	enum sr_status status = sr_program_check(p, p->bytes, &message);
	ck_assert_int_eq(status == SR_OK, message == NULL);
	return status;
}

static struct sr_program *copy_program(const struct sr_program *p)
{
	return sr_dup(ctx->arena, p, 1, p->bytes);
}

/* Change one field of a valid program; the check must refuse it. */
#define REFUSED(change)                                     \
	do {                                                \
		struct sr_program *p = copy_program(valid_program);          \
		change;                                     \
		ck_assert_int_eq(check_program(p), SR_INTERNAL);    \
	} while (0)
#define AT(section, T) ((T *)((char *)p + p->section.offset))

START_TEST(corrupted_program_is_refused)
{
	const struct sr_program *valid_program = compile_program(loop_program, 1);
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	REFUSED(p->magic[0] = 'x');
	REFUSED(p->arena_bytes = -1);
	REFUSED(p->n_replicas = 0);
	REFUSED(p->computations.n = 0);
	REFUSED(p->instrs.offset = p->bytes);
	REFUSED(p->instrs.offset += 8);
	REFUSED(p->ids.n = UINT64_MAX);
	REFUSED(p->n_arguments++);
	REFUSED(AT(text, char)[p->text.n - 1] = 'x');
	REFUSED(AT(buffers, struct sr_buffer)->offset = 8);
	REFUSED(AT(buffers, struct sr_buffer)->bytes = p->arena_bytes + 1);
	REFUSED(AT(operands, int32_t)[0] = (int32_t)p->buffers.n);
	REFUSED(AT(constants, struct sr_constant)->data = p->data.n + 1);
	REFUSED(AT(instrs, struct sr_instr)->kind = SR_INSTR_COUNT);
	REFUSED(AT(instrs, struct sr_instr)->first_operand = (uint32_t)p->operands.n);
	REFUSED(AT(instrs, struct sr_instr)->place = (uint32_t)p->text.n);
	REFUSED(AT(computations, struct sr_computation)->n = (uint32_t)p->instrs.n + 1);
	REFUSED(AT(values, struct sr_io)->rank = SR_MAX_RANK + 1);
	REFUSED(AT(ids, int64_t)[AT(values, struct sr_io)->shape] = -1);
	REFUSED(AT(values, struct sr_io)->refs = p->ids.n);
	REFUSED(AT(values, struct sr_io)->mesh = p->ids.n + 1);
	REFUSED(AT(values, struct sr_io)->dtype = SR_DTYPE_COUNT);
	REFUSED(AT(values, struct sr_io)[p->n_arguments].aliases = p->n_arguments);
	REFUSED(AT(values, struct sr_io)[p->n_arguments].aliases = -2);
}
END_TEST

START_TEST(a_constant_longer_than_its_buffer_is_refused)
{
	const struct sr_program *valid_program = compile_program(loop_program, 1);
	struct sr_program *p = copy_program(valid_program);
	const struct sr_constant *constant = AT(constants, struct sr_constant);
	const char *message;
	AT(buffers, struct sr_buffer)[constant->buffer].bytes = (int64_t)constant->n - 1;
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL);
	ck_assert_str_eq(message, "a constant is longer than its buffer");
}
END_TEST

START_TEST(loop_that_contains_itself_is_refused)
{
	const struct sr_program *valid_program = compile_program(loop_program, 1);
	uint32_t at = find_instr(valid_program, 0, SR_INSTR_WHILE, "stablehlo.while")->params, i = 0;
	const struct sr_instr *steps = sr_program_instrs(valid_program);
	while (steps[i].kind != SR_INSTR_WHILE)
		i++;
	REFUSED(((struct sr_while_instr *)(void *)(AT(params, char) + at))->body = 0);
	REFUSED(((struct sr_while_instr *)(void *)(AT(params, char) + at))->predicate = -1);
	REFUSED(AT(instrs, struct sr_instr)[i].params = (uint32_t)p->params.n);
}
END_TEST

/* Change one field of a valid program; the check must refuse it with a message that contains `words`. */
#define REFUSED_AS(change, words)                                                      \
	do {                                                                           \
		struct sr_program *p = copy_program(valid_program);                                     \
		const char *message = NULL;                                            \
		change;                                                                \
		ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL); \
		ck_assert_str_eq(message, words);                                      \
	} while (0)

static uint32_t first_instr_of_kind(const struct sr_program *p, int kind)
{
	uint32_t i = 0;
	while (sr_program_instrs(p)[i].kind != kind)
		i++;
	return i;
}

START_TEST(a_kernel_that_is_none_is_refused)
{
	const struct sr_program *valid_program = compile_program(loop_program, 1);
	uint32_t at = first_instr_of_kind(valid_program, SR_INSTR_KERNEL);
	static const char words[] = "an instruction is of an unknown kind";
	REFUSED_AS(AT(instrs, struct sr_instr)[at].kernel = SR_KERNEL_COUNT, words);
	REFUSED_AS(AT(instrs, struct sr_instr)[at].kernel = UINT16_MAX, words);
	REFUSED_AS(AT(instrs, struct sr_instr)[at].dtype = SR_DTYPE_COUNT, words);
}
END_TEST

static const char rows[] =
	"module attributes {mhlo.num_partitions = 2 : i32} {\n"
	"func.func @main(%a: tensor<4x16xf32>) -> tensor<4x32xf32> {\n"
	"  %0 = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
	"channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x16xf32>) -> "
	"tensor<4x32xf32>\n"
	"  return %0 : tensor<4x32xf32>\n"
	"}\n"
	"}\n";

START_TEST(strided_blocks_are_within_operands)
{
	const struct sr_program *valid_program = compile_program(rows, 2);
	uint32_t at = sr_program_instrs(valid_program)[first_instr_of_kind(valid_program, SR_INSTR_COLLECTIVE)].params;
	struct sr_coll_layout form =
	    ((const struct sr_collective_instr *)(const void *)(sr_program_params(valid_program) + at))->form[SR_OUT];
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	ck_assert(form.rows == 4 && form.row == 64 && form.stride == 128);
#define GATHER ((struct sr_collective_instr *)(void *)(AT(params, char) + at))
	static const char bad_rows[] = "a collective's rows do not add up to its elements",
			  outside_operands[] = "a collective's elements are outside its operands",
			  bad_count[] = "a collective's number of elements is invalid";
	REFUSED_AS(GATHER->form[SR_OUT].rows = 5, bad_rows);
	REFUSED_AS(GATHER->form[SR_OUT].stride = 64, bad_rows);
	REFUSED_AS(GATHER->form[SR_OUT].stride = 130, bad_rows);
	REFUSED_AS(GATHER->form[SR_OUT].stride = INT64_MAX / 4 * 4, bad_rows);
	REFUSED_AS(GATHER->form[SR_OUT].stride = 132, outside_operands);
	REFUSED_AS(GATHER->form[SR_IN] = form, outside_operands);
	REFUSED_AS(GATHER->count = 128; GATHER->form[SR_OUT].rows = 8, outside_operands);
	REFUSED_AS(GATHER->count = -1, bad_count);
	REFUSED_AS(GATHER->count = INT64_MAX / 8, bad_count);
#undef GATHER
}
END_TEST

static const char add_constant_program[] =
	"func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
	"  %b = \"work.nest\"(%x) <{indexing_maps = [#work.map<(d0) -> [d0]>], loops = array<i64: 8>, parallel = 1 : i64, "
	"result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({\n"
	"  ^bb0(%e: tensor<f32>):\n"
	"    %c = stablehlo.constant dense<1.5> : tensor<f32>\n"
	"    %s = stablehlo.add %e, %c : tensor<f32>\n"
	"    \"work.yield\"(%s) : (tensor<f32>) -> ()\n"
	"  }) : (tensor<8xf32>) -> tensor<8xf32>\n"
	"  return %b : tensor<8xf32>\n"
	"}\n";

/* Return the instruction of a nest that holds its first constant. */
static struct sr_nest_instr *first_constant(struct sr_nest *nest)
{
	struct sr_nest_instr *in = (struct sr_nest_instr *)(void *)((char *)nest + nest->instrs);
	while (in->op != SR_NEST_CONSTANT)
		in++;
	return in;
}

START_TEST(constants_of_loop_nests_are_aligned)
{
	const struct sr_program *valid_program = compile_program(add_constant_program, 1);
	uint32_t at = sr_program_instrs(valid_program)[first_instr_of_kind(valid_program, SR_INSTR_NEST)].params;
	static const char bad_constant[] = "a loop nest's constant is outside its block, or not aligned";
	ck_assert_int_eq(check_program(valid_program), SR_OK);
#define CONSTANT first_constant((struct sr_nest *)(void *)(AT(params, char) + at))
	REFUSED_AS(CONSTANT->constant = 1, bad_constant);
	REFUSED_AS(CONSTANT->constant = 4, bad_constant);
	REFUSED_AS(CONSTANT->constant = -16, bad_constant);
	REFUSED_AS(CONSTANT->constant = 16, bad_constant);
#undef CONSTANT
}
END_TEST

static const char slice_program[] =
	"func.func @main(%i: tensor<i32>, %w: tensor<4x8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
	"  %b = \"work.nest\"(%i, %w) <{indexing_maps = [#work.map<(d0, d1) -> []>, #work.map<(d0, d1) -> [clamp(in0, 0, 3), d0, d1]>], "
	"loops = array<i64: 8, 8>, parallel = 2 : i64, result_indexing_maps = [#work.map<(d0, d1) -> [d0, d1]>]}> ({\n"
	"  ^bb0(%k: tensor<i32>, %e: tensor<f32>):\n"
	"    \"work.yield\"(%e) : (tensor<f32>) -> ()\n"
	"  }) {shardrun.elided} : (tensor<i32>, tensor<4x8x8xf32>) -> tensor<8x8xf32>\n"
	"  %0 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
	"  return %0 : tensor<8x8xf32>\n"
	"}\n";

START_TEST(an_operand_begins_in_its_buffer)
{
	const struct sr_program *valid_program = compile_program(slice_program, 1);
	static const char outside_buffer[] = "a dynamic offset is outside its buffer",
			  no_operand[] = "a dynamic offset has no operand, or a negative limit or stride",
			  no_integer[] = "a dynamic offset's start index is not an integer",
			  no_step[] = "an instruction's dynamic offsets are outside the program";
	uint32_t at = first_instr_of_kind(valid_program, SR_INSTR_KERNEL);
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	ck_assert_uint_eq(valid_program->dynamic_offsets.n, 1);
	ck_assert_int_eq(sr_program_dynamic_offsets(valid_program)->operand, 1);
	ck_assert_int_eq(sr_program_max_offset(valid_program, sr_program_instrs(valid_program) + at, 0), 0);
	ck_assert_int_eq(sr_program_max_offset(valid_program, sr_program_instrs(valid_program) + at, 1), 3 * 64 * 4);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->limit = 5, outside_buffer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->stride = INT64_MAX, outside_buffer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->stride = 6, outside_buffer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->limit = -1, no_operand);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->operand = 3, no_operand);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->operand = -1, no_operand);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->start = (int32_t)valid_program->buffers.n, no_integer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->start = sr_program_values(valid_program)[1].buffer, no_integer);
	REFUSED_AS(AT(instrs, struct sr_instr)[at].first_dynamic_offset = 1, no_step);
	REFUSED_AS(AT(instrs, struct sr_instr)[at].kind = SR_INSTR_CUSTOM_CALL, no_step);
	REFUSED_AS(p->dynamic_offsets.n = UINT64_MAX, "a section is outside the program");
}
END_TEST

static const char update_slice_program[] =
	"module attributes {mhlo.num_partitions = 2 : i32} {\n"
	"func.func @main(%a: tensor<1x16xf32>, %stack: tensor<4x32xf32>, %i: tensor<i32>, %z: tensor<i32>) -> tensor<4x32xf32> {\n"
	"  %0 = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
	"channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1x16xf32>) -> "
	"tensor<1x32xf32>\n"
	"  %1 = stablehlo.dynamic_update_slice %stack, %0, %i, %z : (tensor<4x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) "
	"-> tensor<4x32xf32>\n"
	"  return %1 : tensor<4x32xf32>\n"
	"}\n"
	"}\n";

START_TEST(a_collective_begins_in_its_result)
{
	const struct sr_program *valid_program = compile_program(update_slice_program, 2);
	uint32_t step = first_instr_of_kind(valid_program, SR_INSTR_COLLECTIVE);
	static const char outside_operands[] = "a collective's elements are outside its operands",
	    outside_buffer[] = "a dynamic offset is outside its buffer";
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	ck_assert_uint_eq(valid_program->dynamic_offsets.n, 1);
	ck_assert_int_eq(sr_program_dynamic_offsets(valid_program)->operand, SR_OUT);
	ck_assert_int_eq(sr_program_max_offset(valid_program, sr_program_instrs(valid_program) + step, SR_OUT), 3 * 128);
	ck_assert_int_eq(sr_program_instr_bytes(valid_program, sr_program_instrs(valid_program) + step), 64 + 128);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->limit = 4, outside_operands);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->limit = 5, outside_buffer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->stride = 132, outside_operands);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->stride = 130, outside_buffer);
	REFUSED_AS(AT(dynamic_offsets, struct sr_dynamic_offset)->operand = SR_IN, outside_buffer);
}
END_TEST

static const char grid_program[] =
	"func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
	"  %0 = stablehlo.add %x, %x : tensor<2xi32>\n"
	"  return %0 : tensor<2xi32>\n"
	"}\n"
	"func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
	"  %0:2 = \"interpreter.run_parallel\"(%x, %x) {programs = [[@sum, @sum]]} : (tensor<2xi32>, tensor<2xi32>) -> "
	"(tensor<2xi32>, tensor<2xi32>)\n"
	"  check.expect_eq %0#0, %0#1 : tensor<2xi32>\n"
	"  return %0#1 : tensor<2xi32>\n"
	"}\n";

START_TEST(a_grid_of_programs_names_its_functions)
{
	const struct sr_program *valid_program = compile_program(grid_program, 2);
	const struct sr_instr *instr = sr_program_instrs(valid_program) + first_instr_of_kind(valid_program, SR_INSTR_PARALLEL);
	const struct sr_parallel_instr *k = (const void *)(sr_program_params(valid_program) + instr->params);
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	static const char no_function[] = "an entry of a grid has no function",
			  no_values[] = "an entry of a grid has values outside its operands", no_plan[] = "an instruction's computation is invalid",
			  no_operands[] = "a function of a grid is invalid";
	REFUSED_AS(AT(ids, int64_t)[k->entries + 3] = k->n_functions, no_function);
	REFUSED_AS(AT(ids, int64_t)[k->entries + 3] = -1, no_function);
	REFUSED_AS(AT(ids, int64_t)[k->entries + 4] = instr->n_operands, no_values);
	REFUSED_AS(AT(ids, int64_t)[k->entries + 5] = -1, no_values);
	/* the function's computation is the one that contains the instruction */
	REFUSED_AS(AT(ids, int64_t)[k->functions] = 0, no_plan);
	REFUSED_AS(AT(ids, int64_t)[k->functions] = (int64_t)valid_program->computations.n, no_plan);
	REFUSED_AS(AT(ids, int64_t)[k->functions + 1] = instr->n_operands, no_operands);
}
END_TEST

START_TEST(check_operands_are_valid)
{
	const struct sr_program *valid_program = compile_program(grid_program, 2);
	uint32_t at = first_instr_of_kind(valid_program, SR_INSTR_CHECK);
	const struct sr_instr *instr = sr_program_instrs(valid_program) + at;
	const struct sr_check_instr *k = (const void *)(sr_program_params(valid_program) + instr->params);
	static const char not_all[] = "a check lacks operands of its kind";
	REFUSED_AS(((struct sr_check_instr *)(void *)(AT(params, char) + instr->params))->kind = SR_CHECK_VALUE_PROBE + 1, not_all);
	REFUSED_AS(((struct sr_check_instr *)(void *)(AT(params, char) + instr->params))->kind = SR_CHECK_VALUE_PROBE,
		   "a probe is outside the program's table");
	REFUSED_AS(((struct sr_check_instr *)(void *)(AT(params, char) + instr->params))->kind = -1, not_all);
	REFUSED_AS(AT(instrs, struct sr_instr)[at].n_operands = 1, not_all);
	REFUSED_AS(((struct sr_check_instr *)(void *)(AT(params, char) + instr->params))->shape = valid_program->ids.n,
		   "a check's fields are outside the program");
	REFUSED_AS(AT(ids, int64_t)[k->shape] = -1, "a check's shape is invalid");
	REFUSED_AS(AT(instrs, struct sr_instr)[at].dtype = SR_F64, "a check reaches beyond its operands");
}
END_TEST

START_TEST(a_sharding_that_fits_no_mesh_is_refused)
{
	const struct sr_program *valid_program = compile_program(two_meshes_program, 4);
	uint64_t refs = sr_program_values(valid_program)->refs;
	REFUSED(AT(ids, int64_t)[refs] = SR_PROGRAM_MAX_REFS + 1);
	REFUSED(AT(ids, int64_t)[refs + 1] = 1); /* there is no axis 1, since the mesh has one axis */
	REFUSED(AT(ids, int64_t)[refs + 2] = 0);
	REFUSED(AT(mesh, struct sr_program_axis)->size = 3);
	REFUSED(AT(values, struct sr_io)[1].mesh += 1);
}
END_TEST

static const char choice_program[] =
	"func.func @main(%i: tensor<i32>) -> tensor<i32> {\n"
	SR_ONE_OR_TWO;

START_TEST(a_choice_without_plans_is_refused)
{
	const struct sr_program *valid_program = compile_program(choice_program, 1);
	uint32_t at = find_instr(valid_program, 0, SR_INSTR_CASE, "stablehlo.case")->params;
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	REFUSED(((struct sr_case_instr *)(void *)(AT(params, char) + at))->n = 0);
	REFUSED(((struct sr_case_instr *)(void *)(AT(params, char) + at))->n = -1);
	REFUSED(((struct sr_case_instr *)(void *)(AT(params, char) + at))->first = -1);
	REFUSED(((struct sr_case_instr *)(void *)(AT(params, char) + at))->n = INT32_MAX);
}
END_TEST

static const char sort_program[] =
	"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
	"  %0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64, is_stable = true}> ({\n"
	"  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
	"    %s = stablehlo.add %x, %y : tensor<f32>\n"
	"    %t = stablehlo.compare LT, %s, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
	"    stablehlo.return %t : tensor<i1>\n"
	"  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
	"  return %0 : tensor<4xf32>\n"
	"}\n";

START_TEST(a_body_without_its_operands_is_refused)
{
	const struct sr_program *valid_program = compile_program(sort_program, 1);
	uint32_t at = find_instr(valid_program, 0, SR_INSTR_BODY, "stablehlo.sort")->params;
	ck_assert_int_eq(check_program(valid_program), SR_OK);
#define BODY ((struct sr_body_instr *)(void *)(AT(params, char) + at))
	REFUSED(BODY->kind = -1);
	REFUSED(BODY->kind = SR_BODY_SELECT + 1);
	REFUSED(BODY->k = 0);
	REFUSED(BODY->k = 3);
	REFUSED(BODY->arguments = -1);
	REFUSED(BODY->arguments = 1000);
	REFUSED(BODY->results = -1);
	REFUSED(BODY->results = 1000);
	REFUSED(BODY->lanes = -1);
	REFUSED(BODY->lanes = INT64_MAX);
	REFUSED(BODY->computation = 0);
#undef BODY
}
END_TEST

static const char sum[] =
	"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
	"  %0 = \"stablehlo.all_reduce\"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,\n"
	"      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({\n"
	"  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
	"    %s = stablehlo.add %x, %y : tensor<f32>\n"
	"    stablehlo.return %s : tensor<f32>\n"
	"  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
	"  return %0 : tensor<4xf32>\n"
	"}\n";

START_TEST(unknown_collective_is_refused)
{
	const struct sr_program *valid_program = compile_program(sum, 2);
	uint32_t at = find_instr(valid_program, 0, SR_INSTR_COLLECTIVE, "stablehlo.all_reduce")->params;
	ck_assert_int_eq(check_program(valid_program), SR_OK);
	REFUSED(((struct sr_collective_instr *)(void *)(AT(params, char) + at))->coll = SR_COLL_COUNT);
	REFUSED(((struct sr_collective_instr *)(void *)(AT(params, char) + at))->coll = -1);
	REFUSED(((struct sr_collective_instr *)(void *)(AT(params, char) + at))->monoid = SR_MONOID_COUNT);
	REFUSED(AT(groups, struct sr_group_list)->n_groups = INT64_MAX);
	REFUSED(p->n_replicas = 3);
}
END_TEST

/* ---------------------------------------------------------------- asynchronous collectives */

#define ALL(op, of, type, h)                                                                                                   \
	"\"stablehlo." op "\"(" of ") <{channel_handle = #stablehlo.channel_handle<handle = " h ", type = 1>, "                  \
	"replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({\n"                                      \
	"^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %s = stablehlo.add %x, %y : tensor<f32>\n"                                  \
	"  stablehlo.return %s : tensor<f32>\n}) : (" type ") -> " type "\n"
static const char overlap_program[] =
	"func.func @main(%a: tensor<64x64xf32>, %p: tensor<i1>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {\n"
	"%0 = stablehlo.tanh %a : tensor<64x64xf32>\n"
	"%1 = " ALL("all_reduce", "%0", "tensor<64x64xf32>", "1")
	"%2 = " ALL("all_reduce", "%a", "tensor<64x64xf32>", "2")
	"%3 = stablehlo.tanh %a : tensor<64x64xf32>\n"
	"%4 = \"stablehlo.collective_permute\"(%3) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = "
	"#stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>\n"
	"%5 = stablehlo.exponential %3 : tensor<64x64xf32>\n"
	"%6:2 = stablehlo.while(%u = %5, %v = %2) : tensor<64x64xf32>, tensor<64x64xf32>\n cond {\n"
	"  stablehlo.return %p : tensor<i1>\n} do {\n"
	"  %7 = " ALL("all_reduce", "%u", "tensor<64x64xf32>", "4")
	"  %8 = stablehlo.tanh %v : tensor<64x64xf32>\n  %9 = stablehlo.add %7, %8 : tensor<64x64xf32>\n"
	"  stablehlo.return %8, %9 : tensor<64x64xf32>, tensor<64x64xf32>\n}\n"
	"%10 = stablehlo.add %1, %6#0 : tensor<64x64xf32>\n%11 = stablehlo.add %4, %6#1 : tensor<64x64xf32>\n"
	"%12 = stablehlo.negate %5 : tensor<64x64xf32>\n"
	"return %10, %11, %12 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>\n}\n";

/* Return true if the bytes overlap an operand of the instruction or of an instruction nested in it; is_written: only operands that
 * are written. */
static bool accesses_bytes(const struct sr_program *p, const struct sr_instr *instr, struct sr_buffer bytes, bool is_written)
{
	const int32_t *operands = sr_program_operands(p) + instr->first_operand;
	const struct sr_while_instr *w = (const void *)(sr_program_params(p) + instr->params);
	uint32_t first_operand = is_written && instr->kind != SR_INSTR_WHILE && instr->n_operands ? instr->n_operands - 1 : 0;
	for (uint32_t i = first_operand; i < instr->n_operands; i++)
		if (bytes_overlap(sr_program_buffers(p)[operands[i]], bytes))
			return true;
	for (int k = 0; instr->kind == SR_INSTR_WHILE && k < 2; k++) {
		const struct sr_computation *inner_computation = sr_program_computations(p) + (k ? w->body : w->cond);
		for (uint32_t i = inner_computation->first; i < inner_computation->first + inner_computation->n; i++)
			if (accesses_bytes(p, sr_program_instrs(p) + i, bytes, is_written))
				return true;
	}
	return false;
}

/* Check that no instruction accesses the result or writes the operand before the FINISH, and that none writes either before the
 * RELEASE. Return the number of instructions between start and FINISH. */
static int check_buffers_in_flight(const struct sr_program *p, uint32_t start)
{
	const struct sr_instr *instr = sr_program_instrs(p) + start;
	const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + instr->params);
	const int32_t *operands = sr_program_operands(p) + instr->first_operand;
	struct sr_buffer in = sr_program_buffers(p)[operands[0]], out = sr_program_buffers(p)[operands[1]];
	int32_t pending_flags = c->completion_flags;
	int n_between = 0;
	for (uint32_t i = start + 1; pending_flags; i++) {
		const struct sr_instr *t = sr_program_instrs(p) + i;
		if (t->params == instr->params && sr_instr_is_collective(t)) {
			pending_flags &= ~(t->kind == SR_INSTR_FINISH ? SR_ENDS_FINISH : SR_ENDS_RELEASE);
			continue;
		}
		ck_assert_msg(!accesses_bytes(p, t, in, true), "step %u writes what %u reads", i, start);
		ck_assert_msg(!accesses_bytes(p, t, out, !(pending_flags & SR_ENDS_FINISH)), "step %u names the result of %u", i, start);
		n_between += pending_flags & SR_ENDS_FINISH;
	}
	return n_between;
}

static const struct sr_program *plan_with_overlap(enum sr_overlap overlap)
{
	struct sr_program *p = NULL;
	struct sr_op *module;
	ck_assert_int_eq(sr_parse(ctx, "test.mlir", overlap_program, strlen(overlap_program), &module), SR_OK);
	struct sr_plan_options options = {.n_devices = 2, .n_replicas = 1, .overlap = overlap};
	ck_assert_int_eq(sr_plan_module(ctx, module, &options, &p), SR_OK);
	ck_assert_int_eq(check_program(p), SR_OK);
	return p;
}

START_TEST(operands_in_flight_are_not_accessed)
{
	int64_t bytes[3];
	for (int overlap = SR_OVERLAP_AUTO; overlap <= SR_OVERLAP_OFF; overlap++) {
		const struct sr_program *p = plan_with_overlap((enum sr_overlap)overlap);
		int n_between = 0;
		for (uint32_t i = 0; i < p->instrs.n; i++)
			if (sr_program_instrs(p)[i].kind == SR_INSTR_COLLECTIVE)
				n_between += check_buffers_in_flight(p, i);
		ck_assert(overlap == SR_OVERLAP_AUTO || (n_between > 0) == (overlap == SR_OVERLAP_ON));
		bytes[overlap] = p->arena_bytes;
	}
	ck_assert_int_le(bytes[SR_OVERLAP_AUTO], bytes[SR_OVERLAP_OFF]);
}
END_TEST

START_TEST(collectives_that_do_not_end_as_they_say_are_refused)
{
	const struct sr_program *valid_program = plan_with_overlap(SR_OVERLAP_ON);
	uint32_t finish = first_instr_of_kind(valid_program, SR_INSTR_FINISH), release = first_instr_of_kind(valid_program, SR_INSTR_RELEASE), start = 0;
	uint32_t at = sr_program_instrs(valid_program)[finish].params,
		 while_params = sr_program_instrs(valid_program)[first_instr_of_kind(valid_program, SR_INSTR_WHILE)].params;
	while (sr_program_instrs(valid_program)[start].params != at)
		start++;
	REFUSED_AS(AT(instrs, struct sr_instr)[finish].kind = SR_INSTR_RELEASE, "a collective is not completed as its fields say");
	REFUSED_AS(AT(instrs, struct sr_instr)[release].kind = SR_INSTR_COLLECTIVE, "a collective is of an unknown kind");
	REFUSED_AS(((struct sr_collective_instr *)(void *)(AT(params, char) + at))->completion_flags = 8,
		   "a collective is not completed as its fields say");
	REFUSED_AS(((struct sr_collective_instr *)(void *)(AT(params, char) + at))->completion_flags = SR_ENDS_RELEASE,
		   "a collective is not completed as its fields say");
	REFUSED(AT(instrs, struct sr_instr)[finish].params = while_params);
	REFUSED(AT(instrs, struct sr_instr)[start].n_operands = 1);
}
END_TEST

/* A program in which any byte was changed is refused, or all its indices are valid. */
START_TEST(any_changed_byte_is_refused_or_harmless)
{
	const struct sr_program *valid_program = compile_program(two_meshes_program, 4);
	unsigned state = 7;
	for (int round = 0; round < 3000; round++) {
		struct sr_program *p = copy_program(valid_program);
		((unsigned char *)p)[rand_r(&state) % valid_program->bytes] ^= (unsigned char)(1 + rand_r(&state) % 255);
		p->bytes = valid_program->bytes;
		if (check_program(p) == SR_OK)
			for (uint64_t i = 0; i < p->values.n; i++)
				sr_program_slice(p, sr_program_values(p) + i, 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *tests = tcase_create("plan");
	tcase_add_checked_fixture(tests, open_context, close_context);
	tcase_add_test(tests, live_buffers_never_overlap);
	tcase_add_test(tests, bytes_are_reused);
	tcase_add_test(tests, gaps_fit_best);
	tcase_add_test(tests, permutes_by_axes_send_every_shard);
	tcase_add_test(tests, operands_in_flight_are_not_accessed);
	tcase_add_test(tests, collectives_that_do_not_end_as_they_say_are_refused);
	tcase_add_test(tests, many_buffers_are_placed);
	tcase_add_test(tests, holes_in_lifetimes_are_used);
	tcase_add_test(tests, ends_of_results_are_not_straddled);
	tcase_add_test(tests, a_buffer_that_is_never_live_has_no_memory);
	tcase_add_test(tests, shared_memory_changes_nothing);
	tcase_add_test(tests, loop_operands_stay_live);
	tcase_add_test(tests, loops_run_as_often_as_their_form_says);
	tcase_add_test(tests, estimates_count_trips);
	tcase_add_test(tests, estimates_of_transforms);
	tcase_add_test(tests, estimates_know_links_and_cores);
	tcase_add_test(tests, values_keep_their_meshes);
	tcase_add_test(tests, corrupted_program_is_refused);
	tcase_add_test(tests, a_constant_longer_than_its_buffer_is_refused);
	tcase_add_test(tests, loop_that_contains_itself_is_refused);
	tcase_add_test(tests, a_sharding_that_fits_no_mesh_is_refused);
	tcase_add_test(tests, a_kernel_that_is_none_is_refused);
	tcase_add_test(tests, strided_blocks_are_within_operands);
	tcase_add_test(tests, constants_of_loop_nests_are_aligned);
	tcase_add_test(tests, an_operand_begins_in_its_buffer);
	tcase_add_test(tests, a_collective_begins_in_its_result);
	tcase_add_test(tests, a_grid_of_programs_names_its_functions);
	tcase_add_test(tests, check_operands_are_valid);
	tcase_add_test(tests, a_choice_without_plans_is_refused);
	tcase_add_test(tests, a_body_without_its_operands_is_refused);
	tcase_add_test(tests, unknown_collective_is_refused);
	tcase_add_test(tests, any_changed_byte_is_refused_or_harmless);
	suite_add_tcase(suite, tests);
	return sr_run_suite(suite);
}
