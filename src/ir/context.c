/* Create contexts, intern strings, and look up op infos by name. */
#include "ir/intern.h"
#include "ir/ir_pool.h"
#include <string.h>

/* Initialize a context in its arena. This is a separate function, so that no local variable is live across setjmp. */
static void init_context(struct sr_context *ctx)
{
	ctx->pool = sr_ir_pool_new(ctx->arena);
	sr_diags_init(&ctx->diags, ctx->arena);
	sr_strings_init(&ctx->strings, ctx->arena);
	sr_map_init(&ctx->infos, ctx->arena);
	ctx->interner = sr_interner_new(ctx->arena);
	ctx->unknown_loc = sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_UNKNOWN});
}

struct sr_context *sr_context_new(void)
{
	struct sr_arena *arena = sr_arena_new();
	jmp_buf unwind;
	if (!arena)
		return NULL;
	if (setjmp(unwind)) {
		sr_arena_free(arena);
		return NULL;
	}
	sr_arena_guard(arena, &unwind);
	struct sr_context *ctx = SR_NEW(arena, struct sr_context);
	ctx->arena = arena;
	ctx->scratch = sr_arena_scratch(arena);
	init_context(ctx);
	sr_arena_guard(arena, NULL);
	return ctx;
}

void sr_context_free(struct sr_context *ctx)
{
	if (ctx)
		sr_arena_free(ctx->arena);
}

const char *sr_intern_n(struct sr_context *ctx, const char *s, size_t n)
{
	return sr_strings_intern(&ctx->strings, s, n);
}

const char *sr_intern(struct sr_context *ctx, const char *s)
{
	return sr_intern_n(ctx, s, strlen(s));
}

const struct sr_op_info *sr_op_info_of(struct sr_context *ctx, const char *name)
{
	const char *key = sr_intern(ctx, name);
	const struct sr_op_info *registered_info = ctx->registry ? sr_map_get(&ctx->registry->infos, key) : NULL;
	if (registered_info)
		return registered_info;
	void **slot = sr_map_at(&ctx->infos, key);
	if (!*slot) {
		const char *dot = strchr(key, '.');
		struct sr_op_info *info = SR_NEW(ctx->arena, struct sr_op_info);
		info->name = key;
		info->dialect = dot ? sr_intern_n(ctx, key, (size_t)(dot - key)) : "";
		*sr_map_at(&ctx->infos, key) = info;
		return info;
	}
	return *slot;
}

void sr_note_replication(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, const char *cure)
{
	struct sr_src_loc place = sr_loc_source(op->loc);
	int64_t bytes;
	if (!sr_type_bytes(v->type, &bytes))
		return;
	for (size_t i = 0; i < ctx->replication_notes.n; i++) {
		struct sr_replication_note *note = &ctx->replication_notes.data[i];
		if (note->op == op->info->name && note->place.file == place.file && note->place.line == place.line &&
		    note->place.col == place.col) {
			note->bytes += bytes;
			return;
		}
	}
	sr_push(ctx->arena, &ctx->replication_notes, (struct sr_replication_note){op->info->name, cure, place, bytes});
}
