/* What the files and texts of --input say of their types, before the program is compiled. */
#include "dialect/ops.h"
#include "exec/bind.h"
#include "exec/names.h"
#include "io/input.h"

const struct sr_type *sr_bind_argument_type(struct sr_context *ctx, const void *data, const struct sr_op *func, int i,
					    const struct sr_type *declared, enum sr_status *status)
{
	const struct sr_run_options *o = data;
	struct sr_input input;
	int extra, n = sr_func_type(func)->n_inputs;
	const char **texts = SR_NEWS(ctx->arena, const char *, n);
	*status = sr_inputs_place(&o->inputs, sr_func_argument_names(func, ctx->arena), n, texts, &extra, ctx->arena, &ctx->diags);
	if (*status || !texts[i])
		return NULL;
	const char *text = texts[i], *flag = sr_printf(ctx->arena, "--input=%s", text);
	*status = sr_input_open(&ctx->diags, ctx->arena, flag, text, declared->element->dtype, &input);
	if (*status)
		return NULL;
	sr_input_close(&input);
	if (input.value.kind != SR_VALUE_NPY_FILE)
		return sr_type_tensor(ctx, input.value.type, input.value.rank, input.value.dims);
	enum sr_dtype type = sr_npy_accepts(&input.npy, declared->element->dtype) ? declared->element->dtype : input.npy.type;
	if (type == SR_DTYPE_NONE)
		*status = sr_error(&ctx->diags, SR_USAGE, (struct sr_place){.file = input.value.path},
				   "holds raw bytes, but argument %d has type %s", i, sr_type_string(ctx, declared));
	return *status ? NULL : sr_type_tensor(ctx, type, input.npy.rank, input.npy.dims);
}
