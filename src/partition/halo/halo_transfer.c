/* Transfers along one sharded dimension: each device gets ranges of elements, of its own shard and of other devices' shards.
 *
 * The ranges are split into chunks, each from one device to one device. Chunks are packed into messages: a message is one permute,
 * in which no device sends or receives more than once, or a local copy if its chunks stay on their device. There are two ways to
 * pack chunks into messages:
 *
 *	aligned    all chunks of a message have the same source range within the shard and the same target range. The result is
 *	           a concatenation of messages; messages of different devices for one range are combined by select
 *	unaligned  any chunks, longest first; a message is as long as its longest chunk. Each device slices its chunk to
 *	           send, shifts the received chunk to its target range, and selects the elements that it needs
 *
 *	the first 16 of 32 elements over 4 devices, 8 each, become 4 each: device 0 keeps [0,4); 1 gets [4,8) of 0;
 *	2 gets [0,4) of 1 and 3 gets [4,8) of 1: aligned, 2 messages of 4 and a local copy
 *
 * The packing that sends fewer elements is used; aligned if both send about as many. Example: the two devices of an axis exchange
 * their edges. Unaligned, this is one message, but the dimension is written once more to shift and select; the concatenation of
 * two messages and the shard is read in place by loop nests. */
#include "partition/halo/halo.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "partition/device_coordinate.h"
#include "support/checked.h"
#include "support/vec.h"
#include <stdlib.h>

/* ELEMENTS_PER_WRITE: number of elements whose writing to memory takes as long as sending one; a judgement */
enum { MAX_MESSAGES = 32, ELEMENTS_PER_WRITE = 16 };

struct sr_expansion sr_halo_of(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_expansion_of(q);
	h.cause = "halo";
	return h;
}

struct sr_halo_dim sr_halo_dim_of(struct sr_expansion *h, const struct sr_sdy_sharding *s, int dim)
{
	struct sr_halo_dim d = {.axes = sr_axes_resolve(h->arena, h->mesh, s->dims[dim].axes)};
	d.shards = sr_axes_size(d.axes);
	return d;
}

double sr_halo_bytes_along(const struct sr_expansion *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim)
{
	double bytes = (double)sr_dtype_bytes(t->dtype);
	for (int d = 0; d < t->rank; d++)
		bytes *= d == dim ? 1 : (double)sr_ceil_div(t->shape[d], sr_sdy_dim_shards(s, h->mesh, d));
	return bytes;
}

bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	if (t->kind != SR_TYPE_TENSOR || t->dtype == SR_DTYPE_NONE || !sr_type_is_static(t) || s->rank != t->rank ||
	    t->rank > SR_MAX_RANK)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (!t->shape[d])
			return false;
	return true;
}

/* chunk: elements [src, src + n) of the shard of device `from`, which become elements [dst, dst + n) of device `to` */
struct chunk {
	int value;
	int64_t shard_extent; /* number of elements of a device's shard of the value */
	int64_t from, to, src, dst, n;
};

struct message {
	int value;                /* index of the value to which the message's first chunk belongs */
	/* is_local: the message is a copy within each device; has_several_values: the message has chunks of several values */
	bool is_local, has_several_values;
	/* n: number of elements of the message; min_extent: elements of the smallest shard of the values of its chunks */
	int64_t n, min_extent;
	int64_t *from;            /* sender for each receiver; -1: none; length: number of shards */
	int64_t *to;              /* receiver for each sender; -1: none; length: number of shards */
	/* for each receiver: source start, target start and length of its chunk; length: number of shards */
	int64_t *src, *dst, *len;
	int *values;              /* for each sender: number of the value of its chunk; length: number of shards */
};

struct packing {
	struct message messages[MAX_MESSAGES];
	int n;
	bool has_failed; /* true if more than MAX_MESSAGES messages would be needed */
};

struct sr_halo_transfer {
	struct sr_expansion *h;
	struct sr_halo_dim d;
	int64_t n;
	SR_VEC(struct chunk) chunks;
	struct packing *packing; /* packing of chunks into messages that was chosen; NULL: none yet */
	bool is_aligned;
};

bool sr_halo_is_listable(struct sr_halo_dim d)
{
	enum { MAX_SHARDS = 1 << 16 };
	return d.shards <= MAX_SHARDS;
}

