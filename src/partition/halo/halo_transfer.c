/* Exchanges along one sharded dimension: each device gets ranges of elements, of its own part and of others', wherever they lie.
 *
 * What is wanted is cut into pieces, each from one device to one. Pieces of one message are a part: a permute that no device
 * sends or receives more than once in, or none where the pieces stay. There are two ways to make parts of pieces:
 *
 *	alike    all pieces of a part come from the same range of a shard and go to the same one. The result is a concatenation
 *	         of parts; parts of different devices that go to one range are selected from
 *	unlike   any pieces of one value, the longest first; a part is as long as its longest piece. Each device cuts what it
 *	         sends, puts what it gets where it belongs, and selects what it wanted of it
 *
 *	the first 16 of 32 elements over 4 devices, 8 each, become 4 each: device 0 keeps [0,4); 1 gets [4,8) of 0;
 *	2 gets [0,4) of 1 and 3 [4,8) of it: alike, 2 parts of 4 and what stays
 *
 * The one that sends less is taken, the first where both send as much. */
#include "partition/halo/halo.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "partition/device_coordinate.h"
#include "support/vec.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_PARTS = 32 };

struct piece { /* [src, src + n) of device from's shard of a value, for [dst, dst + n) of device to */
	int value;
	int64_t part; /* how many elements of the value a device has */
	int64_t from, to, src, dst, n;
};

struct part {
	int value;                /* of the first piece */
	bool stays, mixed;        /* mixed: pieces of several values */
	int64_t n, least;         /* of the message; and the fewest elements that a device has of one of its values */
	int64_t *from;            /* [shards]: who sends to j; -1: nobody */
	int64_t *to;              /* [shards]: whom i sends to; -1: nobody */
	int64_t *src, *dst, *len; /* [shards]: of the piece that j gets */
	int *values;              /* [shards]: of the piece that i sends */
};

struct parts {
	struct part at[MOST_PARTS];
	int n;
	bool failed; /* more than there is place for */
};

struct sr_halo_transfer {
	struct sr_halo *h;
	struct sr_halo_dim d;
	int64_t n;
	SR_VEC(struct piece) pieces;
	struct parts *parts; /* chosen */
	bool alike;
};

struct sr_halo_transfer *sr_halo_transfer_new(struct sr_halo *h, struct sr_halo_dim d, int64_t n)
{
	struct sr_halo_transfer *x = SR_NEW(h->ctx->arena, struct sr_halo_transfer);
	*x = (struct sr_halo_transfer){.h = h, .d = d, .n = n};
	return x;
}

void sr_halo_transfer_add(struct sr_halo_transfer *x, int value, struct sr_halo_range_source s, int64_t to, int64_t dst, int64_t first,
			  int64_t n)
{
	int64_t end = first + n < s.end ? first + n : s.end, at = first > s.begin ? first : s.begin;
	while (at < end) {
		int64_t owner = s.part ? at / s.part : to, start = s.part ? owner * s.part : 0,
			stop = s.part && start + s.part < end ? start + s.part : end;
		sr_push(x->h->ctx->arena, &x->pieces,
			(struct piece){value, s.part, owner, to, at - start, dst + at - first, stop - at});
		at = stop;
	}
}

/* ---------------------------------------------------------------- parts */

static int64_t *nobody(struct sr_halo_transfer *x)
{
	int64_t *list = SR_NEWS(x->h->ctx->arena, int64_t, x->d.shards);
	for (int64_t j = 0; j < x->d.shards; j++)
		list[j] = -1;
	return list;
}

static struct part *new_part(struct sr_halo_transfer *x, struct parts *parts, const struct piece *p)
{
	struct sr_arena *arena = x->h->ctx->arena;
	if (parts->n == MOST_PARTS) {
		parts->failed = true;
		return NULL;
	}
	struct part *part = &parts->at[parts->n++];
	*part = (struct part){.value = p->value,
			      .stays = p->from == p->to,
			      .least = p->part,
			      .from = nobody(x),
			      .to = nobody(x),
			      .src = SR_NEWS(arena, int64_t, x->d.shards),
			      .dst = SR_NEWS(arena, int64_t, x->d.shards),
			      .len = SR_NEWS(arena, int64_t, x->d.shards),
			      .values = SR_NEWS(arena, int, x->d.shards)};
	return part;
}

