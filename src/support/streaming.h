/* Copies that bypass the caches. A store to memory first reads its cache line, and evicts another one; a streaming (non-temporal) store
 * of a full line does neither, so that a copy moves two bytes for each byte instead of three. It pays where the copied data does not
 * stay in a cache until it is read.
 *
 * Streaming stores are not ordered with later stores: call sr_streaming_fence before another thread or process is told of the data. */
#ifndef SR_SUPPORT_STREAMING_H
#define SR_SUPPORT_STREAMING_H

#include <stddef.h>

/* Copy like memcpy, but store full cache lines past the caches. Processors without vector stores of this kind copy through
 * the caches. */
void sr_copy_streaming(void *restrict dst, const void *restrict src, size_t n);
/* Order all streaming stores of this thread before its later stores. */
void sr_streaming_fence(void);

#endif
