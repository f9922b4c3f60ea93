/* Strided copies of ops: each function starts from the dense copy of a tensor of the loop's shape, and changes strides and
 * offsets. And comparisons. */
#include "optimize/kernel_params.h"
#include "dialect/signature.h"
#include <string.h>

struct mover {
	struct sr_context *ctx;
	const struct sr_op *op;
	int operand;
	const struct sr_type *in, *out;
	int64_t in_stride[SR_KERNEL_RANK], out_stride[SR_KERNEL_RANK];
	struct sr_move_params *m;
};

static void strides(const struct sr_type *t, int64_t *out)
{
	int64_t n = 1;
	for (int d = t->rank - 1; d >= 0; d--) {
		out[d] = n;
		n *= t->shape[d];
	}
}

/* The copy goes over this shape, which is that of the source or of the result. */
static void over(struct mover *v, const struct sr_type *t)
{
	v->m->rank = t->rank;
	v->m->bytes = sr_dtype_bytes(v->out->dtype);
	memcpy(v->m->shape, t->shape, sizeof(int64_t) * (size_t)t->rank);
	memcpy(v->m->src_stride, v->in_stride, sizeof v->in_stride);
	memcpy(v->m->dst_stride, v->out_stride, sizeof v->out_stride);
}

static const int64_t *ints(const struct mover *v, const char *name, int64_t *n)
{
	const int64_t *list = NULL;
	sr_op_ints(v->ctx, v->op, name, &list, n);
	return list;
}

static void reshape(struct mover *v)
{
	over(v, v->out);
	memcpy(v->m->src_stride, v->out_stride, sizeof v->out_stride);
}

static void broadcast(struct mover *v)
{
	int64_t n;
	const int64_t *dims = ints(v, "broadcast_dimensions", &n);
	over(v, v->out);
	memset(v->m->src_stride, 0, sizeof v->m->src_stride);
	for (int64_t i = 0; i < n; i++)
		if (v->in->shape[i] != 1)
			v->m->src_stride[dims[i]] = v->in_stride[i];
}

static void transpose(struct mover *v)
{
	int64_t n;
	const int64_t *permutation = ints(v, "permutation", &n);
	over(v, v->out);
	for (int64_t i = 0; i < n; i++)
		v->m->src_stride[i] = v->in_stride[permutation[i]];
}

static void slice(struct mover *v)
{
	int64_t n, k;
	const int64_t *start = ints(v, "start_indices", &n), *step = ints(v, "strides", &k);
	over(v, v->out);
	for (int64_t i = 0; i < n; i++) {
		v->m->src_offset += start[i] * v->in_stride[i];
		v->m->src_stride[i] = v->in_stride[i] * (i < k ? step[i] : 1);
	}
}

static void reverse(struct mover *v)
{
	int64_t n;
	const int64_t *dims = ints(v, "dimensions", &n);
	over(v, v->out);
	for (int64_t i = 0; i < n; i++) {
		v->m->src_offset += (v->m->shape[dims[i]] - 1) * v->m->src_stride[dims[i]];
		v->m->src_stride[dims[i]] = -v->m->src_stride[dims[i]];
	}
}

static void concatenate(struct mover *v)
{
	int64_t dim = sr_op_int(v->op, "dimension", 0);
	over(v, v->in);
	for (int i = 0; i < v->operand; i++)
		v->m->dst_offset += sr_operand(v->op, i)->type->shape[dim] * v->out_stride[dim];
}

/* What stays inside: negative padding cuts, interior padding is a stride of the result. */
static void pad(struct mover *v)
{
	int64_t n, k;
	const int64_t *low = ints(v, "edge_padding_low", &n), *interior = ints(v, "interior_padding", &k);
	over(v, v->in);
	for (int64_t d = 0; d < n; d++) {
		int64_t step = (d < k ? interior[d] : 0) + 1, first = low[d] < 0 ? (-low[d] + step - 1) / step : 0,
			last = v->in->shape[d];
		while (last > first && low[d] + (last - 1) * step >= v->out->shape[d])
			last--;
		v->m->shape[d] = last > first ? last - first : 0;
		v->m->src_offset += first * v->in_stride[d];
		v->m->dst_offset += (low[d] + first * step) * v->out_stride[d];
		v->m->dst_stride[d] = v->out_stride[d] * step;
	}
}

static const struct {
	enum sr_op_code code;
	void (*fill)(struct mover *v);
	int n_moved; /* operands that are moved, -1: all */
} rows[] = {
	{SR_OP_stablehlo_broadcast_in_dim, broadcast, 1},
	{SR_OP_stablehlo_concatenate, concatenate, -1},
	{SR_OP_stablehlo_pad, pad, 1},
	{SR_OP_stablehlo_reshape, reshape, 1},
	{SR_OP_stablehlo_reverse, reverse, 1},
	{SR_OP_stablehlo_slice, slice, 1},
	{SR_OP_stablehlo_transpose, transpose, 1},
};

static bool fits(const struct sr_type *t)
{
	return sr_type_is_static(t) && t->rank <= SR_KERNEL_RANK && t->dtype != SR_DTYPE_NONE;
}

bool sr_move_of(struct sr_context *ctx, const struct sr_op *op, int operand, struct sr_move_params *out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!sr_op_is(op, rows[i].code) || (rows[i].n_moved >= 0 && operand >= rows[i].n_moved))
			continue;
		struct mover v = {ctx, op, operand, sr_operand(op, operand)->type, op->results[0].type, {0}, {0}, out};
		if (!fits(v.in) || !fits(v.out))
			return false;
		memset(out, 0, sizeof *out);
		strides(v.in, v.in_stride);
		strides(v.out, v.out_stride);
		rows[i].fill(&v);
		return true;
	}
	return false;
}

bool sr_move_is_empty(const struct sr_move_params *m)
{
	for (int d = 0; d < m->rank; d++)
		if (m->shape[d] == 0)
			return true;
	return false;
}

uint8_t sr_compare_of(const struct sr_op *compare)
{
	static const char *const names[] = {
		[SR_EQ] = "EQ", [SR_NE] = "NE", [SR_LT] = "LT", [SR_LE] = "LE", [SR_GT] = "GT", [SR_GE] = "GE"};
	const char *direction = sr_attr_enum_name(sr_op_attr(compare, "comparison_direction"));
	const struct sr_attr *type = sr_op_attr(compare, "compare_type");
	uint8_t variant = 0;
	while (strcmp(names[variant], direction) != 0)
		variant++;
	return type && strcmp(sr_attr_enum_name(type), "TOTALORDER") == 0 ? variant | 8 : variant;
}
