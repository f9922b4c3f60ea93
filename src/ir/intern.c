/* Interning of types and attributes: equal content, equal pointer.
 *
 * The content of a type or attribute is written as a row of words, its key: parts that are interned themselves (types, attributes,
 * strings) as their addresses, meshes, shardings, axes and rules word by word. Equal keys mean equal things, so no kind needs a
 * comparison of its own. Elements of dense constants enter by hash and are compared apart; over BY_IDENTITY bytes they enter by
 * address. A thing that is new is copied deeply into the arena, with its key. */
#include "ir/intern.h"
#include "support/vec.h"
#include <string.h>

enum { BY_IDENTITY = 1 << 20 };

struct entry {
	uint64_t hash;
	const uint64_t *key; /* [n] */
	size_t n;
	const void *thing;
	struct entry *next;
};

struct sr_interner {
	struct sr_arena *arena;
	struct entry **buckets;
	size_t n, n_buckets; /* n_buckets is a power of two */
	SR_VEC(uint64_t) key; /* being built */
};

struct sr_interner *sr_interner_new(struct sr_arena *arena)
{
	struct sr_interner *in = SR_NEW(arena, struct sr_interner);
	in->arena = arena;
	in->n_buckets = 1024;
	in->buckets = SR_NEWS(arena, struct entry *, in->n_buckets);
	return in;
}

/* ---------------------------------------------------------------- keys */

static void word(struct sr_interner *in, uint64_t w)
{
	sr_push(in->arena, &in->key, w);
}

static void pointer(struct sr_interner *in, const void *p)
{
	word(in, (uint64_t)(uintptr_t)p);
}

static void pointers(struct sr_interner *in, const void *const *list, int n)
{
	word(in, (uint64_t)n);
	for (int i = 0; i < n; i++)
		pointer(in, list[i]);
}

static void key_mesh(struct sr_interner *in, const struct sr_mesh *m)
{
	word(in, (uint64_t)m->n_axes);
	for (int i = 0; i < m->n_axes; i++) {
		pointer(in, m->axes[i].name);
		word(in, (uint64_t)m->axes[i].size);
	}
	word(in, (uint64_t)m->n_device_ids);
	for (int i = 0; i < m->n_device_ids; i++)
		word(in, (uint64_t)m->device_ids[i]);
}

static void key_axes(struct sr_interner *in, struct sr_sdy_axes a)
{
	word(in, (uint64_t)a.n);
	for (int i = 0; i < a.n; i++) {
		pointer(in, a.refs[i].axis);
		word(in, (uint64_t)a.refs[i].pre);
		word(in, (uint64_t)a.refs[i].size);
	}
}

static void key_sharding(struct sr_interner *in, const struct sr_sdy_sharding *s)
{
	pointer(in, s->mesh_name);
	word(in, s->mesh != NULL);
	if (s->mesh)
		key_mesh(in, s->mesh);
	word(in, (uint64_t)s->rank);
	for (int i = 0; i < s->rank; i++) {
		word(in, s->dims[i].closed);
		word(in, (uint64_t)s->dims[i].priority);
		key_axes(in, s->dims[i].axes);
	}
	key_axes(in, s->replicated);
	key_axes(in, s->unreduced);
	word(in, (uint64_t)s->unreduced_kind);
}

static void key_indices(struct sr_interner *in, const int32_t *at, int n)
{
	word(in, (uint64_t)n);
	for (int i = 0; i < n; i++)
		word(in, (uint64_t)at[i]);
}

static void key_mappings(struct sr_interner *in, const struct sr_tensor_mapping *m, int n)
{
	word(in, (uint64_t)n);
	for (int i = 0; i < n; i++) {
		word(in, (uint64_t)m[i].rank);
		for (int d = 0; d < m[i].rank; d++)
			key_indices(in, m[i].dims[d].factors, m[i].dims[d].n);
	}
}

static void key_rule(struct sr_interner *in, const struct sr_sharding_rule *r)
{
	word(in, (uint64_t)r->n_factors);
	for (int i = 0; i < r->n_factors; i++)
		word(in, (uint64_t)r->sizes[i]);
	key_mappings(in, r->operands, r->n_operands);
	key_mappings(in, r->results, r->n_results);
	const struct sr_index_list lists[] = {r->reduction, r->need_replication, r->permutation, r->blocked};
	for (int i = 0; i < 4; i++)
		key_indices(in, lists[i].at, lists[i].n);
	word(in, r->custom);
}

