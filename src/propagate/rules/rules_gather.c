/* Sharding rules of gather and scatter, which have the same structure: an input, indices into it, and slices (a gather's result, a
 * scatter's updates). A dimension of the slices is either an offset within a slice of the input, or a batch dimension of the
 * indices. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"

struct slices {
	struct sr_rule_builder *b;
	const struct sr_op *op;
	bool scatter;
	int n_inputs; /* number of inputs of a scatter, whose operands are inputs, indices and as many updates */
	const struct sr_type *input, *indices, *slice;
	const int64_t *offset, *collapsed, *input_batch, *index_batch;
	int64_t n_offset, n_collapsed, n_input_batch, n_index_batch;
	int64_t index_vector;
	bool sums; /* for a scatter: true if the updates are combined by one associative and commutative op */
};

/* Add a factor to the given dimensions of the input (and a scatter's result), the indices and the slices; SR_NO_DIM: to no
 * dimension. Return the factor. */
static int add_factor(struct slices *s, int64_t input, int64_t indices, int64_t slice, int64_t size, enum sr_factor_kind kind)
{
	int factor = sr_rule_factor(s->b, size, kind);
	for (int i = 0; i < s->n_inputs; i++)
		sr_rule_operand(s->b, i, input, factor);
	sr_rule_operand(s->b, s->n_inputs, indices, factor);
	for (int i = 0; i < s->n_inputs; i++) {
		if (s->scatter) {
			sr_rule_operand(s->b, s->n_inputs + 1 + i, slice, factor);
			sr_rule_result(s->b, i, input, factor);
		} else {
			sr_rule_result(s->b, i, slice, factor);
		}
	}
	return factor;
}

/* Add the factors of an offset dimension of the slices, which covers a full dimension of the input or a range of that dimension. */
static void add_offset_dim(struct slices *s, int64_t input, int slice)
{
	int64_t full_extent = s->input->shape[input], slice_extent = s->slice->shape[slice];
	if (full_extent == slice_extent) {
		add_factor(s, input, SR_NO_DIM, slice, full_extent, SR_FACTOR_PASS);
	} else if (s->scatter || slice_extent == 1) {
		add_factor(s, input, SR_NO_DIM, SR_NO_DIM, full_extent, s->scatter ? SR_FACTOR_REPLICATE : SR_FACTOR_REDUCTION);
		add_factor(s, SR_NO_DIM, SR_NO_DIM, slice, slice_extent, SR_FACTOR_REPLICATE);
	} else {
		sr_rule_block(s->b, add_factor(s, input, SR_NO_DIM, slice, full_extent, SR_FACTOR_REPLICATE));
	}
}

/* Add the factor of a batch dimension of the indices: explicit batch dimensions are in the input as well. */
static void add_batch_dim(struct slices *s, int position, int slice)
{
	int64_t indices = position < s->index_vector ? position : position + 1, input = SR_NO_DIM;
	enum sr_factor_kind kind = SR_FACTOR_PASS;
	for (int i = 0; i < s->n_index_batch && i < s->n_input_batch; i++)
		if (s->index_batch[i] == indices)
			input = s->input_batch[i];
	if (s->scatter && input == SR_NO_DIM)
		kind = s->sums ? SR_FACTOR_REDUCTION : SR_FACTOR_REPLICATE;
	add_factor(s, input, indices, slice, s->slice->shape[slice], kind);
}

