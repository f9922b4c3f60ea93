/* Halo exchange of select_and_scatter (the gradient of pooling) over sharded windows: each device runs all windows that reach its
 * elements, on the operand elements under these windows and the windows' sources, and keeps the results at its own elements.
 *
 *	operand 16 over "x"=4, windows of 3 at stride 2, source 7:  device 1 has elements [4,8); windows 1, 2 and 3 reach them;
 *	it reads elements [2,9) and sources [1,4), and keeps [2,6) of its 7 results
 *
 * Windows that do not exist scatter the identity of the scatter body. Ops with padding are not expanded. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/halo/halo_window.h"
#include "support/checked.h"

struct read_range { /* elements and windows that each device reads along one dimension */
	struct sr_halo_dim shards;
	/* for each device: first element and first window that it reads, and position of its own elements among those; length:
	 * number of shards */
	int64_t *element, *window, *own;
	int64_t n, windows, shard_extent; /* number of elements and of windows that each device reads; number of its own elements */
	struct sr_halo_transfer *elements, *sources;
};

struct select_scatter {
	struct sr_expansion *h;
	struct sr_op *op;
	const struct sr_sdy_sharding *out;
	struct sr_halo_window dims[SR_MAX_RANK];
	/* ranges that each device reads along each dimension; `element` is NULL if the dimension is not partitioned or has
	 * windows of one element */
	struct read_range ranges[SR_MAX_RANK];
	const struct sr_attr *identity;
};

/* Find the windows that reach each device's elements, including windows that do not exist. */
static void compute_read_range(struct read_range *r, const struct sr_halo_window *d, int64_t shard_extent, int64_t shards,
			       struct sr_arena *arena)
{
	int64_t last = 0;
	r->element = SR_NEW_ARRAY(arena, int64_t, shards);
	r->window = SR_NEW_ARRAY(arena, int64_t, shards);
	r->own = SR_NEW_ARRAY(arena, int64_t, shards);
	r->shard_extent = shard_extent;
	for (int64_t j = 0; j < shards; j++) {
		int64_t begins = sr_halo_floor_div(j * shard_extent, d->stride),
			touches = sr_halo_floor_div(j * shard_extent - d->size + d->stride, d->stride);
		r->window[j] = touches < begins ? touches : begins;
		r->element[j] = r->window[j] * d->stride;
		r->own[j] = j * shard_extent - r->element[j];
		last = sr_halo_floor_div((j + 1) * shard_extent - 1, d->stride);
		int64_t windows = last - r->window[j] + 1;
		r->windows = windows > r->windows ? windows : r->windows;
	}
	r->n = (r->windows - 1) * d->stride + d->size;
	for (int64_t j = 0; j < shards; j++)
		r->n = r->own[j] + shard_extent > r->n ? r->own[j] + shard_extent : r->n;
	r->windows = (r->n - d->size) / d->stride + 1;
}

/* Set up the transfers of operand and source along a dimension. Returns false if there are too many messages. */
static bool set_up_transfers(struct select_scatter *s, int dim)
{
	struct read_range *r = &s->ranges[dim];
	int64_t extent = sr_result(s->op, 0)->type->shape[dim], windows = sr_operand(s->op, 1)->type->shape[dim],
		k = r->shards.shards;
	r->elements = sr_halo_transfer_new(s->h, r->shards, r->n);
	r->sources = sr_halo_transfer_new(s->h, r->shards, r->windows);
	for (int64_t j = 0; j < k; j++) {
		int64_t shard_extent = sr_ceil_div(extent, k), windows_per_device = sr_ceil_div(windows, k);
		sr_halo_transfer_add(r->elements, 0, (struct sr_halo_range_source){shard_extent, 0, shard_extent * k}, j, 0,
				     r->element[j], r->n);
		sr_halo_transfer_add(r->sources, 0, (struct sr_halo_range_source){windows_per_device, 0, windows_per_device * k}, j,
				     0, r->window[j], r->windows);
	}
	return sr_halo_transfer_elements(r->elements) >= 0 && sr_halo_transfer_elements(r->sources) >= 0;
}

static double bytes_along(const struct select_scatter *s, int operand, int dim)
{
	return sr_halo_bytes_along(s->h, sr_operand(s->op, operand)->type, s->out, dim);
}

/* Set up the transfers of the sharded dimensions that have windows, and add their cost. Returns whether the form is used, unused
 * or impossible. */
