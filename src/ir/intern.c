/* Intern types and attributes, so that equal contents have equal pointers.
 *
 * The key of a type or attribute is a sequence of words: addresses of interned components (types, attributes, strings), and
 * meshes, shardings, axes and rules word by word. Equal keys mean equal contents, so no kind needs its own comparison. Elements
 * of a dense constant enter the key by hash and are compared separately; larger than MAX_COMPARED_BYTES they enter by address.
 * New objects are copied deeply into the arena, with their key. */
#include "ir/intern.h"
#include "support/vec.h"
#include <string.h>

enum { MAX_COMPARED_BYTES = 1 << 20 };

struct intern_entry {
	uint64_t hash;
	const uint64_t *key; /* words of the key; length n */
	size_t n;
	const void *object;
	struct intern_entry *next;
};

struct sr_interner {
	struct sr_arena *arena;
	struct intern_entry **buckets;
	size_t n, n_buckets; /* number of entries; number of buckets, a power of two */
	SR_VEC(uint64_t) key; /* key of the type or attribute being interned */
};

struct sr_interner *sr_interner_new(struct sr_arena *arena)
{
	struct sr_interner *in = SR_NEW(arena, struct sr_interner);
	in->arena = arena;
	in->n_buckets = 1024;
	in->buckets = SR_NEW_ARRAY(arena, struct intern_entry *, in->n_buckets);
	return in;
}

/* ---------------------------------------------------------------- keys */

static void push_word(struct sr_interner *in, uint64_t w)
{
	sr_push(in->arena, &in->key, w);
}

static void push_pointer(struct sr_interner *in, const void *p)
{
	push_word(in, (uint64_t)(uintptr_t)p);
}

static void push_pointers(struct sr_interner *in, const void *const *list, int n)
{
	push_word(in, (uint64_t)n);
	for (int i = 0; i < n; i++)
		push_pointer(in, list[i]);
}

static void key_mesh(struct sr_interner *in, const struct sr_mesh *m)
{
	push_word(in, (uint64_t)m->n_axes);
	for (int i = 0; i < m->n_axes; i++) {
		push_pointer(in, m->axes[i].name);
		push_word(in, (uint64_t)m->axes[i].size);
	}
	push_word(in, (uint64_t)m->n_device_ids);
	for (int i = 0; i < m->n_device_ids; i++)
		push_word(in, (uint64_t)m->device_ids[i]);
}

static void key_axes(struct sr_interner *in, struct sr_sdy_axes a)
{
	push_word(in, (uint64_t)a.n);
	for (int i = 0; i < a.n; i++) {
		push_pointer(in, a.refs[i].axis);
		push_word(in, (uint64_t)a.refs[i].pre);
		push_word(in, (uint64_t)a.refs[i].size);
	}
}

static void key_sharding(struct sr_interner *in, const struct sr_sdy_sharding *s)
{
	push_pointer(in, s->mesh_name);
	push_word(in, s->mesh != NULL);
	if (s->mesh)
		key_mesh(in, s->mesh);
	push_word(in, (uint64_t)s->rank);
	for (int i = 0; i < s->rank; i++) {
		push_word(in, s->dims[i].closed);
		push_word(in, (uint64_t)s->dims[i].priority);
		key_axes(in, s->dims[i].axes);
	}
	key_axes(in, s->replicated);
	key_axes(in, s->unreduced);
	push_word(in, (uint64_t)s->unreduced_kind);
}

static void key_indices(struct sr_interner *in, const int32_t *indices, int n)
{
	push_word(in, (uint64_t)n);
	for (int i = 0; i < n; i++)
		push_word(in, (uint64_t)indices[i]);
}

static void key_mappings(struct sr_interner *in, const struct sr_tensor_mapping *m, int n)
{
	push_word(in, (uint64_t)n);
	for (int i = 0; i < n; i++) {
		push_word(in, (uint64_t)m[i].rank);
		for (int d = 0; d < m[i].rank; d++)
			key_indices(in, m[i].dims[d].factors, m[i].dims[d].n);
	}
}

static void key_rule(struct sr_interner *in, const struct sr_sharding_rule *r)
{
	push_word(in, (uint64_t)r->n_factors);
	for (int i = 0; i < r->n_factors; i++)
		push_word(in, (uint64_t)r->sizes[i]);
	key_mappings(in, r->operands, r->n_operands);
	key_mappings(in, r->results, r->n_results);
	const struct sr_index_list lists[] = {r->reduction, r->need_replication, r->permutation, r->blocked};
	for (int i = 0; i < 4; i++)
		key_indices(in, lists[i].indices, lists[i].n);
	push_word(in, r->custom);
}

/* Return the bytes that define a constant's elements: raw data, or the hex text. */
static const void *dense_bytes(const struct sr_dense *d, size_t *n)
{
	*n = d->strings ? 0 : d->hex ? 2 * (size_t)d->n_bytes : (size_t)d->n_bytes;
	return d->hex ? (const void *)d->hex : d->data;
}

static int64_t count_strings(const struct sr_attr *a)
{
	int64_t n = 1;
	if (!a->dense->splat)
		sr_type_elements(a->type, &n);
	return n;
}

static void key_dense(struct sr_interner *in, const struct sr_attr *a)
{
	const struct sr_dense *d = a->dense;
	push_word(in, (uint64_t)d->n_bytes);
	push_word(in, (uint64_t)d->splat | (uint64_t)(d->hex != NULL) << 1 | (uint64_t)(d->strings != NULL) << 2);
	if (d->strings) {
		int64_t n = count_strings(a);
		for (int64_t i = 0; i < n; i++)
			push_pointer(in, d->strings[i]);
		return;
	}
	size_t n;
	const void *bytes = dense_bytes(d, &n);
	if (d->n_bytes > MAX_COMPARED_BYTES)
		push_pointer(in, bytes);
	else
		push_word(in, sr_hash_bytes(bytes, n, 0));
}

