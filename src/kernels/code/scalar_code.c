/* Elementwise kernels on single elements as ops of threaded code: those of map.ops that cost a few cycles, comparisons, selections
 * and conversions, for integers, f32 and f64. They use the expressions of the reference kernels. Fast kernels give the same bits,
 * since these functions are exact or rounded correctly. Common ops have functions that execute two or three of them at once. */
#include "kernels/code/code.h"
#include "kernels/element.h"
#include <string.h>
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
#include "kernels/code/pair_code_body.h"
#undef TYPE
#define TYPE F64
#include "kernels/map/scalar_body.h"
#include "kernels/code/scalar_code_body.h"
#include "kernels/code/pair_code_body.h"
#undef TYPE
#define TYPE I32
#include "kernels/code/pair_code_body.h"
#undef TYPE
#define TYPE I64
#include "kernels/code/pair_code_body.h"
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

enum sr_code_kind sr_code_kind_of(enum sr_kernel kernel)
{
	static const enum sr_code_kind kinds[SR_KERNEL_COUNT] = {
		[SR_KERNEL_ADD] = SR_CODE_ADD, [SR_KERNEL_SUBTRACT] = SR_CODE_SUBTRACT, [SR_KERNEL_MULTIPLY] = SR_CODE_MULTIPLY,
		[SR_KERNEL_SELECT] = SR_CODE_SELECT, [SR_KERNEL_COMPARE] = SR_CODE_COMPARE};
	return kinds[kernel];
}

/* Return the type of a pair's functions: that of its ops which compute; SR_DTYPE_NONE: their types differ. */
static enum sr_dtype type_of_pair(const struct sr_code_template *a, const struct sr_code_template *b)
{
	bool is_copy = a->kind >= SR_CODE_COPY, are_copies = is_copy && b->kind >= SR_CODE_COPY;
	if (are_copies)
		return a->op.n != b->op.n ? SR_DTYPE_NONE : a->op.n == 4 ? SR_I32 : SR_I64;
	enum sr_dtype type = is_copy ? b->out : a->out;
	const struct sr_code_template *copy = is_copy ? a : b;
	bool is_same = copy->kind >= SR_CODE_COPY ? copy->op.n == sr_dtype_bytes(type) : a->out == b->out;
	return is_same ? type : SR_DTYPE_NONE;
}

static int paired_index(const struct sr_code_template *t, enum sr_code_form form)
{
	static const int first[] = {[SR_CODE_ADD] = 0, [SR_CODE_SUBTRACT] = 3, [SR_CODE_MULTIPLY] = 6, [SR_CODE_SELECT] = 9,
				    [SR_CODE_COPY] = 10, [SR_CODE_LOAD] = 11, [SR_CODE_STORE] = 12};
	return first[t->kind] + (t->kind <= SR_CODE_MULTIPLY ? (int)form : 0);
}

sr_code_fn *sr_code_pair(const struct sr_code_template *t, const enum sr_code_form *forms)
{
	static sr_code_fn *const (*const pairs[SR_DTYPE_COUNT])[SR_CODE_PAIRED] = {
		[SR_I32] = pairs_I32, [SR_I64] = pairs_I64, [SR_F32] = pairs_F32, [SR_F64] = pairs_F64};
	static sr_code_fn *const (*const branches[SR_DTYPE_COUNT])[6][2] = {
		[SR_I32] = branches_I32, [SR_I64] = branches_I64, [SR_F32] = branches_F32, [SR_F64] = branches_F64};
	if (t[0].kind == SR_CODE_COMPARE && branches[t[0].in] && sr_code_is_branch(t + 1) && t[0].variant <= SR_GE)
		return branches[t[0].in][forms[0]][t[0].variant][t[1].kind - SR_CODE_JUMP_IF_TRUE];
	bool is_pair = t[0].kind && t[1].kind && t[0].kind <= SR_CODE_STORE && t[1].kind <= SR_CODE_STORE;
	enum sr_dtype type = is_pair ? type_of_pair(t, t + 1) : SR_DTYPE_NONE;
	return pairs[type] ? pairs[type][paired_index(t, forms[0])][paired_index(t + 1, forms[1])] : NULL;
}

sr_code_fn *sr_code_count(const struct sr_code_template *t, const enum sr_code_form *forms)
{
	static sr_code_fn *const (*const counts[SR_DTYPE_COUNT])[2] = {
		[SR_I32] = counts_I32, [SR_I64] = counts_I64, [SR_F32] = counts_F32, [SR_F64] = counts_F64};
	bool is_count = t[0].kind == SR_CODE_ADD && t[1].kind == SR_CODE_COMPARE &&
			forms[1] == SR_CODE_FIRST && t[1].variant <= SR_GE && sr_code_is_branch(t + 2);
	return is_count && counts[t[0].out] ? counts[t[0].out][t[1].variant][t[2].kind - SR_CODE_JUMP_IF_TRUE] : NULL;
}