/* All pieces of an alike part come from and go to the place of any of them. */
static bool is_like(const struct part *part, const struct piece *p)
{
	int64_t j = 0;
	while (part->from[j] < 0)
		j++;
	bool stay = part->stays && p->from == p->to; /* each may cut elsewhere */
	return (stay || part->src[j] == p->src) && part->dst[j] == p->dst && part->len[j] == p->n;
}

/* Of alike parts one may hold both what stays and what is sent: a permute that sends to oneself too. Of others a message may be of
 * one value here and of another there. */
static bool takes(const struct part *part, const struct piece *p, bool alike)
{
	if (part->from[p->to] >= 0 || part->to[p->from] >= 0)
		return false;
	return alike ? part->value == p->value && is_like(part, p) :
		       part->stays == (p->from == p->to) &&
				(part->value == p->value || (!part->stays && part->n <= p->part && p->n <= part->least));
}

static void put(struct sr_halo_transfer *x, struct parts *parts, const struct piece *p, bool alike)
{
	struct part *part = parts->at;
	while (part < parts->at + parts->n && !takes(part, p, alike))
		part++;
	if (part == parts->at + parts->n && !(part = new_part(x, parts, p)))
		return;
	part->stays = part->stays && p->from == p->to;
	part->mixed = part->mixed || part->value != p->value;
	part->least = p->part < part->least ? p->part : part->least;
	part->values[p->from] = p->value;
	part->n = p->n > part->n ? p->n : part->n;
	part->from[p->to] = p->from;
	part->to[p->from] = p->to;
	part->src[p->to] = p->src;
	part->dst[p->to] = p->dst;
	part->len[p->to] = p->n;
}

static int by_length(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;
	if (p->n != q->n)
		return p->n > q->n ? -1 : 1;
	if (p->value != q->value)
		return p->value - q->value;
	return p->to != q->to ? (p->to > q->to) - (p->to < q->to) : (p->dst > q->dst) - (p->dst < q->dst);
}

/* Alike, or unlike. */
static struct parts *parts_of(struct sr_halo_transfer *x, bool alike)
{
	struct parts *parts = SR_NEW(x->h->ctx->arena, struct parts);
	if (!alike && x->pieces.n)
		qsort(x->pieces.data, x->pieces.n, sizeof *x->pieces.data, by_length);
	for (size_t i = 0; i < x->pieces.n && !parts->failed; i++)
		put(x, parts, &x->pieces.data[i], alike);
	return parts;
}

static int64_t sent_by(const struct parts *parts)
{
	int64_t n = 0;
	for (int i = 0; i < parts->n; i++)
		n += parts->at[i].stays ? 0 : parts->at[i].n;
	return n;
}

static int64_t place(const struct sr_halo_transfer *x, const struct part *p)
{
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] >= 0)
			return p->dst[j];
	return 0;
}

static bool same_place(const struct sr_halo_transfer *x, const struct part *a, const struct part *b)
{
	return place(x, a) == place(x, b) && a->n == b->n;
}

/* In order of their place; false where two overlap in part. */
static bool sort_by_place(const struct sr_halo_transfer *x, struct parts *parts)
{
	for (int i = 0; i < parts->n; i++)
		for (int k = i + 1; k < parts->n; k++) {
			int64_t a = place(x, &parts->at[i]), b = place(x, &parts->at[k]);
			if (b < a || (b == a && parts->at[i].stays && !parts->at[k].stays)) {
				struct part swap = parts->at[i];
				parts->at[i] = parts->at[k], parts->at[k] = swap;
			}
		}
	for (int i = 1; i < parts->n; i++) {
		const struct part *last = &parts->at[i - 1], *next = &parts->at[i];
		if (!same_place(x, last, next) && place(x, last) + last->n > place(x, next))
			return false;
	}
	return true;
}

int64_t sr_halo_transfer_elements(struct sr_halo_transfer *x)
{
	if (x->parts)
		return sent_by(x->parts);
	struct parts *alike = parts_of(x, true), *unlike;
	bool good = !alike->failed && sort_by_place(x, alike);
	unlike = parts_of(x, false);
	if (!good && unlike->failed)
		return -1;
	x->alike = good && (unlike->failed || sent_by(alike) <= sent_by(unlike));
	x->parts = x->alike ? alike : unlike;
	return sent_by(x->parts);
}

