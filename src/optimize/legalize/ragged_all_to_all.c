/* @ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes), which JAX writes for
 * jax.lax.ragged_all_to_all: each member of a group sends slices of its operand's rows to the others, which have them in place of
 * rows of their output. How many rows is known only as it runs, a schedule's sizes before. So what might be sent is sent, by
 * collectives of fixed sizes, and each receiver picks what is its own:
 *
 *	begin, size, place = all_to_all of the slices' offsets, sizes, places     [K] each, K / n of them from each of n members
 *	code[k, m] = k * N + begin[k] + m - place[k] where slice k comes to row m of the output, else -1
 *	best[m] = the greatest code[k, m]                                         the last slice where several come to a row
 *
 *	N <= M: all_gather of the operands, of which the row that best[m] says    N rows from each member
 *	N > M:  all_to_all of what each member's output gets from me              M rows from each member
 *
 * for operands of N and outputs of M rows: n - 1 times the lesser of the two goes out of a device. Rows that a slice has outside of
 * the operand or puts outside of the output come from nowhere and go nowhere. Sizes are the sender's; recv_sizes, which says the
 * same on the other side, is not looked at. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "optimize/legalize/decompose.h"
#include "optimize/legalize/custom_call_ops.h"
#include "support/checked.h"

enum { OPERAND, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS };
enum { BEGIN, SIZE, PLACE, N_COLUMNS };

struct ragged {
	struct sr_builder *b;
	struct sr_value *operand, *output;
	int64_t members, slices;    /* of the group; of a member */
	int64_t rows, places;       /* of the operand; of the output */
	const struct sr_attr *groups, *channel; /* channel NULL: the groups are of replicas */
	bool in_replicas;           /* groups of partitions, in each of several replicas, which all_gather has no form for */
};

/* ---- builders ---- */

static struct sr_value *two(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static struct sr_value *constant(struct sr_builder *b, const struct sr_type *type, int64_t number)
{
	return sr_build_constant(b, sr_attr_dense(b->ctx, type, &number, sizeof number));
}

/* x by the number, whatever x's shape. */
static struct sr_value *with(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, int64_t number)
{
	return two(b, code, x, constant(b, x->type, number));
}

static struct sr_value *compare(struct sr_builder *b, struct sr_value *x, enum sr_compare how, int64_t number)
{
	return sr_build_compare(b, x, how, constant(b, x->type, number), NULL);
}

static struct sr_value *made(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, const struct sr_named_attr *attrs,
			     int n_attrs, const struct sr_type *type)
{
	return sr_result(sr_build(b, code, &x, x ? 1 : 0, attrs, n_attrs, &type, 1), 0);
}

static const struct sr_type *i64(struct sr_builder *b, int rank, const int64_t *shape)
{
	return sr_type_tensor(b->ctx, SR_I64, rank, shape);
}

static struct sr_value *reshape(struct sr_builder *b, struct sr_value *x, int rank, const int64_t *shape)
{
	return made(b, SR_OP_stablehlo_reshape, x, NULL, 0, i64(b, rank, shape));
}

static struct sr_value *iota(struct sr_builder *b, const struct sr_type *type, int dim)
{
	struct sr_named_attr along = {SR_NAME_iota_dimension, sr_attr_i64(b->ctx, dim)};
	return made(b, SR_OP_stablehlo_iota, NULL, &along, 1, type);
}

static const struct sr_type *with_rows(struct sr_context *ctx, const struct sr_type *like, int64_t rows)
{
	int64_t *shape = sr_dup(ctx->arena, like->shape, (size_t)like->rank, sizeof *shape);
	shape[0] = rows;
	return sr_type_tensor_of(ctx, like->element, like->rank, shape, NULL);
}

/* The greatest along a dimension, of numbers from -1 on. */
static struct sr_value *greatest(struct sr_builder *b, struct sr_value *x, int64_t dim)
{
	int64_t shape[SR_MAX_RANK], n = 0;
	for (int d = 0; d < x->type->rank; d++)
		if (d != dim)
			shape[n++] = x->type->shape[d];
	const struct sr_type *type = i64(b, (int)n, shape);
	struct sr_value *operands[] = {x, constant(b, i64(b, 0, NULL), -1)};
	struct sr_named_attr along = {SR_NAME_dimensions, sr_attr_i64s(b->ctx, &dim, 1)};
	struct sr_op *reduce = sr_build(b, SR_OP_stablehlo_reduce, operands, 2, &along, 1, &type, 1);
	sr_build_reducer(b->ctx, &reduce->regions[0], SR_OP_stablehlo_maximum, type->element, reduce->loc);
	return sr_result(reduce, 0);
}

/* Rows of `from` by number; one that it does not have becomes the nearest. */
static struct sr_value *rows_at(struct sr_builder *b, struct sr_value *from, struct sr_value *numbers)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *t = from->type;
	const struct sr_attr *none = sr_attr_i64s(ctx, NULL, 0), *first = sr_attr_i64s(ctx, &(int64_t){0}, 1);
	int64_t rest[SR_MAX_RANK];
	for (int d = 1; d < t->rank; d++)
		rest[d - 1] = d;
	const struct sr_attr *fields[] = {sr_attr_i64s(ctx, rest, t->rank - 1), first, none, none, first, sr_attr_i64(ctx, 1)};
	const struct sr_attr *dims = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "gather"), fields);
	struct sr_named_attr attrs[] = {{SR_NAME_dimension_numbers, dims},
				   {SR_NAME_slice_sizes, sr_attr_i64s(ctx, with_rows(ctx, t, 1)->shape, t->rank)}};
	const struct sr_type *type = with_rows(ctx, t, numbers->type->shape[0]);
	return sr_result(sr_build(b, SR_OP_stablehlo_gather, (struct sr_value *[]){from, numbers}, 2, attrs, 2, &type, 1), 0);
}

