/* Forms of sorts along a sharded dimension (form/form.h).
 *
 * If all readers slice the first k elements (top_k), each device sorts its shard, the first k of all shards are gathered and sorted
 * again. Both sorts are stable, so equal elements keep their order. The result is on every device; it replaces the slices.
 *
 * If all elements are read, the algorithm is columnsort (Leighton 1985); a shard is a column. Sorted columns are transposed
 * (element i goes to device i / b % shards; b is 1 in the paper, and larger here so that messages consist of long rows), sorted and
 * transposed back. Each element that is then on the wrong device is near the boundary to the right one (boundary_width), so the
 * ends of the shards around every boundary are sorted together. Costs two all_to_alls, whatever the number of devices. Equal
 * elements that are distinguishable carry their positions along; before the later sorts they are put in the order of positions. A
 * single operand of floats is sorted as integer encodings (sort_encoding.c), which need no positions.
 *
 * Among few devices columnsort sends more than a gather: then each device sorts its shard, and the shards are gathered and merged;
 * each of two devices with long shards merges only the elements of its half (sort_halves.c). */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/sort_keys.h"
#include "kernels/sort_runs.h"
#include "partition/expand/sort_encoding.h"
#include "partition/expand/sort_halves.h"
#include <string.h>

enum {
	MAX_OPERANDS = 15,
	/* minimum elements of a shard for which merging half of the elements saves more time than finding that half takes */
	MIN_OWN_HALF = 1024,
	MAX_BLOCK = 64,         /* maximum number of adjacent elements that go to the same device when columns are transposed */
	BOUNDARIES_IN_SHARD = 64, /* blocks of several elements leave at least this many widths of a boundary in a shard */
};

struct sort_expansion {
	int dim, n; /* sorted dimension; number of the op's operands (the operand with positions, if any, follows them in v) */
	struct sr_axes *axes;
	int64_t extent, shard, shards;
	int64_t block;     /* number of adjacent elements that go to the same device when columns are transposed */
	int64_t prefix;    /* number of leading elements that readers use; 0: all */
	/* true: equal elements are distinguishable, so their positions are sorted along as a further operand */
	bool carries_positions;
	/* true: encodings of the elements are sorted instead of the elements, in ascending or descending order */
	bool sorts_encodings;
	bool descending;
	struct sr_value *v[MAX_OPERANDS + 1];
};

/* Return the length of the longest prefix along dim that slices of v, or of reshards of v, read; -1 if some reader uses other
 * elements. */
static int64_t prefix_read_by(struct sr_context *ctx, const struct sr_value *v, int dim)
{
	int64_t max_prefix = 0, n;
	const int64_t *start, *limit, *stride;
	for (struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *by = use->owner;
		bool slice = sr_op_is(by, SR_OP_stablehlo_slice) && sr_op_ints(ctx, by, SR_NAME_start_indices, &start, &n) &&
			     sr_op_ints(ctx, by, SR_NAME_limit_indices, &limit, &n) &&
			     sr_op_ints(ctx, by, SR_NAME_strides, &stride, &n) && start[dim] == 0 && stride[dim] == 1;
		int64_t prefix = slice				  ? limit[dim]
				: sr_op_is(by, SR_OP_sdy_reshard) ? prefix_read_by(ctx, sr_result(by, 0), dim)
								  : -1;
		if (prefix < 0)
			return -1;
		max_prefix = prefix > max_prefix ? prefix : max_prefix;
	}
	return max_prefix;
}

/* Return the size of the prefix that readers of the results use; 0: all elements. */
static int64_t prefix_of_readers(struct sr_context *ctx, const struct sr_op *op, int dim)
{
	int64_t max_prefix = 0;
	for (int i = 0; i < op->n_results; i++) {
		int64_t prefix = prefix_read_by(ctx, sr_result(op, i), dim);
		if (prefix < 0)
			return 0;
		max_prefix = prefix > max_prefix ? prefix : max_prefix;
	}
	return max_prefix < sr_operand(op, 0)->type->shape[dim] ? max_prefix : 0;
}

/* Decide how equal elements keep their order. A single operand needs neither positions nor encodings if its equal elements have
 * equal bits or the sort need not be stable; floats ordered by JAX's comparator are sorted as encodings; in all other cases
 * positions are carried along. */
