/* Functions of threaded code for single elements of TYPE. Included through each_type.h by scalar_code.c, after scalar_body.h. */
#define ELEMENT(k) LOAD(*(const S *)op->at[k])
#define IN_REGISTER LOAD(_Generic((S){0}, float: single, double: real, default: (S)integer))
/* A function of x and y, which are the arguments X and Y, for a kernel with n_inputs arguments. */
#define FORM(name, n_inputs, out_type, X, Y, ...) \
	static inline out_type FN(name##_value)(SR_CODE_PARAMETERS) \
	{ \
		const __auto_type x = X; \
		const __auto_type y = Y; \
		(void)x, (void)y, (void)data, (void)integer, (void)single, (void)real; \
		return *(out_type *)op->at[n_inputs] = (out_type)(__VA_ARGS__); \
	} \
	static struct sr_code_op *FN(name)(SR_CODE_PARAMETERS) \
	{ \
		const out_type out = FN(name##_value)(op, data, integer, single, real); \
		integer = _Generic(out, float: integer, double: integer, default: (uint64_t)out); \
		single = _Generic(out, float: out, default: single); \
		real = _Generic(out, double: out, default: real); \
		return SR_CODE_NEXT; \
	}
#define CODE_1(name, out_type, ...) \
	FORM(name##_memory, 1, out_type, ELEMENT(0), x, __VA_ARGS__) FORM(name##_first, 1, out_type, IN_REGISTER, x, __VA_ARGS__)
#define CODE_2(name, out_type, ...) \
	FORM(name##_memory, 2, out_type, ELEMENT(0), ELEMENT(1), __VA_ARGS__) \
	FORM(name##_first, 2, out_type, IN_REGISTER, ELEMENT(1), __VA_ARGS__) \
	FORM(name##_second, 2, out_type, ELEMENT(0), IN_REGISTER, __VA_ARGS__)
#define FORMS_1(name) {FN(name##_memory), FN(name##_first)}
#define FORMS_2(name) {FN(name##_memory), FN(name##_first), FN(name##_second)}
#define CALL_1(id) FN(id)(x)
#define CALL_2(id) FN(id)(x, y)
#define ROW_CHEAP(id, arity, ...) __VA_OPT__(CODE_##arity(code_##id, S, STORE(CALL_##arity(id))))
#define ROW_DIVIDE(id, arity, ...) ROW_CHEAP(id, arity, __VA_ARGS__)
#define ROW_TRANSCENDENTAL(id, arity, ...)
#define MAP(id, name, arity, work, ...) ROW_##work(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef ROW_CHEAP
#undef ROW_DIVIDE

CODE_2(code_EQ, uint8_t, x == y)
CODE_2(code_NE, uint8_t, x != y)
CODE_2(code_LT, uint8_t, x < y)
CODE_2(code_LE, uint8_t, x <= y)
CODE_2(code_GT, uint8_t, x > y)
CODE_2(code_GE, uint8_t, x >= y)
FORM(code_SELECT_memory, 3, S, 0, 0, *(const S *)op->at[*(const uint8_t *)op->at[0] ? 1 : 2])
FORM(code_CLAMP_memory, 3, S, 0, 0, STORE(FN(MINIMUM)(FN(MAXIMUM)(ELEMENT(1), ELEMENT(0)), ELEMENT(2))))
/* Conversions to types to which each element of TYPE is rounded at most once. */
#if CLASS != COLUMNS_FLOAT
CODE_1(code_to_8, uint8_t, x)
CODE_1(code_to_16, uint16_t, x)
CODE_1(code_to_32, uint32_t, x)
CODE_1(code_to_64, uint64_t, x)
#endif
CODE_1(code_to_F32, float, x)
CODE_1(code_to_F64, double, x)

static sr_code_fn *const *FN(code_of)(enum sr_kernel kernel, const struct sr_map_params *p)
{
	static sr_code_fn *const compares[][SR_CODE_FORMS] = {
		[SR_EQ] = FORMS_2(code_EQ), [SR_NE] = FORMS_2(code_NE), [SR_LT] = FORMS_2(code_LT),
		[SR_LE] = FORMS_2(code_LE), [SR_GT] = FORMS_2(code_GT), [SR_GE] = FORMS_2(code_GE)};
	static sr_code_fn *const conversions[SR_DTYPE_COUNT][SR_CODE_FORMS] = {
		[SR_F32] = FORMS_1(code_to_F32), [SR_F64] = FORMS_1(code_to_F64),
#if CLASS != COLUMNS_FLOAT
		[SR_I8] = FORMS_1(code_to_8), [SR_UI8] = FORMS_1(code_to_8),
		[SR_I16] = FORMS_1(code_to_16), [SR_UI16] = FORMS_1(code_to_16),
		[SR_I32] = FORMS_1(code_to_32), [SR_UI32] = FORMS_1(code_to_32),
		[SR_I64] = FORMS_1(code_to_64), [SR_UI64] = FORMS_1(code_to_64),
#endif
	};
	static sr_code_fn *const maps[SR_KERNEL_COUNT][SR_CODE_FORMS] = {
		[SR_KERNEL_SELECT] = {FN(code_SELECT_memory)}, [SR_KERNEL_CLAMP] = {FN(code_CLAMP_memory)},
#define ROW_CHEAP(id, arity, ...) __VA_OPT__([SR_KERNEL_##id] = FORMS_##arity(code_##id),)
#define ROW_DIVIDE(id, arity, ...) ROW_CHEAP(id, arity, __VA_ARGS__)
#define MAP(id, name, arity, work, ...) ROW_##work(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef ROW_CHEAP
#undef ROW_DIVIDE
	};
	sr_code_fn *const *forms = kernel == SR_KERNEL_CONVERT ? conversions[p->out] : maps[kernel];
	if (kernel == SR_KERNEL_COMPARE)
		return p->variant < 6 ? compares[p->variant] : NULL;
	return forms[SR_CODE_MEMORY] ? forms : NULL;
}
#undef ROW_TRANSCENDENTAL
#undef CALL_1
#undef CALL_2
#undef FORMS_1
#undef FORMS_2
#undef CODE_1
#undef CODE_2
#undef FORM
#undef IN_REGISTER
#undef ELEMENT
