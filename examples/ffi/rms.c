/* A custom kernel in C: y = x / sqrt(mean(x^2) + eps), row by row. It uses XLA's FFI, whose header comes with jaxlib; shardrun and JAX
 * call the same library (README). */
#include "xla/ffi/api/c_api.h"
#include <math.h>
#include <string.h>

static XLA_FFI_Error *refuse(const XLA_FFI_CallFrame *frame, const char *message)
{
	XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message,
					  XLA_FFI_Error_Code_INVALID_ARGUMENT};
	return frame->api->XLA_FFI_Error_Create(&args);
}

/* Return the float attribute `name`, or NULL. */
static const float *find_float(const XLA_FFI_Attrs *attrs, const char *name)
{
	for (int64_t i = 0; i < attrs->size; i++) {
		const XLA_FFI_Scalar *scalar = attrs->attrs[i];
		if (attrs->types[i] == XLA_FFI_AttrType_SCALAR && attrs->names[i]->len == strlen(name) &&
		    !memcmp(attrs->names[i]->ptr, name, strlen(name)) && scalar->dtype == XLA_FFI_DataType_F32)
			return scalar->value;
	}
	return NULL;
}

static void normalize(const float *x, float *y, int64_t rows, int64_t columns, float eps)
{
	for (int64_t r = 0; r < rows; r++, x += columns, y += columns) {
		float sum = 0;
		for (int64_t i = 0; i < columns; i++)
			sum += x[i] * x[i];
		float scale = 1 / sqrtf(sum / (float)columns + eps);
		for (int64_t i = 0; i < columns; i++)
			y[i] = x[i] * scale;
	}
}

XLA_FFI_Error *RmsNorm(XLA_FFI_CallFrame *frame)
{
	XLA_FFI_Extension_Base *extension = frame->extension_start;
	if (extension && extension->type == XLA_FFI_Extension_Metadata) { /* XLA asks for the API version before the first call */
		XLA_FFI_Api_Version *version = &((XLA_FFI_Metadata_Extension *)extension)->metadata->api_version;
		version->major_version = XLA_FFI_API_MAJOR;
		version->minor_version = XLA_FFI_API_MINOR;
		return NULL;
	}
	const float *eps = find_float(&frame->attrs, "eps");
	if (frame->args.size != 1 || frame->rets.size != 1 || !eps)
		return refuse(frame, "one operand, one result and a float eps are expected");
	const XLA_FFI_Buffer *x = frame->args.args[0], *y = frame->rets.rets[0];
	if (x->dtype != XLA_FFI_DataType_F32 || x->rank < 1)
		return refuse(frame, "an array of f32 is expected");
	int64_t rows = 1;
	for (int64_t d = 0; d + 1 < x->rank; d++)
		rows *= x->dims[d];
	normalize(x->data, y->data, rows, x->dims[x->rank - 1], *eps);
	return NULL;
}
