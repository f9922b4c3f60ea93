/* Rolls: a concatenate along a sharded dimension whose operands are slices, along that dimension alone, of values of the
 * result's own type, or a scalar repeated.
 *
 * Element j of the result is element j + c of a value, for j in a piece [a, b). With shards of m elements and c = q m + r,
 * device i gets part 0, [r, m) of device i+q, for its own [0, m-r), and part 1, [0, r) of device i+q+1, for [m-r, m). Parts
 * that come from the same range of the same value and go to the same range are one exchange; parts that go to the same range
 * of different devices are selected from. Together they must fill every device's shard, else nothing is done.
 *
 * 	roll by 1, n = 8, 4 devices, m = 2:   [7:8] for [0,1): c = 7 = 3*2+1, part 0: [1,2) of device i+3 for device 0's [0,1)
 * 	                                      [0:7] for [1,8): c = -1 = -1*2+1, part 0: [1,2) of device i-1 for [0,1) of devices 1..3
 * 	                                                                        part 1: [0,1) of the device itself for [1,2)
 * 	the first two are one permute of one element around the ring */
#include "partition/halo/halo.h"
#include "dialect/names.h"

enum { MOST_PARTS = 32 };

struct part {
	struct sr_value *value; /* a scalar: every element; it comes from the device itself */
	int64_t src, dst, n;    /* local ranges */
	int64_t *from;          /* [shards]: device that sends to j; -1: this part does not reach j */
};

struct roll {
	struct sr_halo *h;
	struct sr_halo_dim d;
	int64_t m; /* local extent */
	struct part parts[MOST_PARTS];
	int n_parts;
};

/* A permute sends to one device only. */
static bool sends(const struct roll *r, const struct part *p, int64_t from)
{
	for (int64_t k = 0; k < r->d.shards; k++)
		if (p->from[k] == from)
			return true;
	return false;
}

/* Note that device j gets [src, src+n) of device `from` for [dst, dst+n). */
static bool note(struct roll *r, struct sr_value *value, int64_t src, int64_t dst, int64_t n, int64_t j, int64_t from)
{
	int i = 0;
	if (from < 0 || from >= r->d.shards)
		return false;
	while (i < r->n_parts && !(r->parts[i].value == value && r->parts[i].src == src && r->parts[i].dst == dst &&
				   r->parts[i].n == n && !sends(r, &r->parts[i], from)))
		i++;
	if (i == MOST_PARTS)
		return false;
	struct part *p = &r->parts[i];
	if (i == r->n_parts) {
		r->n_parts++;
		*p = (struct part){value, src, dst, n, SR_NEWS(r->h->ctx->arena, int64_t, r->d.shards)};
		for (int64_t k = 0; k < r->d.shards; k++)
			p->from[k] = -1;
	}
	p->from[j] = from;
	return true;
}

/* The piece [a, b) of the result is value[j + c]. */
static bool add_piece(struct roll *r, struct sr_value *value, int64_t a, int64_t b, int64_t c)
{
	int64_t m = r->m, rest = ((c % m) + m) % m, q = (c - rest) / m;
	for (int64_t j = 0; j < r->d.shards; j++) {
		for (int side = 0; side < 2; side++) {
			int64_t lo = side ? m - rest : 0, hi = side ? m : m - rest, shift = side ? rest - m : rest;
			lo = lo > a - j * m ? lo : a - j * m;
			hi = hi < b - j * m ? hi : b - j * m;
			if (lo < hi && !note(r, value, lo + shift, lo, hi - lo, j, j + q + side))
				return false;
		}
	}
	return true;
}

/* The piece [a, b) of the result is a scalar. */
static bool add_scalar(struct roll *r, struct sr_value *scalar, int64_t a, int64_t b)
{
	for (int64_t j = 0; j < r->d.shards; j++) {
		int64_t lo = a > j * r->m ? a - j * r->m : 0, hi = b < (j + 1) * r->m ? b - j * r->m : r->m;
		if (lo < hi && !note(r, scalar, 0, lo, hi - lo, j, j))
			return false;
	}
	return true;
}

/* The scalar that v repeats. */
static struct sr_value *scalar_of(const struct sr_value *v)
{
	bool repeats = v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim) && sr_operand(v->def, 0)->type->rank == 0;
	return repeats ? sr_operand(v->def, 0) : NULL;
}

static int64_t slice_start(struct sr_halo *h, const struct sr_op *op, int dim, struct sr_value **whole)
{
	const struct sr_type *in = sr_operand(op, 0)->type;
	const int64_t *start, *limit, *stride;
	int64_t n;
	sr_op_ints(h->ctx, op, SR_NAME_start_indices, &start, &n);
	sr_op_ints(h->ctx, op, SR_NAME_limit_indices, &limit, &n);
	if (!sr_op_ints(h->ctx, op, SR_NAME_strides, &stride, &n))
		return -1;
	for (int d = 0; d < in->rank; d++)
		if ((d < n && stride[d] != 1) || (d != dim && (start[d] || limit[d] != in->shape[d])))
			return -1;
	*whole = sr_operand(op, 0);
	return start[dim];
}

static bool collect(struct roll *r, struct sr_op *op, int dim)
{
	int64_t at = 0;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i), *whole = NULL, *scalar = scalar_of(v);
		int64_t n = v->type->shape[dim],
			start = v->def && sr_op_is(v->def, SR_OP_stablehlo_slice) ? slice_start(r->h, v->def, dim, &whole) : -1;
		bool good = scalar && add_scalar(r, scalar, at, at + n);
		if (start >= 0 && whole->type == sr_result(op, 0)->type)
			good = add_piece(r, whole, at, at + n, start - at);
		if (!good)
			return false;
		at += n;
	}
	return true;
}