double sr_halo_transfer_cost(struct sr_halo_transfer *x, double element_bytes)
{
	int64_t sent = sr_halo_transfer_elements(x);
	double cost = element_bytes * (double)sent;
	for (int i = 0; sent > 0 && i < x->parts->n; i++)
		cost += x->parts->at[i].stays ? 0 : x->h->latency;
	return sent < 0 ? HUGE_VAL : cost;
}

/* ---------------------------------------------------------------- numbers that differ between devices */

static bool is_one_number(const int64_t *table, int64_t n)
{
	for (int64_t j = 1; j < n; j++)
		if (table[j] != table[0])
			return false;
	return true;
}

struct sr_value *sr_halo_table_lookup(struct sr_halo *h, struct sr_halo_dim d, const int64_t *table, enum sr_dtype type)
{
	int64_t devices = sr_mesh_devices(h->mesh);
	if (is_one_number(table, d.shards))
		return sr_build_splat(&h->at, sr_type_tensor(h->ctx, type, 0, NULL), (double)table[0]);
	if (devices > h->listed)
		return sr_device_lookup(&h->at, table, d.shards, type, sr_device_coordinate(&h->at, h->mesh, d.axes));
	int64_t *each = SR_NEWS(h->ctx->arena, int64_t, devices);
	for (int64_t i = 0; i < devices; i++)
		each[i] = table[sr_mesh_coordinate_along(h->mesh, i, d.axes)];
	return sr_device_lookup(&h->at, each, devices, type, NULL);
}

struct sr_value *sr_halo_slice_per_device(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d, const int64_t *first, int64_t n)
{
	struct sr_context *ctx = h->ctx;
	int rank = v->type->rank;
	if (is_one_number(first, d.shards))
		return sr_halo_slice(h, v, dim, first[0], n);
	int64_t *shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	struct sr_value **operands = SR_NEWS(ctx->arena, struct sr_value *, rank + 1);
	enum sr_dtype index = v->type->shape[dim] > INT32_MAX ? SR_I64 : SR_I32;
	struct sr_value *zero = sr_build_splat(&h->at, sr_type_tensor(ctx, index, 0, NULL), 0);
	shape[dim] = n;
	operands[0] = v;
	for (int k = 0; k < rank; k++)
		operands[k + 1] = k == dim ? sr_halo_table_lookup(h, d, first, index) : zero;
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	struct sr_named_attr sizes = {SR_NAME_slice_sizes, sr_attr_i64s(ctx, shape, rank)};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &sizes, 1, &type, 1), 0);
}

/* ---------------------------------------------------------------- building */

/* Neighbours by their step, which takes no list. */
static struct sr_halo_permute_sources sources_of(const struct sr_halo_transfer *x, const struct part *p)
{
	for (int step = -1; step <= 1; step += 2) {
		int64_t j = 0;
		while (j < x->d.shards && p->from[j] == (j + step < x->d.shards ? j + step : -1))
			j++;
		if (j == x->d.shards)
			return (struct sr_halo_permute_sources){.step = step};
	}
	return (struct sr_halo_permute_sources){.at = p->from};
}

struct build {
	struct sr_halo_transfer *x;
	struct sr_value *const *values;
	int dim;
	struct sr_halo_fill fill;
	const struct sr_type *like; /* the result, but for its extent along dim */
};

static const struct sr_type *extended(const struct build *b, int64_t n)
{
	int64_t *shape = sr_dup(b->x->h->ctx->arena, b->like->shape, (size_t)b->like->rank, sizeof *shape);
	shape[b->dim] = n;
	return sr_type_with_shape(b->x->h->ctx, b->like, b->like->rank, shape);
}

static struct sr_value *filling(const struct build *b, int64_t n)
{
	struct sr_halo *h = b->x->h;
	const struct sr_type *type = extended(b, n);
	return b->fill.value ? sr_halo_splat(h, b->fill.value, type) : sr_build_splat(&h->at, type, 0);
}

/* What the part's senders cut of one value. */
static struct sr_value *cut(const struct build *b, const struct part *p, int value, int64_t *first)
{
	struct sr_halo_transfer *x = b->x;
	struct sr_value *v = b->values[value];
	int64_t most = v->type->shape[b->dim] - p->n, some = 0;
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] >= 0 && p->values[p->from[j]] == value)
			some = first[p->from[j]] = p->src[j] < most ? p->src[j] : most;
	for (int64_t i = 0; i < x->d.shards; i++) /* who sends nothing of it cuts what is simplest */
		if (p->to[i] < 0 || p->values[i] != value)
			first[i] = some;
	for (int64_t j = 0; j < x->d.shards; j++) /* where it begins now, for who gets it */
		if (p->from[j] >= 0 && p->values[p->from[j]] == value)
			p->src[j] -= first[p->from[j]];
	return sr_halo_slice_per_device(x->h, v, b->dim, x->d, first, p->n);
}

