/* Infer result types of dot products, convolutions, factorizations and FFTs. */
#include "dialect/infer/infer.h"
#include "kernels/kernel.h"
#include <string.h>

sr_infer_fn sr_infer_cholesky, sr_infer_convolution, sr_infer_dot, sr_infer_dot_general, sr_infer_dynamic_conv, sr_infer_fft,
	sr_infer_ragged_dot, sr_infer_triangular_solve;

static const char *describe_two_types(const struct sr_infer *in, const struct sr_type *a, const struct sr_type *b)
{
	return sr_printf(in->ctx->arena, "'%s' and '%s'", sr_infer_type_str(in, a), sr_infer_type_str(in, b));
}

/* Set a result type whose shape is inferred and whose element type is not: the declared element type, or lhs's if none is
 * declared. */
static enum sr_status set_result_shape(struct sr_infer *in, int rank, const int64_t *shape, const int64_t *bounds)
{
	const struct sr_type *lhs = sr_infer_operand(in, 0), *declared_type = in->types[0];
	const struct sr_type *inferred_type = sr_infer_tensor(in, declared_type ? declared_type : lhs, rank, shape, bounds);
	if (declared_type && !sr_shapes_compatible(inferred_type, declared_type))
		return sr_infer_error(in, "inferred shape '[%s]' is incompatible with return type of operation '%s'",
				      sr_dims_str(in->ctx, shape, rank), sr_infer_type_str(in, declared_type));
	in->types[0] = declared_type ? declared_type : inferred_type;
	return SR_OK;
}

static enum sr_status check_precision(struct sr_infer *in)
{
	const struct sr_attr *list = sr_op_attr(in->op, "precision_config");
	if (list && list->n > 2)
		return sr_infer_error(in, "expects precision config to be empty or have <= 2 elements, got %d", list->n);
	return SR_OK;
}

enum sr_status sr_infer_dot(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	int64_t shape[2];
	int rank = 0;
	if (check_precision(in))
		return SR_INVALID;
	bool has_valid_ranks = a->rank >= 1 && a->rank <= 2 && b->rank >= 1 && b->rank <= 2;
	if (!has_valid_ranks || !sr_dims_compatible(a->shape[a->rank - 1], b->shape[0]))
		return sr_infer_error(
			in, "expected both lhs/rhs ranks to be either 1 or 2, and the contracted dimensions to match, but got %s",
			describe_two_types(in, a, b));
	if (a->rank == 2)
		shape[rank++] = a->shape[0];
	if (b->rank == 2)
		shape[rank++] = b->shape[1];
	return set_result_shape(in, rank, shape, NULL);
}

/* ---------------------------------------------------------------- dot_general */

struct dot_op {
	struct sr_ints batching_dims[2], contracting_dims[2]; /* dimension numbers of lhs at [0] and of rhs at [1] */
};

static enum sr_status check_dim_range(struct sr_infer *in, const struct dot_op *d, int side)
{
	static const char *const names[2][2] = {{"lhs_batching_dimensions", "lhs_contracting_dimensions"},
						{"rhs_batching_dimensions", "rhs_contracting_dimensions"}};
	int64_t rank = sr_infer_operand(in, side)->rank;
	for (int k = 0; k < 2; k++) {
		struct sr_ints list = k ? d->contracting_dims[side] : d->batching_dims[side];
		for (int64_t i = 0; i < list.n; i++)
			if (list.v[i] < 0 || list.v[i] >= rank)
				return sr_infer_error(in, "%s value: %lld is out of range: [0, %lld)", names[side][k],
						      (long long)list.v[i], (long long)rank);
	}
	return SR_OK;
}

