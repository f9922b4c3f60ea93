/* Rolls: a concatenate along a sharded dimension whose operands are slices, along that dimension alone, of values of the
 * result's own type.
 *
 * Element j of the result is element j + c of a value, for j in a piece [a, b). With shards of m elements and c = q m + r,
 * device i gets part 0, [r, m) of device i+q, for its own [0, m-r), and part 1, [0, r) of device i+q+1, for [m-r, m). Parts
 * that come from the same range of the same value and go to the same range are one exchange; together they must fill every
 * device's shard, else nothing is done.
 *
 * 	roll by 1, n = 8, 4 devices, m = 2:   [7:8] for [0,1): c = 7 = 3*2+1, part 0: [1,2) of device i+3 for device 0's [0,1)
 * 	                                      [0:7] for [1,8): c = -1 = -1*2+1, part 0: [1,2) of device i-1 for [0,1) of devices 1..3
 * 	                                                                        part 1: [0,1) of the device itself for [1,2)
 * 	the first two are one permute of one element around the ring */
#include "partition/halo.h"

enum { MOST_PARTS = 32 };

struct part {
	struct sr_value *value;
	int64_t src, dst, n; /* local ranges */
	int64_t *from;       /* [shards]: device that sends to j; -1: this part does not reach j */
};

struct roll {
	struct sr_halo *h;
	struct sr_halo_dim d;
	int64_t m; /* local extent */
	struct part parts[MOST_PARTS];
	int n_parts;
};

/* Note that device j gets [src, src+n) of device `from` for [dst, dst+n). */
static bool note(struct roll *r, struct sr_value *value, int64_t src, int64_t dst, int64_t n, int64_t j, int64_t from)
{
	int i = 0;
	if (from < 0 || from >= r->d.shards)
		return false;
	while (i < r->n_parts &&
	       !(r->parts[i].value == value && r->parts[i].src == src && r->parts[i].dst == dst && r->parts[i].n == n))
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

static int64_t slice_start(struct sr_halo *h, const struct sr_op *op, int dim, struct sr_value **whole)
{
	const struct sr_type *in = sr_operand(op, 0)->type;
	const int64_t *start, *limit, *stride;
	int64_t n;
	sr_op_ints(h->ctx, op, "start_indices", &start, &n);
	sr_op_ints(h->ctx, op, "limit_indices", &limit, &n);
	if (!sr_op_ints(h->ctx, op, "strides", &stride, &n))
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
		struct sr_value *v = sr_operand(op, i), *whole = NULL;
		int64_t n = v->type->shape[dim],
			start = v->def && sr_op_is(v->def, SR_OP_stablehlo_slice) ? slice_start(r->h, v->def, dim, &whole) : -1;
		if (start < 0 || whole->type != sr_result(op, 0)->type || !add_piece(r, whole, at, at + n, start - at))
			return false;
		at += n;
	}
	return true;
}

/* In order of their place, the parts fill [0, m) on every device. */
static bool fills(struct roll *r)
{
	int64_t at = 0;
	for (int i = 0; i < r->n_parts; i++) {
		for (int k = i + 1; k < r->n_parts; k++)
			if (r->parts[k].dst < r->parts[i].dst) {
				struct part swap = r->parts[i];
				r->parts[i] = r->parts[k], r->parts[k] = swap;
			}
		if (r->parts[i].dst != at)
			return false;
		at += r->parts[i].n;
		for (int64_t j = 0; j < r->d.shards; j++)
			if (r->parts[i].from[j] < 0)
				return false;
	}
	return at == r->m;
}

static bool stays(const struct part *p, int64_t shards)
{
	for (int64_t j = 0; j < shards; j++)
		if (p->from[j] != j)
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

static void build(struct roll *r, struct sr_op *op, int dim, const struct sr_attr *sharding)
{
	struct sr_value *values[MOST_PARTS], *locals[MOST_PARTS];
	const struct sr_attr *shardings[MOST_PARTS];
	int n = 0, numbers[MOST_PARTS];
	for (int i = 0; i < r->n_parts; i++)
		numbers[i] = operand_number(values, &n, r->parts[i].value);
	for (int i = 0; i < n; i++)
		shardings[i] = sharding;
	struct sr_op *manual = sr_halo_begin(r->h, op, values, shardings, n, sharding);
	for (int i = 0; i < r->n_parts; i++) {
		const struct part *p = &r->parts[i];
		locals[i] = sr_halo_slice(r->h, manual->regions[0].first->args[numbers[i]], dim, p->src, p->n);
		if (!stays(p, r->d.shards))
			locals[i] = sr_halo_permute(r->h, locals[i], r->d, p->from);
	}
	sr_halo_end(r->h, op, manual, sr_halo_concatenate(r->h, locals, r->n_parts, dim));
}

bool sr_halo_of_concatenate(struct sr_halo *h, struct sr_op *op)
{
	const struct sr_attr *sharding = sr_value_sharding(h->ctx, sr_result(op, 0));
	const struct sr_type *t = sr_result(op, 0)->type;
	int dim = (int)sr_op_int(op, "dimension", 0), n = op->n_operands;
	struct roll r = {.h = h};
	if (!sr_halo_divides(h, t, sharding->sharding))
		return false;
	r.d = sr_halo_dim_of(h, sharding->sharding, dim);
	r.m = t->shape[dim] / r.d.shards;
	if (r.d.shards == 1 || !collect(&r, op, dim) || !fills(&r))
		return false;
	struct sr_op **slices = SR_NEWS(h->ctx->arena, struct sr_op *, n);
	for (int i = 0; i < n; i++)
		slices[i] = sr_operand(op, i)->def;
	build(&r, op, dim, sharding);
	for (int i = 0; i < n; i++) /* a slice may stand twice; erase it once */
		if (slices[i]->block && !sr_result(slices[i], 0)->uses)
			sr_op_erase(slices[i]);
	return true;
}
