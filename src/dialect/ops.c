/* Build the registry of ops that all contexts share from the op table: an info per op with traits, compiled signature and verifier.
 * Dispatch type inference by op code. */
#include "dialect/ops.h"
#include "dialect/signature.h"
#include "dialect/infer/infer.h"
#include "kernels/kernel.h"
#include "support/bug.h"
#include "support/thread.h"
#include <stdatomic.h>
#include <string.h>

struct op_row {
	const char *name, *signature, *attributes;
};

static const struct op_row rows[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] = {#dialect "." #name, signature, attributes},
#include "dialect/table/all.ops"
};

static const uint32_t traits[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define TRAITS(flags) flags,
#include "dialect/table/all.ops"
};

#define OP(dialect, name, signature, attributes)
#define INFER(f) sr_infer_fn sr_infer_##f;
#include "dialect/table/all.ops"

static sr_infer_fn *const infer_functions[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define INFER(f) sr_infer_##f,
#include "dialect/table/all.ops"
};

/* Return the interned name of an op, in which "__" in its C identifier is replaced by a dash. */
static const char *op_name(struct sr_strings *strings, const char *name)
{
	char buffer[128];
	size_t n = 0;
	for (const char *s = name; *s; s++) {
		bool is_dash = s[0] == '_' && s[1] == '_';
		if (n == sizeof buffer)
			sr_bug("op table: the name %s is too long", name);
		buffer[n++] = is_dash ? '-' : *s;
		s += is_dash;
	}
	return sr_strings_intern(strings, buffer, n);
}

/* The registry that all contexts share. The first thread that needs the registry creates it under the lock. */
static struct sr_op_info infos[SR_OP_COUNT];
static struct sr_registry *_Atomic registry;
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;

static enum sr_status make_registry(void *data)
{
	struct sr_arena *arena = data;
	struct sr_registry *new_registry = SR_NEW(arena, struct sr_registry);
	sr_strings_init(&new_registry->strings, arena);
	sr_map_init(&new_registry->infos, arena);
	for (int code = 1; code < SR_OP_COUNT; code++) {
		const char *name = op_name(&new_registry->strings, rows[code].name);
		infos[code] = (struct sr_op_info){
		    .name = name,
		    .dialect = sr_strings_intern(&new_registry->strings, name, strcspn(name, ".")),
		    .code = code,
		    .kernel = sr_kernel_find(strchr(name, '.') + 1),
		    .traits = traits[code],
		    .signature = sr_signature_compile(&new_registry->strings, name, rows[code].signature, rows[code].attributes),
		    .verify = sr_op_verify,
		};
		sr_map_put(&new_registry->infos, name, &infos[code]);
	}
	atomic_store_explicit(&registry, new_registry, memory_order_release);
	return SR_OK;
}

/* Return the shared registry, which lives until the process ends; NULL if memory ran out. */
static const struct sr_registry *shared_registry(void)
{
	const struct sr_registry *new_registry = atomic_load_explicit(&registry, memory_order_acquire);
	if (new_registry)
		return new_registry;
	pthread_mutex_lock(&registry_lock);
	struct sr_arena *arena = registry ? NULL : sr_arena_new();
	if (arena && sr_arena_guarded(arena, make_registry, arena))
		sr_arena_free(arena);
	new_registry = registry;
	pthread_mutex_unlock(&registry_lock);
	return new_registry;
}

void sr_dialects_register(struct sr_context *ctx)
{
	if (ctx->registry)
		return;
	ctx->registry = shared_registry();
	if (!ctx->registry)
		sr_arena_unwind(ctx->arena);
	if (ctx->strings.n)
		sr_bug("dialects must be registered before the context has strings");
	ctx->strings.shared_strings = &ctx->registry->strings;
}

const struct sr_op_info *sr_info(struct sr_context *ctx, enum sr_op_code code)
{
	(void)ctx;
	return &infos[code];
}

enum sr_status sr_op_infer(struct sr_infer *in)
{
	return infer_functions[in->op->info->code](in);
}
