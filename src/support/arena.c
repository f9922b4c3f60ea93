/* Arenas: chained blocks, each handed out from the front. Small requests share blocks of one size, a request over a quarter of
 * that gets a block of its own, so that no tail of a block over a quarter is wasted. An arena that has grown takes larger blocks, on
 * huge pages where the system has them: with small ones a tenth of a large module's compilation goes into page faults. */
#include "support/arena.h"
#include "support/checked.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 16, BLOCK_BYTES = 256 * 1024, LARGE_BLOCK_BYTES = 16 * 1024 * 1024, HUGE_PAGE_BYTES = 2 * 1024 * 1024 };

struct block {
	struct block *next;
	size_t used, cap; /* bytes of data */
	_Alignas(ALIGN) char data[];
};

struct sr_arena {
	struct block *head; /* the block that small requests come from, then older and large ones */
	jmp_buf *unwind;
	size_t used;
};

struct sr_arena *sr_arena_new(void)
{
	return calloc(1, sizeof(struct sr_arena));
}

void sr_arena_free(struct sr_arena *arena)
{
	if (!arena)
		return;
	for (struct block *b = arena->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena);
}

jmp_buf *sr_arena_guard(struct sr_arena *arena, jmp_buf *unwind)
{
	jmp_buf *old = arena->unwind;
	arena->unwind = unwind;
	return old;
}

_Noreturn void sr_arena_unwind(struct sr_arena *arena)
{
	if (!arena->unwind)
		abort();
	longjmp(*arena->unwind, 1);
}

static void use_huge_pages(void *data, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	uintptr_t from = ((uintptr_t)data + HUGE_PAGE_BYTES - 1) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);
	uintptr_t to = ((uintptr_t)data + bytes) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);
	if (from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE); /* advice: what comes back does not matter */
#endif
}

/* A zeroed block with room for `cap` bytes, in front of the others or, if `behind`, after the first. */
static struct block *add_block(struct sr_arena *arena, size_t cap, bool behind)
{
	size_t total;
	if (sr_add_overflows(cap, sizeof(struct block), &total))
		sr_arena_unwind(arena);
	struct block *b = calloc(1, total);
	if (!b)
		sr_arena_unwind(arena);
	b->cap = cap;
	use_huge_pages(b, total);
	struct block **at = behind && arena->head ? &arena->head->next : &arena->head;
	b->next = *at;
	*at = b;
	return b;
}

void *sr_alloc(struct sr_arena *arena, size_t n, size_t size)
{
	size_t bytes, padded;
	if (sr_mul_overflows(n, size, &bytes) || sr_add_overflows(bytes, (size_t)ALIGN - 1, &padded))
		sr_arena_unwind(arena);
	padded &= ~(size_t)(ALIGN - 1);
	if (padded == 0)
		padded = ALIGN;
	struct block *b = arena->head;
	size_t shared = arena->used < LARGE_BLOCK_BYTES ? BLOCK_BYTES : LARGE_BLOCK_BYTES;
	if (!b || b->cap - b->used < padded)
		b = padded > shared / 4 ? add_block(arena, padded, true) : add_block(arena, shared, false);
	void *p = b->data + b->used;
	b->used += padded;
	arena->used += padded;
	return p;
}

void *sr_dup(struct sr_arena *arena, const void *src, size_t n, size_t size)
{
	void *p = sr_alloc(arena, n, size);
	if (n && size)
		memcpy(p, src, n * size);
	return p;
}

char *sr_strndup(struct sr_arena *arena, const char *s, size_t n)
{
	size_t bytes;
	if (sr_add_overflows(n, (size_t)1, &bytes))
		sr_arena_unwind(arena);
	char *p = sr_alloc(arena, bytes, 1);
	if (n)
		memcpy(p, s, n);
	return p;
}

char *sr_strdup(struct sr_arena *arena, const char *s)
{
	return sr_strndup(arena, s, strlen(s));
}

char *sr_vprintf(struct sr_arena *arena, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		sr_arena_unwind(arena);
	char *p = sr_alloc(arena, (size_t)n + 1, 1);
	vsnprintf(p, (size_t)n + 1, format, args);
	return p;
}

char *sr_printf(struct sr_arena *arena, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *p = sr_vprintf(arena, format, args);
	va_end(args);
	return p;
}

size_t sr_arena_used(const struct sr_arena *arena)
{
	return arena->used;
}
