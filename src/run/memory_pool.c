/* Memory pool implemented as a two-level segregated free list (TLSF) over a reserved range. Sizes are in units of 64 bytes. Each
 * block is preceded by a header of one unit. */
#include "run/memory_pool.h"
#include "run/backend.h"
#include "support/large_pages.h"
#include "support/thread.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	UNIT = SR_POOL_ALIGN,
	PAGE = 4096,
	SECOND_BITS = 4, /* log2 of the number of lists per power of two */
	SECOND = 1 << SECOND_BITS,
	FIRST = 48, /* number of size classes of the first level: powers of two */
};
/* Free pages are returned to the system when they exceed the allocated bytes by more than a limit. The limit begins with
 * initial_free_bytes, and grows by the bytes that blocks need again after their return: a program that allocates and frees the same
 * large arrays at each execution would otherwise take page faults on all of them each time. */
static const int64_t initial_free_bytes = (int64_t)64 << 20, min_returned_bytes = (int64_t)1 << 20;

struct block { /* header of a block, which takes one unit (64 bytes) */
	int64_t units;         /* size in units, including the header */
	int64_t previous_units;      /* size in units of the preceding block in memory; 0: this is the first one */
	int64_t touched_units;       /* for a free block: number of leading units that may have pages */
	bool is_free;
	struct block *next_free, *previous_free;
};
_Static_assert(sizeof(struct block) <= UNIT, "a header is one unit");

struct sr_memory_pool {
	const struct sr_backend *backend;
	pthread_mutex_t lock; /* protects all members below */
	int64_t references;
	char *base;
	int64_t units, used, touched_units; /* units in the range; units allocated; units of free blocks that may have pages */
	int64_t max_free_units, returned_units; /* limit for free pages; units returned to the system and not needed again so far */
	int64_t end;          /* bytes from `base` for which the backend provides large pages */
	bool is_shared;
	uint64_t first;       /* bit f is set if one of lists[f] is not empty */
	uint32_t second[FIRST];
	struct block *lists[FIRST][SECOND];
};

/* ---- size classes ---- */

static int log2_floor(int64_t x)
{
	return 63 - __builtin_clzll((unsigned long long)x);
}

/* Return the class of blocks with this size. */
static void size_class(int64_t units, int *first_level, int *second_level)
{
	int f = log2_floor(units);
	if (f < SECOND_BITS) {
		*first_level = 0;
		*second_level = (int)units;
		return;
	}
	*second_level = (int)(units >> (f - SECOND_BITS)) - SECOND;
	*first_level = f - SECOND_BITS + 1;
}

/* Return the smallest class whose blocks all have at least this size. */
static void size_class_holding(int64_t units, int *first_level, int *second_level)
{
	int f = log2_floor(units);
	if (f >= SECOND_BITS)
		units += ((int64_t)1 << (f - SECOND_BITS)) - 1;
	size_class(units, first_level, second_level);
}

static void list_remove(struct sr_memory_pool *p, struct block *b)
{
	int f, s;
	size_class(b->units, &f, &s);
	if (b->previous_free)
		b->previous_free->next_free = b->next_free;
	else
		p->lists[f][s] = b->next_free;
	if (b->next_free)
		b->next_free->previous_free = b->previous_free;
	if (!p->lists[f][s] && !(p->second[f] &= ~(1u << s)))
		p->first &= ~((uint64_t)1 << f);
	p->touched_units -= b->touched_units;
}

static void list_insert(struct sr_memory_pool *p, struct block *b)
{
	int f, s;
	size_class(b->units, &f, &s);
	b->is_free = true;
	b->previous_free = NULL;
	b->next_free = p->lists[f][s];
	if (b->next_free)
		b->next_free->previous_free = b;
	p->lists[f][s] = b;
	p->second[f] |= 1u << s;
	p->first |= (uint64_t)1 << f;
	p->touched_units += b->touched_units;
}

