/* Rewrite @ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes), which JAX writes for
 * jax.lax.ragged_all_to_all. Each member of a group sends slices of its operand's rows to the others, which write them into their
 * output. The numbers of rows are run-time values, but collectives have static sizes. So all rows that might be sent are sent, and
 * each receiver selects its own:
 *
 *	begin, size, place = all_to_all of the slices' offsets, sizes, places     [K] each, K / n of them from each of n members
 *	code[k, m] = k * N + begin[k] + m - place[k] if slice k writes row m of the output, else -1
 *	best[m] = max over k of code[k, m]                                        the last slice, if several write a row
 *
 *	N <= M: all_gather of the operands, then gather of the rows in best[m]    N rows from each member
 *	N > M:  all_to_all of the rows that each member's output gets             M rows from each member
 *
 * where operands have N and outputs M rows. A device sends (n - 1) * min(N, M) rows. Rows of a slice outside of the operand or the
 * output are ignored. Sizes are the sender's; recv_sizes is redundant and not used. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "optimize/legalize/decompose.h"
#include "optimize/legalize/custom_call_ops.h"
#include "support/checked.h"

enum { OPERAND, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS };
enum { BEGIN, SIZE, OUTPUT_BEGIN, N_COLUMNS };

struct ragged_exchange {
	struct sr_builder *b;
	struct sr_value *operand, *output;
	int64_t members, slices;    /* number of members of a group; number of slices of each member */
	int64_t rows, output_rows;       /* number of rows of the operand, and of the output */
	/* attributes of the new collectives; channel NULL: the groups consist of replicas */
	const struct sr_attr *groups, *channel;
	bool in_replicas; /* true if groups consist of partitions in each of several replicas, which all_gather cannot express */
};

/* ---- builders ---- */

static struct sr_value *build_binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static struct sr_value *constant(struct sr_builder *b, const struct sr_type *type, int64_t number)
{
	return sr_build_constant(b, sr_attr_dense(b->ctx, type, &number, sizeof number));
}

/* Build op(x, number), where the number is broadcast to the shape of x. */
static struct sr_value *build_binary_with_number(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, int64_t number)
{
	return build_binary(b, code, x, constant(b, x->type, number));
}

static struct sr_value *compare(struct sr_builder *b, struct sr_value *x, enum sr_compare how, int64_t number)
{
	return sr_build_compare(b, x, how, constant(b, x->type, number), NULL);
}

static struct sr_value *build_one(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, const struct sr_named_attr *attrs,
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
	return build_one(b, SR_OP_stablehlo_reshape, x, NULL, 0, i64(b, rank, shape));
}

static struct sr_value *iota(struct sr_builder *b, const struct sr_type *type, int dim)
{
	struct sr_named_attr dim_attr = {SR_NAME_iota_dimension, sr_attr_i64(b->ctx, dim)};
	return build_one(b, SR_OP_stablehlo_iota, NULL, &dim_attr, 1, type);
}

static const struct sr_type *type_with_rows(struct sr_context *ctx, const struct sr_type *like, int64_t rows)
{
	int64_t *shape = sr_dup(ctx->arena, like->shape, (size_t)like->rank, sizeof *shape);
	shape[0] = rows;
	return sr_type_tensor_of(ctx, like->element, like->rank, shape, NULL);
}

/* Build the maximum along a dimension, of numbers >= -1. */
static struct sr_value *max_along(struct sr_builder *b, struct sr_value *x, int64_t dim)
{
	return sr_build_reduction(b, x, constant(b, i64(b, 0, NULL), -1), SR_OP_stablehlo_maximum, &dim, 1);
}

/* ---- collectives ---- */