struct sr_halo_transfer *sr_halo_transfer_new(struct sr_expansion *h, struct sr_halo_dim d, int64_t n)
{
	struct sr_halo_transfer *transfer = SR_NEW(h->arena, struct sr_halo_transfer);
	*transfer = (struct sr_halo_transfer){.h = h, .d = d, .n = n};
	return transfer;
}

void sr_halo_transfer_add(struct sr_halo_transfer *transfer, int value, struct sr_halo_range_source s, int64_t to, int64_t dst,
			  int64_t first, int64_t n)
{
	int64_t end = first + n < s.end ? first + n : s.end, at = first > s.begin ? first : s.begin;
	while (at < end) {
		int64_t owner = s.shard_extent ? at / s.shard_extent : to, start = s.shard_extent ? owner * s.shard_extent : 0,
			stop = s.shard_extent && start + s.shard_extent < end ? start + s.shard_extent : end;
		sr_push(transfer->h->arena, &transfer->chunks,
			(struct chunk){value, s.shard_extent, owner, to, at - start, dst + at - first, stop - at});
		at = stop;
	}
}

/* ---------------------------------------------------------------- packing */

static int64_t *no_devices(struct sr_halo_transfer *transfer)
{
	int64_t *list = SR_NEW_ARRAY(transfer->h->arena, int64_t, transfer->d.shards);
	for (int64_t j = 0; j < transfer->d.shards; j++)
		list[j] = -1;
	return list;
}

static struct message *new_message(struct sr_halo_transfer *transfer, struct packing *packing, const struct chunk *p)
{
	struct sr_arena *arena = transfer->h->arena;
	if (packing->n == MAX_MESSAGES) {
		packing->has_failed = true;
		return NULL;
	}
	struct message *message = &packing->messages[packing->n++];
	*message = (struct message){.value = p->value,
			      .is_local = p->from == p->to,
			      .min_extent = p->shard_extent,
			      .from = no_devices(transfer),
			      .to = no_devices(transfer),
			      .src = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards),
			      .dst = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards),
			      .len = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards),
			      .values = SR_NEW_ARRAY(arena, int, transfer->d.shards)};
	return message;
}

/* Return true if the chunk has the same source and target range as the message's chunks. */
static bool has_same_ranges(const struct message *message, const struct chunk *p)
{
	int64_t j = 0;
	while (message->from[j] < 0)
		j++;
	/* the chunks of a local copy may start at different positions in each shard */
	bool is_local = message->is_local && p->from == p->to;
	return (is_local || message->src[j] == p->src) && message->dst[j] == p->dst && message->len[j] == p->n;
}

/* Return true if the chunk can be added to the message. An aligned message may contain local and sent chunks: with the permute a
 * device can send to itself. An unaligned message may carry different values on different devices. */
static bool can_take_chunk(const struct message *message, const struct chunk *p, bool is_aligned)
{
	if (message->from[p->to] >= 0 || message->to[p->from] >= 0)
		return false;
	return is_aligned ? message->value == p->value && has_same_ranges(message, p)
		       : message->is_local == (p->from == p->to) &&
				 (message->value == p->value ||
				  (!message->is_local && message->n <= p->shard_extent && p->n <= message->min_extent));
}

static void add_chunk(struct sr_halo_transfer *transfer, struct packing *packing, const struct chunk *p, bool is_aligned)
{
	struct message *message = packing->messages;
	while (message < packing->messages + packing->n && !can_take_chunk(message, p, is_aligned))
		message++;
	if (message == packing->messages + packing->n && !(message = new_message(transfer, packing, p)))
		return;
	message->is_local = message->is_local && p->from == p->to;
	message->has_several_values = message->has_several_values || message->value != p->value;
	message->min_extent = p->shard_extent < message->min_extent ? p->shard_extent : message->min_extent;
	message->values[p->from] = p->value;
	message->n = p->n > message->n ? p->n : message->n;
	message->from[p->to] = p->from;
	message->to[p->from] = p->to;
	message->src[p->to] = p->src;
	message->dst[p->to] = p->dst;
	message->len[p->to] = p->n;
}

static int compare_lengths(const void *a, const void *b)
{
	const struct chunk *p = a, *q = b;
	if (p->n != q->n)
		return p->n > q->n ? -1 : 1;
	if (p->value != q->value)
		return p->value - q->value;
	return p->to != q->to ? (p->to > q->to) - (p->to < q->to) : (p->dst > q->dst) - (p->dst < q->dst);
}

