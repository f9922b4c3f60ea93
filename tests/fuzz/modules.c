/* Modules as MLIR text, bytecode, HLO text and HloModuleProtos: read, verify and print. */
#include "dialect/ops.h"
#include "tests/fuzz/fuzz.h"
#include "text/hlo/hlo.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>

static bool is_bytecode(const uint8_t *bytes, size_t n)
{
	static const char begin[] = "ML\xefR";
	return n >= strlen(begin) && !memcmp(bytes, begin, strlen(begin));
}

static bool is_hlo(const uint8_t *bytes, size_t n)
{
	return sr_is_hlo((const char *)bytes, n);
}

static bool is_hlo_proto(const uint8_t *bytes, size_t n)
{
	return sr_is_hlo_proto((const char *)bytes, n);
}

static void print_module(struct sr_context *ctx, const struct sr_op *module, struct sr_print_options options)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_print(ctx, module, &options, &out);
}

static void read_and_print(struct sr_context *ctx, const char *text, size_t n)
{
	struct sr_op *module;
	if (sr_parse(ctx, "fuzz.mlir", text, n, &module)) {
		if (!ctx->diags.n_errors)
			abort(); /* a module was refused without a message */
		return;
	}
	bool is_valid = sr_verify(ctx, module) == SR_OK;
	if (!is_valid && !ctx->diags.n_errors)
		abort();
	print_module(ctx, module, (struct sr_print_options){.uses_generic_form = true, .prints_debuginfo = true});
	if (is_valid)
		print_module(ctx, module, (struct sr_print_options){0});
}

static void read_bytes(const uint8_t *bytes, size_t n)
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
}

void fuzz_text(const uint8_t *bytes, size_t n)
{
	if (!is_bytecode(bytes, n) && !is_hlo(bytes, n) && !is_hlo_proto(bytes, n))
		read_bytes(bytes, n);
}

void fuzz_bytecode(const uint8_t *bytes, size_t n)
{
	if (is_bytecode(bytes, n))
		read_bytes(bytes, n);
}

void fuzz_hlo(const uint8_t *bytes, size_t n)
{
	if (is_hlo(bytes, n))
		read_bytes(bytes, n);
}

void fuzz_hlo_proto(const uint8_t *bytes, size_t n)
{
	if (is_hlo_proto(bytes, n))
		read_bytes(bytes, n);
}
