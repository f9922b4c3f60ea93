/* A memory pool: device memory for arrays, which live between executions. It is one reserved address range, whose pages are provided at
 * the first access, so that the whole range can be mapped from a shared segment that the node's other processes read.
 *
 * Blocks come from a two-level segregated free list (Masmano, Ripoll, Crespo, Real: TLSF, ECRTS 2004): allocation and release take
 * constant time, neighbouring free blocks are merged. Any thread may call any function. */
#ifndef SR_RUN_MEMORY_POOL_H
#define SR_RUN_MEMORY_POOL_H

#include <stdbool.h>
#include <stdint.h>

enum { SR_POOL_ALIGN = 64 }; /* alignment of blocks in bytes; their sizes are multiples of it */

struct sr_backend;
struct sr_memory_pool;

/* Reserve `bytes` of a device's address space (page-aligned, at least 1 MB). Return a pool with one reference, or NULL if address space or memory
 * runs out. */
struct sr_memory_pool *sr_memory_pool_new(const struct sr_backend *backend, int64_t bytes);
/* Drop one reference; `pool` may be NULL. Each block holds a reference, so that the range is unmapped after the last block is
 * freed. */
void sr_memory_pool_release(struct sr_memory_pool *pool);

/* Return the start of the range. A shared segment can be mapped over it before the first block is allocated. */
char *sr_memory_pool_base(struct sr_memory_pool *pool);
/* State that the pages belong to a shared segment: free pages are then returned to the system with MADV_REMOVE. Must be called
 * before the first allocation. */
void sr_memory_pool_set_shared(struct sr_memory_pool *pool);

/* Allocate a block of at least `bytes`, which may be 0; it is not cleared. Return NULL if the range is full. */
void *sr_memory_pool_alloc(struct sr_memory_pool *pool, int64_t bytes);
void sr_memory_pool_free(struct sr_memory_pool *pool, void *block);
/* Return the bytes of allocated blocks, including their headers. */
int64_t sr_memory_pool_used(struct sr_memory_pool *pool);

#endif
