/* Windows over sharded dimensions: convolution and reduce_window where each device's outputs need its own inputs and edges of
 * its neighbours'. With stride s, shards of m_in inputs and m_out outputs and m_in = s m_out, device i needs inputs from i
 * m_in - low to i m_in + (m_out - 1) s - low + w, w the dilated window: `low` from the left and (m_out - 1) s - low + w - m_in
 * from the right (a negative number: that many of its own are not needed). Both at most m_in. The window then has no padding
 * along that dimension: at the ends of the mesh a permute without source gives the zeros of a convolution; a reduce_window
 * takes its init value there. */
#include "dialect/names.h"
#include "dialect/signature.h"
#include "partition/halo/halo.h"

struct window_dim {
	int in, out; /* dimension of the input and of the result */
	int64_t size, stride, low, high, base, dilation;
};

struct window {
	struct sr_halo *h;
	struct sr_op *op;
	struct window_dim dims[SR_MAX_RANK];
	int n;
	const struct sr_written_sharding *out;
};

static int64_t at(struct sr_halo *h, const struct sr_op *op, const char *name, int64_t i, int64_t missing)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(h->ctx, op, name, &v, &n) && i < n ? v[i] : missing;
}

/* The i-th number of each of the window's lists; its dilations go by two names. */
static void add_dim(struct window *w, int64_t i, struct window_dim d, const char *base, const char *dilation)
{
	d.stride = at(w->h, w->op, SR_NAME_window_strides, i, 1);
	d.low = at(w->h, w->op, SR_NAME_padding, 2 * i, 0);
	d.high = at(w->h, w->op, SR_NAME_padding, 2 * i + 1, 0);
	d.base = at(w->h, w->op, base, i, 1);
	d.dilation = at(w->h, w->op, dilation, i, 1);
	w->dims[w->n++] = d;
}

static bool read_convolution(struct window *w)
{
	const struct sr_attr *dn = sr_op_attr(w->op, SR_NAME_dimension_numbers), *reversal = sr_op_attr(w->op, SR_NAME_window_reversal);
	const struct sr_type *kernel = sr_operand(w->op, 1)->type;
	const int64_t *in, *k, *out;
	int64_t n;
	if (sr_op_int(w->op, SR_NAME_feature_group_count, 1) != 1 || sr_op_int(w->op, SR_NAME_batch_group_count, 1) != 1)
		return false;
	(void)reversal; /* turns the kernel over: which inputs are read stays the same */
	sr_struct_ints(w->h->ctx, dn, SR_NAME_kernel_spatial_dimensions, &k, &n);
	sr_struct_ints(w->h->ctx, dn, SR_NAME_output_spatial_dimensions, &out, &n);
	if (!sr_struct_ints(w->h->ctx, dn, SR_NAME_input_spatial_dimensions, &in, &n) || n > SR_MAX_RANK)
		return false;
	for (int64_t i = 0; i < n; i++)
		add_dim(w, i, (struct window_dim){.in = (int)in[i], .out = (int)out[i], .size = kernel->shape[k[i]]}, SR_NAME_lhs_dilation,
			SR_NAME_rhs_dilation);
	return true;
}

static bool read_reduce_window(struct window *w)
{
	const struct sr_type *t = sr_result(w->op, 0)->type;
	if (w->op->n_operands != 2 || t->rank > SR_MAX_RANK)
		return false;
	for (int i = 0; i < t->rank; i++)
		add_dim(w, i, (struct window_dim){.in = i, .out = i, .size = at(w->h, w->op, SR_NAME_window_dimensions, i, 1)},
			SR_NAME_base_dilations, SR_NAME_window_dilations);
	return true;
}

struct reach {
	int64_t left, right; /* from the neighbours; negative: own elements not needed */
};

static bool reach_of(struct window *w, const struct window_dim *d, struct reach *r)
{
	struct sr_halo_dim h = sr_halo_dim_of(w->h, w->out, d->out);
	int64_t m_in = sr_operand(w->op, 0)->type->shape[d->in] / h.shards,
		m_out = sr_result(w->op, 0)->type->shape[d->out] / h.shards;
	int64_t wide = (d->size - 1) * d->dilation + 1;
	*r = (struct reach){d->low, (m_out - 1) * d->stride - d->low + wide - m_in};
	bool some_left = (r->left < 0 ? -r->left : 0) < (r->right < 0 ? m_in + r->right : m_in);
	return d->base == 1 && m_in == d->stride * m_out && r->left <= m_in && r->right <= m_in && some_left;
}

/* Every sharded window dimension has a reach, and one of them needs a neighbour. */
static bool is_wanted(struct window *w)
{
	bool wanted = false;
	for (int i = 0; i < w->n; i++) {
		struct reach r;
		if (sr_written_dim_shards(w->out, w->h->mesh, w->dims[i].out) == 1)
			continue;
		if (!reach_of(w, &w->dims[i], &r))
			return false;
		wanted = wanted || r.left || r.right;
	}
	return wanted;
}

static const struct sr_attr *closed(struct sr_halo *h, const struct sr_written_sharding *like, int rank,
				    struct sr_written_dim *dims)
{
	struct sr_written_sharding s = {.mesh_name = like->mesh_name, .mesh = like->mesh, .dims = dims, .rank = rank};
	for (int d = 0; d < rank; d++) {
		dims[d].closed = true;
		dims[d].priority = -1;
	}
	return sr_attr_sharding(h->ctx, &s);
}

/* How operands must lie: the input like the result along batch and windows, whole along features; the kernel along output
 * features. */
