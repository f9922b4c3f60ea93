/* Table of layouts by their hashes, with a reference to each layout. If the table has the only reference to a layout, other
 * references can only be made through the table, so the layout can be removed under the table's lock. */
#include "run/layout.h"
#include "run/execution.h"
#include "support/checked.h"
#include "support/map.h"
#include "support/thread.h"
#include <stdlib.h>

enum { BUCKETS = 256 };

struct sr_layout_table {
	pthread_mutex_t lock;
	struct sr_layout *buckets[BUCKETS];
};

/* ---- layouts ---- */

/* Return a hash that is equal on all ranks, and equal for programs whose meshes differ only in their name. */
uint64_t sr_layout_hash(const struct sr_program *p, const struct sr_io *io)
{
	const int64_t head[] = {io->dtype, io->rank, p->n_devices};
	size_t extents = sizeof(int64_t) * (size_t)io->rank;
	uint64_t hash = sr_hash_bytes(head, sizeof head, 0);
	hash = sr_hash_bytes(sr_program_ids(p) + io->shape, extents, hash);
	for (int64_t device = 0; device < p->n_devices; device++) {
		struct sr_device_slice s = sr_program_slice(p, io, device);
		hash = sr_hash_bytes(s.start, extents, hash);
		hash = sr_hash_bytes(s.local, extents, hash);
	}
	return hash;
}

struct sr_layout *sr_layout_new(uint64_t hash, int rank, int n_shards)
{
	struct sr_layout *l;
	size_t bytes;
	if (n_shards < 0 || sr_mul_overflows((size_t)n_shards, sizeof *l->shards, &bytes) ||
	    sr_add_overflows(bytes, sizeof *l, &bytes) || !(l = calloc(1, bytes)))
		return NULL;
	atomic_init(&l->references, 1);
	l->hash = hash;
	l->rank = rank;
	l->n_shards = n_shards;
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

struct sr_layout *sr_layout_keep(struct sr_layout *l)
{
	atomic_fetch_add_explicit(&l->references, 1, memory_order_relaxed);
	return l;
}

void sr_layout_release(struct sr_layout *l)
{
	if (!l || atomic_fetch_sub_explicit(&l->references, 1, memory_order_acq_rel) != 1)
		return;
	for (struct sr_array *a = l->unused, *next; a; a = next) {
		next = a->next_unused;
		free(a);
	}
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- the table ---- */

struct sr_layout_table *sr_layout_table_new(void)
{
	struct sr_layout_table *t = calloc(1, sizeof *t);
	if (t)
		pthread_mutex_init(&t->lock, NULL);
	return t;
}

/* Remove the layouts of the table: all of them, or those to which the table has the only reference. */
static void remove_layouts(struct sr_layout_table *t, bool removes_all)
{
	pthread_mutex_lock(&t->lock);
	for (int b = 0; b < BUCKETS; b++)
		for (struct sr_layout **at = &t->buckets[b], *l; (l = *at);) {
			if (!removes_all && atomic_load_explicit(&l->references, memory_order_relaxed) > 1) {
				at = &l->next_listed;
				continue;
			}
			*at = l->next_listed;
			sr_layout_release(l);
		}
	pthread_mutex_unlock(&t->lock);
}

bool sr_layout_table_is_empty(struct sr_layout_table *t)
{
	bool is_empty = true;
	pthread_mutex_lock(&t->lock);
	for (int b = 0; b < BUCKETS; b++)
		is_empty = is_empty && !t->buckets[b];
	pthread_mutex_unlock(&t->lock);
	return is_empty;
}

void sr_layout_table_trim(struct sr_layout_table *t)
{
	remove_layouts(t, false);
}

void sr_layout_table_free(struct sr_layout_table *t)
{
	if (!t)
		return;
	remove_layouts(t, true);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* Return the table's layout of a program's value, or NULL if there is none; the caller holds the lock. */
static struct sr_layout *find_layout(const struct sr_layout_table *t, const struct sr_executable *e, const struct sr_io *io,
				     uint64_t hash)
{
	for (struct sr_layout *l = t->buckets[hash % BUCKETS]; l; l = l->next_listed)
		if (l->hash == hash && l->rank == io->rank && l->n_shards == e->n_devices &&
		    (!l->n_shards || l->shards[0].bytes == sr_program_buffers(e->program)[io->buffer].bytes))
			return l;
	return NULL;
}

/* Create the layout of a program's value and add it to the table, which gets a reference; the caller holds the lock. */
static struct sr_layout *add(struct sr_layout_table *t, const struct sr_executable *e, const struct sr_io *io, uint64_t hash)
{
	struct sr_layout *l = sr_layout_new(hash, io->rank, e->n_devices);
	for (int k = 0; l && k < e->n_devices; k++)
		l->shards[k] = (struct sr_shard_layout){sr_program_buffers(e->program)[io->buffer].bytes,
							sr_program_slice(e->program, io, e->devices[k].id)};
	if (!l)
		return NULL;
	l->next_listed = t->buckets[hash % BUCKETS];
	return t->buckets[hash % BUCKETS] = l;
}

static void change_values(struct sr_layout *l, int64_t by)
{
	pthread_mutex_lock(&l->lock);
	l->n_values += by;
	pthread_mutex_unlock(&l->lock);
}

static struct sr_layout *add_value(struct sr_layout *l)
{
	change_values(l, 1);
	return sr_layout_keep(l);
}

void sr_executable_release_layouts(struct sr_executable *e)
{
	for (int i = 0; e->layouts && i < e->program->n_arguments + e->program->n_results; i++)
		if (e->layouts[i]) {
			change_values(e->layouts[i], -1);
			sr_layout_release(e->layouts[i]);
		}
	if (e->layouts && e->device_set->memory)
		sr_layout_table_trim(e->device_set->memory->layouts);
	e->layouts = NULL;
}

bool sr_executable_make_layouts(struct sr_executable *e)
{
	const struct sr_program *p = e->program;
	struct sr_layout_table *t = e->device_set->memory->layouts;
	bool succeeded = true;
	for (int i = 0; succeeded && i < p->n_arguments + p->n_results; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		uint64_t hash = sr_layout_hash(p, io);
		pthread_mutex_lock(&t->lock);
		struct sr_layout *l = find_layout(t, e, io, hash);
		if (!l)
			l = add(t, e, io, hash);
		succeeded = l;
		if (succeeded)
			e->layouts[i] = add_value(l);
		pthread_mutex_unlock(&t->lock);
		if (succeeded && e->n_devices && sr_loaded_value_is_shared(&e->loaded, i))
			atomic_store_explicit(&l->is_shared, true, memory_order_relaxed);
	}
	return succeeded;
}
