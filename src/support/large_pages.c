/* Large pages by madvise(2). All errors are ignored, since large pages only affect speed. */
#define _GNU_SOURCE 1
#include "support/large_pages.h"
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __linux__ && !defined MADV_COLLAPSE /* the C library is older than the kernel */
#define MADV_COLLAPSE 25
#endif

void *sr_reserve_addresses(size_t bytes)
{
	if (bytes > SIZE_MAX - 2 * (size_t)SR_LARGE_PAGE) {
		errno = ENOMEM;
		return NULL;
	}
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bytes = (bytes + page - 1) / page * page; /* munmap needs the address of a page */
	char *at = mmap(NULL, bytes + SR_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	size_t n_before = -(uintptr_t)at % SR_LARGE_PAGE;
	if (n_before)
		munmap(at, n_before);
	if (n_before < SR_LARGE_PAGE)
		munmap(at + n_before + bytes, SR_LARGE_PAGE - n_before);
	return at + n_before;
}

/* Shrink [*begin, *end) to complete large pages. Return their bytes. */
static size_t complete_pages(char **begin, const char *end)
{
	*begin += -(uintptr_t)*begin % SR_LARGE_PAGE;
	end -= (uintptr_t)end % SR_LARGE_PAGE;
	return *begin < end ? (size_t)(end - *begin) : 0;
}

void sr_advise_large_pages(void *begin, void *end)
{
#ifdef MADV_HUGEPAGE
	char *at = begin;
	size_t n = complete_pages(&at, end);
	if (n)
		madvise(at, n, MADV_HUGEPAGE);
#endif
}

void sr_provide_large_pages(void *begin, void *end)
{
	sr_advise_large_pages(begin, end);
#ifdef MADV_COLLAPSE
	char *at = begin;
	size_t n = complete_pages(&at, end);
	for (size_t i = 0; i < n; i += SR_LARGE_PAGE)
		(void)*(volatile char *)(at + i); /* the kernel does not provide a large page without a small one in its range */
	if (n)
		madvise(at, n, MADV_COLLAPSE);
#endif
}