static void read_order(const struct sr_form_query *q, struct sort_expansion *s)
{
	struct sr_sort_key keys[SR_SORT_KEYS] = {{0}};
	const struct sr_type *t = sr_operand(q->op, 0)->type;
	bool is_single = s->n == 1 && sr_sort_keys(q->ctx, q->op, keys) == 1, is_stable = sr_op_int(q->op, SR_NAME_is_stable, 0);
	bool have_equal_bits = sr_dtype_is_integer(t->dtype) || keys[0].float_order == 1 || !is_stable;
	s->descending = is_single && keys[0].is_descending;
	s->sorts_encodings = is_single && is_stable && !s->prefix && keys[0].float_order == 2 && sr_sort_has_encoding(t, s->extent);
	s->carries_positions = !s->sorts_encodings && !(is_single && have_equal_bits);
}

/* Return the number of the dimension along which the op sorts. */
static int sort_dim(const struct sr_op *op)
{
	int dim = (int)sr_op_int(op, SR_NAME_dimension, -1);
	return dim < 0 ? dim + sr_operand(op, 0)->type->rank : dim;
}

/* Return how many elements at each end of a shard may belong to the neighbor after the columns were transposed, in blocks of b
 * elements, sorted and transposed back, and which of the neighbor's elements may precede or follow these. Let P be the number of
 * shards. If k elements of a column precede an element, the k elements begin with as many whole rounds of b P elements as they
 * hold; of the k % (b P) elements after these, min(max(k % (b P) - j b, 0), b) go to device j. P times the number on device j
 * thus differs from k by at least -j b and at most b (P - 1 - j); the sum over all columns, the element's position on device j
 * times P, differs from its position in the sorted array by less than (P - 1) b P. Counting the element's own place, the
 * difference is at most (P - 1) (b P - 1), Leighton's bound for b = 1. */
static double boundary_width(const struct sort_expansion *s, int64_t block)
{
	double shards = (double)s->shards;
	return (shards - 1) * ((double)block * shards - 1);
}

/* Return the largest block for which boundaries stay narrow; 0: there is none, since even two boundaries of single elements do
 * not fit in a shard. */
static int64_t block_of(const struct sort_expansion *s, int rank)
{
	double shard = (double)s->shard;
	for (int64_t block = rank + 2 > SR_MAX_RANK ? 1 : MAX_BLOCK; block > 1; block /= 2)
		if (s->shard % (s->shards * block) == 0 && boundary_width(s, block) * BOUNDARIES_IN_SHARD <= shard)
			return block;
	return s->shard % s->shards == 0 && boundary_width(s, 1) * 2 <= shard;
}

static enum sr_form_use read_sort(const struct sr_form_query *q, struct sort_expansion *s)
{
	const struct sr_type *t = sr_operand(q->op, 0)->type;
	s->n = q->op->n_operands;
	s->dim = sort_dim(q->op);
	s->axes = sr_form_axes(q, 0);
	s->extent = t->shape[s->dim];
	s->shards = sr_axes_size(s->axes[s->dim]);
	s->shard = sr_expand_shard_extent(s->extent, s->axes[s->dim]);
	s->block = block_of(s, t->rank);
	s->prefix = prefix_of_readers(q->ctx, q->op, s->dim);
	read_order(q, s);
	return s->shards <= 1 ? SR_FORM_UNUSED : s->shards <= INT32_MAX / 4 ? SR_FORM_USED : SR_FORM_IMPOSSIBLE;
}

static bool supports(const struct sr_op_view *v, int factor)
{
	const struct sr_type *t = sr_operand(v->op, 0)->type;
	if (!sr_spmd_is_supported(v) || v->op->n_operands > MAX_OPERANDS || t->rank + 1 > SR_MAX_RANK || t->rank == 0)
		return false;
	const struct sr_dim_mapping *dim = &v->rule->operands[0].dims[sort_dim(v->op)];
	return dim->n == 1 && dim->factors[0] == factor;
}

/* Return the bytes of a device's shards of all operands. */
static double shard_bytes(const struct sr_form_query *q)
{
	double bytes = 0;
	for (int i = 0; i < q->op->n_operands; i++)
		bytes += sr_cost_model_local_bytes(sr_operand(q->op, i)->type, q->layouts[i]->sharding, q->mesh.mesh);
	return bytes;
}