static void operand_shardings(struct window *w, const struct sr_attr **of)
{
	struct sr_arena *arena = w->h->ctx->arena;
	const struct sr_attr *dn = sr_op_attr(w->op, SR_NAME_dimension_numbers);
	for (int i = 0; i < 2; i++) {
		int rank = sr_operand(w->op, i)->type->rank;
		struct sr_written_dim *dims = SR_NEWS(arena, struct sr_written_dim, rank);
		for (int d = 0; !i && d < w->n; d++)
			dims[w->dims[d].in].axes = w->out->dims[w->dims[d].out].axes;
		if (dn && !i)
			dims[sr_attr_field(dn, SR_NAME_input_batch_dimension)->i].axes =
				w->out->dims[sr_attr_field(dn, SR_NAME_output_batch_dimension)->i].axes;
		if (dn && i)
			dims[sr_attr_field(dn, SR_NAME_kernel_output_feature_dimension)->i].axes =
				w->out->dims[sr_attr_field(dn, SR_NAME_output_feature_dimension)->i].axes;
		of[i] = closed(w->h, w->out, rank, dims);
	}
}

/* [first, first + n) of my neighbour; what lies behind the mesh's end is the init value, not the zeros that come. */
static struct sr_value *received(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n, struct sr_halo_dim d,
				 int step, struct sr_value *init)
{
	struct sr_halo_sources from = {.step = step};
	struct sr_value *got = sr_halo_permute(h, sr_halo_slice(h, v, dim, first, n), d, from);
	return init ? sr_halo_filled(h, got, d, from, init) : got;
}

static struct sr_value *extend(struct window *w, struct sr_value *v, const struct window_dim *d, struct sr_value *init)
{
	struct sr_halo *h = w->h;
	struct sr_halo_dim s = sr_halo_dim_of(h, w->out, d->out);
	struct sr_value *parts[3];
	struct reach r;
	int n = 0;
	int64_t m = v->type->shape[d->in];
	reach_of(w, d, &r);
	if (r.left > 0)
		parts[n++] = received(h, v, d->in, m - r.left, r.left, s, -1, init);
	int64_t first = r.left < 0 ? -r.left : 0, last = r.right < 0 ? m + r.right : m;
	parts[n++] = sr_halo_slice(h, v, d->in, first, last - first);
	if (r.right > 0)
		parts[n++] = received(h, v, d->in, 0, r.right, s, 1, init);
	return sr_halo_concatenate(h, parts, n, d->in);
}

/* The op on the extended input, with the padding of the exchanged dimensions gone. */
static struct sr_value *local_op(struct window *w, struct sr_value *in, struct sr_value *second)
{
	struct sr_context *ctx = w->h->ctx;
	struct sr_op *op = sr_op_clone(ctx, w->op, NULL);
	const struct sr_type *out = sr_result(w->op, 0)->type;
	int64_t *padding = SR_NEWS(ctx->arena, int64_t, 2 * w->n),
		*shape = sr_dup(ctx->arena, out->shape, (size_t)out->rank, sizeof *shape);
	for (int i = 0; i < w->n; i++) {
		bool whole = sr_written_dim_shards(w->out, w->h->mesh, w->dims[i].out) == 1;
		padding[2 * i] = whole ? w->dims[i].low : 0;
		padding[2 * i + 1] = whole ? w->dims[i].high : 0;
	}
	for (int d = 0; d < out->rank; d++)
		shape[d] /= sr_written_dim_shards(w->out, w->h->mesh, d);
	sr_op_remove_attr(ctx, op, "sdy.sharding");
	sr_op_set_attr(ctx, op, SR_NAME_padding, sr_attr_dense_i64(ctx, 2, (int64_t[]){w->n, 2}, padding));
	sr_op_set_operand(op, 0, in);
	sr_op_set_operand(op, 1, second);
	sr_result(op, 0)->type = sr_type_with_shape(ctx, out, out->rank, shape);
	sr_op_append(w->h->at.block, op);
	return sr_result(op, 0);
}

static bool halo_of_window(struct sr_halo *h, struct sr_op *op, bool reduces)
{
	const struct sr_attr *sharding = sr_value_sharding(h->ctx, sr_result(op, 0)), *shardings[2];
	struct window w = {.h = h, .op = op, .out = sharding->sharding};
	struct sr_value *operands[2];
	if (op->n_operands != 2 || !(reduces ? read_reduce_window(&w) : read_convolution(&w)) ||
	    !sr_halo_divides(h, sr_result(op, 0)->type, w.out))
		return false;
	operand_shardings(&w, shardings);
	for (int i = 0; i < 2; i++) {
		operands[i] = sr_operand(op, i);
		if (!sr_halo_divides(h, operands[i]->type, shardings[i]->sharding))
			return false;
	}
	if (!is_wanted(&w))
		return false;
	struct sr_op *manual = sr_halo_begin(h, op, operands, shardings, 2, sharding);
	struct sr_value **args = manual->regions[0].first->args, *in = args[0];
	for (int i = 0; i < w.n; i++)
		if (sr_written_dim_shards(w.out, h->mesh, w.dims[i].out) > 1)
			in = extend(&w, in, &w.dims[i], reduces ? args[1] : NULL);
	sr_halo_end(h, op, manual, local_op(&w, in, args[1]));
	return true;
}

bool sr_halo_of_convolution(struct sr_halo *h, struct sr_op *op)
{
	return halo_of_window(h, op, false);
}

bool sr_halo_of_reduce_window(struct sr_halo *h, struct sr_op *op)
{
	return halo_of_window(h, op, true);
}
