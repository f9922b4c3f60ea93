/* Functions of threaded code for single elements of TYPE. Included through each_type.h by scalar_code.c, after scalar_body.h. */
#define ELEMENT(k) LOAD(*(const S *)op->at[k])
#define CODE(name, n_inputs, out_type, ...) \
	static struct sr_code_op *name(struct sr_code_op *op, const void *data) \
	{ \
		*(out_type *)op->at[n_inputs] = __VA_ARGS__; \
		return SR_CODE_NEXT; \
	}
#define CALL_1(id) FN(id)(ELEMENT(0))
#define CALL_2(id) FN(id)(ELEMENT(0), ELEMENT(1))
#define ROW_CHEAP(id, arity, ...) __VA_OPT__(CODE(FN(code_##id), arity, S, STORE(CALL_##arity(id))))
#define ROW_DIVIDE(id, arity, ...) ROW_CHEAP(id, arity, __VA_ARGS__)
#define ROW_TRANSCENDENTAL(id, arity, ...)
#define MAP(id, name, arity, work, ...) ROW_##work(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef ROW_CHEAP
#undef ROW_DIVIDE

CODE(FN(code_EQ), 2, uint8_t, ELEMENT(0) == ELEMENT(1))
CODE(FN(code_NE), 2, uint8_t, ELEMENT(0) != ELEMENT(1))
CODE(FN(code_LT), 2, uint8_t, ELEMENT(0) < ELEMENT(1))
CODE(FN(code_LE), 2, uint8_t, ELEMENT(0) <= ELEMENT(1))
CODE(FN(code_GT), 2, uint8_t, ELEMENT(0) > ELEMENT(1))
CODE(FN(code_GE), 2, uint8_t, ELEMENT(0) >= ELEMENT(1))
CODE(FN(code_SELECT), 3, S, *(const S *)op->at[*(const uint8_t *)op->at[0] ? 1 : 2])
CODE(FN(code_CLAMP), 3, S, STORE(FN(MINIMUM)(FN(MAXIMUM)(ELEMENT(1), ELEMENT(0)), ELEMENT(2))))
/* Conversions to types to which each element of TYPE is rounded at most once. */
#if CLASS != COLUMNS_FLOAT
CODE(FN(code_to_8), 1, uint8_t, (uint8_t)ELEMENT(0))
CODE(FN(code_to_16), 1, uint16_t, (uint16_t)ELEMENT(0))
CODE(FN(code_to_32), 1, uint32_t, (uint32_t)ELEMENT(0))
CODE(FN(code_to_64), 1, uint64_t, (uint64_t)ELEMENT(0))
#endif
CODE(FN(code_to_F32), 1, float, (float)ELEMENT(0))
CODE(FN(code_to_F64), 1, double, (double)ELEMENT(0))

static sr_code_fn *FN(code_of)(enum sr_kernel kernel, const struct sr_map_params *p)
{
	static sr_code_fn *const compares[] = {[SR_EQ] = FN(code_EQ), [SR_NE] = FN(code_NE), [SR_LT] = FN(code_LT),
					       [SR_LE] = FN(code_LE), [SR_GT] = FN(code_GT), [SR_GE] = FN(code_GE)};
	static sr_code_fn *const conversions[SR_DTYPE_COUNT] = {
		[SR_F32] = FN(code_to_F32), [SR_F64] = FN(code_to_F64),
#if CLASS != COLUMNS_FLOAT
		[SR_I8] = FN(code_to_8), [SR_UI8] = FN(code_to_8), [SR_I16] = FN(code_to_16), [SR_UI16] = FN(code_to_16),
		[SR_I32] = FN(code_to_32), [SR_UI32] = FN(code_to_32), [SR_I64] = FN(code_to_64), [SR_UI64] = FN(code_to_64),
#endif
	};
	static sr_code_fn *const maps[SR_KERNEL_COUNT] = {
		[SR_KERNEL_SELECT] = FN(code_SELECT), [SR_KERNEL_CLAMP] = FN(code_CLAMP),
#define ROW_CHEAP(id, arity, ...) __VA_OPT__([SR_KERNEL_##id] = FN(code_##id),)
#define ROW_DIVIDE(id, arity, ...) ROW_CHEAP(id, arity, __VA_ARGS__)
#define MAP(id, name, arity, work, ...) ROW_##work(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef ROW_CHEAP
#undef ROW_DIVIDE
	};
	if (kernel == SR_KERNEL_COMPARE)
		return p->variant < 6 ? compares[p->variant] : NULL;
	return kernel == SR_KERNEL_CONVERT ? conversions[p->out] : maps[kernel];
}
#undef ROW_TRANSCENDENTAL
#undef CALL_1
#undef CALL_2
#undef CODE
#undef ELEMENT