static struct sr_value *selected_by(struct sr_halo *h, struct sr_halo_dim d, const int64_t *table, struct sr_value *yes,
				    struct sr_value *no)
{
	struct sr_value *operands[] = {sr_halo_table_lookup(h, d, table, SR_I1), yes, no};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_select, operands, 3, NULL, 0, &yes->type, 1), 0);
}

/* What the part's message brings, before it is put in its place. A scalar is every element. */
static struct sr_value *brought(const struct build *b, const struct part *p)
{
	struct sr_halo_transfer *x = b->x;
	struct sr_arena *arena = x->h->ctx->arena;
	int64_t *first = SR_NEWS(arena, int64_t, x->d.shards), *sends = SR_NEWS(arena, int64_t, x->d.shards);
	if (b->values[p->value]->type->rank == 0)
		return sr_halo_splat(x->h, b->values[p->value], extended(b, p->n));
	struct sr_value *v = cut(b, p, p->value, first);
	for (int64_t i = 0; p->mixed && i < x->d.shards; i++) {
		bool is_new = p->to[i] >= 0 && p->values[i] != p->value;
		for (int64_t k = 0; k < i && is_new; k++)
			is_new = p->to[k] < 0 || p->values[k] != p->values[i];
		if (!is_new)
			continue;
		for (int64_t k = 0; k < x->d.shards; k++)
			sends[k] = p->to[k] >= 0 && p->values[k] == p->values[i];
		v = selected_by(x->h, x->d, sends, cut(b, p, p->values[i], first), v);
	}
	return p->stays ? v : sr_halo_permute(x->h, v, x->d, sources_of(x, p));
}

static bool reaches_all(const struct sr_halo_transfer *x, const struct part *p)
{
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] < 0)
			return false;
	return true;
}

/* Where nothing comes: what may stand there without a select? */
static bool may_come_first(const struct build *b, const struct part *p)
{
	bool zeros = b->fill.kind == SR_FILL_ZERO && !p->stays;
	return b->fill.kind == SR_FILL_ANY || zeros || reaches_all(b->x, p);
}

static struct sr_value *concatenated(const struct build *b)
{
	struct sr_halo_transfer *x = b->x;
	struct sr_value *pieces[2 * MOST_PARTS + 1];
	int64_t at = 0;
	int n = 0;
	for (int i = 0; i < x->parts->n; i++) {
		const struct part *p = &x->parts->at[i];
		bool first = i == 0 || !same_place(x, p - 1, p);
		int64_t dst = place(x, p);
		if (first && dst > at)
			pieces[n++] = filling(b, dst - at);
		at = dst + p->n;
		struct sr_value *v = brought(b, p);
		if (first && may_come_first(b, p)) {
			pieces[n++] = v;
			continue;
		}
		if (first)
			pieces[n++] = filling(b, p->n);
		pieces[n - 1] = sr_halo_filled(x->h, v, x->d, sources_of(x, p), pieces[n - 1]);
	}
	if (at < x->n)
		pieces[n++] = filling(b, x->n - at);
	return sr_halo_concatenate(x->h, pieces, n, b->dim);
}

/* v moved to where its receivers want it, as long as the result. */
static struct sr_value *placed(const struct build *b, const struct part *p, struct sr_value *v)
{
	struct sr_halo_transfer *x = b->x;
	int64_t *first = SR_NEWS(x->h->ctx->arena, int64_t, x->d.shards), low = 0, high = 0, some = 0;
	for (int64_t j = 0; j < x->d.shards; j++) {
		int64_t shift = p->dst[j] - p->src[j];
		if (p->from[j] < 0)
			continue;
		low = shift > low ? shift : low;
		high = x->n - p->n - shift > high ? x->n - p->n - shift : high;
	}
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] >= 0)
			some = first[j] = low - (p->dst[j] - p->src[j]);
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] < 0)
			first[j] = some;
	v = sr_halo_pad(x->h, v, b->dim, (struct sr_halo_padding){.low = low, .high = high}, NULL);
	return sr_halo_slice_per_device(x->h, v, b->dim, x->d, first, x->n);
}