/* The bytes that say a constant's elements: raw, or the hex text. */
static const void *dense_bytes(const struct sr_dense *d, size_t *n)
{
	*n = d->strings ? 0 : d->hex ? 2 * (size_t)d->n_bytes : (size_t)d->n_bytes;
	return d->hex ? (const void *)d->hex : d->data;
}

static int64_t string_count(const struct sr_attr *a)
{
	int64_t n = 1;
	if (!a->dense->splat)
		sr_type_elements(a->type, &n);
	return n;
}

static void key_dense(struct sr_interner *in, const struct sr_attr *a)
{
	const struct sr_dense *d = a->dense;
	word(in, (uint64_t)d->n_bytes);
	word(in, (uint64_t)d->splat | (uint64_t)(d->hex != NULL) << 1 | (uint64_t)(d->strings != NULL) << 2);
	if (d->strings) {
		int64_t n = string_count(a);
		for (int64_t i = 0; i < n; i++)
			pointer(in, d->strings[i]);
		return;
	}
	size_t n;
	const void *bytes = dense_bytes(d, &n);
	if (d->n_bytes > BY_IDENTITY)
		pointer(in, bytes);
	else
		word(in, sr_hash_bytes(bytes, n, 0));
}

static void key_attr(struct sr_interner *in, const struct sr_attr *a)
{
	in->key.n = 0;
	word(in, (uint64_t)a->kind);
	pointer(in, a->type);
	word(in, (uint64_t)a->i);
	pointer(in, a->s);
	pointer(in, a->value);
	pointer(in, a->def);
	word(in, (uint64_t)a->line << 32 | (uint32_t)a->col);
	word(in, (uint64_t)a->end_line << 32 | (uint32_t)a->end_col);
	pointers(in, (const void *const *)a->list, a->list ? a->n : 0);
	word(in, (uint64_t)(a->entries ? a->n : 0));
	for (int i = 0; a->entries && i < a->n; i++) {
		pointer(in, a->entries[i].name);
		pointer(in, a->entries[i].value);
	}
	if (a->dense)
		key_dense(in, a);
	if (a->mesh)
		key_mesh(in, a->mesh);
	if (a->sharding)
		key_sharding(in, a->sharding);
	if (a->axes)
		key_axes(in, *a->axes);
	if (a->rule)
		key_rule(in, a->rule);
}

static void key_type(struct sr_interner *in, const struct sr_type *t)
{
	in->key.n = 0;
	word(in, SR_ATTR_KIND_COUNT + (uint64_t)t->kind);
	word(in, (uint64_t)t->dtype);
	word(in, (uint64_t)t->width << 8 | (uint64_t)t->sign);
	word(in, (uint64_t)t->rank);
	for (int i = 0; i < t->rank; i++)
		word(in, (uint64_t)t->shape[i]);
	pointer(in, t->element);
	pointer(in, t->encoding);
	pointer(in, t->text);
	pointers(in, (const void *const *)t->inputs, t->n_inputs);
	pointers(in, (const void *const *)t->results, t->n_results);
}

/* ---------------------------------------------------------------- the table */

static void grow(struct sr_interner *in)
{
	size_t n_buckets = in->n_buckets * 4;
	struct entry **buckets = SR_NEWS(in->arena, struct entry *, n_buckets);
	for (size_t i = 0; i < in->n_buckets; i++)
		for (struct entry *e = in->buckets[i], *next; e; e = next) {
			next = e->next;
			e->next = buckets[e->hash & (n_buckets - 1)];
			buckets[e->hash & (n_buckets - 1)] = e;
		}
	in->buckets = buckets;
	in->n_buckets = n_buckets;
}

static bool same_elements(const struct sr_attr *a, const struct sr_attr *b)
{
	size_t na, nb;
	if (!a->dense || a->dense->strings || a->dense->n_bytes > BY_IDENTITY)
		return true;
	const void *pa = dense_bytes(a->dense, &na), *pb = dense_bytes(b->dense, &nb);
	return na == nb && (na == 0 || memcmp(pa, pb, na) == 0);
}

