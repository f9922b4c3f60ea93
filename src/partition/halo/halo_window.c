/* Windows over sharded dimensions, and the halo exchange of reduce_window: each device reads the positions under its windows, or
 * under its part of every window, and runs the op on them without padding.
 *
 * With stride s, m windows per device and windows that span w positions, device j reads (m - 1) s + w positions from j m s - low:
 * if m s is the local extent, only a few of them are on neighbors. In a dilated input only every base-th position is an element. If
 * all devices start at the same offset from an element, the local op dilates the elements that it receives; otherwise the input is
 * dilated and sliced first. Positions outside of the input are zeros for a convolution, the init value for a reduce_window. */
#include "partition/halo/halo_window.h"
#include "dialect/attr_names.h"
#include "support/checked.h"

void sr_halo_window_read(struct sr_expansion *h, const struct sr_op *op, struct sr_halo_window *d, int64_t i, const char *base,
			 const char *dilation)
{
	d->stride = sr_op_int_at(h->ctx, op, SR_NAME_window_strides, i, 1);
	d->low = sr_op_int_at(h->ctx, op, SR_NAME_padding, 2 * i, 0);
	d->high = sr_op_int_at(h->ctx, op, SR_NAME_padding, 2 * i + 1, 0);
	d->base = base ? sr_op_int_at(h->ctx, op, base, i, 1) : 1;
	d->dilation = dilation ? sr_op_int_at(h->ctx, op, dilation, i, 1) : 1;
}

/* ---------------------------------------------------------------- what a device reads */

/* Return true if, on all devices, the read positions start at the same offset from an element of the dilated input. */
static bool is_aligned(const struct sr_halo_window *d)
{
	return d->step % d->base == 0;
}

static int64_t first_position(const struct sr_halo_window *d, int64_t j)
{
	return d->start + j * d->step;
}

static int64_t first_element(const struct sr_halo_window *d, int64_t j)
{
	return sr_halo_floor_div(first_position(d, j) + (is_aligned(d) ? d->base - 1 : 0), d->base);
}

/* Return the number of read positions before the first element, equal on all devices if is_aligned. */
static int64_t first_element_offset(const struct sr_halo_window *d)
{
	return first_element(d, 0) * d->base - first_position(d, 0);
}

static int64_t elements_of(const struct sr_halo_window *d)
{
	return is_aligned(d) ? (d->n - 1 - first_element_offset(d)) / d->base + 1 : (d->n + d->base - 2) / d->base + 1;
}

bool sr_halo_window_shard(struct sr_expansion *h, struct sr_halo_window *d, struct sr_halo_dim halo_dim, bool sums_window, int64_t n_out,
			  int64_t extent)
{
	int64_t m = sr_ceil_div(sums_window ? d->size : n_out, halo_dim.shards);
	d->shards = halo_dim;
	d->is_window_sharded = sums_window;
	d->extent = extent;
	d->shard_extent = sr_ceil_div(extent, halo_dim.shards);
	d->start = -d->low;
	d->step = sums_window ? m * d->dilation : m * d->stride;
	d->n = sums_window ? (n_out - 1) * d->stride + (m - 1) * d->dilation + 1
			   : (m - 1) * d->stride + (d->size - 1) * d->dilation + 1;
	if (sums_window && d->is_reversed) {
		d->start = (d->size - m) * d->dilation - d->low;
		d->step = -d->step;
	}
	if ((is_aligned(d) && first_element_offset(d) >= d->n) || !sr_halo_is_listable(halo_dim))
		return false;
	d->transfer = sr_halo_transfer_new(h, halo_dim, elements_of(d));
	/* the last shard's padding is masked before the shard is sent */
	for (int64_t j = 0; j < halo_dim.shards; j++)
		sr_halo_transfer_add(d->transfer, 0,
				     (struct sr_halo_range_source){d->shard_extent, 0, d->shard_extent * halo_dim.shards}, j, 0,
				     first_element(d, j), elements_of(d));
	return sr_halo_transfer_elements(d->transfer) >= 0;
}

