/* Types of arguments from the files and texts of --input, before the program is compiled. */
#include "dialect/ops.h"
#include "exec/values/bind.h"
#include "exec/values/input_names.h"
#include "io/input.h"

static enum sr_status match_inputs(struct sr_context *ctx, struct sr_bind_types *types, const struct sr_op *func)
{
	int n_extra, n = sr_func_type(func)->n_inputs;
	types->texts = SR_NEW_ARRAY(ctx->arena, const char *, n + 1);
	return sr_inputs_assign(&types->o->inputs, sr_func_argument_names(func, ctx->arena), n, &types->archives, types->texts,
				&n_extra, ctx->arena, &ctx->diags);
}

const struct sr_type *sr_bind_argument_type(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					    const struct sr_type *declared, enum sr_status *status)
{
	struct sr_bind_types *types = data;
	struct sr_input input;
	*status = types->texts ? SR_OK : match_inputs(ctx, types, func);
	if (*status || !types->texts[i])
		return NULL;
	const char *text = types->texts[i], *flag = sr_printf(ctx->arena, "--input=%s", text);
	*status = sr_input_open(&ctx->diags, ctx->arena, &types->archives, flag, text, declared->element->dtype, &input);
	if (*status)
		return NULL;
	sr_input_close(&input);
	if (input.value.kind != SR_VALUE_NPY_FILE)
		return sr_type_tensor(ctx, input.value.type, input.value.rank, input.value.dims);
	enum sr_dtype type = sr_npy_accepts(&input.npy, declared->element->dtype) ? declared->element->dtype : input.npy.type;
	if (type == SR_DTYPE_NONE)
		*status = sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){.file = input.file.path},
				   "holds raw bytes, but argument %d has type %s", i, sr_type_string(ctx, declared));
	return *status ? NULL : sr_type_tensor(ctx, type, input.npy.rank, input.npy.dims);
}