/* Build an all_to_all that splits the first dimension into equal chunks, in the order of the members. */
static struct sr_value *build_all_to_all(const struct ragged_exchange *r, struct sr_value *x)
{
	struct sr_context *ctx = r->b->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_split_dimension, sr_attr_i64(ctx, 0)},
				   {SR_NAME_concat_dimension, sr_attr_i64(ctx, 0)},
				   {SR_NAME_split_count, sr_attr_i64(ctx, r->members)},
				   {SR_NAME_replica_groups, r->groups},
				   {SR_NAME_channel_handle, r->channel}};
	return build_one(r->b, SR_OP_stablehlo_all_to_all, x, attrs, 5, x->type);
}

static struct sr_value *build_all_gather(const struct ragged_exchange *r, struct sr_value *x)
{
	struct sr_context *ctx = r->b->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_all_gather_dim, sr_attr_i64(ctx, 0)},
				   {SR_NAME_replica_groups, r->groups},
				   {SR_NAME_channel_handle, r->channel},
				   {SR_NAME_use_global_device_ids, r->channel ? sr_attr_unit(ctx) : NULL}};
	return build_one(r->b, SR_OP_stablehlo_all_gather, x, attrs, 4,
			 type_with_rows(ctx, x->type, r->members * x->type->shape[0]));
}

/* ---- slices ---- */

/* Build the columns, [K, 1] each, that describe the slices sent by this device. */
static void describe_sent_slices(const struct ragged_exchange *r, const struct sr_op *call, struct sr_value *columns[N_COLUMNS])
{
	static const int operands[] = {[BEGIN] = INPUT_OFFSETS, [SIZE] = SEND_SIZES, [OUTPUT_BEGIN] = OUTPUT_OFFSETS};
	for (int i = 0; i < N_COLUMNS; i++)
		columns[i] = reshape(r->b, sr_build_convert(r->b, sr_operand(call, operands[i]), SR_I64), 2,
				     (int64_t[]){r->slices, 1});
}

static void describe_received_slices(const struct ragged_exchange *r, struct sr_value *const sent_columns[N_COLUMNS],
				     struct sr_value *columns[N_COLUMNS])
{
	struct sr_value *received_columns = build_all_to_all(r, sr_build_concatenate(r->b, sent_columns, N_COLUMNS, 1));
	for (int i = 0; i < N_COLUMNS; i++)
		columns[i] = sr_build_slice_dim(r->b, received_columns, 1, i, 1, 1);
}

/* Build code[k, m] of the head of this file: the row that slice k writes to output row m, or -1. */
static struct sr_value *slice_codes(const struct ragged_exchange *r, struct sr_value *const columns[N_COLUMNS])
{
	struct sr_builder *b = r->b;
	const struct sr_type *grid = i64(b, 2, (int64_t[]){r->slices, r->output_rows});
	struct sr_value *of[N_COLUMNS];
	for (int i = 0; i < N_COLUMNS; i++)
		of[i] = sr_build_broadcast(b, columns[i], grid, (int64_t[]){0, 1});
	struct sr_value *row_in_slice = build_binary(b, SR_OP_stablehlo_subtract, iota(b, grid, 1), of[OUTPUT_BEGIN]);
	struct sr_value *row = build_binary(b, SR_OP_stablehlo_add, row_in_slice, of[BEGIN]);
	struct sr_value *tests[] = {
		compare(b, row_in_slice, SR_GE, 0), sr_build_compare(b, row_in_slice, SR_LT, of[SIZE], NULL),
		compare(b, row, SR_GE, 0), compare(b, row, SR_LT, r->rows)};
	struct sr_value *is_written = tests[0];
	for (size_t i = 1; i < sizeof tests / sizeof *tests; i++)
		is_written = build_binary(b, SR_OP_stablehlo_and, is_written, tests[i]);
	struct sr_value *code = build_binary(b, SR_OP_stablehlo_add,
					     build_binary_with_number(b, SR_OP_stablehlo_multiply, iota(b, grid, 0), r->rows), row);
	return sr_build_infer(b, SR_OP_stablehlo_select, (struct sr_value *[]){is_written, code, constant(b, grid, -1)}, 3, NULL, 0);
}