/* Assign the chunks of a transfer to messages, one collective_permute each. */
static struct packing *pack(struct sr_halo_transfer *transfer, bool is_aligned)
{
	struct packing *packing = SR_NEW(transfer->h->arena, struct packing);
	if (!is_aligned && transfer->chunks.n)
		qsort(transfer->chunks.data, transfer->chunks.n, sizeof *transfer->chunks.data, compare_lengths);
	for (size_t i = 0; i < transfer->chunks.n && !packing->has_failed; i++)
		add_chunk(transfer, packing, &transfer->chunks.data[i], is_aligned);
	return packing;
}

static int64_t elements_sent(const struct packing *packing)
{
	int64_t n = 0;
	for (int i = 0; i < packing->n; i++)
		n += packing->messages[i].is_local ? 0 : packing->messages[i].n;
	return n;
}

static int64_t target_start_of(const struct sr_halo_transfer *transfer, const struct message *p)
{
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] >= 0)
			return p->dst[j];
	return 0;
}

static bool is_same_target(const struct sr_halo_transfer *transfer, const struct message *a, const struct message *b)
{
	return target_start_of(transfer, a) == target_start_of(transfer, b) && a->n == b->n;
}

/* Sort messages by target range. Returns false if two target ranges overlap in part. */
static bool sort_by_target(const struct sr_halo_transfer *transfer, struct packing *packing)
{
	for (int i = 0; i < packing->n; i++)
		for (int k = i + 1; k < packing->n; k++) {
			int64_t a = target_start_of(transfer, &packing->messages[i]),
				b = target_start_of(transfer, &packing->messages[k]);
			if (b < a || (b == a && packing->messages[i].is_local && !packing->messages[k].is_local)) {
				struct message swap = packing->messages[i];
				packing->messages[i] = packing->messages[k], packing->messages[k] = swap;
			}
		}
	for (int i = 1; i < packing->n; i++) {
		const struct message *last = &packing->messages[i - 1], *next = &packing->messages[i];
		if (!is_same_target(transfer, last, next) &&
		    target_start_of(transfer, last) + last->n > target_start_of(transfer, next))
			return false;
	}
	return true;
}

int64_t sr_halo_transfer_elements(struct sr_halo_transfer *transfer)
{
	if (transfer->packing)
		return elements_sent(transfer->packing);
	struct packing *aligned_packing = pack(transfer, true), *unaligned_packing;
	bool is_aligned = !aligned_packing->has_failed && sort_by_target(transfer, aligned_packing);
	unaligned_packing = pack(transfer, false);
	if (!is_aligned && unaligned_packing->has_failed)
		return -1;
	transfer->is_aligned = is_aligned && (unaligned_packing->has_failed || elements_sent(aligned_packing) <=
					      elements_sent(unaligned_packing) + transfer->n / ELEMENTS_PER_WRITE);
	transfer->packing = transfer->is_aligned ? aligned_packing : unaligned_packing;
	return elements_sent(transfer->packing);
}

bool sr_halo_transfer_cost(struct sr_halo_transfer *transfer, double element_bytes, struct sr_wire_cost *cost)
{
	const struct sr_expansion *h = transfer->h;
	int64_t n_sent = sr_halo_transfer_elements(transfer);
	int messages = 0;
	for (int i = 0; n_sent > 0 && i < transfer->packing->n; i++)
		messages += !transfer->packing->messages[i].is_local;
	if (!messages)
		return n_sent >= 0;
	struct sr_wire_cost transfer_cost = sr_cost_collective(sr_cost_model_links(h->costs, h->mesh), SR_PERMUTE,
							       element_bytes * (double)n_sent, transfer->d.axes);
	transfer_cost.rounds *= messages;
	transfer_cost.n = messages;
	sr_wire_cost_add(cost, transfer_cost);
	return true;
}

/* ---------------------------------------------------------------- numbers that differ between devices */

static bool is_constant_table(const int64_t *table, int64_t n)
{
	for (int64_t j = 1; j < n; j++)
		if (table[j] != table[0])
			return false;
	return true;
}