static enum sr_status check_dot(struct sr_infer *in, const struct dot_op *d)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	if (d->batching_dims[0].n != d->batching_dims[1].n)
		return sr_infer_error(in, "lhs and rhs should have the same number of batching dimensions");
	if (d->contracting_dims[0].n != d->contracting_dims[1].n)
		return sr_infer_error(in, "lhs and rhs should have the same number of contracting dimensions");
	if (sr_check_distinct(in, d->batching_dims[0], "lhs_batching_dimensions", d->contracting_dims[0],
			      "lhs_contracting_dimensions") ||
	    sr_check_distinct(in, d->batching_dims[1], "rhs_batching_dimensions", d->contracting_dims[1],
			      "rhs_contracting_dimensions") ||
	    check_dim_range(in, d, 0) ||
	    check_dim_range(in, d, 1))
		return SR_INVALID;
	for (int64_t i = 0; i < d->batching_dims[0].n; i++)
		if (!sr_dims_compatible(a->shape[d->batching_dims[0].v[i]], b->shape[d->batching_dims[1].v[i]]))
			return sr_infer_error(in, "batching dimension sizes must match for lhs/rhs");
	for (int64_t i = 0; i < d->contracting_dims[0].n; i++)
		if (!sr_dims_compatible(a->shape[d->contracting_dims[0].v[i]], b->shape[d->contracting_dims[1].v[i]]))
			return sr_infer_error(in, "contracting dimension sizes must match for lhs/rhs");
	return SR_OK;
}

static enum sr_status check_algorithm(struct sr_infer *in)
{
	const struct sr_attr *algorithm = sr_op_attr(in->op, "algorithm"), *list = sr_op_attr(in->op, "precision_config");
	if (!algorithm)
		return SR_OK;
	for (int i = 0; list && i < list->n; i++)
		if (strcmp(sr_attr_enum_name(list->list[i]), "DEFAULT") != 0)
			return sr_infer_error(in, "must specify DEFAULT precision config when algorithm is set.");
	const char *error = sr_attr_struct_error(in->ctx, algorithm);
	return error ? sr_infer_error(in, "%s", error) : SR_OK;
}

static int append_free_dims(const struct sr_type *t, struct sr_ints batching_dims, struct sr_ints contracting_dims, int64_t *shape,
			    int rank)
{
	for (int i = 0; i < t->rank; i++)
		if (!sr_list_has(batching_dims.v, batching_dims.n, i) && !sr_list_has(contracting_dims.v, contracting_dims.n, i))
			shape[rank++] = t->shape[i];
	return rank;
}

static enum sr_status check_quantized_dot(struct sr_infer *in, struct sr_ints contracting)
{
	struct sr_quant q;
	if (sr_type_quant_values(in->ctx, sr_infer_operand(in, 1)->element, &q)) {
		for (int i = 0; i < q.n; i++)
			if (q.zero_points[i] != 0)
				return sr_infer_error(in, "Zero point%s of rhs should be 0", q.axis < 0 ? "" : "s");
		if (q.axis >= 0 && sr_list_has(contracting.v, contracting.n, q.axis))
			return sr_infer_error(in, "Quantization dimension of rhs should not be in the contracting dimension of "
						  "rhs");
	}
	return sr_check_quantized_product(in, in->types[0]);
}

enum sr_status sr_infer_dot_general(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	const struct sr_attr *n = sr_op_attr(in->op, "dot_dimension_numbers");
	struct dot_op d = {{sr_field_ints(in, n, "lhs_batching_dimensions"), sr_field_ints(in, n, "rhs_batching_dimensions")},
			{sr_field_ints(in, n, "lhs_contracting_dimensions"), sr_field_ints(in, n, "rhs_contracting_dimensions")}};
	if (check_precision(in) || check_dot(in, &d) || check_algorithm(in))
		return SR_INVALID;
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, a->rank + b->rank);
	int rank = 0;
	for (int64_t i = 0; i < d.batching_dims[0].n; i++) {
		int64_t size = a->shape[d.batching_dims[0].v[i]];
		shape[rank++] = sr_is_dynamic(size) ? b->shape[d.batching_dims[1].v[i]] : size;
	}
	rank = append_free_dims(a, d.batching_dims[0], d.contracting_dims[0], shape, rank);
	rank = append_free_dims(b, d.batching_dims[1], d.contracting_dims[1], shape, rank);
	if (set_result_shape(in, rank, shape, NULL))
		return SR_INVALID;
	return sr_infer_is_quantized(in, in->types[0]) ? check_quantized_dot(in, d.contracting_dims[1]) : SR_OK;
}

/* Check group_sizes of ragged_dot: one list of sizes, or one per index of the dimensions that precede the ragged one (batch
 * dimensions, and lhs's free or contracting dimensions before it). */
