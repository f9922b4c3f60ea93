/* Count the allocations of this process by replacing malloc, if the C library permits that and no sanitizer replaces malloc. */
#pragma once
#include <stdlib.h>

static long allocations;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { COUNTS_ALLOCATIONS = 1 };
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);

void *malloc(size_t n)
{
	allocations++;
	return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	allocations++;
	return __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	allocations++;
	return __libc_memalign(align, n);
}
#else
enum { COUNTS_ALLOCATIONS = 0 };
#endif