static bool same_place(const struct part *a, const struct part *b)
{
	return a->dst == b->dst && a->n == b->n;
}

static void sort_by_place(struct roll *r)
{
	for (int i = 0; i < r->n_parts; i++)
		for (int k = i + 1; k < r->n_parts; k++)
			if (r->parts[k].dst < r->parts[i].dst) {
				struct part swap = r->parts[i];
				r->parts[i] = r->parts[k], r->parts[k] = swap;
			}
}

/* In order of their place, the parts fill [0, m) on every device; some part is of a value. */
static bool fills(struct roll *r)
{
	int64_t at = 0;
	bool some = false;
	sort_by_place(r);
	for (int i = 0, next; i < r->n_parts; i = next) {
		if (r->parts[i].dst != at)
			return false;
		at += r->parts[i].n;
		for (next = i; next < r->n_parts && same_place(&r->parts[i], &r->parts[next]); next++)
			some = some || r->parts[next].value->type->rank;
		for (int64_t j = 0; j < r->d.shards; j++) {
			int reach = 0;
			for (int k = i; k < next; k++)
				reach += r->parts[k].from[j] >= 0;
			if (reach != 1)
				return false;
		}
	}
	return at == r->m && some;
}

static bool stays(const struct part *p, int64_t shards)
{
	for (int64_t j = 0; j < shards; j++)
		if (p->from[j] >= 0 && p->from[j] != j)
			return false;
	return true;
}

static int operand_number(struct sr_value **values, int *n, struct sr_value *v)
{
	for (int i = 0; i < *n; i++)
		if (values[i] == v)
			return i;
	values[*n] = v;
	return (*n)++;
}

static struct sr_value *local_part(struct roll *r, const struct part *p, struct sr_value *arg, const struct sr_type *like, int dim)
{
	if (arg->type->rank == 0) {
		int64_t *shape = sr_dup(r->h->ctx->arena, like->shape, (size_t)like->rank, sizeof *shape);
		shape[dim] = p->n;
		return sr_halo_splat(r->h, arg, sr_type_with_shape(r->h->ctx, like, like->rank, shape));
	}
	struct sr_value *v = sr_halo_slice(r->h, arg, dim, p->src, p->n);
	return stays(p, r->d.shards) ? v : sr_halo_permute(r->h, v, r->d, (struct sr_halo_sources){.at = p->from});
}

static void build(struct roll *r, struct sr_op *op, int dim, const struct sr_attr *sharding)
{
	struct sr_value *values[MOST_PARTS], *locals[MOST_PARTS];
	const struct sr_written_sharding *s = sharding->sharding;
	struct sr_written_sharding scalar = {.mesh_name = s->mesh_name, .mesh = s->mesh};
	const struct sr_attr *shardings[MOST_PARTS];
	int n = 0, numbers[MOST_PARTS], n_locals = 0;
	for (int i = 0; i < r->n_parts; i++)
		numbers[i] = operand_number(values, &n, r->parts[i].value);
	for (int i = 0; i < n; i++)
		shardings[i] = values[i]->type->rank ? sharding : sr_attr_sharding(r->h->ctx, &scalar);
	struct sr_op *manual = sr_halo_begin(r->h, op, values, shardings, n, sharding);
	struct sr_value **args = manual->regions[0].first->args;
	const struct sr_type *like = NULL;
	for (int i = 0; i < n; i++)
		like = values[i]->type->rank ? args[i]->type : like;
	for (int i = 0; i < r->n_parts; i++) {
		struct sr_value *v = local_part(r, &r->parts[i], args[numbers[i]], like, dim);
		if (i && same_place(&r->parts[i - 1], &r->parts[i]))
			locals[n_locals - 1] = sr_halo_filled(r->h, v, r->d, (struct sr_halo_sources){.at = r->parts[i].from},
							     locals[n_locals - 1]);
		else
			locals[n_locals++] = v;
	}
	sr_halo_end(r->h, op, manual, sr_halo_concatenate(r->h, locals, n_locals, dim));
}

bool sr_halo_of_concatenate(struct sr_halo *h, struct sr_op *op)
{
	const struct sr_attr *sharding = sr_value_sharding(h->ctx, sr_result(op, 0));
	const struct sr_type *t = sr_result(op, 0)->type;
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0), n = op->n_operands;
	struct roll r = {.h = h};
	if (!sr_halo_divides(h, t, sharding->sharding))
		return false;
	r.d = sr_halo_dim_of(h, sharding->sharding, dim);
	r.m = t->shape[dim] / r.d.shards;
	if (r.d.shards == 1 || r.d.shards > h->listed || !collect(&r, op, dim) || !fills(&r))
		return false;
	struct sr_op **made_by = SR_NEWS(h->ctx->arena, struct sr_op *, n);
	for (int i = 0; i < n; i++)
		made_by[i] = sr_operand(op, i)->def;
	build(&r, op, dim, sharding);
	for (int i = 0; i < n; i++) /* a slice may stand twice; erase it once */
		if (made_by[i]->block && !sr_result(made_by[i], 0)->uses)
			sr_op_erase(made_by[i]);
	return true;
}