static enum sr_status check_group_sizes(struct sr_infer *in, const struct dot_op *d, int64_t ragged_dim, bool is_contracting,
					bool is_batch)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *groups = sr_infer_operand(in, 2);
	int64_t *expected_shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, a->rank + 1);
	int n = 0;
	for (int64_t i = 0; i < d->batching_dims[0].n && !(is_batch && d->batching_dims[0].v[i] == ragged_dim); i++)
		expected_shape[n++] = a->shape[d->batching_dims[0].v[i]];
	for (int64_t i = 0; is_contracting && i < d->contracting_dims[0].n && d->contracting_dims[0].v[i] != ragged_dim; i++)
		expected_shape[n++] = a->shape[d->contracting_dims[0].v[i]];
	for (int i = 0; !is_contracting && !is_batch && i < ragged_dim; i++)
		if (!sr_list_has(d->batching_dims[0].v, d->batching_dims[0].n, i) &&
		    !sr_list_has(d->contracting_dims[0].v, d->contracting_dims[0].n, i))
			expected_shape[n++] = a->shape[i];
	if (groups->rank <= 1)
		return SR_OK;
	if (groups->rank != n + 1)
		return sr_infer_error(in, "expected group_sizes to have rank %d, got %d", n + 1, groups->rank);
	expected_shape[n] = groups->shape[n];
	for (int i = 0; i < n; i++)
		if (!sr_dims_compatible(expected_shape[i], groups->shape[i]))
			return sr_infer_error(in, "group_sizes is expected to have shape [%s], got [%s]",
					      sr_dims_str(in->ctx, expected_shape, n + 1),
					      sr_dims_str(in->ctx, groups->shape, groups->rank));
	return SR_OK;
}

/* Infer the result of chlo.ragged_dot on lhs [b, m, k] and rhs [g, b, k, n]. The rows of m (or of k or b) are divided into groups,
 * and each group is multiplied by its own matrix. */
enum sr_status sr_infer_ragged_dot(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1), *groups = sr_infer_operand(in, 2);
	const struct sr_attr *n = sr_op_attr(in->op, "ragged_dot_dimension_numbers");
	struct dot_op d = {{sr_field_ints(in, n, "lhs_batching_dimensions"), sr_field_ints(in, n, "rhs_batching_dimensions")},
			{sr_field_ints(in, n, "lhs_contracting_dimensions"), sr_field_ints(in, n, "rhs_contracting_dimensions")}};
	struct sr_ints ragged_dims = sr_field_ints(in, n, "lhs_ragged_dimensions"),
		       group_dims = sr_field_ints(in, n, "rhs_group_dimensions");
	in->is_verifying = true;
	if (check_precision(in))
		return SR_INVALID;
	if (!sr_is_ranked(a) || !sr_is_ranked(b))
		return SR_OK;
	if (ragged_dims.n != 1)
		return sr_infer_error(in, "There must be exactly one ragged dimension in the lhs");
	if (check_dot(in, &d) || sr_check_index_range(in, ragged_dims, "lhs_ragged_dimensions", a->rank, "rank-of('lhs')") ||
	    sr_check_index_range(in, group_dims, "rhs_group_dimensions", b->rank, "rank-of('rhs')"))
		return SR_INVALID;
	bool is_batch = sr_list_has(d.batching_dims[0].v, d.batching_dims[0].n, ragged_dims.v[0]);
	bool is_contracting = sr_list_has(d.contracting_dims[0].v, d.contracting_dims[0].n, ragged_dims.v[0]);
	if ((is_batch || is_contracting) && group_dims.n != 0)
		return sr_infer_error(in, "There must be zero group dimensions in the rhs when the ragged dimension is batch or "
					  "contracting");
	if (!is_batch && !is_contracting && group_dims.n != 1)
		return sr_infer_error(in, "There must be exactly one group dimension in the rhs when the lhs ragged dimension is "
					  "non-contracting");
	if (group_dims.n && sr_list_has(d.batching_dims[1].v, d.batching_dims[1].n, group_dims.v[0]))
		return sr_infer_error(in, "has duplicated dimension from rhs_group_dimensions and rhs_batching_dimensions: %lld",
				      (long long)group_dims.v[0]);
	if (group_dims.n && sr_list_has(d.contracting_dims[1].v, d.contracting_dims[1].n, group_dims.v[0]))
		return sr_infer_error(in, "has duplicated dimension from rhs_group_dimensions and rhs_contracting_dimensions: %lld",
				      (long long)group_dims.v[0]);
	if (check_group_sizes(in, &d, ragged_dims.v[0], is_contracting, is_batch))
		return SR_INVALID;
	int64_t count = groups->rank ? groups->shape[groups->rank - 1] : 1;
	if (group_dims.n && !sr_dims_compatible(b->shape[group_dims.v[0]], count))
		return sr_infer_error(in, "rhs group dimension is expected to have size=%lld, got %lld", (long long)count,
				      (long long)b->shape[group_dims.v[0]]);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, a->rank + b->rank + 1);
	int rank = 0;
	if (is_contracting)
		shape[rank++] = count;
	for (int64_t i = 0; i < d.batching_dims[0].n; i++)
		shape[rank++] = a->shape[d.batching_dims[0].v[i]];
	rank = append_free_dims(a, d.batching_dims[0], d.contracting_dims[0], shape, rank);
	for (int i = 0; i < b->rank; i++)
		if (!sr_list_has(d.batching_dims[1].v, d.batching_dims[1].n, i) &&
		    !sr_list_has(d.contracting_dims[1].v, d.contracting_dims[1].n, i) &&
		    !sr_list_has(group_dims.v, group_dims.n, i))
			shape[rank++] = b->shape[i];
	return set_result_shape(in, rank, shape, NULL);
}

