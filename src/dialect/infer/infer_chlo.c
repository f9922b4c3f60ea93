/* Infer result types of CHLO ops: implicit broadcasting, top_k, scan. */
#include "dialect/infer/infer.h"

sr_infer_fn sr_infer_broadcast_binary, sr_infer_broadcast_compare, sr_infer_broadcast_complex, sr_infer_broadcast_select,
	sr_infer_constant_like, sr_infer_scan, sr_infer_top_k;

/* Broadcast one dimension. If an extent is 1, the result is the other extent. If one is unknown and the other is known and not 1,
 * the result is the known one. Return false if the extents are incompatible. */
static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
	if (a == 1 || (sr_is_dynamic(a) && b != 1))
		*out = b;
	else
		*out = a;
	return a == 1 || b == 1 || sr_dims_compatible(a, b);
}

static const struct sr_type *unranked_type(struct sr_context *ctx, const struct sr_type *element)
{
	return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_UNRANKED, .element = element});
}

/* Broadcast as NumPy does, with trailing dimensions aligned. Returns an unranked type if an operand is unranked or the shapes
 * are incompatible. */
static const struct sr_type *numpy_broadcast(const struct sr_infer *in, const struct sr_type *const *types, int n,
					     const struct sr_type *element)
{
	int rank = 0;
	for (int i = 0; i < n; i++) {
		if (!sr_is_ranked(types[i]))
			return unranked_type(in->ctx, element);
		rank = types[i]->rank > rank ? types[i]->rank : rank;
	}
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, rank);
	for (int d = 0; d < rank; d++)
		shape[d] = 1;
	for (int i = 0; i < n; i++)
		for (int d = 0; d < types[i]->rank; d++) {
			int64_t *extent = &shape[rank - types[i]->rank + d];
			if (!broadcast_dim(*extent, types[i]->shape[d], extent))
				return unranked_type(in->ctx, element);
		}
	return sr_type_tensor_of(in->ctx, element, rank, shape, NULL);
}

/* Broadcast the operand of lower rank by broadcast_dimensions. */
static const struct sr_type *explicit_broadcast(const struct sr_infer *in, struct sr_ints dims, const struct sr_type *element)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	if (!sr_is_ranked(a) || !sr_is_ranked(b))
		return unranked_type(in->ctx, element);
	const struct sr_type *high_rank_type = a->rank > b->rank ? a : b, *low_rank_type = a->rank > b->rank ? b : a;
	if (dims.n != low_rank_type->rank || !sr_in_range(dims.v, dims.n, 0, high_rank_type->rank))
		return unranked_type(in->ctx, element);
	int64_t *shape = sr_dup(in->ctx->arena, high_rank_type->shape, (size_t)high_rank_type->rank, sizeof *shape);
	for (int d = 0; d < low_rank_type->rank; d++)
		if (!broadcast_dim(shape[dims.v[d]], low_rank_type->shape[d], &shape[dims.v[d]]))
			return unranked_type(in->ctx, element);
	return sr_type_tensor_of(in->ctx, element, high_rank_type->rank, shape, NULL);
}

/* Check the operands' element types and, if the inferred element type is that of the operands, the declared result's. */
static enum sr_status check_elements(struct sr_infer *in, const struct sr_type *element)
{
	const struct sr_type *a = sr_infer_operand(in, 0)->element, *b = sr_infer_operand(in, 1)->element;
	struct sr_quant q;
	bool is_quantized = sr_type_quant(a, &q) || sr_type_quant(b, &q);
	bool is_result_compatible = element != a || !in->types[0] || sr_elements_compatible(a, in->types[0]->element);
	if (is_quantized && (!sr_elements_compatible(a, b) || !is_result_compatible)) {
		in->is_verifying = true;
		return sr_infer_error(in, "requires compatible element types for all operands and results");
	}
	return sr_elements_compatible(a, b) ? SR_OK : sr_infer_error(in, "mismatched operand types");
}

static enum sr_status infer_broadcast(struct sr_infer *in, const struct sr_type *element)
{
	const struct sr_type *types[] = {sr_infer_operand(in, 0), sr_infer_operand(in, 1)};
	if (check_elements(in, element))
		return SR_INVALID;
	if (sr_op_attr(in->op, "broadcast_dimensions"))
		in->types[0] = explicit_broadcast(in, sr_infer_ints(in, "broadcast_dimensions"), element);
	else
		in->types[0] = numpy_broadcast(in, types, 2, element);
	return SR_OK;
}

enum sr_status sr_infer_broadcast_binary(struct sr_infer *in)
{
	return infer_broadcast(in, sr_infer_operand(in, 0)->element);
}

enum sr_status sr_infer_broadcast_compare(struct sr_infer *in)
{
	return infer_broadcast(in, sr_bool_type(in->ctx));
}

enum sr_status sr_infer_broadcast_complex(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0)->element;
	return infer_broadcast(in, sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_COMPLEX, .element = t}));
}

enum sr_status sr_infer_broadcast_select(struct sr_infer *in)
{
	const struct sr_type *types[] = {sr_infer_operand(in, 0), sr_infer_operand(in, 1), sr_infer_operand(in, 2)};
	if (types[1]->element != types[2]->element)
		return sr_infer_error(in, "mismatched operand types");
	in->types[0] = numpy_broadcast(in, types, 3, types[1]->element);
	return SR_OK;
}

