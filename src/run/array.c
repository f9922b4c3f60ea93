/* Arrays, and the pool that their memory and their handles come from. */
#include "run/array.h"
#include "support/checked.h"
#include <stdlib.h>

struct block { /* memory given back: its head is in the memory itself */
	struct block *next;
	int64_t bytes;
};

struct sr_array_pool {
	int references;
	struct block *blocks;   /* multiples of 64 bytes */
	struct sr_array *handles; /* linked by `data` */
};

struct sr_array_pool *sr_array_pool_new(void)
{
	struct sr_array_pool *pool = calloc(1, sizeof *pool);
	if (pool)
		pool->references = 1;
	return pool;
}

void sr_array_pool_release(struct sr_array_pool *pool)
{
	if (!pool || --pool->references)
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
	free(pool);
}

/* Where there is nothing to hold there is a place all the same. */
static int64_t rounded(int64_t bytes)
{
	return bytes / SR_ARRAY_ALIGN * SR_ARRAY_ALIGN + SR_ARRAY_ALIGN * (bytes % SR_ARRAY_ALIGN || !bytes);
}

/* A block of just this size; one of another is of no use to a loop that asks for the same sizes again. */
static void *memory(struct sr_array_pool *pool, int64_t bytes)
{
	for (struct block **b = &pool->blocks; *b; b = &(*b)->next)
		if ((*b)->bytes == bytes) {
			struct block *found = *b;
			*b = found->next;
			return found;
		}
	return aligned_alloc(SR_ARRAY_ALIGN, (size_t)bytes);
}

static void give_back(struct sr_array_pool *pool, void *data, int64_t bytes)
{
	struct block *b = data;
	*b = (struct block){pool->blocks, bytes};
	pool->blocks = b;
}

static struct sr_array *handle(struct sr_array_pool *pool, const struct sr_array_type *type)
{
	struct sr_array *a = pool->handles;
	if (a)
		pool->handles = a->data;
	else if (!(a = malloc(sizeof *a)))
		return NULL;
	*a = (struct sr_array){.type = *type, .pool = pool};
	pool->references++;
	return a;
}

struct sr_array *sr_array_new(struct sr_array_pool *pool, const struct sr_array_type *type)
{
	struct sr_array *a = handle(pool, type);
	if (a && type->bytes >= 0 && !(a->data = memory(pool, rounded(type->bytes)))) {
		sr_array_free(a);
		return NULL;
	}
	return a;
}

struct sr_array *sr_array_over(struct sr_array_pool *pool, const struct sr_array_type *type, void *at)
{
	struct sr_array *a = handle(pool, type);
	if (a) {
		a->data = at;
		a->is_callers = true;
	}
	return a;
}

struct sr_array *sr_array_take(struct sr_array *from, const struct sr_array_type *type)
{
	struct sr_array *a = handle(from->pool, type);
	if (a) {
		a->data = from->data;
		a->is_callers = from->is_callers;
		from->data = NULL;
	}
	return a;
}

void sr_array_free(struct sr_array *a)
{
	if (!a)
		return;
	struct sr_array_pool *pool = a->pool;
	if (a->data && !a->is_callers)
		give_back(pool, a->data, rounded(a->type.bytes));
	a->data = pool->handles;
	pool->handles = a;
	sr_array_pool_release(pool);
}
