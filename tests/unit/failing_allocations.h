/* Make one allocation of the library fail by replacing malloc, if the C library permits that and no sanitizer replaces malloc.
 *
 *	fail_allocation(3);                   the fourth allocation by the library from now on fails
 *	status = shardrun_run_open(...);
 *	if (allocations_made() <= 3) ...      none failed, since the library made fewer than four
 *
 * FUNCTION_OF_LIBRARY names a function of the library. Where the library is part of the program, the test's allocations count, too. */
#pragma once
#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first include: dl_iterate_phdr"
#endif
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#ifndef FUNCTION_OF_LIBRARY
#include <shardrun.h>
#define FUNCTION_OF_LIBRARY shardrun_module_read
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { FAILS_ALLOCATIONS = 1 };
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);

static struct {
	uintptr_t begin, end; // address range of the library's code
	long fail_at, n_made;
	volatile int on;
} failing;

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t library_address = (uintptr_t)&FUNCTION_OF_LIBRARY;
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && library_address >= begin && library_address < end) {
			failing.begin = begin;
			failing.end = end;
		}
	}
	return 0;
}

static inline void fail_allocation(long n_succeeding)
{
	if (!failing.end)
		dl_iterate_phdr(find_library, NULL);
	failing.fail_at = n_succeeding;
	failing.n_made = 0;
	failing.on = 1;
}

/* Return the library's allocations since fail_allocation, and let none fail any more. */
static inline long allocations_made(void)
{
	failing.on = 0;
	return failing.n_made;
}

static int allocation_fails(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	if (!failing.on || at < failing.begin || at >= failing.end)
		return 0;
	if (__atomic_fetch_add(&failing.n_made, 1, __ATOMIC_RELAXED) != failing.fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_memalign(align, n);
}
#else
enum { FAILS_ALLOCATIONS = 0 };
static inline void fail_allocation(long n_succeeding)
{
	(void)n_succeeding;
}
static inline long allocations_made(void)
{
	return 0;
}
#endif