/* The thing with the key just built; NULL where it is new. `attr` NULL: a type. */
static const void *find(struct sr_interner *in, uint64_t hash, const struct sr_attr *attr)
{
	for (struct entry *e = in->buckets[hash & (in->n_buckets - 1)]; e; e = e->next)
		if (e->hash == hash && e->n == in->key.n && memcmp(e->key, in->key.data, e->n * sizeof *e->key) == 0 &&
		    (!attr || same_elements(attr, e->thing)))
			return e->thing;
	return NULL;
}

static void add(struct sr_interner *in, uint64_t hash, const void *thing)
{
	if (in->n++ == in->n_buckets)
		grow(in);
	struct entry *e = SR_NEW(in->arena, struct entry), **bucket = &in->buckets[hash & (in->n_buckets - 1)];
	*e = (struct entry){hash, sr_dup(in->arena, in->key.data, in->key.n, sizeof *in->key.data), in->key.n, thing, *bucket};
	*bucket = e;
}

static uint64_t hash_key(const struct sr_interner *in)
{
	return sr_hash_bytes(in->key.data, in->key.n * sizeof *in->key.data, 0);
}

/* ---------------------------------------------------------------- copies */

#define DUP(arena, p, n) sr_dup((arena), (p), (size_t)(n), sizeof *(p))

static const struct sr_mesh *copy_mesh(struct sr_arena *a, const struct sr_mesh *m)
{
	struct sr_mesh *c = DUP(a, m, 1);
	c->axes = DUP(a, m->axes, m->n_axes);
	c->device_ids = m->device_ids ? DUP(a, m->device_ids, m->n_device_ids) : NULL;
	return c;
}

static struct sr_sdy_axes copy_axes(struct sr_arena *a, struct sr_sdy_axes x)
{
	return (struct sr_sdy_axes){x.n ? DUP(a, x.refs, x.n) : NULL, x.n};
}

static const struct sr_sdy_sharding *copy_sharding(struct sr_arena *a, const struct sr_sdy_sharding *s)
{
	struct sr_sdy_sharding *c = DUP(a, s, 1);
	struct sr_sdy_dim *dims = DUP(a, s->dims, s->rank);
	for (int i = 0; i < s->rank; i++)
		dims[i].axes = copy_axes(a, dims[i].axes);
	c->dims = dims;
	c->mesh = s->mesh ? copy_mesh(a, s->mesh) : NULL;
	c->replicated = copy_axes(a, s->replicated);
	c->unreduced = copy_axes(a, s->unreduced);
	return c;
}

static struct sr_index_list copy_indices(struct sr_arena *a, struct sr_index_list l)
{
	return (struct sr_index_list){l.n ? DUP(a, l.at, l.n) : NULL, l.n};
}

static const struct sr_tensor_mapping *copy_mappings(struct sr_arena *a, const struct sr_tensor_mapping *m, int n)
{
	struct sr_tensor_mapping *c = DUP(a, m, n);
	for (int i = 0; i < n; i++) {
		struct sr_dim_mapping *dims = DUP(a, m[i].dims, m[i].rank);
		for (int d = 0; d < m[i].rank; d++)
			dims[d].factors = dims[d].n ? DUP(a, dims[d].factors, dims[d].n) : NULL;
		c[i].dims = dims;
	}
	return c;
}

static const struct sr_sharding_rule *copy_rule(struct sr_arena *a, const struct sr_sharding_rule *r)
{
	struct sr_sharding_rule *c = DUP(a, r, 1);
	c->sizes = DUP(a, r->sizes, r->n_factors);
	c->operands = copy_mappings(a, r->operands, r->n_operands);
	c->results = copy_mappings(a, r->results, r->n_results);
	c->reduction = copy_indices(a, r->reduction);
	c->need_replication = copy_indices(a, r->need_replication);
	c->permutation = copy_indices(a, r->permutation);
	c->blocked = copy_indices(a, r->blocked);
	return c;
}

