/* Define the elementwise kernels for TYPE and their registration, from map.ops. Included through each_type.h, after
 * scalar_body.h. */
#define ARGUMENTS const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end
#define LOOP_1(name, out_type, ...) \
	static void name(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const S *a = buffers[0]; \
		out_type *out = buffers[1]; \
		int64_t step = !p->scalar[0]; \
		for (int64_t i = begin; i < end; i++) { \
			T x = LOAD(a[i * step]); \
			out[i] = __VA_ARGS__; \
		} \
	}
#define LOOP_2(name, out_type, ...) \
	static void name(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const S *a = buffers[0], *b = buffers[1]; \
		out_type *out = buffers[2]; \
		int64_t step = !p->scalar[0], step_b = !p->scalar[1]; \
		for (int64_t i = begin; i < end; i++) { \
			T x = LOAD(a[i * step]), y = LOAD(b[i * step_b]); \
			out[i] = __VA_ARGS__; \
		} \
	}
#define CALL_1(id) FN(id)(x)
#define CALL_2(id) FN(id)(x, y)
#define KERNEL_NAME(id) FN(map_##id)
#define FILL_ROW(id, arity, ...) __VA_OPT__(table->fn[SR_KERNEL_##id][DTYPE_ID] = KERNEL_NAME(id);)

#define MAP_ROW(id, arity, ...) __VA_OPT__(LOOP_##arity(KERNEL_NAME(id), S, STORE(CALL_##arity(id))))
#define MAP(id, name, arity, work, ...) MAP_ROW(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef MAP_ROW

#define MAP_ROW(id, arity, ...) __VA_OPT__(LOOP_##arity(KERNEL_NAME(id), OUT, (OUT)(__VA_ARGS__)))
#define MAP(id, name, arity, work, ...) MAP_ROW(id, arity, __VA_ARGS__)
#if CLASS == COLUMNS_COMPLEX
#define COLUMNS COLUMNS_PART
#define OUT R
#else
#define COLUMNS (CLASS == COLUMNS_FLOAT ? COLUMNS_TEST : 0)
#define OUT uint8_t
#endif
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef MAP_ROW

static void FN(register_kernels)(struct sr_kernels *table)
{
#define MAP(id, name, arity, work, ...) FILL_ROW(id, arity, __VA_ARGS__)
#include "kernels/map/map.ops"
#undef COLUMNS
#undef OUT
#define MAP(id, name, arity, work, ...) FILL_ROW(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
}
#undef ARGUMENTS
#undef LOOP_1
#undef LOOP_2
#undef CALL_1
#undef CALL_2
#undef KERNEL_NAME
#undef FILL_ROW
