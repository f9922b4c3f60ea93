/* Arrays, and the pool that reuses their memory and handles. */
#include "run/array.h"
#include "support/checked.h"
#include "support/thread.h"
#include <stdlib.h>

struct block { /* header of a free block of memory, stored in the block itself */
	struct block *next;
	int64_t bytes;
};

struct sr_array_pool {
	pthread_mutex_t lock;   /* protects the fields below */
	int references;
	struct block *blocks;   /* lengths are multiples of 64 bytes */
	struct sr_array *handles; /* free handles, linked by `data` */
};

struct sr_array_pool *sr_array_pool_new(void)
{
	struct sr_array_pool *pool = calloc(1, sizeof *pool);
	if (!pool)
		return NULL;
	pthread_mutex_init(&pool->lock, NULL);
	pool->references = 1;
	return pool;
}

/* Drop one reference. The caller holds the lock, which is released. */
static void release_locked(struct sr_array_pool *pool)
{
	bool last = !--pool->references;
	pthread_mutex_unlock(&pool->lock);
	if (!last)
		return;
	while (pool->blocks) {
		struct block *b = pool->blocks;
		pool->blocks = b->next;
		free(b);
	}
	while (pool->handles) {
		struct sr_array *a = pool->handles;
		pool->handles = a->data;
		free(a);
	}
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

void sr_array_pool_release(struct sr_array_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	release_locked(pool);
}

/* Return the size of a slice's block; an empty slice has one too. */
static int64_t rounded_bytes(int64_t bytes)
{
	return bytes / SR_ARRAY_ALIGN * SR_ARRAY_ALIGN + SR_ARRAY_ALIGN * (bytes % SR_ARRAY_ALIGN || !bytes);
}

int64_t sr_array_bytes(const struct sr_array *a)
{
	return rounded_bytes(a->type.bytes);
}

/* Take a free block of exactly this size, which a loop requests again and again, or allocate one. */
static void *take_block(struct sr_array_pool *pool, int64_t bytes)
{
	struct block **b = &pool->blocks, *found;
	pthread_mutex_lock(&pool->lock);
	while (*b && (*b)->bytes != bytes)
		b = &(*b)->next;
	found = *b;
	if (found)
		*b = found->next;
	pthread_mutex_unlock(&pool->lock);
	return found ? found : aligned_alloc(SR_ARRAY_ALIGN, (size_t)bytes);
}

struct sr_array *sr_array_empty(struct sr_array_pool *pool, const struct sr_array_type *type)
{
	pthread_mutex_lock(&pool->lock);
	struct sr_array *a = pool->handles;
	if (a)
		pool->handles = a->data;
	else
		a = malloc(sizeof *a);
	pool->references += a != NULL;
	pthread_mutex_unlock(&pool->lock);
	if (a)
		*a = (struct sr_array){.type = *type, .pool = pool};
	return a;
}

struct sr_array *sr_array_new(struct sr_array_pool *pool, const struct sr_array_type *type)
{
	struct sr_array *a = sr_array_empty(pool, type);
	if (a && type->bytes >= 0 && !(a->data = take_block(pool, rounded_bytes(type->bytes)))) {
		sr_array_free(a);
		return NULL;
	}
	return a;
}

struct sr_array *sr_array_wrap(struct sr_array_pool *pool, const struct sr_array_type *type, void *at)
{
	struct sr_array *a = sr_array_empty(pool, type);
	if (a) {
		a->data = at;
		a->is_callers = true;
	}
	return a;
}

void sr_array_move_memory(struct sr_array *to, struct sr_array *from)
{
	to->data = from->data;
	to->is_callers = from->is_callers;
	from->data = NULL;
}

void sr_array_free(struct sr_array *a)
{
	if (!a)
		return;
	struct sr_array_pool *pool = a->pool;
	struct block *b = a->is_callers ? NULL : a->data;
	int64_t bytes = rounded_bytes(a->type.bytes);
	pthread_mutex_lock(&pool->lock);
	if (b) {
		*b = (struct block){pool->blocks, bytes};
		pool->blocks = b;
	}
	a->data = pool->handles;
	pool->handles = a;
	release_locked(pool);
}