/* Return a free block of at least this many units, or NULL. */
static struct block *find_free_block(const struct sr_memory_pool *p, int64_t units)
{
	int f, s;
	size_class_holding(units, &f, &s);
	if (f >= FIRST)
		return NULL;
	uint32_t subclasses = p->second[f] & ~0u << s;
	if (!subclasses) {
		uint64_t larger_class_bits = f + 1 < FIRST ? p->first & ~(uint64_t)0 << (f + 1) : 0;
		if (!larger_class_bits)
			return NULL;
		f = __builtin_ctzll(larger_class_bits);
		subclasses = p->second[f];
	}
	return p->lists[f][__builtin_ctz(subclasses)];
}

/* ---- blocks ---- */

static struct block *block_at(const struct sr_memory_pool *p, const char *address)
{
	(void)p;
	return (struct block *)(void *)(uintptr_t)address;
}

/* Return the block that follows b in memory, or NULL. */
static struct block *next_of(const struct sr_memory_pool *p, const struct block *b)
{
	const char *end = (const char *)b + b->units * UNIT;
	return end < p->base + p->units * UNIT ? block_at(p, end) : NULL;
}

/* Shrink block b to `units` units. The rest becomes a free block if it has at least two units. */
static void split_block(struct sr_memory_pool *p, struct block *b, int64_t units)
{
	int64_t n_left = b->units - units, n_touched = b->touched_units > units ? b->touched_units - units : 0;
	if (n_left < 2)
		return;
	b->units = units;
	struct block *rest_block = block_at(p, (char *)b + units * UNIT), *next;
	*rest_block = (struct block){.units = n_left, .previous_units = units, .touched_units = n_touched ? n_touched : 1};
	list_insert(p, rest_block);
	if ((next = next_of(p, rest_block)))
		next->previous_units = n_left;
}

/* Merge b with its free neighbours in memory. Return the merged block, which is in no list. */
static struct block *merge_block(struct sr_memory_pool *p, struct block *b)
{
	struct block *next = next_of(p, b);
	if (next && next->is_free) {
		list_remove(p, next);
		b->touched_units = next->touched_units > 0 ? b->units + next->touched_units : b->touched_units;
		b->units += next->units;
	}
	struct block *previous_block = b->previous_units ? block_at(p, (char *)b - b->previous_units * UNIT) : NULL;
	if (previous_block && previous_block->is_free) {
		list_remove(p, previous_block);
		previous_block->touched_units = previous_block->units + b->touched_units;
		previous_block->units += b->units;
		b = previous_block;
	}
	if ((next = next_of(p, b)))
		next->previous_units = b->units;
	return b;
}

/* Return the pages of a free block to the system, except that of its header. */
static void return_pages(struct sr_memory_pool *p, struct block *b)
{
	uintptr_t begin = ((uintptr_t)b + UNIT + PAGE - 1) / PAGE * PAGE,
		  end = ((uintptr_t)b + (uintptr_t)b->touched_units * UNIT) / PAGE * PAGE;
	if (begin >= end || madvise((void *)begin, end - begin, p->is_shared ? MADV_REMOVE : MADV_DONTNEED))
		return;
	p->touched_units -= b->touched_units - 1;
	p->returned_units += b->touched_units - 1;
	b->touched_units = 1;
}

/* Return the pages of all large free blocks to the system. */
static void trim_pages(struct sr_memory_pool *p)
{
	int min_class, s;
	size_class(min_returned_bytes / UNIT, &min_class, &s);
	for (int f = FIRST - 1; f >= min_class; f--)
		for (s = SECOND - 1; s >= 0; s--)
			for (struct block *b = p->lists[f][s]; b; b = b->next_free)
				if (b->touched_units * UNIT >= min_returned_bytes)
					return_pages(p, b);
}

/* ---- pools ---- */