static void key_attr(struct sr_interner *in, const struct sr_attr *a)
{
	in->key.n = 0;
	push_word(in, (uint64_t)a->kind);
	push_pointer(in, a->type);
	push_word(in, (uint64_t)a->i);
	push_pointer(in, a->s);
	push_pointer(in, a->value);
	push_pointer(in, a->def);
	push_word(in, (uint64_t)a->line << 32 | (uint32_t)a->col);
	push_word(in, (uint64_t)a->end_line << 32 | (uint32_t)a->end_col);
	push_pointers(in, (const void *const *)a->list, a->list ? a->n : 0);
	push_word(in, (uint64_t)(a->entries ? a->n : 0));
	for (int i = 0; a->entries && i < a->n; i++) {
		push_pointer(in, a->entries[i].name);
		push_pointer(in, a->entries[i].value);
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
	push_word(in, SR_ATTR_KIND_COUNT + (uint64_t)t->kind);
	push_word(in, (uint64_t)t->dtype);
	push_word(in, (uint64_t)t->width << 8 | (uint64_t)t->sign);
	push_word(in, (uint64_t)t->rank);
	for (int i = 0; i < t->rank; i++)
		push_word(in, (uint64_t)t->shape[i]);
	push_pointer(in, t->element);
	push_pointer(in, t->encoding);
	push_pointer(in, t->text);
	push_pointers(in, (const void *const *)t->inputs, t->n_inputs);
	push_pointers(in, (const void *const *)t->results, t->n_results);
}

/* ---------------------------------------------------------------- the table */

static void grow_table(struct sr_interner *in)
{
	size_t n_buckets = in->n_buckets * 4;
	struct intern_entry **buckets = SR_NEW_ARRAY(in->arena, struct intern_entry *, n_buckets);
	for (size_t i = 0; i < in->n_buckets; i++)
		for (struct intern_entry *e = in->buckets[i], *next; e; e = next) {
			next = e->next;
			e->next = buckets[e->hash & (n_buckets - 1)];
			buckets[e->hash & (n_buckets - 1)] = e;
		}
	in->buckets = buckets;
	in->n_buckets = n_buckets;
}

static bool has_same_elements(const struct sr_attr *a, const struct sr_attr *b)
{
	size_t na, nb;
	if (!a->dense || a->dense->strings || a->dense->n_bytes > MAX_COMPARED_BYTES)
		return true;
	const void *pa = dense_bytes(a->dense, &na), *pb = dense_bytes(b->dense, &nb);
	return na == nb && (na == 0 || memcmp(pa, pb, na) == 0);
}

/* Return the object whose key is in->key; NULL if there is none. `attr` is NULL when looking up a type. */
static const void *find_entry(struct sr_interner *in, uint64_t hash, const struct sr_attr *attr)
{
	for (struct intern_entry *e = in->buckets[hash & (in->n_buckets - 1)]; e; e = e->next)
		if (e->hash == hash && e->n == in->key.n && memcmp(e->key, in->key.data, e->n * sizeof *e->key) == 0 &&
		    (!attr || has_same_elements(attr, e->object)))
			return e->object;
	return NULL;
}

static void add_entry(struct sr_interner *in, uint64_t hash, const void *object)
{
	if (in->n++ == in->n_buckets)
		grow_table(in);
	struct intern_entry *e = SR_NEW(in->arena, struct intern_entry), **bucket = &in->buckets[hash & (in->n_buckets - 1)];
	*e = (struct intern_entry){hash, sr_dup(in->arena, in->key.data, in->key.n, sizeof *in->key.data), in->key.n, object, *bucket};
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
	return (struct sr_index_list){l.n ? DUP(a, l.indices, l.n) : NULL, l.n};
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

/* Raw data larger than MAX_COMPARED_BYTES and hex text are borrowed, to avoid copying large constants. */
static const struct sr_dense *copy_dense(struct sr_arena *a, const struct sr_attr *attr)
{
	struct sr_dense *c = DUP(a, attr->dense, 1);
	if (c->strings)
		c->strings = DUP(a, c->strings, count_strings(attr));
	else if (!c->hex && c->n_bytes <= MAX_COMPARED_BYTES)
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

static enum sr_dtype dtype_of(const struct sr_type *t)
{
	switch (t->kind) {
	case SR_TYPE_INTEGER:
		return sr_dtype_of_integer(t->width, t->sign == SR_UNSIGNED);
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
	const struct sr_type *existing_type = find_entry(in, hash, NULL);
	if (existing_type)
		return existing_type;
	const struct sr_type *new_type = copy_type(in->arena, &t);
	add_entry(in, hash, new_type);
	return new_type;
}

const struct sr_attr *sr_attr_intern(struct sr_context *ctx, const struct sr_attr *attr)
{
	struct sr_interner *in = ctx->interner;
	struct sr_attr a = *attr;
	/* Derive n from the number of bytes, so that equal attributes have equal keys. */
	if (a.kind == SR_ATTR_DENSE_ARRAY && a.type->dtype != SR_DTYPE_NONE)
		a.n = (int)(a.dense->n_bytes / sr_dtype_bytes(a.type->dtype));
	key_attr(in, &a);
	uint64_t hash = hash_key(in);
	const struct sr_attr *existing_attr = find_entry(in, hash, &a);
	if (existing_attr)
		return existing_attr;
	const struct sr_attr *new_attr = copy_attr(in->arena, &a);
	add_entry(in, hash, new_attr);
	return new_attr;
}
