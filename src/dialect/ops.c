/* Register the op table in a context: an info per op with traits, compiled signature and verifier; and type inference by op
 * code. */
#include "dialect/ops.h"
#include "dialect/signature.h"
#include "dialect/infer/infer.h"
#include "kernels/kernel.h"
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

static sr_infer_fn *const infer[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define INFER(f) sr_infer_##f,
#include "dialect/table/all.ops"
};

/* "__" in a C identifier stands for a dash in the op's name. */
static const char *op_name(struct sr_context *ctx, const char *name)
{
	const char *dashed = strstr(name, "__");
	if (!dashed)
		return sr_intern(ctx, name);
	char *copy = sr_strdup(ctx->arena, name), *to = copy;
	for (const char *from = name; *from; from++) {
		bool dash = from[0] == '_' && from[1] == '_';
		*to++ = dash ? '-' : *from;
		from += dash;
	}
	*to = 0;
	return sr_intern(ctx, copy);
}

void sr_dialects_register(struct sr_context *ctx)
{
	for (int code = 1; code < SR_OP_COUNT; code++) {
		const char *name = op_name(ctx, rows[code].name);
		struct sr_op_info *info = SR_NEW(ctx->arena, struct sr_op_info);
		info->name = name;
		info->dialect = sr_intern_n(ctx, name, strcspn(name, "."));
		info->code = code;
		info->kernel = sr_kernel_find(strchr(name, '.') + 1);
		info->traits = traits[code];
		info->signature = sr_signature_compile(ctx, name, rows[code].signature, rows[code].attributes);
		info->verify = sr_op_verify;
		sr_map_put(&ctx->infos, name, info);
	}
}

const struct sr_op_info *sr_info(struct sr_context *ctx, enum sr_op_code code)
{
	const char *name = strstr(rows[code].name, "__") ? op_name(ctx, rows[code].name) : rows[code].name;
	return sr_op_info_of(ctx, name);
}

enum sr_status sr_op_infer(struct sr_infer *in)
{
	return infer[in->op->info->code](in);
}