/* ---------------------------------------------------------------- convolution */

struct convolution_op {
	const struct sr_type *lhs, *rhs;
	/* dimension numbers of input, kernel and output, each in the order: batch dimension (kernel: input feature dimension),
	 * feature dimension (kernel: output feature dimension), spatial dimensions */
	struct sr_ints dims[3];
	int64_t feature_groups, batch_groups;
};

static struct sr_ints dims_with_spatial(struct sr_infer *in, const struct sr_attr *a, const char *first_name,
					const char *second_name, const char *spatial_name)
{
	struct sr_ints s = sr_field_ints(in, a, spatial_name);
	int64_t *v = SR_NEW_ARRAY(in->ctx->arena, int64_t, s.n + 2);
	v[0] = sr_field_int(a, first_name, 0);
	v[1] = sr_field_int(a, second_name, 0);
	for (int64_t i = 0; i < s.n; i++)
		v[2 + i] = s.v[i];
	return (struct sr_ints){v, s.n + 2};
}

static struct convolution_op read_convolution(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "dimension_numbers");
	return (struct convolution_op){
	    sr_infer_operand(in, 0),
	    sr_infer_operand(in, 1),
	    {dims_with_spatial(in, a, "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"),
	     dims_with_spatial(in, a, "kernel_input_feature_dimension", "kernel_output_feature_dimension",
			       "kernel_spatial_dimensions"),
	     dims_with_spatial(in, a, "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions")},
	    sr_op_int(in->op, "feature_group_count", 1),
	    sr_op_int(in->op, "batch_group_count", 1)};
}

static enum sr_status check_dimension_numbers(struct sr_infer *in, const struct convolution_op *c)
{
	static const char *const names[] = {"input", "kernel", "output"};
	int64_t n = c->dims[0].n;
	if (c->dims[1].n != n || c->dims[2].n != n)
		return sr_infer_error(in,
				      "expects the same size for input, kernel and output spatial-dimensions, but got %lld, %lld, "
				      "and %lld resp.",
				      (long long)n - 2, (long long)c->dims[1].n - 2, (long long)c->dims[2].n - 2);
	for (int k = 0; k < 3; k++)
		if (!sr_in_range(c->dims[k].v, n, 0, c->lhs->rank))
			return sr_infer_error(in, "expects input, kernel, and output dimension-numbers to be in-range [0, %d).",
					      c->lhs->rank);
	for (int k = 0; k < 3; k++)
		if (!sr_is_unique(c->dims[k].v, n))
			return sr_infer_error(in, "expects %s dimension-numbers to be unique, got {%s}.", names[k],
					      sr_dims_str(in->ctx, c->dims[k].v, n));
	return SR_OK;
}

