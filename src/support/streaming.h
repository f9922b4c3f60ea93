/* Copies that bypass the caches, and eviction of lines from them. A store to memory first reads its cache line, and evicts another
 * one; a streaming (non-temporal) store of a full line does neither, so that a copy moves two bytes for each byte instead of
 * three. It pays where the copied data does not stay in a cache until it is read.
 *
 * Streaming stores are not ordered with later stores: call sr_streaming_fence before another thread or process is told of the
 * data. */
#ifndef SR_SUPPORT_STREAMING_H
#define SR_SUPPORT_STREAMING_H

#include <stdbool.h>
#include <stddef.h>

/* Copy like memcpy, but store full cache lines past the caches. Processors without vector stores of this kind copy through
 * the caches. */
void sr_copy_streaming(void *restrict dst, const void *restrict src, size_t n);
/* Order all streaming stores of this thread before its later stores. */
void sr_streaming_fence(void);

/* Return true if evicting lines that another core has read makes writing to them faster on this processor. On AMD's Zen 4, a write
 * to such a line waits until the other core's copy is invalid, one line at a time: 28 ns per line, against 4 ns for eviction and
 * write. Prefetches do not shorten the wait. The lines may have left the second-level caches, but not the third-level cache. */
bool sr_eviction_pays(void);
/* Write the cache lines of n bytes back to memory and evict them from the caches of all cores. The data do not change. Call it only
 * if sr_eviction_pays(). */
void sr_evict_lines(const void *data, size_t n);

#endif
