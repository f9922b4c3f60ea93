/* A memory pool: the memory of one device for values that live between executions. It is one reserved range of addresses, of which pages
 * are touched when blocks are first used, so that the whole range can be mapped as a shared segment which the node's other processes
 * read in place.
 *
 * Blocks come from a two-level segregated free list (Masmano, Ripoll, Crespo, Real: TLSF, ECRTS 2004): allocation and release take
 * constant time, neighbouring free blocks are merged. Any thread may call any function. */
#ifndef SR_RUN_MEMORY_POOL_H
#define SR_RUN_MEMORY_POOL_H

#include <stdbool.h>
#include <stdint.h>

enum { SR_POOL_ALIGN = 64 }; /* of blocks, in bytes; their sizes are multiples of it */

struct sr_memory_pool;

/* Reserve `bytes` of addresses (a multiple of the page, at least 1 MB). One reference. NULL if addresses or memory run out. */
struct sr_memory_pool *sr_memory_pool_new(int64_t bytes);
/* Drop one reference. Each block holds one: the range is unmapped once all blocks are freed. NULL is allowed. */
void sr_memory_pool_release(struct sr_memory_pool *pool);

/* First byte of the range, for whoever maps a segment over it before the first block is allocated. */
char *sr_memory_pool_base(struct sr_memory_pool *pool);
int64_t sr_memory_pool_bytes(const struct sr_memory_pool *pool);
/* The pages belong to a shared segment: unused ones go back to the system through it. Call it before the first allocation. */
void sr_memory_pool_set_shared(struct sr_memory_pool *pool);

/* A block of at least `bytes` (0 gives a block too), not cleared. NULL if the range is full. */
void *sr_memory_pool_alloc(struct sr_memory_pool *pool, int64_t bytes);
void sr_memory_pool_free(struct sr_memory_pool *pool, void *block);
/* Bytes of blocks in use, headers included. */
int64_t sr_memory_pool_used(struct sr_memory_pool *pool);

#endif
