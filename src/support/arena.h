/* Arena allocator: all memory of one compilation (or one pass) is allocated from an arena and freed together.
 *
 * An allocation never returns NULL. When memory runs out or a size overflows, the arena unwinds by longjmp to the innermost
 * sr_arena_guard, which the API call in progress set and which returns SR_NO_MEMORY. Arenas own memory only, so unwinding leaks
 * nothing. An arena is used by one thread at a time.
 *
 *	struct sr_arena *a = sr_arena_new();
 *	jmp_buf unwind;
 *	if (setjmp(unwind)) { sr_arena_free(a); return SR_NO_MEMORY; }
 *	sr_arena_guard(a, &unwind);
 *	struct thing *t = SR_NEW(a, struct thing);          zeroed
 *	int64_t *shape = SR_NEW_ARRAY(a, int64_t, rank);         zeroed; overflow of rank * 8 is checked
 */
#ifndef SR_SUPPORT_ARENA_H
#define SR_SUPPORT_ARENA_H

#include <setjmp.h>
#include <shardrun/status.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct sr_arena;

struct sr_arena *sr_arena_new(void); /* Create an arena; return NULL if malloc fails. */
void sr_arena_free(struct sr_arena *arena); /* Free an arena with all its memory; NULL is allowed. */
/* Set the jump target used when memory runs out; NULL means abort(). Return the previous target, which the caller restores. */
jmp_buf *sr_arena_guard(struct sr_arena *arena, jmp_buf *unwind);
/* Return body(data), or SR_NO_MEMORY if an allocation from the arena unwound out of it. Restores the previous guard. */
enum sr_status sr_arena_guarded(struct sr_arena *arena, enum sr_status (*body)(void *data), void *data);
/* Ensure that later small allocations totalling `bytes` cannot fail, each rounded up to 16 bytes. For code that must not unwind
 * because other ranks would wait for this one. */
void sr_arena_reserve(struct sr_arena *arena, size_t bytes);
/* Unwind to the guard, as a failed allocation does. */
_Noreturn void sr_arena_unwind(struct sr_arena *arena);

/* Allocate n objects of `size` bytes, zeroed, aligned to 16 bytes. If n * size == 0, return a valid pointer that must not be
 * dereferenced. */
void *sr_alloc(struct sr_arena *arena, size_t n, size_t size);
/* Return a copy of n objects; src may be NULL if n == 0. */
void *sr_dup(struct sr_arena *arena, const void *src, size_t n, size_t size);
char *sr_strndup(struct sr_arena *arena, const char *s, size_t n);            /* Return a copy of n bytes with a NUL appended. */
char *sr_strdup(struct sr_arena *arena, const char *s);
char *sr_printf(struct sr_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *sr_vprintf(struct sr_arena *arena, const char *format, va_list args);
/* Return the parent's scratch arena, for temporaries. Releasing a mark makes the memory allocated since then reusable. The
 * scratch arena unwinds to the guard of `parent` and is freed with it. Nothing allocated after a mark may be used after its
 * release; a map or vector created before the mark must not grow in this arena.
 *
 *	struct sr_arena_position mark = sr_arena_mark(scratch);
 *	...
 *	sr_arena_release(scratch, mark);
 */
struct sr_arena *sr_arena_scratch(struct sr_arena *parent);
struct sr_arena_position {
	void *head, *second; /* the first block at the mark, and the block after it */
	size_t used, all;    /* bytes used in the first block, and in the whole arena */
};
struct sr_arena_position sr_arena_mark(const struct sr_arena *arena);
void sr_arena_release(struct sr_arena *arena, struct sr_arena_position mark);

size_t sr_arena_used(const struct sr_arena *arena); /* Return the number of bytes allocated and not released. */

#define SR_NEW(arena, T) ((T *)sr_alloc((arena), 1, sizeof(T)))
#define SR_NEW_ARRAY(arena, T, n) ((T *)sr_alloc((arena), (size_t)(n), sizeof(T)))

#endif
