/* Create types and compute their sizes. */
#include "ir/ir.h"
#include "support/checked.h"

const struct sr_type *sr_type_scalar(struct sr_context *ctx, enum sr_dtype t)
{
	const struct sr_dtype_info *info = &sr_dtypes[t];
	switch (info->class) {
	case SR_CLASS_BOOL:
	case SR_CLASS_SINT:
		return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_INTEGER, .width = info->bits});
	case SR_CLASS_UINT:
		return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_INTEGER, .width = info->bits, .sign = SR_UNSIGNED});
	case SR_CLASS_COMPLEX:
		return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_COMPLEX,
							     .element = sr_type_scalar(ctx, sr_dtype_complex_part(t))});
	case SR_CLASS_FLOAT:
		return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_FLOAT, .dtype = t});
	default:
		return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_NONE});
	}
}

const struct sr_type *sr_type_tensor_of(struct sr_context *ctx, const struct sr_type *element, int rank, const int64_t *shape,
					const struct sr_attr *encoding)
{
	return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_TENSOR, .rank = rank, .shape = shape, .element = element,
						     .encoding = encoding});
}

const struct sr_type *sr_type_tensor(struct sr_context *ctx, enum sr_dtype t, int rank, const int64_t *shape)
{
	return sr_type_tensor_of(ctx, sr_type_scalar(ctx, t), rank, shape, NULL);
}

const struct sr_type *sr_type_with_shape(struct sr_context *ctx, const struct sr_type *tensor, int rank, const int64_t *shape)
{
	struct sr_type t = *tensor;
	t.rank = rank;
	t.shape = shape;
	return sr_type_intern(ctx, &t);
}

const struct sr_type *sr_type_function(struct sr_context *ctx, const struct sr_type *const *in, int n_in,
				       const struct sr_type *const *out, int n_out)
{
	return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_FUNCTION, .inputs = in, .n_inputs = n_in, .results = out,
						     .n_results = n_out});
}

bool sr_type_is_static(const struct sr_type *t)
{
	if (t->kind != SR_TYPE_TENSOR)
		return false;
	for (int i = 0; i < t->rank; i++)
		if (t->shape[i] == SR_DYNAMIC)
			return false;
	return true;
}

bool sr_type_elements(const struct sr_type *t, int64_t *n)
{
	return !sr_product_overflows(t->shape, t->rank, n);
}

bool sr_type_bytes(const struct sr_type *t, int64_t *bytes)
{
	int64_t n = 0;
	return sr_type_elements(t, &n) && !sr_mul_overflows(n, (int64_t)sr_dtype_bytes(t->dtype), bytes);
}

int64_t sr_value_bytes(const struct sr_value *v)
{
	int64_t bytes;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_bytes(v->type, &bytes) ? bytes : 0;
}

const char *sr_type_string(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_buf buf;
	sr_buf_init(&buf, ctx->arena);
	sr_type_print(t, &buf);
	return sr_buf_string(&buf);
}
