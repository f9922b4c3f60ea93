/* Which outputs of interpreted loop nests are written past the caches. Included by exec.c after exec_background.h. */
#pragma once
#include "kernels/nest/nest_prepared.h"

/* Two nests of 4 MB, of which the second and a loop read the first one's, and the loop's body, which has one. */
static const char streams_program[] =
	"func.func @main(%x: tensor<1048576xf32>, %n: tensor<i32>) -> (tensor<1048576xf32>, tensor<1048576xf32>) {\n"
	"  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
	"  %one = stablehlo.constant dense<1> : tensor<i32>\n"
	"  %0 = stablehlo.multiply %x, %x : tensor<1048576xf32>\n"
	"  %v = stablehlo.reverse %0, dims = [0] : tensor<1048576xf32>\n"
	"  %r:2 = stablehlo.while(%i = %zero, %s = %0) : tensor<i32>, tensor<1048576xf32>\n"
	"  cond {\n"
	"    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"    stablehlo.return %p : tensor<i1>\n"
	"  } do {\n"
	"    %j = stablehlo.add %i, %one : tensor<i32>\n"
	"    %t = stablehlo.reverse %s, dims = [0] : tensor<1048576xf32>\n"
	"    %u = stablehlo.add %t, %x : tensor<1048576xf32>\n"
	"    stablehlo.return %j, %u : tensor<i32>, tensor<1048576xf32>\n"
	"  }\n"
	"  return %r#1, %v : tensor<1048576xf32>, tensor<1048576xf32>\n"
	"}\n";

/* Outputs of a loop's body are streamed only if they exceed the last-level cache, from which the next iteration reads them; those
 * that an instruction reads soon, if they exceed a quarter of it. */
START_TEST(loops_keep_outputs_in_caches)
{
	struct sr_compiled c;
	struct sr_compile_options defaults = {0};
	ck_assert_int_eq(sr_compile(ctx, "streams.mlir", streams_program, strlen(streams_program), &defaults, &c), SR_OK);
	struct sr_executable_options o = {.model = "streams.mlir", .codegen = {.mode = SR_CODEGEN_OFF}};
	ck_assert_int_eq(sr_executable_open(&background, &background_client, c.program, &o, ctx->arena, &ctx->diags), SR_OK);
	const struct sr_loaded_program *l = &background.loaded;
	const struct sr_computation *entry = sr_program_computations(l->program);
	int n_nests[2] = {0}, n_streamed[2] = {0};
	for (uint64_t i = 0; i < l->program->instrs.n; i++) {
		const struct sr_nest_prepared *nest = l->instrs[i].nest;
		bool is_in_loop = i < entry->first || i - entry->first >= entry->n;
		if (nest && nest->extent[0] == 1048576) {
			n_nests[is_in_loop]++;
			n_streamed[is_in_loop] += nest->is_streamed;
		}
	}
	bool has_streams = background_client.kernels.access->stream, fits = l->cache_bytes > 4 << 20;
	bool is_quarter = l->cache_bytes / 4 > 4 << 20;
	ck_assert_int_eq(n_nests[0], 2);
	ck_assert_int_eq(n_nests[1], 1);
	ck_assert_int_eq(n_streamed[0], has_streams ? is_quarter ? 1 : 2 : 0);
	ck_assert_int_eq(n_streamed[1], has_streams && !fits);
}
END_TEST