/* ---- collectives ---- */

/* Equal parts of the first dimension to the members in order, and theirs in return. */
static struct sr_value *exchange(const struct ragged *r, struct sr_value *x)
{
	struct sr_context *ctx = r->b->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_split_dimension, sr_attr_i64(ctx, 0)},
				   {SR_NAME_concat_dimension, sr_attr_i64(ctx, 0)},
				   {SR_NAME_split_count, sr_attr_i64(ctx, r->members)},
				   {SR_NAME_replica_groups, r->groups},
				   {SR_NAME_channel_handle, r->channel}};
	return made(r->b, SR_OP_stablehlo_all_to_all, x, attrs, 5, x->type);
}

static struct sr_value *gather(const struct ragged *r, struct sr_value *x)
{
	struct sr_context *ctx = r->b->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_all_gather_dim, sr_attr_i64(ctx, 0)},
				   {SR_NAME_replica_groups, r->groups},
				   {SR_NAME_channel_handle, r->channel},
				   {SR_NAME_use_global_device_ids, r->channel ? sr_attr_unit(ctx) : NULL}};
	return made(r->b, SR_OP_stablehlo_all_gather, x, attrs, 4, with_rows(ctx, x->type, r->members * x->type->shape[0]));
}

/* ---- slices ---- */

/* What each of my slices is, [K, 1] each. */
static void slices_sent(const struct ragged *r, const struct sr_op *call, struct sr_value *columns[N_COLUMNS])
{
	static const int operands[] = {[BEGIN] = INPUT_OFFSETS, [SIZE] = SEND_SIZES, [PLACE] = OUTPUT_OFFSETS};
	for (int i = 0; i < N_COLUMNS; i++)
		columns[i] = reshape(r->b, sr_build_convert(r->b, sr_operand(call, operands[i]), SR_I64), 2,
				     (int64_t[]){r->slices, 1});
}

static void slices_received(const struct ragged *r, struct sr_value *const sent[N_COLUMNS], struct sr_value *columns[N_COLUMNS])
{
	struct sr_context *ctx = r->b->ctx;
	struct sr_named_attr dim = {SR_NAME_dimension, sr_attr_i64(ctx, 1)};
	struct sr_value *all = exchange(r, sr_build_infer(r->b, SR_OP_stablehlo_concatenate, sent, N_COLUMNS, &dim, 1));
	for (int i = 0; i < N_COLUMNS; i++) {
		struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, (int64_t[]){0, i}, 2)},
					   {SR_NAME_limit_indices, sr_attr_i64s(ctx, (int64_t[]){r->slices, i + 1}, 2)},
					   {SR_NAME_strides, sr_attr_i64s(ctx, (int64_t[]){1, 1}, 2)}};
		columns[i] = sr_build_infer(r->b, SR_OP_stablehlo_slice, &all, 1, attrs, 3);
	}
}

