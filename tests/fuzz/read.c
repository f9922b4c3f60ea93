/* Fuzz target of the readers: any bytes are read as MLIR text, HLO text or bytecode, verified and printed. Nothing may crash, hang or leak,
 * and what is refused has a message. Built with clang -fsanitize=fuzzer,address,undefined and the libraries up to src/text; the corpus
 * starts from the tests' *.mlir, *.hlo and *.mlirbc. */
#include "dialect/ops.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void print(struct sr_context *ctx, const struct sr_op *module, struct sr_print_options options, struct sr_buf *out)
{
	sr_buf_init(out, ctx->arena);
	sr_print(ctx, module, &options, out);
}

static void read_and_print(struct sr_context *ctx, const char *text, size_t n)
{
	struct sr_op *module;
	struct sr_buf out;
	if (sr_parse(ctx, "fuzz.mlir", text, n, &module)) {
		if (!ctx->diags.n_errors)
			abort(); /* refused without a word */
		return;
	}
	bool good = sr_verify(ctx, module) == SR_OK;
	if (!good && !ctx->diags.n_errors)
		abort();
	print(ctx, module, (struct sr_print_options){.generic = true, .debuginfo = true}, &out);
	if (good)
		print(ctx, module, (struct sr_print_options){0}, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	jmp_buf unwind;
	struct sr_context *ctx = sr_context_new();
	char *text = malloc(n ? n : 1);
	memcpy(text, bytes, n);
	ctx->allow_unregistered = n & 1;
	if (!setjmp(unwind)) {
		sr_arena_guard(ctx->arena, &unwind);
		sr_dialects_register(ctx);
		read_and_print(ctx, text, n);
	}
	sr_context_free(ctx);
	free(text);
	return 0;
}
