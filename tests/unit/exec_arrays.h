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
