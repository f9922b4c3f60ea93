/* Verify ops of the work dialect: indexing maps stay within their operands, and the scalar ops of bodies match the operands. */
#include "dialect/infer/infer.h"
#include "support/checked.h"

sr_infer_fn sr_infer_work_index, sr_infer_work_reduce, sr_infer_work_nest;

enum { MAX_LOOPS = 16 };

/* Compute the smallest and largest value of a row of an indexing map over the iteration space. Return false on overflow. */
static bool compute_row_range(const int64_t *row, const int64_t *loops, int64_t n_loops, int64_t *low, int64_t *high)
{
	*low = *high = row[n_loops];
	for (int64_t l = 0; l < n_loops; l++) {
		int64_t term_at_end;
		if (sr_mul_overflows(row[l], loops[l] - 1, &term_at_end) ||
		    sr_add_overflows(term_at_end < 0 ? *low : *high, term_at_end, term_at_end < 0 ? low : high))
			return false;
	}
	return true;
}

struct indexing_map {
	int64_t n_loops;
	struct sr_ints map, index, limit, divisor;
	int64_t fill;
};

static struct indexing_map read_indexing_map(const struct sr_infer *in, const struct sr_attr *a)
{
	struct sr_ints fill = sr_field_ints(in, a, "fill");
	return (struct indexing_map){sr_attr_field(a, "loops")->i, sr_field_ints(in, a, "map"), sr_field_ints(in, a, "index"),
			       sr_field_ints(in, a, "limit"),
			       sr_field_ints(in, a, "divisor"), fill.n == 1 ? fill.v[0] : -1};
}

/* Return true if an optional list is empty or has one entry per dimension. */
static bool is_empty_or_per_dim(struct sr_ints list, int64_t rank)
{
	return !list.n || list.n == rank;
}

/* Check work.index: its indexing map is one affine expression of the loops of the enclosing loop nest. */
enum sr_status sr_infer_work_index(struct sr_infer *in)
{
	struct indexing_map a = read_indexing_map(in, sr_op_attr(in->op, "indexing_map"));
	struct sr_op *nest = sr_op_parent(in->op);
	int64_t n_loops = nest ? sr_infer_ints(&(struct sr_infer){.ctx = in->ctx, .op = nest}, "loops").n : 0;
	in->types[0] = sr_type_tensor(in->ctx, SR_I64, 0, NULL);
	if (nest && nest->info->code == SR_OP_work_nest && (a.n_loops != n_loops || a.map.n != n_loops + 1))
		return sr_infer_error(in, "has an indexing map over %lld loops that is not one number over %lld loops",
				      (long long)a.n_loops, (long long)n_loops);
	if (a.index.n || a.limit.n || a.fill >= 0)
		return sr_infer_error(in, "has an indexing map that reads values");
	return SR_OK;
}

/* Check work.reduce: inputs, initial values and results are scalars of the body's types, and the body maps (accumulators...,
 * inputs...) to accumulators. */
enum sr_status sr_infer_work_reduce(struct sr_infer *in)
{
	int n = in->op->n_operands / 2;
	struct sr_block *body = in->op->regions[0].first;
	if (!n || in->op->n_operands != 2 * n || in->op->n_results != n)
		return sr_infer_error(in, "needs as many init values and results as inputs");
	if (!body || body->n_args != 2 * n)
		return sr_infer_error(in, "has a body of %d arguments, not of %d", body ? body->n_args : 0, 2 * n);
	for (int i = 0; i < n; i++) {
		in->types[i] = sr_infer_operand(in, n + i);
		if (body->args[i]->type != in->types[i] || body->args[n + i]->type != sr_infer_operand(in, i))
			return sr_infer_error(in, "has a body that does not take input %d", i);
	}
	return SR_OK;
}

/* Return the number of operands, counted from the first, that value v of the body may depend on. `known` maps each
 * result of an earlier op of the body to this number. */
static int operands_needed(const struct sr_map *known, const struct sr_value *v)
{
	return v->def ? (int)(intptr_t)sr_map_get(known, v) : v->index + 1;
}

/* Return true if the indexing map of operand `number` may use index value `index`. Allowed are operands before `number`, and
 * integers that the body yields after its results and that depend only on operands before `number`. */
static bool is_valid_index(struct sr_infer *in, int64_t index, int number)
{
	struct sr_block *body = in->op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(body);
	int64_t k = index - in->op->n_operands + in->op->n_results;
	struct sr_map needed;
	if (index < in->op->n_operands)
		return index < number;
	if (k >= end->n_operands || !sr_dtype_is_integer(sr_operand(end, (int)k)->type->dtype))
		return false;
	sr_map_init(&needed, in->ctx->scratch);
	for (const struct sr_op *op = body->first; op != end; op = op->next) {
		intptr_t most = 0;
		for (int i = 0; i < op->n_operands; i++) {
			int n = operands_needed(&needed, sr_operand(op, i));
			most = n > most ? n : most;
		}
		for (int i = 0; i < op->n_results; i++)
			sr_map_put(&needed, sr_result(op, i), (void *)most);
	}
	return operands_needed(&needed, sr_operand(end, (int)k)) <= number;
}

