/* Read integer attributes, and find operand groups by name. */
#include "dialect/signature.h"
#include "dialect/ops.h"
#include <string.h>

bool sr_struct_ints(struct sr_context *ctx, const struct sr_attr *structure, const char *field, const int64_t **v, int64_t *n)
{
	const struct sr_attr *a = sr_attr_field(structure, field);
	*v = NULL;
	*n = 0;
	return !a || sr_attr_ints(ctx, a, v, n);
}

bool sr_op_ints(struct sr_context *ctx, const struct sr_op *op, const char *attr, const int64_t **v, int64_t *n)
{
	const struct sr_attr *a = sr_op_attr(op, attr);
	*v = NULL;
	*n = 0;
	return !a || sr_attr_ints(ctx, a, v, n);
}

int64_t sr_op_int(const struct sr_op *op, const char *attr, int64_t default_value)
{
	const struct sr_attr *a = sr_op_attr(op, attr);
	return a && (a->kind == SR_ATTR_INTEGER || a->kind == SR_ATTR_BOOL || a->kind == SR_ATTR_ENUM) ? a->i : default_value;
}

int64_t sr_op_int_at(struct sr_context *ctx, const struct sr_op *op, const char *attr, int64_t i, int64_t default_value)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(ctx, op, attr, &v, &n) && i < n ? v[i] : default_value;
}

const int64_t *sr_op_segment_sizes(const struct sr_op *op, const char *attr, int64_t sizes[SR_MAX_OPERAND_GROUPS], int64_t *n)
{
	const struct sr_attr *a = sr_op_attr(op, attr);
	*n = 0;
	if (!a || a->kind != SR_ATTR_DENSE_ARRAY || a->type->dtype != SR_I32)
		return NULL;
	*n = a->dense->n_bytes / 4;
	for (int64_t i = 0; i < *n && i < SR_MAX_OPERAND_GROUPS; i++)
		sizes[i] = ((const int32_t *)a->dense->data)[i];
	return sizes;
}

void sr_op_segment(const struct sr_op *op, const char *operand_name, int *first, int *n)
{
	const struct sr_signature *s = op->info->signature;
	const int64_t *sizes = NULL;
	int64_t n_sizes = 0, segments[SR_MAX_OPERAND_GROUPS];
	int counts[SR_MAX_OPERAND_GROUPS];
	*first = *n = 0;
	if (!s)
		return;
	if (s->has_operand_segments)
		sizes = sr_op_segment_sizes(op, "operandSegmentSizes", segments, &n_sizes);
	if (!sr_slots_count(s->operands, s->n_operands, op->n_operands, sizes, n_sizes, counts))
		return;
	for (int i = 0; i < s->n_operands; i++) {
		if (strcmp(s->operands[i].name, operand_name) == 0) {
			*n = counts[i];
			return;
		}
		*first += counts[i];
	}
	*first = 0;
}