/* Return the scalar table[j] on device j along the dimension; length of the table: number of shards. */
static struct sr_value *look_up_table(struct sr_expansion *h, struct sr_halo_dim d, const int64_t *table, enum sr_dtype type)
{
	int64_t devices = sr_mesh_devices(h->mesh);
	if (is_constant_table(table, d.shards))
		return sr_build_splat(&h->builder, sr_type_tensor(h->ctx, type, 0, NULL), (double)table[0]);
	if (devices > h->max_listed)
		return sr_device_lookup(&h->builder, table, d.shards, type, sr_device_coordinate(&h->builder, h->mesh, d.axes));
	int64_t *value_of_device = SR_NEW_ARRAY(h->arena, int64_t, devices);
	for (int64_t i = 0; i < devices; i++)
		value_of_device[i] = table[sr_mesh_coordinate_along(h->mesh, i, d.axes)];
	return sr_device_lookup(&h->builder, value_of_device, devices, type, NULL);
}

struct sr_value *sr_halo_slice_per_device(struct sr_expansion *h, struct sr_value *v, int dim, struct sr_halo_dim d,
					  const int64_t *first, int64_t n)
{
	enum sr_dtype index = v->type->shape[dim] > INT32_MAX ? SR_I64 : SR_I32;
	if (is_constant_table(first, d.shards))
		return sr_build_slice_dim(&h->builder, v, dim, first[0], n, 1);
	return sr_build_dynamic_slice_dim(&h->builder, v, dim, look_up_table(h, d, first, index), n);
}

/* Build an i1 scalar that is true on devices that have a source. */
static struct sr_value *has_source_device(struct sr_expansion *h, struct sr_halo_dim d, struct sr_permute_sources sources)
{
	int64_t devices = sr_mesh_devices(h->mesh), n = devices > h->max_listed ? d.shards : devices;
	if (devices > h->max_listed && !sources.list) {
		struct sr_value *own_coordinate = sr_device_coordinate(&h->builder, h->mesh, d.axes);
		return sr_device_equals(&h->builder, own_coordinate, sources.step > 0 ? d.shards - 1 : 0, false);
	}
	int64_t *table = SR_NEW_ARRAY(h->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t j = n < devices ? i : sr_mesh_coordinate_along(h->mesh, i, d.axes);
		table[i] = sr_spmd_source(d.axes, sources, j) >= 0;
	}
	struct sr_value *table_index = n < devices ? sr_device_coordinate(&h->builder, h->mesh, d.axes) : NULL;
	return sr_device_lookup(&h->builder, table, n, SR_I1, table_index);
}

/* ---------------------------------------------------------------- building */

/* Return the sources of the message's permute. Neighbors are described by a step, which needs no list. */
static struct sr_permute_sources sources_of(const struct sr_halo_transfer *transfer, const struct message *p)
{
	for (int step = -1; step <= 1; step += 2) {
		int64_t j = 0;
		while (j < transfer->d.shards && p->from[j] == (j + step < transfer->d.shards ? j + step : -1))
			j++;
		if (j == transfer->d.shards)
			return (struct sr_permute_sources){.step = step};
	}
	return (struct sr_permute_sources){.list = p->from};
}

struct transfer_build {
	struct sr_halo_transfer *x;
	struct sr_value *const *values;
	int dim;
	struct sr_halo_fill fill;
	const struct sr_type *result_type; /* type of the result except for its extent along dim */
};

static const struct sr_type *type_with_extent(const struct transfer_build *b, int64_t n)
{
	int64_t *shape = sr_dup(b->x->h->arena, b->result_type->shape, (size_t)b->result_type->rank, sizeof *shape);
	shape[b->dim] = n;
	return sr_type_with_shape(b->x->h->ctx, b->result_type, b->result_type->rank, shape);
}

/* Return a tensor all of whose elements are the scalar; NULL: 0. */
static struct sr_value *splat(struct sr_expansion *h, struct sr_value *scalar, const struct sr_type *type)
{
	return scalar ? sr_build_broadcast(&h->builder, scalar, type, NULL) : sr_build_splat(&h->builder, type, 0);
}

static struct sr_value *fill_value(const struct transfer_build *b, int64_t n)
{
	return splat(b->x->h, b->fill.value, type_with_extent(b, n));
}

/* Slice the elements of value number `value` that the message's senders send. first: receives the start of the slice on each
 * sender; length: number of shards. */