static enum sr_status check_groups(struct sr_infer *in, const struct convolution_op *c)
{
	long long fg = c->feature_groups, bg = c->batch_groups;
	int64_t batch = c->lhs->shape[c->dims[0].v[0]], features = c->lhs->shape[c->dims[0].v[1]];
	int64_t kernel_in = c->rhs->shape[c->dims[1].v[0]], kernel_out = c->rhs->shape[c->dims[1].v[1]];
	if (bg > 1 && fg > 1)
		return sr_infer_error(in,
				      "expects batch_group_count and feature_group_count not to be both greater than 1. Got %lld "
				      "and %lld resp.",
				      bg, fg);
	if (!sr_is_dynamic(batch) && batch % bg != 0)
		return sr_infer_error(in,
				      "expects input batch dimension (%lld) to be divisible by batch_group_count. Got "
				      "batch_group_count = %lld.",
				      (long long)batch, bg);
	if (!sr_is_dynamic(features) && features % fg != 0)
		return sr_infer_error(in, "expects input feature dimension (%lld) to be a multiple of feature_group_count. Got "
				      "feature_group_count = %lld.", (long long)features, fg);
	if (!sr_is_dynamic(features) && !sr_is_dynamic(kernel_in) && features / fg != kernel_in)
		return sr_infer_error(in,
				      "expects input feature dimension (%lld) / feature_group_count = kernel input feature "
				      "dimension (%lld). Got feature_group_count = %lld.",
				      (long long)features, (long long)kernel_in, fg);
	if (!sr_is_dynamic(kernel_out) && kernel_out % bg != 0)
		return sr_infer_error(in, "expects output feature dimension size (%lld) to be a multiple of batch_group_count. Got "
				      "batch_group_count = %lld.", (long long)kernel_out, bg);
	if (!sr_is_dynamic(kernel_out) && kernel_out % fg != 0)
		return sr_infer_error(in,
				      "expects kernel output feature dimension (%lld) to be divisible by feature_group_count. For "
				      "feature_group_count = %lld.",
				      (long long)kernel_out, fg);
	return SR_OK;
}

static enum sr_status check_convolution(struct sr_infer *in, const struct convolution_op *c)
{
	struct sr_quant q;
	bool is_quantized = sr_type_quant(c->lhs->element, &q) || sr_type_quant(c->rhs->element, &q);
	if (c->lhs->rank < 2)
		return sr_infer_error(in, "expects convolution arguments to have >= 2 dimensions. Got: %s.",
				      describe_two_types(in, c->lhs, c->rhs));
	if (c->lhs->rank != c->rhs->rank)
		return sr_infer_error(in, "expects convolution arguments to have same number of dimensions. Got: %s.",
				      describe_two_types(in, c->lhs, c->rhs));
	if (!is_quantized && c->lhs->element != c->rhs->element)
		return sr_infer_error(in, "expects lhs and rhs to have compatible element type. Got: %s",
				      describe_two_types(in, c->lhs->element, c->rhs->element));
	if (check_dimension_numbers(in, c) || check_groups(in, c) || check_precision(in))
		return SR_INVALID;
	if (c->lhs->rank != c->dims[0].n)
		return sr_infer_error(in, "expects convolution arguments to have %lld dimensions. Got: %d", (long long)c->dims[0].n,
				      c->lhs->rank);
	return SR_OK;
}

/* Infer the shape of the result of a convolution: spatial extents from strides, padding and dilations, the batch from the lhs,
 * the features from the kernel. */
static enum sr_status infer_convolution_result(struct sr_infer *in, const struct convolution_op *c, struct sr_ints padding)
{
	static const struct sr_window_names names = {"window_strides", "lhs_dilation", "rhs_dilation", "window_reversal"};
	int64_t n = c->dims[0].n - 2, *sizes = SR_NEW_ARRAY(in->ctx->arena, int64_t, n),
		*shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, c->lhs->rank);
	struct sr_window_dim *w;
	for (int64_t i = 0; i < n; i++)
		sizes[i] = c->rhs->shape[c->dims[1].v[2 + i]];
	enum sr_status st = sr_infer_window(in, &names, sizes, n, padding, &w);
	for (int64_t i = 0; i < n && !st; i++)
		st = sr_infer_window_output(in, &w[i], c->lhs->shape[c->dims[0].v[2 + i]], &shape[c->dims[2].v[2 + i]]);
	if (st)
		return st;
	int64_t batch = c->lhs->shape[c->dims[0].v[0]];
	shape[c->dims[2].v[0]] = sr_is_dynamic(batch) ? batch : batch / c->batch_groups;
	shape[c->dims[2].v[1]] = c->rhs->shape[c->dims[1].v[1]];
	return set_result_shape(in, c->lhs->rank, shape, NULL);
}