/* Add the cost of n collectives along the sorted dimension whose results have `bytes` bytes in total. */
static void add_cost(const struct sr_form_query *q, const struct sort_expansion *s, enum sr_coll coll, double bytes, int n,
		     struct sr_wire_cost *sum)
{
	const struct sr_mesh_links *links = sr_cost_model_links(q->costs, q->mesh.mesh);
	for (int i = 0; i < n; i++)
		sr_wire_cost_add(sum, sr_cost_collective(links, coll, bytes / n, s->axes[s->dim]));
}

/* Start the manual computation. Its arguments become s->v. */
static void begin_body(struct sr_expansion *p, const struct sr_form_query *q, struct sort_expansion *s)
{
	struct sr_value **args = sr_form_begin(p, NULL, 0, q->layouts);
	read_sort(q, s);
	for (int i = 0; i < s->n; i++)
		s->v[i] = args[i];
}

/* ---------------------------------------------------------------- sorts of a shard */

static struct sr_op *clone_sort(struct sr_expansion *p, struct sort_expansion *s)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, s->n);
	for (int i = 0; i < s->n; i++)
		types[i] = s->v[i]->type;
	struct sr_op *op = sr_form_clone(p, s->v, s->n, types, s->n);
	sr_op_set_attr(ctx, op, SR_NAME_is_stable, sr_attr_bool(ctx, true));
	return op;
}

/* Replace the comparator of `op` by one that compares operand `key` by less-than. */
static void compare_by(struct sr_expansion *p, struct sort_expansion *s, struct sr_op *op, int key)
{
	struct sr_block *old = op->regions[0].first;
	while (old->last) {
		struct sr_op *last = old->last;
		sr_op_erase(last);
	}
	while (old->n_args)
		sr_block_remove_arg(old, old->n_args - 1);
	for (int i = 0; i < 2 * s->n; i++)
		sr_block_add_arg(p->ctx, old, sr_type_tensor(p->ctx, s->v[i / 2]->type->dtype, 0, NULL), p->op->loc);
	struct sr_builder at = {.ctx = p->ctx, .block = old, .loc = p->op->loc};
	struct sr_value *is_less = sr_build_compare(&at, old->args[2 * key], SR_LT, old->args[2 * key + 1], NULL);
	sr_build(&at, SR_OP_stablehlo_return, &is_less, 1, NULL, 0, NULL, 0);
}

static void take_results(struct sort_expansion *s, struct sr_op *op)
{
	for (int i = 0; i < s->n; i++)
		s->v[i] = sr_result(op, i);
}

/* Sort stably by one more operand `key`, which is appended to s->v. */
static void sort_by(struct sr_expansion *p, struct sort_expansion *s, struct sr_value *key)
{
	s->v[s->n++] = key;
	struct sr_op *op = clone_sort(p, s);
	compare_by(p, s, op, s->n - 1);
	take_results(s, op);
	s->n--;
}

/* Sort stably by the op's own comparator or by encodings. Positions, if carried along, are an operand that the comparator
 * ignores. */
static void sort_shard(struct sr_expansion *p, struct sort_expansion *s)
{
	int positions = s->carries_positions && s->v[s->n] != NULL;
	s->n += positions;
	struct sr_op *op = clone_sort(p, s);
	struct sr_block *body = op->regions[0].first;
	if (s->sorts_encodings)
		compare_by(p, s, op, 0);
	for (int i = 0; i < 2 * positions; i++)
		sr_block_add_arg(p->ctx, body, sr_type_tensor(p->ctx, s->v[s->n - 1]->type->dtype, 0, NULL), p->op->loc);
	take_results(s, op);
	s->n -= positions;
}

static void slice_all(struct sr_expansion *p, struct sort_expansion *s, int64_t first, int64_t n)
{
	for (int i = 0; i < s->n; i++)
		s->v[i] = sr_build_slice_dim(&p->builder, s->v[i], s->dim, first, n, 1);
}

static double row_bytes(const struct sr_op *op)
{
	double bytes = 0;
	for (int i = 0; i < op->n_operands; i++)
		bytes += sr_dtype_bytes(sr_operand(op, i)->type->dtype);
	return bytes;
}

