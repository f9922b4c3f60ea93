/* src/work: allocations that fail while blocks are scheduled. */
#define _GNU_SOURCE 1
#include "support/arena.h"
#define FUNCTION_OF_LIBRARY sr_arena_new
#include "tests/unit/failing_allocations.h"
#include "text/text.h"
#include "tests/unit/context.h"
#include "tests/unit/programs.h"
#include "tests/unit/suite.h"
#include "work/work_passes.h"
#include <string.h>

static const char loop[] =
	"func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<i32>) {\n"
	SR_TEN_ITERATIONS;

static enum sr_status schedule(void *module)
{
	return sr_run_schedule(ctx, module, &(struct sr_pass_options){0});
}

/* Each allocation of the schedule pass fails in turn. The pass unwinds to its caller, and the arena has the caller's guard then. */
START_TEST(a_schedule_without_memory_unwinds_to_its_caller)
{
	long allocation = 0, n_failed = 0, has_failed = FAILS_ALLOCATIONS;
	for (; has_failed; allocation++) {
		struct sr_op *module;
		ck_assert_int_eq(sr_parse(ctx, "test.mlir", loop, strlen(loop), &module), SR_OK);
		fail_allocation(allocation);
		enum sr_status status = sr_arena_guarded(ctx->arena, schedule, module);
		has_failed = allocations_made() > allocation;
		n_failed += has_failed;
		ck_assert_int_eq(status, has_failed ? SR_NO_MEMORY : SR_OK);
		ck_assert_ptr_null(sr_arena_guard(ctx->arena, NULL));
	}
	ck_assert(!FAILS_ALLOCATIONS || n_failed > 1);
}
END_TEST

int main(void)
{
	return sr_run_tests("work", (const TTest *const[]){a_schedule_without_memory_unwinds_to_its_caller}, 1, open_context, close_context);
}