/* Raw elements over BY_IDENTITY bytes and hex text are borrowed: a copy would double the largest things there are. */
static const struct sr_dense *copy_dense(struct sr_arena *a, const struct sr_attr *attr)
{
	struct sr_dense *c = DUP(a, attr->dense, 1);
	if (c->strings)
		c->strings = DUP(a, c->strings, string_count(attr));
	else if (!c->hex && c->n_bytes <= BY_IDENTITY)
		c->data = sr_dup(a, c->data, (size_t)c->n_bytes, 1);
	return c;
}

static const struct sr_attr *copy_attr(struct sr_arena *a, const struct sr_attr *attr)
{
	struct sr_attr *c = DUP(a, attr, 1);
	if (c->list)
		c->list = DUP(a, c->list, c->n);
	if (c->entries)
		c->entries = DUP(a, c->entries, c->n);
	if (c->dense)
		c->dense = copy_dense(a, attr);
	if (c->mesh)
		c->mesh = copy_mesh(a, c->mesh);
	if (c->sharding)
		c->sharding = copy_sharding(a, c->sharding);
	if (c->axes) {
		struct sr_sdy_axes *axes = SR_NEW(a, struct sr_sdy_axes);
		*axes = copy_axes(a, *c->axes);
		c->axes = axes;
	}
	if (c->rule)
		c->rule = copy_rule(a, c->rule);
	return c;
}

static const struct sr_type *copy_type(struct sr_arena *a, const struct sr_type *t)
{
	struct sr_type *c = DUP(a, t, 1);
	c->shape = DUP(a, t->shape, t->rank);
	c->inputs = DUP(a, t->inputs, t->n_inputs);
	c->results = DUP(a, t->results, t->n_results);
	return c;
}

/* ---------------------------------------------------------------- */

static enum sr_dtype integer_dtype(int width, enum sr_sign sign)
{
	static const struct { int width; enum sr_dtype plain, without_sign; } table[] = {
		{1, SR_I1, SR_DTYPE_NONE}, {2, SR_I2, SR_UI2},    {4, SR_I4, SR_UI4},    {8, SR_I8, SR_UI8},
		{16, SR_I16, SR_UI16},     {32, SR_I32, SR_UI32}, {64, SR_I64, SR_UI64},
	};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (table[i].width == width)
			return sign == SR_UNSIGNED ? table[i].without_sign : table[i].plain;
	return SR_DTYPE_NONE;
}

static enum sr_dtype dtype_of(const struct sr_type *t)
{
	switch (t->kind) {
	case SR_TYPE_INTEGER:
		return integer_dtype(t->width, t->sign);
	case SR_TYPE_FLOAT:
		return t->dtype;
	case SR_TYPE_INDEX:
		return SR_I64;
	case SR_TYPE_COMPLEX:
		return t->element->dtype == SR_F32 ? SR_C64 : t->element->dtype == SR_F64 ? SR_C128 : SR_DTYPE_NONE;
	case SR_TYPE_TENSOR:
	case SR_TYPE_UNRANKED:
	case SR_TYPE_VECTOR:
	case SR_TYPE_MEMREF:
		return t->element ? t->element->dtype : SR_DTYPE_NONE;
	default:
		return SR_DTYPE_NONE;
	}
}

const struct sr_type *sr_type_intern(struct sr_context *ctx, const struct sr_type *type)
{
	struct sr_interner *in = ctx->interner;
	struct sr_type t = *type;
	t.dtype = dtype_of(type);
	key_type(in, &t);
	uint64_t hash = hash_key(in);
	const struct sr_type *old = find(in, hash, NULL);
	if (old)
		return old;
	const struct sr_type *made = copy_type(in->arena, &t);
	add(in, hash, made);
	return made;
}

const struct sr_attr *sr_attr_intern(struct sr_context *ctx, const struct sr_attr *attr)
{
	struct sr_interner *in = ctx->interner;
	struct sr_attr a = *attr;
	if (a.kind == SR_ATTR_DENSE_ARRAY && a.type->dtype != SR_DTYPE_NONE) /* n follows from the bytes, whoever made it */
		a.n = (int)(a.dense->n_bytes / sr_dtype_bytes(a.type->dtype));
	key_attr(in, &a);
	uint64_t hash = hash_key(in);
	const struct sr_attr *old = find(in, hash, &a);
	if (old)
		return old;
	const struct sr_attr *made = copy_attr(in->arena, &a);
	add(in, hash, made);
	return made;
}