/* ---------------------------------------------------------------- the first elements */

/* Return an i1 mask of s->v's shape, true for padding. The elements are the first `n_per_device` of every device (chunks =
 * s->shards), or all elements of this device (chunks = 1, n_per_device = s->shard). */
static struct sr_value *is_padding(struct sr_expansion *p, const struct sort_expansion *s, int64_t n_per_device, int64_t chunks)
{
	enum sr_dtype type = sr_spmd_index_type(s->extent);
	int64_t shape[2] = {chunks, n_per_device}, n = chunks * n_per_device, dims = s->dim;
	struct sr_builder *b = &p->builder;
	const struct sr_type *grid = sr_type_tensor(p->ctx, type, 2, shape);
	struct sr_value *position = sr_build_iota(b, type, grid, 1), *first;
	if (chunks > 1) {
		first = sr_build_iota(b, type, grid, 0);
		first = sr_build_binary(b, SR_OP_stablehlo_multiply, first, sr_build_integer(b, grid, s->shard));
	} else {
		first = sr_build_broadcast(b, sr_spmd_shard_offset(p, s->axes[s->dim], s->shard, type), grid, NULL);
	}
	position = sr_build_binary(b, SR_OP_stablehlo_add, position, first);
	position = sr_build_compare(b, position, SR_GE, sr_build_integer(b, grid, s->extent), NULL);
	return sr_build_broadcast(b, sr_build_reshape(b, position, 1, &n), s->v[0]->type, &dims);
}

/* Return v, which holds this device's elements, with the scalar constant `fill` in place of padding. */
static struct sr_value *fill_padding(struct sr_expansion *p, const struct sort_expansion *s, struct sr_value *v,
				     const struct sr_attr *fill)
{
	struct sr_value *scalar = sr_build_constant(&p->builder, fill);
	return sr_build_select(&p->builder, is_padding(p, s, s->shard, 1), sr_build_broadcast(&p->builder, scalar, v->type, NULL), v);
}

/* Sort by flags (i1 tensor of s->v's shape), then by the op's own comparator, so that padding is never compared with a value. */
static void sort_flagged(struct sr_expansion *p, struct sort_expansion *s, struct sr_value *flags)
{
	s->v[s->n++] = flags;
	struct sr_op *op = clone_sort(p, s), *end = sr_block_terminator(op->regions[0].first);
	struct sr_block *body = op->regions[0].first;
	struct sr_value *pair[2];
	for (int i = 0; i < 2; i++)
		pair[i] = sr_block_add_arg(p->ctx, body, sr_type_tensor(p->ctx, SR_I1, 0, NULL), p->op->loc);
	struct sr_builder at = sr_builder_before(p->ctx, end);
	struct sr_value *is_less = sr_build_compare(&at, pair[0], SR_LT, pair[1], NULL),
			*tie_operands[] = {sr_build_compare(&at, pair[0], SR_EQ, pair[1], NULL), sr_operand(end, 0)};
	struct sr_value *conditions[] = {is_less, sr_build_infer(&at, SR_OP_stablehlo_and, tie_operands, 2, NULL, 0)};
	sr_op_set_operand(end, 0, sr_build_infer(&at, SR_OP_stablehlo_or, conditions, 2, NULL, 0));
	take_results(s, op);
	s->n--;
}

/* Return the scalar that comes last in the order of `compare`, a less-than or greater-than comparison; NULL if it is not known. */
static const struct sr_attr *last_element_in_order(struct sr_expansion *p, const struct sr_op *compare)
{
	enum sr_dtype type = sr_operand(compare, 0)->type->dtype;
	bool ascends = sr_comparison_of(compare) == SR_LT, is_total = sr_comparison_type_is(compare, "TOTALORDER");
	int bytes = sr_dtype_bytes(type);
	unsigned char element[16];
	if (sr_dtype_is_float(type) ? bytes < 2 || sr_dtypes[type].bits != 8 * bytes : !sr_dtype_is_integer(type))
		return NULL;
	if (!sr_dtype_is_float(type) || !is_total)
		return sr_reducer_identity(p->ctx, sr_reducer_find(ascends ? SR_OP_stablehlo_minimum : SR_OP_stablehlo_maximum),
					   type);
	memset(element, 0xff, sizeof element); /* NaN */
	element[bytes - 1] = ascends ? 0x7f : 0xff;
	return sr_attr_dense(p->ctx, sr_type_tensor(p->ctx, type, 0, NULL), element, bytes);
}

