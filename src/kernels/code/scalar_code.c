/* Elementwise kernels on single elements as ops of threaded code: those of map.ops that cost a few cycles, comparisons, selections
 * and conversions, for integers, f32 and f64. They use the expressions of the reference kernels. Fast kernels give the same bits,
 * since these functions are exact or rounded correctly. */
#include "kernels/code/code.h"
#include "kernels/element.h"
#define COLUMNS 0
#include "kernels/map/map_columns.h"
#undef COLUMNS

#define WANT_BOOL 1
#define WANT_INTEGER 1
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define BODY "kernels/code/scalar_code_body.h"
#include "kernels/map/each_type.h"
#define TYPE F32
#include "kernels/map/scalar_body.h"
#include "kernels/code/scalar_code_body.h"
#undef TYPE
#define TYPE F64
#include "kernels/map/scalar_body.h"
#include "kernels/code/scalar_code_body.h"
#undef TYPE

sr_code_fn *const *sr_code_scalar(enum sr_kernel kernel, enum sr_dtype type, const struct sr_map_params *params)
{
	static sr_code_fn *const *(*const types[SR_DTYPE_COUNT])(enum sr_kernel kernel, const struct sr_map_params *params) = {
		[SR_I1] = code_of_I1,     [SR_I8] = code_of_I8,     [SR_I16] = code_of_I16,   [SR_I32] = code_of_I32,
		[SR_I64] = code_of_I64,   [SR_UI8] = code_of_UI8,   [SR_UI16] = code_of_UI16, [SR_UI32] = code_of_UI32,
		[SR_UI64] = code_of_UI64, [SR_I2] = code_of_I2,     [SR_I4] = code_of_I4,     [SR_UI2] = code_of_UI2,
		[SR_UI4] = code_of_UI4,   [SR_F32] = code_of_F32,   [SR_F64] = code_of_F64,
	};
	bool is_float = type == SR_F32 || type == SR_F64;
	if (!types[type] || (kernel == SR_KERNEL_REMAINDER && is_float))
		return NULL;
	return types[type](kernel, params);
}
