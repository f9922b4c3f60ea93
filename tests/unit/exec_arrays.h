/* Arrays between executions: carried results, kept arguments. Included by exec.c. */
#include "exec/values/arrays.h"

/* A program that returns w + x and w * x; w is donated. */
static const char update_program[] =
	"func.func public @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
	"  %0 = stablehlo.add %w, %x : tensor<4xf32>\n"
	"  %1 = stablehlo.multiply %w, %x : tensor<4xf32>\n"
	"  return %0, %1 : tensor<4xf32>, tensor<4xf32>\n"
	"}\n";

static struct sr_client update_client;
static struct sr_executable update;
static struct sr_arrays update_arrays;

static void open_update(void)
{
	struct sr_compiled c;
	struct sr_executable_options options = {.model = "update.mlir"};
	open_context();
	update_client = (struct sr_client){.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&update_client, &(struct sr_client_options){0}, ctx->arena, &ctx->diags), SR_OK);
	ck_assert_int_eq(sr_compile(ctx, "update.mlir", update_program, strlen(update_program), &(struct sr_compile_options){0}, &c), SR_OK);
	ck_assert_int_eq(sr_executable_open(&update, &update_client, c.program, &options, ctx->arena, &ctx->diags), SR_OK);
	ck_assert_int_eq(sr_arrays_open(&update_arrays, &update, ctx->arena, &ctx->diags), SR_OK);
	for (int k = 0; k < 4; k++) {
		((float *)sr_arrays_argument(&update_arrays, 0, 0))[k] = 2;
		((float *)sr_arrays_argument(&update_arrays, 1, 0))[k] = 3;
	}
}

static void close_update(void)
{
	sr_arrays_close(&update_arrays);
	sr_executable_close(&update);
	sr_client_close(&update_client);
	close_context();
}

static void execute_update(void)
{
	ck_assert_int_eq(sr_arrays_execute(&update_arrays, false, &ctx->diags), SR_OK);
}

/* Execute three times with results carried to arguments. Check w and x afterwards, and that the device's memory does not grow. */
static void carry_three(const struct sr_carried *pairs, int n, float w, float x)
{
	int64_t pool_bytes = 0;
	for (int step = 0; step < 3; step++) {
		execute_update();
		ck_assert_int_eq(sr_arrays_carry(&update_arrays, pairs, n, &ctx->diags), SR_OK);
		pool_bytes = step ? pool_bytes : sr_memory_pool_used(update.device_set->memory->devices[0].pool);
	}
	ck_assert_int_eq(sr_memory_pool_used(update.device_set->memory->devices[0].pool), pool_bytes);
	ck_assert_float_eq(((float *)sr_arrays_argument(&update_arrays, 0, 0))[3], w);
	ck_assert_float_eq(((float *)sr_arrays_argument(&update_arrays, 1, 0))[3], x);
}

START_TEST(donated_values_are_carried_in_place)
{
	int result = sr_executable_aliased(&update, 0) == 0 ? 0 : 1; /* number of the result that is computed in the memory of w */
	const void *address = sr_arrays_argument(&update_arrays, 0, 0);
	ck_assert_int_eq(sr_executable_aliased(&update, result), 0);
	carry_three(&(struct sr_carried){result, 0}, 1, result ? 54 : 11, 3);
	ck_assert_ptr_eq(sr_arrays_argument(&update_arrays, 0, 0), address);
}
END_TEST

START_TEST(carried_values_swap)
{
	/* (w, x) is (2, 3), then (5, 6), (11, 30), (41, 330) */
	carry_three((const struct sr_carried[]){{0, 0}, {1, 1}}, 2, 41, 330);
}
END_TEST

START_TEST(results_are_carried_across)
{
	/* the sum is carried to x, the product to w: (w, x) is (2, 3), then (6, 5), (30, 11), (330, 41) */
	carry_three((const struct sr_carried[]){{0, 1}, {1, 0}}, 2, 330, 41);
}
END_TEST

START_TEST(value_carried_twice_is_copied)
{
	/* the product is carried to w and to x: (w, x) is (2, 3), then (6, 6), (36, 36) */
	carry_three((const struct sr_carried[]){{1, 0}, {1, 1}}, 2, 1296, 1296);
	ck_assert_ptr_ne(sr_arrays_argument(&update_arrays, 0, 0), sr_arrays_argument(&update_arrays, 1, 0));
}
END_TEST

/* Executions that start from the same values have the same results. An argument that is not kept is consumed. */
START_TEST(kept_arguments_are_not_consumed)
{
	sr_arrays_keep_donated(&update_arrays);
	for (int i = 0; i < 3; i++) {
		execute_update();
		ck_assert_float_eq(((float *)sr_arrays_result(&update_arrays, 0, 0))[3], 5);
		ck_assert_float_eq(((float *)sr_arrays_result(&update_arrays, 1, 0))[3], 6);
		ck_assert_float_eq(((float *)sr_arrays_argument(&update_arrays, 0, 0))[3], 2);
	}
	update_arrays.is_kept[0] = false;
	execute_update();
	ck_assert_ptr_null(update_arrays.arguments[0]);
	ck_assert_float_eq(((float *)sr_arrays_result(&update_arrays, 0, 0))[3], 5);
}
END_TEST

/* Open and close an executable on a client with an arena of its own. */
static void open_and_close(struct sr_client *c, const struct sr_program *program)
{
	struct sr_executable e;
	struct sr_arena *arena = sr_arena_new();
	ck_assert_int_eq(sr_executable_open(&e, c, program, &(struct sr_executable_options){.model = "sum.mlir"}, arena, &ctx->diags), SR_OK);
	sr_executable_close(&e);
	sr_arena_free(arena);
}

/* A client that opens programs with the same groups of devices again and again needs no more memory. */
START_TEST(known_groups_take_no_memory)
{
	static const char program[] =
		"module {\n"
		"  sdy.mesh @mesh = <[\"x\"=2]>\n"
		"  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<f32> {\n"
		"    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
		"    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]\n"
		"      : (tensor<8xf32>, tensor<f32>) -> tensor<f32>\n"
		"    return %0 : tensor<f32>\n"
		"  }\n"
		"}\n";
	struct sr_compiled c;
	struct sr_client client = {.launch = {.size = 1}};
	struct sr_client_options options = {.threads = 1, .devices_per_rank = SR_DEVICES_ALL};
	struct sr_arena *arena = sr_arena_new();
	open_context();
	ck_assert_int_eq(sr_client_open(&client, &options, arena, &ctx->diags), SR_OK);
	ck_assert_int_eq(sr_compile(ctx, "sum.mlir", program, strlen(program), &(struct sr_compile_options){0}, &c), SR_OK);
	open_and_close(&client, c.program);
	size_t used = sr_arena_used(arena);
	for (int i = 0; i < 3; i++)
		open_and_close(&client, c.program);
	ck_assert_uint_eq(sr_arena_used(arena), used);
	sr_client_close(&client);
	close_context();
	sr_arena_free(arena);
}
END_TEST