/* Return the operand that the comparator compares, if it consists of a single less-than or greater-than whose order has a last
 * scalar; otherwise -1. */
static int key_of(struct sr_expansion *p, const struct sr_op *op, const struct sr_attr **last)
{
	const struct sr_block *body = op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(body), *compare = end->n_operands == 1 ? sr_operand(end, 0)->def : NULL;
	if (!compare || !sr_op_is(compare, SR_OP_stablehlo_compare))
		return -1;
	enum sr_compare comparison = sr_comparison_of(compare);
	for (int i = 0; i < op->n_operands && (comparison == SR_LT || comparison == SR_GT); i++)
		if (sr_operand(compare, 0) == body->args[2 * i] && sr_operand(compare, 1) == body->args[2 * i + 1])
			return (*last = last_element_in_order(p, compare)) ? i : -1;
	return -1;
}

/* Build the sort of a prefix: sort each device's elements, gather the first `n_per_device` of every device, sort these and keep as
 * many as the prefix has. Padding must be after all values in the first sort, and after all gathered values in the second. Both
 * sorts are stable, so padding stays last if its key is the last scalar of the comparator's order. If that scalar is not known, a
 * padding flag is compared before the op's own comparator. */
static void build_prefix(struct sr_expansion *p, struct sort_expansion *s, int64_t n_per_device)
{
	const struct sr_attr *last = NULL;
	bool needs_padding = s->extent % s->shards;
	int key = needs_padding ? key_of(p, p->op, &last) : -1;
	s->v[s->n] = NULL;
	if (key >= 0)
		s->v[key] = fill_padding(p, s, s->v[key], last);
	for (int round = 0; round < 2; round++) {
		if (needs_padding && key < 0)
			sort_flagged(p, s, is_padding(p, s, round ? n_per_device : s->shard, round ? s->shards : 1));
		else
			sort_shard(p, s);
		slice_all(p, s, 0, round ? s->prefix : n_per_device);
		for (int i = 0; !round && i < s->n; i++)
			s->v[i] = sr_spmd_all_gather(p, s->v[i], s->dim, s->axes[s->dim]);
	}
}

/* Make slices of v, and of reshards of v, read `first` and have its sharding. Erase the reshards. */
static void read_prefix_instead(struct sr_expansion *p, struct sr_value *v, struct sr_value *first)
{
	for (struct sr_use *use = v->uses, *next; use; use = next) {
		struct sr_op *reader = use->owner;
		next = use->next;
		if (sr_op_is(reader, SR_OP_stablehlo_slice)) {
			sr_value_set_sharding(p->ctx, sr_result(reader, 0), sr_value_sharding(p->ctx, first));
		} else {
			read_prefix_instead(p, sr_result(reader, 0), first);
			sr_op_erase(reader);
		}
	}
	sr_value_replace_all(v, first);
}

/* Return the rule of a sort of which only leading elements are read: along the sorted dimension, results have a factor of their
 * own, which is replicated and as large as the part that is read. */
static const struct sr_sharding_rule *rule_of_prefix(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
						     const struct sr_sharding_rule *rule)
{
	int dim = op->n_operands && sr_operand(op, 0)->type->rank ? sort_dim(op) : -1, n = rule->n_factors;
	int64_t prefix = dim < 0 || rule->custom || rule->results[0].dims[dim].n != 1 ? 0 : prefix_of_readers(ctx, op, dim);
	if (!prefix)
		return rule;
	struct sr_sharding_rule *prefix_rule = sr_dup(arena, rule, 1, sizeof *rule);
	int64_t *sizes = SR_NEW_ARRAY(arena, int64_t, n + 1);
	int32_t *replicated_factors = SR_NEW_ARRAY(arena, int32_t, n + 1),
		*factor = sr_dup(arena, &(int32_t){n}, 1, sizeof *factor);
	struct sr_tensor_mapping *results = sr_dup(arena, rule->results, (size_t)rule->n_results, sizeof *results);
	memcpy(sizes, rule->sizes, (size_t)n * sizeof *sizes);
	sizes[n] = prefix;
	for (int i = 0; i < rule->n_results; i++) {
		struct sr_dim_mapping *dims = sr_dup(arena, results[i].dims, (size_t)results[i].rank, sizeof *dims);
		dims[dim] = (struct sr_dim_mapping){factor, 1};
		results[i].dims = dims;
	}
	memcpy(replicated_factors, rule->need_replication.indices, (size_t)rule->need_replication.n * sizeof *replicated_factors);
	replicated_factors[rule->need_replication.n] = n;
	prefix_rule->sizes = sizes;
	prefix_rule->n_factors = n + 1;
	prefix_rule->results = results;
	prefix_rule->need_replication = (struct sr_index_list){replicated_factors, rule->need_replication.n + 1};
	return prefix_rule;
}