/* Places of dimension dim that are at least, or less than, table[device]. */
static struct sr_value *compared(struct sr_halo *h, const struct sr_type *like, int dim, struct sr_halo_dim d, enum sr_compare how,
				 const int64_t *table)
{
	struct sr_context *ctx = h->ctx;
	const struct sr_type *index = sr_type_tensor(ctx, like->shape[dim] > INT32_MAX ? SR_I64 : SR_I32, like->rank, like->shape);
	struct sr_named_attr attr = {SR_NAME_iota_dimension, sr_attr_i64(ctx, dim)};
	struct sr_value *count = sr_result(sr_build(&h->at, SR_OP_stablehlo_iota, NULL, 0, &attr, 1, &index, 1), 0);
	return sr_build_compare(&h->at, count, how, sr_halo_splat(h, sr_halo_table_lookup(h, d, table, index->dtype), index), NULL);
}

/* What of the result the part brings, by device. */
static struct sr_value *mask(const struct build *b, const struct part *p)
{
	struct sr_halo_transfer *x = b->x;
	struct sr_arena *arena = x->h->ctx->arena;
	const struct sr_type *like = extended(b, x->n);
	int64_t *begins = SR_NEWS(arena, int64_t, x->d.shards), *ends = SR_NEWS(arena, int64_t, x->d.shards);
	bool from_first = true;
	for (int64_t j = 0; j < x->d.shards; j++) {
		begins[j] = p->from[j] < 0 ? 0 : p->dst[j];
		ends[j] = p->from[j] < 0 ? 0 : p->dst[j] + p->len[j];
		from_first = from_first && !begins[j];
	}
	struct sr_value *before = compared(x->h, like, b->dim, x->d, SR_LT, ends);
	if (from_first)
		return before;
	struct sr_value *both[] = {compared(x->h, like, b->dim, x->d, SR_GE, begins), before};
	return sr_result(sr_build(&x->h->at, SR_OP_stablehlo_and, both, 2, NULL, 0, &before->type, 1), 0);
}

struct sr_value *sr_halo_masked(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d, int64_t extent,
				struct sr_value *scalar)
{
	int64_t part = v->type->shape[dim], *ends = SR_NEWS(h->ctx->arena, int64_t, d.shards);
	if (extent == part * d.shards)
		return v;
	for (int64_t j = 0; j < d.shards; j++) {
		int64_t left = extent - j * part;
		ends[j] = left < 0 ? 0 : left < part ? left : part;
	}
	struct sr_value *fill = scalar ? sr_halo_splat(h, scalar, v->type) : sr_build_splat(&h->at, v->type, 0);
	struct sr_value *operands[] = {compared(h, v->type, dim, d, SR_LT, ends), v, fill};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_select, operands, 3, NULL, 0, &v->type, 1), 0);
}

static bool is_all(const struct sr_halo_transfer *x, const struct part *p)
{
	for (int64_t j = 0; j < x->d.shards; j++)
		if (p->from[j] < 0 || p->dst[j] || p->len[j] != x->n)
			return false;
	return true;
}

static struct sr_value *selected(const struct build *b)
{
	struct sr_halo_transfer *x = b->x;
	struct sr_value *out = NULL;
	for (int i = 0; i < x->parts->n; i++) {
		const struct part *p = &x->parts->at[i];
		struct sr_value *v = placed(b, p, brought(b, p));
		if (is_all(x, p) || (!out && b->fill.kind == SR_FILL_ANY)) {
			out = v;
			continue;
		}
		struct sr_value *operands[] = {mask(b, p), v, out ? out : filling(b, x->n)};
		out = sr_result(sr_build(&x->h->at, SR_OP_stablehlo_select, operands, 3, NULL, 0, &v->type, 1), 0);
	}
	return out ? out : filling(b, x->n);
}

struct sr_value *sr_halo_transfer_build(struct sr_halo_transfer *x, struct sr_value *const *values, const struct sr_type *like,
					int dim, struct sr_halo_fill fill)
{
	struct build b = {x, values, dim, fill, like};
	if (sr_halo_transfer_elements(x) < 0)
		return NULL;
	return x->alike ? concatenated(&b) : selected(&b);
}