enum sr_status sr_infer_constant_like(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *value = sr_op_attr(in->op, "value")->type;
	in->is_verifying = true;
	if (in->types[0] && value && value != in->types[0]->element)
		return sr_infer_error(in, "value's type doesn't match element return type");
	in->types[0] = sr_tensor_like(in, value ? value : t->element, t);
	return SR_OK;
}

enum sr_status sr_infer_top_k(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *i32 = sr_type_scalar(in->ctx, SR_I32);
	int64_t k = sr_op_int(in->op, "k", 0);
	if (!sr_is_ranked(t)) {
		in->types[0] = t;
		in->types[1] = unranked_type(in->ctx, i32);
		return SR_OK;
	}
	if (t->rank < 1)
		return sr_infer_error(in, "operand's rank must be at least 1");
	if (k < 0)
		return sr_infer_error(in, "k must not be negative, but is %lld", (long long)k);
	if (!sr_is_dynamic(t->shape[t->rank - 1]) && t->shape[t->rank - 1] < k)
		return sr_infer_error(in, "operand's last dimension must be at least %lld", (long long)k);
	int64_t *shape = sr_dup(in->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	shape[t->rank - 1] = k;
	in->types[0] = sr_infer_tensor(in, t, t->rank, shape, NULL);
	in->types[1] = sr_infer_tensor(in, sr_tensor_like(in, i32, t), t->rank, shape, NULL);
	return SR_OK;
}

/* ---------------------------------------------------------------- scan */

static const struct sr_type *remove_dim(const struct sr_infer *in, const struct sr_type *t, int64_t dim)
{
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	int rank = 0;
	for (int d = 0; d < t->rank; d++)
		if (d != dim)
			shape[rank++] = t->shape[d];
	return sr_type_tensor_of(in->ctx, t->element, rank, shape, NULL);
}

static const struct sr_type *insert_dim(const struct sr_infer *in, const struct sr_type *t, int64_t dim, int64_t size)
{
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank + 1);
	for (int d = 0; d <= t->rank; d++)
		shape[d] = d < dim ? t->shape[d] : d == dim ? size : t->shape[d - 1];
	return sr_type_tensor_of(in->ctx, t->element, t->rank + 1, shape, NULL);
}

/* Determine the scanned extent: scan_dim_size or that of an input; SR_DYNAMIC if unknown. */
static enum sr_status scan_extent(struct sr_infer *in, int n_inputs, int64_t dim, int64_t *size)
{
	*size = sr_op_int(in->op, "scan_dim_size", SR_DYNAMIC);
	for (int i = 0; i < n_inputs; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (!sr_is_ranked(t))
			return sr_infer_error(in, "operand %d is not ranked", i);
		if (dim >= t->rank)
			return sr_infer_error(in, "scan dimension of operand %d is out of bounds", i);
		if (!sr_dims_compatible(*size, t->shape[dim]))
			return sr_infer_error(in, "invalid scan dimension size of operand %d", i);
		if (sr_is_dynamic(*size))
			*size = t->shape[dim];
	}
	return SR_OK;
}

static enum sr_status check_scan_arguments(struct sr_infer *in, const struct sr_block *block, int n_inputs, int64_t dim)
{
	int n = in->op->n_operands;
	if (block->n_args != n)
		return sr_infer_error(in, "expects %d arguments in the body, but got %d", n, block->n_args);
	for (int i = 0; i < n; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (!sr_is_ranked(t))
			return sr_infer_error(in, "operand %d is not ranked", i);
		if (!sr_types_compatible(i < n_inputs ? remove_dim(in, t, dim) : t, block->args[i]->type))
			return sr_infer_error(in, "operand and body argument %d are incompatible", i);
	}
	return SR_OK;
}

enum sr_status sr_infer_scan(struct sr_infer *in)
{
	int first, n_inputs, n_inits;
	int64_t dim = sr_op_int(in->op, "dimension", 0), size;
	struct sr_block *block = sr_region_block(in->op, 0);
	const struct sr_op *terminator = sr_region_end(in->op, 0);
	in->is_verifying = true;
	sr_op_segment(in->op, "inputs", &first, &n_inputs);
	sr_op_segment(in->op, "inits", &first, &n_inits);
	if (!block || !terminator)
		return sr_infer_error(in, "ScanOp region is empty");
	if (terminator->n_operands < n_inits)
		return sr_infer_error(in, "ScanOp body must return at least %d values (carries)", n_inits);
	int n_outputs = terminator->n_operands - n_inits;
	if (n_inputs == 0 && n_outputs == 0)
		return sr_infer_error(in, "at least one of inputs or outputs must be present");
	if (scan_extent(in, n_inputs, dim, &size) || check_scan_arguments(in, block, n_inputs, dim))
		return SR_INVALID;
	in->is_verifying = false;
	if (in->op->n_results != terminator->n_operands)
		return sr_infer_error(in, "has %d results, but its body returns %d values", in->op->n_results,
				      terminator->n_operands);
	for (int i = 0; i < terminator->n_operands; i++) {
		const struct sr_type *t = sr_operand(terminator, i)->type;
		if (!sr_is_ranked(t))
			return sr_infer_error(in, "terminator operand %d is not ranked", i);
		if (i < n_outputs && dim > t->rank)
			return sr_infer_error(in, "scan dimension of output %d is out of bounds", i);
		in->types[i] = i < n_outputs ? insert_dim(in, t, dim, size) : t;
	}
	return SR_OK;
}