struct sr_value *sr_halo_window_exchange(struct sr_expansion *h, struct sr_halo_window *d, struct sr_value *v, struct sr_halo_fill fill)
{
	v = sr_halo_masked(h, v, d->in, d->shards, d->extent, fill.value);
	v = sr_halo_transfer_build(d->transfer, &v, v->type, d->in, fill);
	d->low = d->high = 0;
	if (is_aligned(d)) {
		d->low = first_element_offset(d);
		d->high = d->n - 1 - d->low - (elements_of(d) - 1) * d->base;
		return v;
	}
	int64_t *first = SR_NEW_ARRAY(h->arena, int64_t, d->shards.shards);
	for (int64_t j = 0; j < d->shards.shards; j++)
		first[j] = first_position(d, j) - first_element(d, j) * d->base;
	struct sr_dim_padding padding = {.high = d->base - 1, .interior = d->base - 1};
	v = sr_build_pad_dim(&h->builder, v, d->in, padding, fill.value);
	v = sr_halo_slice_per_device(h, v, d->in, d->shards, first, d->n);
	d->base = 1;
	return v;
}

void sr_halo_window_write(struct sr_expansion *h, struct sr_op *op, const struct sr_halo_window *dims, int n, const char *base)
{
	struct sr_context *ctx = h->ctx;
	int64_t *padding = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * n), *bases = SR_NEW_ARRAY(ctx->arena, int64_t, n);
	for (int i = 0; i < n; i++) {
		padding[2 * i] = dims[i].low;
		padding[2 * i + 1] = dims[i].high;
		bases[i] = dims[i].base;
	}
	sr_op_set_attr(ctx, op, SR_NAME_padding, sr_attr_dense_i64(ctx, 2, (int64_t[]){n, 2}, padding));
	if (sr_op_attr(op, base))
		sr_op_set_attr(ctx, op, base, sr_attr_i64s(ctx, bases, n));
}

/* ---------------------------------------------------------------- reduce_window */

/* Set up the transfers of the sharded dimensions whose windows have more than one element, and add their cost. Returns whether the
 * form is used, unused or impossible. */
static enum sr_form_use set_up(struct sr_expansion *h, const struct sr_form_query *q, struct sr_halo_window *dims,
			       struct sr_wire_cost *cost)
{
	const struct sr_type *in = sr_operand(q->op, 0)->type, *t = sr_result(q->op, 0)->type;
	const struct sr_sdy_sharding *out = q->layouts[q->op->n_operands]->sharding;
	enum sr_form_use use = SR_FORM_UNUSED;
	for (int i = 0; i < t->rank; i++) {
		struct sr_halo_window *d = &dims[i];
		struct sr_halo_dim halo_dim = sr_halo_dim_of(h, out, i);
		*d = (struct sr_halo_window){
			.in = i, .out = i, .kernel = -1, .size = sr_op_int_at(h->ctx, q->op, SR_NAME_window_dimensions, i, 1)};
		sr_halo_window_read(h, q->op, d, i, SR_NAME_base_dilations, SR_NAME_window_dilations);
		if (halo_dim.shards == 1 || (d->size == 1 && d->stride == 1 && d->base == 1 && !d->low && !d->high))
			continue;
		if (!sr_halo_window_shard(h, d, halo_dim, false, t->shape[i], in->shape[i]) ||
		    !sr_halo_transfer_cost(d->transfer, sr_halo_bytes_along(h, in, out, i), cost))
			return SR_FORM_IMPOSSIBLE;
		use = SR_FORM_USED;
	}
	return use;
}

static bool supports(const struct sr_op_view *v, int factor)
{
	return v->op->n_operands == 2 && sr_index_list_has(v->rule->permutation, factor);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_expansion h = sr_halo_of(q);
	struct sr_halo_window dims[SR_MAX_RANK];
	return q->op->n_operands == 2 ? set_up(&h, q, dims, sum) : SR_FORM_UNUSED;
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_halo_of(q);
	struct sr_halo_window dims[SR_MAX_RANK];
	struct sr_wire_cost sum = {0};
	set_up(&h, q, dims, &sum);
	struct sr_value **args = sr_form_begin(&h, NULL, 0, q->layouts);
	const struct sr_type *type = sr_expand_local_type(&h, sr_result(q->op, 0)->type, sr_form_axes(q, 2));
	for (int i = 0; i < type->rank; i++)
		if (dims[i].transfer)
			args[0] = sr_halo_window_exchange(&h, &dims[i], args[0], (struct sr_halo_fill){SR_FILL_VALUE, args[1]});
	struct sr_op *copy = sr_form_clone(&h, args, 2, &type, 1);
	sr_halo_window_write(&h, copy, dims, type->rank, SR_NAME_base_dilations);
	struct sr_value *local = sr_result(copy, 0);
	sr_form_end(&h, &local);
}

const struct sr_op_form sr_halo_of_reduce_window = {"halo", supports, cost, emit};