static int64_t elements_per_device(const struct sort_expansion *s)
{
	return s->prefix < s->shard ? s->prefix : s->shard;
}

static enum sr_form_use cost_prefix(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sort_expansion s = {.dim = 0};
	enum sr_form_use use = read_sort(q, &s);
	if (use != SR_FORM_USED || !s.prefix)
		return use == SR_FORM_USED ? SR_FORM_IMPOSSIBLE : use;
	double gathered_bytes = shard_bytes(q) / (double)s.shard * (double)elements_per_device(&s) * (double)s.shards;
	add_cost(q, &s, SR_ALL_GATHER, gathered_bytes, s.n, sum);
	return SR_FORM_USED;
}

static void emit_prefix(const struct sr_form_query *q)
{
	struct sort_expansion s = {.dim = 0};
	struct sr_expansion p = sr_expansion_of(q);
	read_sort(q, &s);
	int64_t prefix = s.prefix;
	for (int i = 0; i < q->op->n_results; i++) {
		const struct sr_type *full_type = sr_result(q->op, i)->type;
		int64_t *shape = sr_dup(q->ctx->arena, full_type->shape, (size_t)full_type->rank, sizeof *shape);
		shape[s.dim] = prefix;
		sr_result(q->op, i)->type = sr_type_with_shape(q->ctx, full_type, full_type->rank, shape);
	}
	begin_body(&p, q, &s);
	build_prefix(&p, &s, elements_per_device(&s));
	for (int i = 0; i < q->op->n_results; i++)
		read_prefix_instead(&p, sr_result(q->op, i), sr_result(p.manual_op, i));
	sr_form_end(&p, s.v);
}

const struct sr_op_form sr_form_sort_prefix = {"sort_prefix", supports, cost_prefix, emit_prefix, rule_of_prefix};

/* ---------------------------------------------------------------- all elements */

/* Transpose the columns: element i of a shard goes to device i / block % shards, after those of earlier shards. is_inverse: do the
 * inverse.
 * If equal elements need not keep an order, elements from one device stay adjacent, so that the next sort finds sorted runs to
 * merge. */
static struct sr_value *transpose_columns(struct sr_expansion *p, const struct sort_expansion *s, struct sr_value *v,
					  bool is_inverse)
{
	int rank = v->type->rank;
	/* shape with a block's elements innermost; without blocks' dimension if a block is one element */
	int64_t shape[SR_MAX_RANK + 2], n = 0, was[SR_MAX_RANK];
	if (is_inverse && !s->carries_positions)
		return sr_spmd_all_to_all(p, v, s->dim, s->dim, s->axes[s->dim]);
	for (int d = 0; d < rank; d++) {
		was[d] = v->type->shape[d];
		shape[n++] = d == s->dim ? was[d] / s->block / (is_inverse ? 1 : s->shards) : was[d];
		if (d == s->dim)
			shape[n++] = is_inverse ? 1 : s->shards;
		if (d == s->dim && s->block > 1)
			shape[n++] = s->block;
	}
	v = sr_build_reshape(&p->builder, v, (int)n, shape);
	v = sr_spmd_all_to_all(p, v, is_inverse ? s->dim : s->dim + 1, is_inverse ? s->dim + 1 : s->dim, s->axes[s->dim]);
	return sr_build_reshape(&p->builder, v, rank, was);
}

static void sort_stably(struct sr_expansion *p, struct sort_expansion *s)
{
	if (s->carries_positions)
		sort_by(p, s, s->v[s->n]);
	sort_shard(p, s);
}

