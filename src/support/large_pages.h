/* Large pages of 2 MB. Memory in large pages has fewer misses of the translation buffers (TLB), which are expensive in virtual
 * machines, and fewer page faults. */
#ifndef SR_SUPPORT_LARGE_PAGES_H
#define SR_SUPPORT_LARGE_PAGES_H

#include <stddef.h>

enum { SR_LARGE_PAGE = 2 << 20 };

/* Reserve `bytes` of addresses, zero, that begin at a multiple of SR_LARGE_PAGE and whose pages are provided at the first access.
 * Return NULL, with errno, if addresses run out. */
void *sr_reserve_addresses(size_t bytes);
/* Let the kernel provide large pages at the first access to those that are completely in [begin, end). */
void sr_advise_large_pages(void *begin, void *end);
/* The same for a mapping of a memory file. Linux gives such files large pages only where the administrator allows it, or on this
 * explicit request (MADV_COLLAPSE, Linux 6.1), which provides the pages at once. The contents are kept. */
void sr_provide_large_pages(void *begin, void *end);

#endif
