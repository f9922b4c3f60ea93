/* Arenas: a list of blocks, each filled from its start (bump allocation). Small requests share blocks of one size, which grows with
 * the arena; a request larger than a quarter of that size gets its own block, so at most a quarter of a block is wasted. The first
 * blocks are small, since zeroing a large one takes longer than compiling a small program, and since each of thousands of loaded
 * programs has arenas of its own. An arena that has grown large switches to larger blocks on huge pages, since with small blocks a
 * tenth of a large module's compile time goes into page faults. */
#include "support/arena_child.h"
#include "support/checked.h"
#include "support/large_pages.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAVE_ASAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAVE_ASAN
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum { ALIGN = 16, FIRST_BLOCK_BYTES = 4 * 1024, BLOCK_BYTES = 256 * 1024, LARGE_BLOCK_BYTES = 16 * 1024 * 1024 };

struct block {
	struct block *next;
	size_t used, cap; /* bytes of data in use; capacity in bytes */
	_Alignas(ALIGN) char data[];
};

struct sr_arena {
	struct block *head; /* the block that serves small requests; older and large blocks follow */
	struct block *free_block; /* one released block, zeroed, kept for reuse; NULL: none */
	struct sr_arena *parent; /* the arena that owns this scratch arena or child; NULL for other arenas */
	struct sr_arena *children, *next_child; /* list of the arena's children; next entry in the parent's list */
	struct sr_arena *scratch; /* scratch arena owned by this arena; NULL: not created yet */
	jmp_buf *unwind;
	size_t used;
};

struct sr_arena *sr_arena_new(void)
{
	return calloc(1, sizeof(struct sr_arena));
}

struct sr_arena *sr_arena_new_child(struct sr_arena *owner)
{
	struct sr_arena *arena = sr_arena_new();
	if (!arena)
		sr_arena_unwind(owner);
	arena->parent = owner;
	arena->next_child = owner->children;
	owner->children = arena;
	return arena;
}

/* Remove a child from its parent's list; a scratch arena is in no list. */
static void unlink_child(struct sr_arena *parent, const struct sr_arena *child)
{
	struct sr_arena **at = &parent->children;
	while (*at && *at != child)
		at = &(*at)->next_child;
	if (*at)
		*at = child->next_child;
}

void sr_arena_free(struct sr_arena *arena)
{
	if (!arena)
		return;
	if (arena->parent)
		unlink_child(arena->parent, arena);
	while (arena->children)
		sr_arena_free(arena->children);
	for (struct block *b = arena->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena->free_block);
	sr_arena_free(arena->scratch);
	free(arena);
}

jmp_buf *sr_arena_guard(struct sr_arena *arena, jmp_buf *unwind)
{
	jmp_buf *old = arena->unwind;
	arena->unwind = unwind;
	return old;
}

enum sr_status sr_arena_guarded(struct sr_arena *arena, enum sr_status (*body)(void *data), void *data)
{
	jmp_buf unwind, *outer_guard = sr_arena_guard(arena, &unwind);
	volatile enum sr_status status = SR_NO_MEMORY;
	if (!setjmp(unwind))
		status = body(data);
	sr_arena_guard(arena, outer_guard);
	return status;
}

_Noreturn void sr_arena_unwind(struct sr_arena *arena)
{
	while (arena->parent)
		arena = arena->parent;
	if (!arena->unwind)
		abort();
	longjmp(*arena->unwind, 1);
}

/* Add a zeroed block with room for `cap` bytes: first in the list or, if `after_head`, second. */
static struct block *add_block(struct sr_arena *arena, size_t cap, bool after_head)
{
	size_t total;
	if (sr_add_overflows(cap, sizeof(struct block), &total))
		sr_arena_unwind(arena);
	struct block *b = arena->free_block && arena->free_block->cap >= cap ? arena->free_block : NULL;
	if (b) {
		arena->free_block = NULL;
	} else {
		b = calloc(1, total);
		if (!b)
			sr_arena_unwind(arena);
		b->cap = cap;
		sr_advise_large_pages(b, (char *)b + total);
	}
	struct block **at = after_head && arena->head ? &arena->head->next : &arena->head;
	b->next = *at;
	*at = b;
	return b;
}