/* Check the quantized types of a convolution: per-axis quantization of the kernel and of the result is along their output
 * features. */
static enum sr_status check_quantized_convolution(struct sr_infer *in, const struct convolution_op *c)
{
	struct sr_quant q;
	if (!in->types[0] || !sr_infer_is_quantized(in, in->types[0]))
		return SR_OK;
	if (sr_type_quant(c->rhs->element, &q) && q.axis >= 0 && q.axis != c->dims[1].v[1])
		return sr_infer_error(in, "quantization dimension of rhs should be same with kernel_output_feature_dimension");
	if (sr_type_quant(in->types[0]->element, &q) && q.axis >= 0 && q.axis != c->dims[2].v[1])
		return sr_infer_error(in, "quantization dimension of result should be same with output_feature_dimension");
	return sr_check_quantized_product(in, in->types[0]);
}

enum sr_status sr_infer_convolution(struct sr_infer *in)
{
	struct convolution_op c = read_convolution(in);
	struct sr_ints padding;
	if (check_convolution(in, &c) || sr_infer_padding(in, "padding", &padding) || infer_convolution_result(in, &c, padding))
		return SR_INVALID;
	return check_quantized_convolution(in, &c);
}

enum sr_status sr_infer_dynamic_conv(struct sr_infer *in)
{
	struct convolution_op c = read_convolution(in);
	struct sr_ints values;
	if (check_convolution(in, &c))
		return SR_INVALID;
	const int64_t *shape = sr_infer_operand(in, 2)->shape;
	if (shape[0] != c.lhs->rank - 2 || shape[1] != 2)
		return sr_infer_error(in, "expects padding to be of shape [%d, 2], but got [%s]", c.lhs->rank - 2,
				      sr_dims_str(in->ctx, shape, 2));
	if (sr_value_ints(in->ctx, sr_operand(in->op, 2), &values) && infer_convolution_result(in, &c, values))
		return SR_INVALID;
	return check_quantized_convolution(in, &c);
}

/* ---------------------------------------------------------------- factorizations and transforms */

enum sr_status sr_infer_cholesky(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0);
	if (a->rank < 2)
		return sr_infer_error(in, "argument 'a' must have rank >= 2, got shape %s.",
				      sr_dims_str(in->ctx, a->shape, a->rank));
	if (!sr_dims_compatible(a->shape[a->rank - 2], a->shape[a->rank - 1]))
		return sr_infer_error(in, "minor dimensions of 'a' must have equal size, got shape %s.",
				      sr_dims_str(in->ctx, a->shape, a->rank));
	in->types[0] = a;
	return SR_OK;
}

enum sr_status sr_infer_triangular_solve(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	bool is_left_side = sr_op_int(in->op, "left_side", 0);
	if (a->element != b->element)
		return sr_infer_error(in, "requires compatible element types for all operands and results");
	if (a->rank < 2)
		return sr_infer_error(in, "operand 'a' must have rank >= 2, but got '%s'", sr_infer_type_str(in, a));
	if (!sr_dims_compatible(a->shape[a->rank - 2], a->shape[a->rank - 1]))
		return sr_infer_error(in, "two minor dimensions of operand 'a' must be compatible, but got '%s'",
				      sr_infer_type_str(in, a));
	if (a->rank != b->rank)
		return sr_infer_error(in, "operands must have equal rank, but got %s", describe_two_types(in, a, b));
	if (!sr_dims_compatible(a->shape[a->rank - 1], b->shape[b->rank - (is_left_side ? 2 : 1)]))
		return sr_infer_error(in, "shared dimension of operands 'a' and 'b' must be compatible, but got %s",
				      describe_two_types(in, a, b));
	for (int d = 0; d < a->rank - 2; d++)
		if (!sr_dims_compatible(a->shape[d], b->shape[d]))
			return sr_infer_error(in, "batch dimensions of the operands must be compatible, but got %s",
					      describe_two_types(in, a, b));
	if (strcmp(sr_attr_enum_name(sr_op_attr(in->op, "transpose_a")), "TRANSPOSE_INVALID") == 0)
		return sr_infer_error(in, "Invalid transpose option value for triangular solve");
	in->types[0] = b;
	return SR_OK;
}