/* Check the indexing map of operand or result `number`, a value of type t. Its index values must be valid (is_valid_index),
 * and its fill value must be an operand before `number`, so that no element depends on itself. value_kind: "operand" or "result",
 * for messages. */
static enum sr_status check_indexing_map(struct sr_infer *in, const struct sr_attr *attr, const struct sr_type *t,
					 struct sr_ints loops, const char *value_kind, int number)
{
	struct indexing_map a = read_indexing_map(in, attr);
	if (a.n_loops != loops.n || a.map.n != t->rank * (loops.n + 1) || !is_empty_or_per_dim(a.index, t->rank) ||
	    !is_empty_or_per_dim(a.limit, t->rank) || !is_empty_or_per_dim(a.divisor, t->rank))
		return sr_infer_error(in, "has an indexing map of %s %d that does not fit its %d dimensions and %lld loops",
				      value_kind, number, t->rank, (long long)loops.n);
	if (a.fill >= number)
		return sr_infer_error(in, "fills out-of-bounds elements of %s %d from an operand that is not an earlier one",
				      value_kind, number);
	for (int d = 0; d < t->rank; d++) {
		int64_t low, high, divisor = a.divisor.n ? a.divisor.v[d] : 1, limit = 0;
		if (!compute_row_range(a.map.v + d * (loops.n + 1), loops.v, loops.n, &low, &high) || divisor < 1)
			return sr_infer_error(in, "has an indexing map of %s %d that overflows", value_kind, number);
		if (a.index.n && a.index.v[d] >= 0) {
			if (!is_valid_index(in, a.index.v[d], number) || !a.limit.n || a.limit.v[d] < 0)
				return sr_infer_error(in,
						      "has an indexing map of %s %d with an index that is neither an earlier operand nor "
						      "computed from such",
						      value_kind, number);
			limit = a.limit.v[d];
		}
		if (a.fill < 0 && (divisor != 1 || low < 0 || sr_add_overflows(high, limit, &high) || high >= t->shape[d]))
			return sr_infer_error(in, "reaches outside %s %d in dimension %d", value_kind, number, d);
	}
	return SR_OK;
}

static enum sr_status check_maps_and_body(struct sr_infer *in, struct sr_ints loops)
{
	struct sr_block *body = in->op->regions[0].first;
	struct sr_op *terminator = body ? sr_block_terminator(body) : NULL;
	const struct sr_attr *reads = sr_op_attr(in->op, "indexing_maps"), *writes = sr_op_attr(in->op, "result_indexing_maps");
	if (!body || body->n_args != in->op->n_operands || reads->n != in->op->n_operands)
		return sr_infer_error(in, "needs one indexing map and one body argument for each operand");
	if (!terminator || terminator->info->code != SR_OP_work_yield || terminator->n_operands < in->op->n_results ||
	    writes->n != in->op->n_results)
		return sr_infer_error(in, "needs one indexing map and one yielded value for each result");
	for (int i = 0; i < in->op->n_operands; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (!sr_type_is_static(t) || body->args[i]->type != sr_type_tensor_of(in->ctx, t->element, 0, NULL, NULL))
			return sr_infer_error(in, "has a body that does not take an element of operand %d", i);
		if (check_indexing_map(in, reads->list[i], t, loops, "operand", i))
			return SR_INVALID;
	}
	for (int i = 0; i < in->op->n_results; i++) {
		const struct sr_type *t = in->op->results ? sr_result(in->op, i)->type : NULL;
		if (!t || !sr_type_is_static(t) ||
		    sr_operand(terminator, i)->type != sr_type_tensor_of(in->ctx, t->element, 0, NULL, NULL))
			return sr_infer_error(in, "does not yield an element of result %d", i);
		struct indexing_map a = read_indexing_map(in, writes->list[i]);
		if (a.index.n || a.divisor.n || a.fill >= 0)
			return sr_infer_error(in, "has an indexing map of result %d that is not affine", i);
		if (check_indexing_map(in, writes->list[i], t, loops, "result", i))
			return SR_INVALID;
	}
	return SR_OK;
}

enum sr_status sr_infer_work_nest(struct sr_infer *in)
{
	struct sr_ints loops = sr_infer_ints(in, "loops");
	const struct sr_attr *parallel = sr_op_attr(in->op, "parallel");
	in->is_verifying = true;
	if (loops.n > MAX_LOOPS || parallel->i > loops.n)
		return sr_infer_error(in, "has %lld loops, %lld of them parallel; at most %d", (long long)loops.n, (long long)parallel->i,
				      MAX_LOOPS);
	for (int64_t l = 0; l < loops.n; l++)
		if (loops.v[l] < 1)
			return sr_infer_error(in, "has loop %lld without iterations", (long long)l);
	for (int i = 0; in->op->results && i < in->op->n_results; i++)
		in->types[i] = sr_result(in->op, i)->type;
	return check_maps_and_body(in, loops);
}