static enum sr_form_use set_up(struct select_scatter *s, struct sr_wire_cost *cost)
{
	const struct sr_type *type = sr_result(s->op, 0)->type;
	enum sr_form_use use = SR_FORM_UNUSED;
	for (int d = 0; d < type->rank; d++) {
		struct sr_halo_window *w = &s->dims[d];
		struct read_range *r = &s->ranges[d];
		w->size = sr_op_int_at(s->h->ctx, s->op, SR_NAME_window_dimensions, d, 1);
		sr_halo_window_read(s->h, s->op, w, d, NULL, NULL);
		r->shards = sr_halo_dim_of(s->h, s->out, d);
		if (r->shards.shards == 1 || (w->size == 1 && w->stride == 1 && !w->low && !w->high))
			continue;
		if (w->low || w->high || !sr_halo_is_listable(r->shards))
			return SR_FORM_IMPOSSIBLE;
		compute_read_range(r, w, sr_ceil_div(type->shape[d], r->shards.shards), r->shards.shards, s->h->arena);
		if (!set_up_transfers(s, d) || !sr_halo_transfer_cost(r->elements, bytes_along(s, 0, d), cost) ||
		    !sr_halo_transfer_cost(r->sources, bytes_along(s, 1, d), cost))
			return SR_FORM_IMPOSSIBLE;
		use = SR_FORM_USED;
	}
	return use;
}

static struct sr_value *build_local(struct select_scatter *s, struct sr_value *operand, struct sr_value *source,
				    struct sr_value *init)
{
	struct sr_expansion *h = s->h;
	struct sr_value *identity = sr_build_constant(&h->builder, s->identity);
	for (int d = 0; d < operand->type->rank; d++) {
		struct read_range *r = &s->ranges[d];
		if (!r->elements)
			continue;
		operand = sr_halo_transfer_build(r->elements, &operand, operand->type, d,
						 (struct sr_halo_fill){.kind = SR_FILL_ZERO});
		source = sr_halo_masked(h, source, d, r->shards, sr_operand(s->op, 1)->type->shape[d], identity);
		source = sr_halo_transfer_build(r->sources, &source, source->type, d,
						(struct sr_halo_fill){SR_FILL_VALUE, identity});
	}
	struct sr_op *op = sr_form_clone(h, (struct sr_value *[]){operand, source, init}, 3, &operand->type, 1);
	struct sr_value *v = sr_result(op, 0);
	for (int d = 0; d < operand->type->rank; d++)
		if (s->ranges[d].elements)
			v = sr_halo_slice_per_device(h, v, d, s->ranges[d].shards, s->ranges[d].own, s->ranges[d].shard_extent);
	return v;
}

/* Return the identity of the scatter body; NULL if it is not known. */
static const struct sr_attr *identity_of(struct sr_context *ctx, const struct sr_op *op)
{
	const struct sr_reducer *r = op->n_regions == 2 ? sr_reducer_of(&op->regions[1]) : NULL;
	return r ? sr_reducer_identity(ctx, r, sr_result(op, 0)->type->dtype) : NULL;
}

static bool supports(const struct sr_op_view *v, int factor)
{
	return sr_index_list_has(v->rule->permutation, factor) && identity_of(v->ctx, v->op);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_expansion h = sr_halo_of(q);
	struct select_scatter s = {.h = &h, .op = q->op, .out = q->layouts[3]->sharding};
	return set_up(&s, sum);
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_halo_of(q);
	struct select_scatter s = {.h = &h, .op = q->op, .out = q->layouts[3]->sharding, .identity = identity_of(q->ctx, q->op)};
	struct sr_wire_cost sum = {0};
	set_up(&s, &sum);
	struct sr_value **args = sr_form_begin(&h, NULL, 0, q->layouts), *local = build_local(&s, args[0], args[1], args[2]);
	sr_form_end(&h, &local);
}

/* The source is sharded like the operand. */
static const struct sr_sharding_rule *rule_of_sources(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
						      const struct sr_sharding_rule *rule)
{
	(void)ctx;
	struct sr_sharding_rule *sources_rule = sr_dup(arena, rule, 1, sizeof *rule);
	struct sr_tensor_mapping *operands = sr_dup(arena, rule->operands, (size_t)op->n_operands, sizeof *operands);
	operands[1] = operands[0];
	sources_rule->operands = operands;
	return sources_rule;
}

const struct sr_op_form sr_halo_of_select_and_scatter = {"halo", supports, cost, emit, rule_of_sources};