/* Infer the element type of the result of fft: RFFT takes real numbers, the other types of transform complex ones. */
static enum sr_status infer_fft_element(struct sr_infer *in, enum sr_fft_kind kind, const struct sr_type **element)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	*element = t->element;
	if (kind == SR_RFFT) {
		if (t->element->dtype != SR_F32 && t->element->dtype != SR_F64)
			return sr_infer_error(in, "RFFT requires f32 or f64 input type, but is given '%s'.",
					      sr_infer_type_str(in, t->element));
		*element = sr_type_scalar(in->ctx, t->element->dtype == SR_F32 ? SR_C64 : SR_C128);
	} else if (t->element->kind != SR_TYPE_COMPLEX) {
		return sr_infer_error(in, "FFT/IFFT/IRFFT take a complex tensor as input, but is given '%s'.",
				      sr_infer_type_str(in, t));
	} else if (kind == SR_IRFFT) {
		*element = t->element->element;
	}
	return SR_OK;
}

/* Format extents as raw integers, including the value that stands for unknown, as upstream's message does. */
static const char *integers_as_text(const struct sr_infer *in, const int64_t *v, int n)
{
	struct sr_buf out;
	sr_buf_init(&out, in->ctx->arena);
	for (int i = 0; i < n; i++)
		sr_buf_printf(&out, "%s%lld", i ? ", " : "", (long long)v[i]);
	return sr_buf_string(&out);
}

/* Check the innermost dimensions against fft_length and set shape[rank - 1] to the result's last extent: n / 2 + 1 for an RFFT
 * of length n, n for an IRFFT. */
static enum sr_status infer_fft_shape(struct sr_infer *in, enum sr_fft_kind kind, struct sr_ints length, int64_t *shape)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	bool is_rfft = kind == SR_RFFT, is_irfft = kind == SR_IRFFT;
	const char *actual_text = integers_as_text(in, t->shape, t->rank),
		   *expected_text = sr_dims_str(in->ctx, length.v, length.n);
	for (int64_t i = 0; i < length.n - is_irfft && (is_rfft || is_irfft); i++) {
		int64_t dim = t->shape[t->rank - length.n + i];
		if (sr_dims_compatible(dim, length.v[i]))
			continue;
		const char *last_mismatch =
			is_irfft ? sr_printf(in->ctx->arena, ", and %lld != %lld", (long long)dim, (long long)length.v[i]) : "";
		return sr_infer_error(in, "%s requires %s dimensions to be compatible with fft_length. Got: %s but wanted %s%s.",
				      is_rfft ? "RFFT" : "IRFFT", is_rfft ? "innermost" : "non-final", actual_text,
				      expected_text, last_mismatch);
	}
	int64_t last_length = length.v[length.n - 1], *out = &shape[t->rank - 1];
	if (is_rfft && last_length != 0)
		*out = last_length / 2 + 1;
	if (is_irfft && (last_length != 0 || *out != 0) && !sr_dims_compatible(*out, last_length / 2 + 1))
		return sr_infer_error(in,
				      "IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: %lld but "
				      "fft_length is %s.",
				      (long long)*out, expected_text);
	if (is_irfft)
		*out = last_length;
	return SR_OK;
}

enum sr_status sr_infer_fft(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *element;
	enum sr_fft_kind kind = (enum sr_fft_kind)sr_op_int(in->op, "fft_type", SR_FFT);
	struct sr_ints length = sr_infer_ints(in, "fft_length");
	if (length.n < 1 || length.n > 3)
		return sr_infer_error(in, "rank must be between 1 and 3, but got %lld.", (long long)length.n);
	for (int64_t i = 0; i < length.n; i++)
		if (length.v[i] < 0)
			return sr_infer_error(in, "fft_length must not be negative, but got %s",
					      sr_dims_str(in->ctx, length.v, length.n));
	if (infer_fft_element(in, kind, &element))
		return SR_INVALID;
	if (t->rank < length.n)
		return sr_infer_error(in, "operand rank must not be less than fft rank of %lld for operand of type '%s'.",
				      (long long)length.n, sr_infer_type_str(in, t));
	int64_t *shape = sr_dup(in->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	if (infer_fft_shape(in, kind, length, shape))
		return SR_INVALID;
	in->types[0] = sr_infer_tensor(in, sr_tensor_like(in, element, t), t->rank, shape, sr_type_bounds(t));
	return SR_OK;
}