static struct sr_value *slice_sent(const struct transfer_build *b, const struct message *p, int value, int64_t *first)
{
	struct sr_halo_transfer *transfer = b->x;
	struct sr_value *v = b->values[value];
	int64_t max_start = v->type->shape[b->dim] - p->n, any_start = 0;
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] >= 0 && p->values[p->from[j]] == value)
			any_start = first[p->from[j]] = p->src[j] < max_start ? p->src[j] : max_start;
	/* A device that sends no elements of the value uses the start of another device. */
	for (int64_t i = 0; i < transfer->d.shards; i++)
		if (p->to[i] < 0 || p->values[i] != value)
			first[i] = any_start;
	/* compute for each receiver the position of its chunk within the slice that is sent */
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] >= 0 && p->values[p->from[j]] == value)
			p->src[j] -= first[p->from[j]];
	return sr_halo_slice_per_device(transfer->h, v, b->dim, transfer->d, first, p->n);
}

/* Build the value that the message delivers, before it is shifted to its target range. A scalar value is broadcast. */
static struct sr_value *message_payload(const struct transfer_build *b, const struct message *p)
{
	struct sr_halo_transfer *transfer = b->x;
	struct sr_arena *arena = transfer->h->arena;
	int64_t *first = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards),
		*is_sender = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards);
	if (b->values[p->value]->type->rank == 0)
		return splat(transfer->h, b->values[p->value], type_with_extent(b, p->n));
	struct sr_value *v = slice_sent(b, p, p->value, first);
	for (int64_t i = 0; p->has_several_values && i < transfer->d.shards; i++) {
		bool is_new = p->to[i] >= 0 && p->values[i] != p->value;
		for (int64_t k = 0; k < i && is_new; k++)
			is_new = p->to[k] < 0 || p->values[k] != p->values[i];
		if (!is_new)
			continue;
		for (int64_t k = 0; k < transfer->d.shards; k++)
			is_sender[k] = p->to[k] >= 0 && p->values[k] == p->values[i];
		struct sr_value *sent = slice_sent(b, p, p->values[i], first);
		v = sr_build_select(&transfer->h->builder, look_up_table(transfer->h, transfer->d, is_sender, SR_I1), sent, v);
	}
	return p->is_local ? v : sr_spmd_permute(transfer->h, v, transfer->d.axes, sources_of(transfer, p));
}

static bool reaches_all_devices(const struct sr_halo_transfer *transfer, const struct message *p)
{
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] < 0)
			return false;
	return true;
}

/* Return true if devices that receive nothing may use the message's result without a select. */
static bool needs_no_select(const struct transfer_build *b, const struct message *p)
{
	bool fills_zero = b->fill.kind == SR_FILL_ZERO && !p->is_local;
	return b->fill.kind == SR_FILL_ANY || fills_zero || reaches_all_devices(b->x, p);
}

static struct sr_value *concatenate_messages(const struct transfer_build *b)
{
	struct sr_halo_transfer *transfer = b->x;
	struct sr_value *chunks[2 * MAX_MESSAGES + 1];
	int64_t at = 0;
	int n = 0;
	for (int i = 0; i < transfer->packing->n; i++) {
		const struct message *p = &transfer->packing->messages[i];
		bool first = i == 0 || !is_same_target(transfer, p - 1, p);
		int64_t dst = target_start_of(transfer, p);
		if (first && dst > at)
			chunks[n++] = fill_value(b, dst - at);
		at = dst + p->n;
		struct sr_value *v = message_payload(b, p);
		if (first && needs_no_select(b, p)) {
			chunks[n++] = v;
			continue;
		}
		if (first)
			chunks[n++] = fill_value(b, p->n);
		struct sr_value *is_delivered = has_source_device(transfer->h, transfer->d, sources_of(transfer, p));
		chunks[n - 1] = sr_build_select(&transfer->h->builder, is_delivered, v, chunks[n - 1]);
	}
	if (at < transfer->n)
		chunks[n++] = fill_value(b, transfer->n - at);
	return sr_build_concatenate(&transfer->h->builder, chunks, n, b->dim);
}

/* Shift v to the receivers' target ranges; the result has the transfer's extent. */
static struct sr_value *shift_to_target(const struct transfer_build *b, const struct message *p, struct sr_value *v)
{
	struct sr_halo_transfer *transfer = b->x;
	int64_t *first = SR_NEW_ARRAY(transfer->h->arena, int64_t, transfer->d.shards), low = 0, high = 0, any_start = 0;
	for (int64_t j = 0; j < transfer->d.shards; j++) {
		int64_t shift = p->dst[j] - p->src[j];
		if (p->from[j] < 0)
			continue;
		low = shift > low ? shift : low;
		high = transfer->n - p->n - shift > high ? transfer->n - p->n - shift : high;
	}
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] >= 0)
			any_start = first[j] = low - (p->dst[j] - p->src[j]);
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] < 0)
			first[j] = any_start;
	v = sr_build_pad_dim(&transfer->h->builder, v, b->dim, (struct sr_dim_padding){.low = low, .high = high}, NULL);
	return sr_halo_slice_per_device(transfer->h, v, b->dim, transfer->d, first, transfer->n);
}