/* Make AddressSanitizer report accesses to released memory until it is allocated again. */
static void poison(const void *p, size_t bytes)
{
#ifdef HAVE_ASAN
	__asan_poison_memory_region(p, bytes);
#else
	(void)p, (void)bytes;
#endif
}

static void unpoison(const void *p, size_t bytes)
{
#ifdef HAVE_ASAN
	__asan_unpoison_memory_region(p, bytes);
#else
	(void)p, (void)bytes;
#endif
}

static _Alignas(ALIGN) char empty_allocation[ALIGN]; /* address that every allocation of 0 bytes returns */

/* Return the size of the next block that small requests share: as much as the arena holds, within bounds. */
static size_t block_bytes(const struct sr_arena *arena)
{
	if (arena->used >= LARGE_BLOCK_BYTES)
		return LARGE_BLOCK_BYTES;
	if (arena->used >= BLOCK_BYTES)
		return BLOCK_BYTES;
	return arena->used > FIRST_BLOCK_BYTES ? arena->used & ~(size_t)(ALIGN - 1) : FIRST_BLOCK_BYTES;
}

void *sr_alloc(struct sr_arena *arena, size_t n, size_t size)
{
	size_t bytes, padded_bytes;
	if (sr_mul_overflows(n, size, &bytes) || sr_add_overflows(bytes, (size_t)ALIGN - 1, &padded_bytes))
		sr_arena_unwind(arena);
	padded_bytes &= ~(size_t)(ALIGN - 1);
	if (padded_bytes == 0)
		return empty_allocation;
	struct block *b = arena->head;
	if (!b || b->cap - b->used < padded_bytes) {
		size_t shared_block_bytes = block_bytes(arena);
		b = padded_bytes > shared_block_bytes / 4 ? add_block(arena, padded_bytes, true)
							  : add_block(arena, shared_block_bytes, false);
	}
	void *p = b->data + b->used;
	unpoison(p, padded_bytes);
	b->used += padded_bytes;
	arena->used += padded_bytes;
	return p;
}

void sr_arena_reserve(struct sr_arena *arena, size_t bytes)
{
	const struct block *b = arena->head;
	if (!b || b->cap - b->used < bytes)
		add_block(arena, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES, false);
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
	va_list args_copy;
	va_copy(args_copy, args);
	int n = vsnprintf(NULL, 0, format, args_copy);
	va_end(args_copy);
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

/* ---- scratch ---- */

struct sr_arena *sr_arena_scratch(struct sr_arena *parent)
{
	if (!parent->scratch) {
		parent->scratch = sr_arena_new();
		if (!parent->scratch)
			sr_arena_unwind(parent);
		parent->scratch->parent = parent;
	}
	return parent->scratch;
}

struct sr_arena_position sr_arena_mark(const struct sr_arena *arena)
{
	struct block *head = arena->head;
	return (struct sr_arena_position){head, head ? head->next : NULL, head ? head->used : 0, arena->used};
}

static void free_or_keep_block(struct sr_arena *arena, struct block *b)
{
	if (arena->free_block || b->cap > LARGE_BLOCK_BYTES || b->cap < FIRST_BLOCK_BYTES) {
		free(b);
		return;
	}
	memset(b->data, 0, b->used);
	poison(b->data, b->used);
	b->used = 0;
	arena->free_block = b;
}

/* Blocks added since the mark that are not the head directly follow the block that was the head at the mark. */
void sr_arena_release(struct sr_arena *arena, struct sr_arena_position mark)
{
	struct block *head = mark.head;
	while (arena->head != head) {
		struct block *b = arena->head;
		arena->head = b->next;
		free_or_keep_block(arena, b);
	}
	while (head && head->next != mark.second) {
		struct block *b = head->next;
		head->next = b->next;
		free_or_keep_block(arena, b);
	}
	if (head) {
		memset(head->data + mark.used, 0, head->used - mark.used);
		poison(head->data + mark.used, head->used - mark.used);
		head->used = mark.used;
	}
	arena->used = mark.all;
}

size_t sr_arena_used(const struct sr_arena *arena)
{
	return arena->used;
}
