/* Allocation and reference counts of arrays and their layouts. */
#include "run/array.h"
#include "support/checked.h"
#include <stdatomic.h>
#include <stdlib.h>

/* Allocate an object of `head` bytes followed by n entries, zeroed. Return NULL if memory runs out. */
static void *new_counted(size_t head, int n, size_t entry)
{
	size_t bytes;
	if (n < 0 || sr_mul_overflows((size_t)n, entry, &bytes) || sr_add_overflows(bytes, head, &bytes))
		return NULL;
	return calloc(1, bytes);
}

/* Drop one reference. Return true if it was the last one. */
static bool drop(_Atomic int64_t *references)
{
	return atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1;
}

struct sr_array *sr_array_new(struct sr_layout *layout)
{
	pthread_mutex_lock(&layout->lock);
	struct sr_array *a = layout->unused;
	if (a) {
		layout->unused = a->next_unused;
		layout->n_unused--;
	}
	pthread_mutex_unlock(&layout->lock);
	if (!a)
		a = new_counted(sizeof *a, layout->n_shards, sizeof *a->shards);
	if (!a)
		return NULL;
	a->is_donated = false;
	a->queue = NULL;
	a->has_failed = false;
	atomic_init(&a->references, 1);
	a->layout = sr_layout_keep(layout);
	return a;
}

bool sr_array_allocate(struct sr_array *a, int k, const struct sr_device_set_memory *memory)
{
	bool is_shared = atomic_load_explicit(&a->layout->is_shared, memory_order_relaxed);
	struct sr_memory_pool *pool = is_shared ? memory->devices[k].pool : memory->devices[k].private_pool;
	void *data = sr_memory_pool_alloc(pool, a->layout->shards[k].bytes);
	if (data)
		a->shards[k] = (struct sr_shard){data, pool};
	return data;
}

bool sr_array_allocate_all(struct sr_array *a, const struct sr_device_set_memory *memory)
{
	for (int k = 0; k < a->layout->n_shards; k++)
		if (!sr_array_allocate(a, k, memory))
			return false;
	return true;
}

struct sr_array *sr_array_keep(struct sr_array *a)
{
	atomic_fetch_add_explicit(&a->references, 1, memory_order_relaxed);
	return a;
}

void sr_array_release(struct sr_array *a)
{
	if (!a || !drop(&a->references))
		return;
	struct sr_layout *layout = a->layout;
	sr_event_release(a->ready);
	a->ready = NULL;
	for (int k = 0; k < layout->n_shards; k++) {
		if (a->shards[k].data && a->shards[k].pool)
			sr_memory_pool_free(a->shards[k].pool, a->shards[k].data);
		a->shards[k] = (struct sr_shard){0};
	}
	pthread_mutex_lock(&layout->lock);
	bool keeps_array = layout->n_unused < layout->n_values;
	if (keeps_array) {
		a->next_unused = layout->unused;
		layout->unused = a;
		layout->n_unused++;
	}
	pthread_mutex_unlock(&layout->lock);
	if (!keeps_array)
		free(a);
	sr_layout_release(layout);
}

int64_t sr_array_shard_bytes(const struct sr_array *a, int k)
{
	int64_t bytes = a->layout->shards[k].bytes;
	return bytes / SR_ARRAY_ALIGN * SR_ARRAY_ALIGN + SR_ARRAY_ALIGN * (bytes % SR_ARRAY_ALIGN || !bytes);
}