/* ---- the call ---- */

/* Build for each member the M rows of its output that this device sends; rows that it does not send are arbitrary. */
static struct sr_value *rows_sent(const struct ragged_exchange *r, struct sr_value *const sent_columns[N_COLUMNS])
{
	struct sr_builder *b = r->b;
	int64_t shape_by_member[] = {r->members, r->slices / r->members, r->output_rows}, n_all_rows = r->members * r->output_rows;
	struct sr_value *best_codes = max_along(b, reshape(b, slice_codes(r, sent_columns), 3, shape_by_member), 1);
	return sr_build_rows_at(b, r->operand,
		       build_binary_with_number(b, SR_OP_stablehlo_remainder, reshape(b, best_codes, 1, &n_all_rows), r->rows));
}

/* Build the output with the received rows. */
static struct sr_value *build_output(const struct ragged_exchange *r, const struct sr_op *call)
{
	struct sr_builder *b = r->b;
	struct sr_value *sent_columns[N_COLUMNS], *columns[N_COLUMNS], *source_rows, *number;
	describe_sent_slices(r, call, sent_columns);
	describe_received_slices(r, sent_columns, columns);
	struct sr_value *best_codes = max_along(b, slice_codes(r, columns), 0);
	struct sr_value *member = build_binary_with_number(b, SR_OP_stablehlo_divide, best_codes, r->slices / r->members * r->rows);
	if (r->rows <= r->output_rows && !r->in_replicas) {
		source_rows = build_all_gather(r, r->operand);
		number = build_binary_with_number(b, SR_OP_stablehlo_multiply, member, r->rows);
		number = build_binary(b, SR_OP_stablehlo_add, number,
				      build_binary_with_number(b, SR_OP_stablehlo_remainder, best_codes, r->rows));
	} else {
		source_rows = build_all_to_all(r, rows_sent(r, sent_columns));
		number = build_binary_with_number(b, SR_OP_stablehlo_multiply, member, r->output_rows);
		number = build_binary(b, SR_OP_stablehlo_add, number, iota(b, best_codes->type, 0));
	}
	struct sr_value *is_written = compare(b, best_codes, SR_GE, 0);
	is_written = sr_build_broadcast(b, is_written, r->output->type, (int64_t[]){0});
	struct sr_value *select_operands[] = {is_written, sr_build_rows_at(b, source_rows, number), r->output};
	return sr_build_infer(b, SR_OP_stablehlo_select, select_operands, 3, NULL, 0);
}

/* Return true if codes or row numbers overflow 64 bits. */
static bool is_too_large(const struct ragged_exchange *r)
{
	int64_t n;
	return sr_mul_overflows(r->slices, r->rows, &n) || sr_mul_overflows(r->members, r->rows, &n) ||
	       sr_mul_overflows(r->members, r->output_rows, &n);
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
	struct ragged_exchange r = {.b = b, .operand = sr_operand(call, OPERAND), .output = sr_operand(call, OUTPUT)};
	r.groups = sr_dict_get(config, SR_NAME_replica_groups);
	r.channel = channel ? sr_attr_struct(ctx, sr_attr_def_find("stablehlo", SR_NAME_channel_handle), handle) : NULL;
	r.in_replicas = channel && sr_op_int(sr_op_module(call), "mhlo.num_replicas", 1) > 1;
	r.members = r.groups->type->shape[1];
	r.slices = sr_operand(call, INPUT_OFFSETS)->type->shape[0];
	r.rows = r.operand->type->shape[0];
	r.output_rows = r.output->type->shape[0];
	if (sr_result(call, 0)->type != r.output->type || is_too_large(&r) || !sr_type_elements(r.operand->type, &elements))
		return false;
	sr_value_replace_all(sr_result(call, 0), elements && r.output_rows ? build_output(&r, call) : r.output);
	return true;
}