/* Return an i1 tensor of v's shape, all of whose elements say whether this device's coordinate is `at`. */
static struct sr_value *is_at_coordinate(struct sr_expansion *p, const struct sort_expansion *s, const struct sr_value *v,
					 int64_t at)
{
	struct sr_value *coordinate = sr_spmd_shard_offset(p, s->axes[s->dim], 1, SR_I32);
	coordinate = sr_build_compare(&p->builder, coordinate, SR_EQ, sr_build_integer(&p->builder, coordinate->type, at), NULL);
	return sr_build_broadcast(&p->builder, coordinate, v->type, NULL);
}

static struct sr_value *decode_elements(struct sr_expansion *p, const struct sort_expansion *s, struct sr_value *code)
{
	return sr_sort_decode(p, code, sr_operand(p->op, 0)->type->dtype, s->descending);
}

/* Return v with `part` in place of the elements from `first` on along the sorted dimension. */
static struct sr_value *update_from(struct sr_expansion *p, const struct sort_expansion *s, struct sr_value *v, struct sr_value *part,
				    int64_t first)
{
	struct sr_value *index = sr_build_scalar(&p->builder, sr_spmd_index_type(s->extent), first);
	return sr_build_update_slice_dim(&p->builder, v, part, s->dim, index);
}

/* Sort the last elements of the previous shard together with the first of this one, for each boundary; each device keeps its
 * part. */
static void sort_boundaries(struct sr_expansion *p, struct sort_expansion *s)
{
	struct sr_builder *b = &p->builder;
	int64_t width = (int64_t)boundary_width(s, s->block), last = s->shard - width;
	struct sr_value *sorted[MAX_OPERANDS + 1], *low[MAX_OPERANDS + 1], *high[MAX_OPERANDS + 1];
	int n = s->n + s->carries_positions;
	for (int i = 0; i < n; i++) {
		sorted[i] = s->v[i];
		low[i] = sr_build_slice_dim(b, s->v[i], s->dim, 0, width, 1);
		high[i] = sr_build_slice_dim(b, s->v[i], s->dim, last, width, 1);
		struct sr_value *received = sr_spmd_permute(p, high[i], s->axes[s->dim], (struct sr_permute_sources){.step = -1});
		s->v[i] = sr_build_concatenate(b, (struct sr_value *[]){received, low[i]}, 2, s->dim);
	}
	sort_stably(p, s);
	if (s->sorts_encodings) {
		s->v[0] = decode_elements(p, s, s->v[0]);
		sorted[0] = decode_elements(p, s, sorted[0]);
		low[0] = sr_build_slice_dim(b, sorted[0], s->dim, 0, width, 1);
		high[0] = sr_build_slice_dim(b, sorted[0], s->dim, last, width, 1);
	}
	for (int i = 0; i < s->n; i++) {
		struct sr_value *own = sr_build_slice_dim(b, s->v[i], s->dim, width, width, 1),
				*returned = sr_build_slice_dim(b, s->v[i], s->dim, 0, width, 1);
		returned = sr_spmd_permute(p, returned, s->axes[s->dim], (struct sr_permute_sources){.step = 1});
		own = sr_build_select(b, is_at_coordinate(p, s, own, 0), low[i], own);
		returned = sr_build_select(b, is_at_coordinate(p, s, returned, s->shards - 1), high[i], returned);
		s->v[i] = update_from(p, s, update_from(p, s, sorted[i], own, 0), returned, last);
	}
}

static void build_full(struct sr_expansion *p, struct sort_expansion *s)
{
	const struct sr_type *t = s->v[0]->type;
	enum sr_dtype type = sr_spmd_index_type(s->extent);
	struct sr_value *positions = NULL;
	if (s->carries_positions || s->sorts_encodings) {
		struct sr_value *first = sr_spmd_shard_offset(p, s->axes[s->dim], s->shard, type);
		positions = sr_spmd_positions(p, type, t, s->dim, first);
	}
	s->v[s->n] = s->carries_positions ? positions : NULL;
	if (s->sorts_encodings)
		s->v[0] = sr_sort_encode(p, s->v[0], positions, s->descending);
	sort_shard(p, s);
	for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
		for (int i = 0; i < s->n + s->carries_positions; i++)
			s->v[i] = transpose_columns(p, s, s->v[i], is_inverse);
		if (is_inverse)
			sort_stably(p, s);
		else
			sort_shard(p, s); /* The transposed elements are already in the order of their positions. */
	}
	sort_boundaries(p, s);
}