static void add_factors(struct slices *s)
{
	int64_t input = 0;
	int position = 0;
	for (int dim = 0; dim < s->slice->rank; dim++) {
		if (!sr_list_has(s->offset, s->n_offset, dim)) {
			add_batch_dim(s, position++, dim);
			continue;
		}
		while (sr_list_has(s->collapsed, s->n_collapsed, input) || sr_list_has(s->input_batch, s->n_input_batch, input))
			input++;
		if (input < s->input->rank)
			add_offset_dim(s, input++, dim);
	}
	for (int64_t i = 0; i < s->n_collapsed; i++) {
		int64_t size = s->input->shape[s->collapsed[i]];
		enum sr_factor_kind gathered = size == 1 ? SR_FACTOR_REPLICATE : SR_FACTOR_REDUCTION;
		add_factor(s, s->collapsed[i], SR_NO_DIM, SR_NO_DIM, size, s->scatter ? SR_FACTOR_PASS : gathered);
	}
	if (s->index_vector < s->indices->rank)
		add_factor(s, SR_NO_DIM, s->index_vector, SR_NO_DIM, s->indices->shape[s->index_vector], SR_FACTOR_REPLICATE);
}

/* Read the dimension numbers. fields: names of offset, collapsed, input batch, index batch dimensions. */
static bool read_dims(struct slices *s, const struct sr_attr *numbers, const char *const fields[4])
{
	struct sr_context *ctx = s->b->ctx;
	const struct sr_attr *index_vector = numbers ? sr_attr_field(numbers, SR_NAME_index_vector_dim) : NULL;
	s->index_vector = index_vector ? index_vector->i : 0;
	return numbers && sr_struct_ints(ctx, numbers, fields[0], &s->offset, &s->n_offset) &&
	       sr_struct_ints(ctx, numbers, fields[1], &s->collapsed, &s->n_collapsed) &&
	       sr_struct_ints(ctx, numbers, fields[2], &s->input_batch, &s->n_input_batch) &&
	       sr_struct_ints(ctx, numbers, fields[3], &s->index_batch, &s->n_index_batch);
}

bool sr_rule_gather(struct sr_rule_builder *b, struct sr_op *op)
{
	static const char *const fields[4] = {SR_NAME_offset_dims, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims,
					      SR_NAME_start_indices_batching_dims};
	struct slices s = {.b = b, .op = op, .n_inputs = 1, .input = sr_operand_type(op, 0), .indices = sr_operand_type(op, 1),
			   .slice = sr_result_type(op, 0)};
	if (!read_dims(&s, sr_op_attr(op, SR_NAME_dimension_numbers), fields))
		return false;
	add_factors(&s);
	return true;
}

/* Return true if the update computation combines each input with its update by the same op: sum, product, minimum, maximum, or
 * logical and/or. */
static bool has_common_reducer(const struct sr_op *op, int n_inputs)
{
	const struct sr_block *body = op->n_regions ? op->regions[0].first : NULL;
	const struct sr_op *end = body ? sr_block_terminator(body) : NULL;
	const struct sr_reducer *first = NULL;
	if (!end || body->n_args != 2 * n_inputs || end->n_operands != n_inputs)
		return false;
	for (int i = 0; i < n_inputs; i++) {
		const struct sr_reducer *r = sr_reducer_of_pair(&op->regions[0], i);
		bool bits = r && (r->monoid == SR_MONOID_AND || r->monoid == SR_MONOID_OR);
		if (!r || (first && r != first) || r->monoid == SR_MONOID_XOR || (bits && sr_operand(end, i)->type->dtype != SR_I1))
			return false;
		first = r;
	}
	return true;
}

bool sr_rule_scatter(struct sr_rule_builder *b, struct sr_op *op)
{
	static const char *const fields[4] = {SR_NAME_update_window_dims, SR_NAME_inserted_window_dims, SR_NAME_input_batching_dims,
					      SR_NAME_scatter_indices_batching_dims};
	int n = (op->n_operands - 1) / 2;
	if (n < 1)
		return false;
	struct slices s = {.b = b, .op = op, .scatter = true, .n_inputs = n, .input = sr_operand_type(op, 0),
			   .indices = sr_operand_type(op, n), .slice = sr_operand_type(op, n + 1), .sums = has_common_reducer(op, n)};
	if (!read_dims(&s, sr_op_attr(op, SR_NAME_scatter_dimension_numbers), fields))
		return false;
	add_factors(&s);
	return true;
}