/* code[k, m] of the head. */
static struct sr_value *codes(const struct ragged *r, struct sr_value *const columns[N_COLUMNS])
{
	struct sr_builder *b = r->b;
	const struct sr_type *grid = i64(b, 2, (int64_t[]){r->slices, r->places});
	struct sr_value *of[N_COLUMNS];
	for (int i = 0; i < N_COLUMNS; i++)
		of[i] = sr_build_broadcast(b, columns[i], grid, (int64_t[]){0, 1});
	struct sr_value *within = two(b, SR_OP_stablehlo_subtract, iota(b, grid, 1), of[PLACE]);
	struct sr_value *row = two(b, SR_OP_stablehlo_add, within, of[BEGIN]);
	struct sr_value *tests[] = {
		compare(b, within, SR_GE, 0), sr_build_compare(b, within, SR_LT, of[SIZE], NULL),
		compare(b, row, SR_GE, 0), compare(b, row, SR_LT, r->rows)};
	struct sr_value *comes = tests[0];
	for (size_t i = 1; i < sizeof tests / sizeof *tests; i++)
		comes = two(b, SR_OP_stablehlo_and, comes, tests[i]);
	struct sr_value *code = two(b, SR_OP_stablehlo_add, with(b, SR_OP_stablehlo_multiply, iota(b, grid, 0), r->rows), row);
	return sr_build_infer(b, SR_OP_stablehlo_select, (struct sr_value *[]){comes, code, constant(b, grid, -1)}, 3, NULL, 0);
}

/* ---- the call ---- */

/* For each member, M rows: what its output gets from me, anything where that is nothing. */
static struct sr_value *rows_sent(const struct ragged *r, struct sr_value *const sent[N_COLUMNS])
{
	struct sr_builder *b = r->b;
	int64_t by_member[] = {r->members, r->slices / r->members, r->places}, all = r->members * r->places;
	struct sr_value *best = greatest(b, reshape(b, codes(r, sent), 3, by_member), 1);
	return rows_at(b, r->operand, with(b, SR_OP_stablehlo_remainder, reshape(b, best, 1, &all), r->rows));
}

/* The output with the rows that come. */
static struct sr_value *received(const struct ragged *r, const struct sr_op *call)
{
	struct sr_builder *b = r->b;
	struct sr_value *sent[N_COLUMNS], *columns[N_COLUMNS], *from, *number;
	slices_sent(r, call, sent);
	slices_received(r, sent, columns);
	struct sr_value *best = greatest(b, codes(r, columns), 0);
	struct sr_value *member = with(b, SR_OP_stablehlo_divide, best, r->slices / r->members * r->rows);
	if (r->rows <= r->places && !r->in_replicas) {
		from = gather(r, r->operand);
		number = with(b, SR_OP_stablehlo_multiply, member, r->rows);
		number = two(b, SR_OP_stablehlo_add, number, with(b, SR_OP_stablehlo_remainder, best, r->rows));
	} else {
		from = exchange(r, rows_sent(r, sent));
		number = with(b, SR_OP_stablehlo_multiply, member, r->places);
		number = two(b, SR_OP_stablehlo_add, number, iota(b, best->type, 0));
	}
	struct sr_value *comes = compare(b, best, SR_GE, 0);
	comes = sr_build_broadcast(b, comes, r->output->type, (int64_t[]){0});
	struct sr_value *chosen[] = {comes, rows_at(b, from, number), r->output};
	return sr_build_infer(b, SR_OP_stablehlo_select, chosen, 3, NULL, 0);
}

/* Codes and numbers of rows are 64-bit integers. */
static bool is_too_large(const struct ragged *r)
{
	int64_t n;
	return sr_mul_overflows(r->slices, r->rows, &n) || sr_mul_overflows(r->members, r->rows, &n) ||
	       sr_mul_overflows(r->members, r->places, &n);
}

bool sr_replace_ragged_all_to_all(struct sr_builder *b, struct sr_op *call)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *config = sr_op_attr(call, SR_NAME_backend_config), *channel = sr_dict_get(config, "channel_id");
	const struct sr_attr *handle[] = {channel, sr_attr_i64(ctx, 1)};
	int64_t elements;
	for (int i = 0; i < call->n_operands; i++)
		if (!sr_type_is_static(sr_operand(call, i)->type))
			return false;
	struct ragged r = {.b = b, .operand = sr_operand(call, OPERAND), .output = sr_operand(call, OUTPUT)};
	r.groups = sr_dict_get(config, SR_NAME_replica_groups);
	r.channel = channel ? sr_attr_struct(ctx, sr_attr_def_find("stablehlo", SR_NAME_channel_handle), handle) : NULL;
	r.in_replicas = channel && sr_op_int(sr_op_module(call), "mhlo.num_replicas", 1) > 1;
	r.members = r.groups->type->shape[1];
	r.slices = sr_operand(call, INPUT_OFFSETS)->type->shape[0];
	r.rows = r.operand->type->shape[0];
	r.places = r.output->type->shape[0];
	if (sr_result(call, 0)->type != r.output->type || is_too_large(&r) || !sr_type_elements(r.operand->type, &elements))
		return false;
	sr_value_replace_all(sr_result(call, 0), elements && r.places ? received(&r, call) : r.output);
	return true;
}