struct sr_memory_pool *sr_memory_pool_new(const struct sr_backend *backend, int64_t bytes)
{
	struct sr_memory_pool *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->backend = backend;
	p->base = backend->reserve(bytes);
	if (!p->base) {
		free(p);
		return NULL;
	}
	p->units = bytes / UNIT;
	p->max_free_units = initial_free_bytes / UNIT;
	p->references = 1;
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

/* Drop one reference of a pool that is locked, and unlock it. */
static void release(struct sr_memory_pool *p)
{
	bool is_last = !--p->references;
	pthread_mutex_unlock(&p->lock);
	if (!is_last)
		return;
	p->backend->release(p->base, p->units * UNIT);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void sr_memory_pool_release(struct sr_memory_pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	release(p);
}

char *sr_memory_pool_base(struct sr_memory_pool *p)
{
	return p->base;
}

void sr_memory_pool_set_shared(struct sr_memory_pool *p)
{
	p->is_shared = true;
}

int64_t sr_memory_pool_used(struct sr_memory_pool *p)
{
	pthread_mutex_lock(&p->lock);
	int64_t bytes = p->used * UNIT;
	pthread_mutex_unlock(&p->lock);
	return bytes;
}

/* Make the whole range one free block. Done at the first allocation, so that an unused pool has no pages. */
static void begin(struct sr_memory_pool *p)
{
	struct block *free_block = block_at(p, p->base);
	*free_block = (struct block){.units = p->units, .touched_units = 1};
	list_insert(p, free_block);
}

/* Let the backend provide large pages for the `units` units at b and the header behind them, before both are accessed: a
 * small page prevents the large one that would contain it. Ranges of less than a large page get small ones. */
static void use(struct sr_memory_pool *p, const void *b, int64_t units)
{
	int64_t end = (const char *)b + (units + 1) * UNIT - p->base, all = p->units * UNIT;
	if (end >= SR_LARGE_PAGE)
		end = (end + SR_LARGE_PAGE - 1) / SR_LARGE_PAGE * SR_LARGE_PAGE;
	end = end < all ? end : all;
	if (end <= p->end)
		return;
	p->backend->use(p->base, p->end, end);
	if (p->is_shared)
		sr_provide_large_pages(p->base + p->end / SR_LARGE_PAGE * SR_LARGE_PAGE, p->base + end);
	p->end = end;
}

/* Raise the limit for free pages by what an allocation of `units` units takes of pages that have been returned. */
static void count_returned_pages(struct sr_memory_pool *p, const struct block *b, int64_t units)
{
	int64_t needed_units = b->touched_units < units ? units - b->touched_units : 0;
	if (needed_units > p->returned_units)
		needed_units = p->returned_units;
	p->returned_units -= needed_units;
	p->max_free_units += needed_units;
}

void *sr_memory_pool_alloc(struct sr_memory_pool *p, int64_t bytes)
{
	if (bytes < 0 || bytes > p->units * UNIT)
		return NULL;
	int64_t units = 1 + (bytes + UNIT - 1) / UNIT + !bytes;
	pthread_mutex_lock(&p->lock);
	if (!p->first && !p->used) {
		use(p, p->base, units);
		begin(p);
	}
	struct block *b = find_free_block(p, units);
	if (b) {
		list_remove(p, b);
		count_returned_pages(p, b, units);
		use(p, b, units);
		split_block(p, b, units);
		b->is_free = false;
		p->used += b->units;
		p->references++;
	}
	pthread_mutex_unlock(&p->lock);
	return b ? (char *)b + UNIT : NULL;
}

void sr_memory_pool_free(struct sr_memory_pool *p, void *block)
{
	struct block *b = block_at(p, (char *)block - UNIT);
	pthread_mutex_lock(&p->lock);
	p->used -= b->units;
	b->touched_units = b->units;
	list_insert(p, merge_block(p, b));
	if (p->touched_units > p->used + p->max_free_units)
		trim_pages(p);
	release(p);
}