/* Build the i1 tensor that compares each element's position along dim with table[device]. */
static struct sr_value *compare_with_table(struct sr_expansion *h, const struct sr_type *like, int dim, struct sr_halo_dim d,
					   enum sr_compare how, const int64_t *table)
{
	enum sr_dtype index = like->shape[dim] > INT32_MAX ? SR_I64 : SR_I32;
	struct sr_value *positions = sr_build_iota(&h->builder, index, like, dim);
	return sr_build_compare(&h->builder, positions, how, splat(h, look_up_table(h, d, table, index), positions->type), NULL);
}

/* Return the i1 mask, which differs between devices, of the result elements that the message delivers. */
static struct sr_value *delivered_mask(const struct transfer_build *b, const struct message *p)
{
	struct sr_halo_transfer *transfer = b->x;
	struct sr_arena *arena = transfer->h->arena;
	const struct sr_type *mask_shape = type_with_extent(b, transfer->n);
	int64_t *begins = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards),
		*ends = SR_NEW_ARRAY(arena, int64_t, transfer->d.shards);
	bool starts_at_first = true;
	for (int64_t j = 0; j < transfer->d.shards; j++) {
		begins[j] = p->from[j] < 0 ? 0 : p->dst[j];
		ends[j] = p->from[j] < 0 ? 0 : p->dst[j] + p->len[j];
		starts_at_first = starts_at_first && !begins[j];
	}
	struct sr_value *is_before_end = compare_with_table(transfer->h, mask_shape, b->dim, transfer->d, SR_LT, ends);
	if (starts_at_first)
		return is_before_end;
	struct sr_value *is_after_begin = compare_with_table(transfer->h, mask_shape, b->dim, transfer->d, SR_GE, begins);
	return sr_build_binary(&transfer->h->builder, SR_OP_stablehlo_and, is_after_begin, is_before_end);
}

struct sr_value *sr_halo_masked(struct sr_expansion *h, struct sr_value *v, int dim, struct sr_halo_dim d, int64_t extent,
				struct sr_value *scalar)
{
	int64_t message = v->type->shape[dim], *ends = SR_NEW_ARRAY(h->arena, int64_t, d.shards);
	if (extent == message * d.shards)
		return v;
	for (int64_t j = 0; j < d.shards; j++) {
		int64_t n_remaining = extent - j * message;
		ends[j] = n_remaining < 0 ? 0 : n_remaining < message ? n_remaining : message;
	}
	struct sr_value *fill = splat(h, scalar, v->type);
	return sr_build_select(&h->builder, compare_with_table(h, v->type, dim, d, SR_LT, ends), v, fill);
}

static bool delivers_everything(const struct sr_halo_transfer *transfer, const struct message *p)
{
	for (int64_t j = 0; j < transfer->d.shards; j++)
		if (p->from[j] < 0 || p->dst[j] || p->len[j] != transfer->n)
			return false;
	return true;
}

static struct sr_value *select_messages(const struct transfer_build *b)
{
	struct sr_halo_transfer *transfer = b->x;
	struct sr_value *out = NULL;
	for (int i = 0; i < transfer->packing->n; i++) {
		const struct message *p = &transfer->packing->messages[i];
		struct sr_value *v = shift_to_target(b, p, message_payload(b, p));
		if (delivers_everything(transfer, p) || (!out && b->fill.kind == SR_FILL_ANY)) {
			out = v;
			continue;
		}
		struct sr_value *mask = delivered_mask(b, p);
		out = sr_build_select(&transfer->h->builder, mask, v, out ? out : fill_value(b, transfer->n));
	}
	return out ? out : fill_value(b, transfer->n);
}

struct sr_value *sr_halo_transfer_build(struct sr_halo_transfer *transfer, struct sr_value *const *values,
					const struct sr_type *like, int dim, struct sr_halo_fill fill)
{
	struct transfer_build b = {transfer, values, dim, fill, like};
	if (sr_halo_transfer_elements(transfer) < 0)
		return NULL;
	return transfer->is_aligned ? concatenate_messages(&b) : select_messages(&b);
}