static enum sr_form_use cost_columnsort(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sort_expansion s = {.dim = 0};
	enum sr_form_use use = read_sort(q, &s);
	double result_bytes = shard_bytes(q), bytes = result_bytes, boundary = boundary_width(&s, s.block) / (double)s.shard;
	if (use != SR_FORM_USED || s.prefix || s.extent % s.shards || !s.block)
		return use == SR_FORM_USED ? SR_FORM_IMPOSSIBLE : use;
	if (s.carries_positions)
		bytes += bytes / row_bytes(q->op) * sr_dtype_bytes(sr_spmd_index_type(s.extent));
	if (s.sorts_encodings)
		bytes = bytes / row_bytes(q->op) * sr_dtype_bytes(SR_UI64);
	for (int i = 0; i < 2; i++) { /* The first iteration transposes the columns, the second one transposes them back. */
		add_cost(q, &s, SR_ALL_TO_ALL, bytes, s.n + s.carries_positions, sum);
		add_cost(q, &s, SR_PERMUTE, (i ? result_bytes : bytes) * boundary, s.n, sum);
	}
	return SR_FORM_USED;
}

static void emit_columnsort(const struct sr_form_query *q)
{
	struct sort_expansion s = {.dim = 0};
	struct sr_expansion p = sr_expansion_of(q);
	begin_body(&p, q, &s);
	build_full(&p, &s);
	sr_form_end(&p, s.v);
}

const struct sr_op_form sr_form_columnsort = {"columnsort", supports, cost_columnsort, emit_columnsort, NULL};

/* ---------------------------------------------------------------- few devices */

/* Return true if the sort kernel merges the sorted runs of the operand, and store the sort's only key. */
static bool kernel_merges_runs(const struct sr_form_query *q, struct sr_sort_key *key)
{
	struct sr_sort_key keys[SR_SORT_KEYS] = {{0}};
	const struct sr_type *t = sr_operand(q->op, 0)->type;
	bool has_one_key = t->rank == 1 && sr_sort_keys(q->ctx, q->op, keys) == 1;
	*key = keys[0];
	return has_one_key && sr_sort_merges_runs(t->dtype, q->op->n_operands, keys[0].float_order);
}

static enum sr_form_use cost_merge(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sort_expansion s = {.dim = 0};
	struct sr_sort_key key;
	enum sr_form_use use = read_sort(q, &s);
	if (use != SR_FORM_USED || s.prefix || s.extent % s.shards || !kernel_merges_runs(q, &key))
		return use == SR_FORM_USED ? SR_FORM_IMPOSSIBLE : use;
	add_cost(q, &s, SR_ALL_GATHER, shard_bytes(q) * (double)s.shards, 1, sum);
	return SR_FORM_USED;
}

static void emit_merge(const struct sr_form_query *q)
{
	struct sort_expansion s = {.dim = 0};
	struct sr_sort_key key;
	struct sr_expansion p = sr_expansion_of(q);
	(void)kernel_merges_runs(q, &key);
	begin_body(&p, q, &s);
	s.carries_positions = s.sorts_encodings =
	    false; /* Positions and encoded keys are not needed, since both sorts are stable. */
	sort_shard(&p, &s);
	s.v[0] = sr_spmd_all_gather(&p, s.v[0], s.dim, s.axes[s.dim]);
	bool merges_half = s.shards == 2 && s.shard >= MIN_OWN_HALF;
	if (merges_half)
		s.v[0] = sr_sort_own_half(&p, s.v[0], s.axes[s.dim], &key);
	sort_shard(&p, &s);
	if (!merges_half) {
		struct sr_value *offset = sr_spmd_shard_offset(&p, s.axes[s.dim], s.shard, sr_spmd_index_type(s.extent));
		s.v[0] = sr_build_dynamic_slice_dim(&p.builder, s.v[0], s.dim, offset, s.shard);
	}
	sr_form_end(&p, s.v);
}

const struct sr_op_form sr_form_sort_and_merge = {"sort_and_merge", supports, cost_merge, emit_merge, NULL};
