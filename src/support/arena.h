/* Memory with a lifetime: everything of one compilation (or one pass) lives in an arena and is freed at once.
 *
 * An allocation never returns NULL. Where memory or size arithmetic runs out, the arena unwinds (longjmp) to the innermost
 * sr_arena_guard of the API call in progress, which returns SR_NO_MEMORY. Arenas hold no resources but memory, so nothing leaks.
 *
 *	struct sr_arena *a = sr_arena_new();
 *	jmp_buf unwind;
 *	if (setjmp(unwind)) { sr_arena_free(a); return SR_NO_MEMORY; }
 *	sr_arena_guard(a, &unwind);
 *	struct thing *t = SR_NEW(a, struct thing);          zeroed
 *	int64_t *shape = SR_NEWS(a, int64_t, rank);         zeroed, overflow of rank * 8 checked
 */
#ifndef SR_SUPPORT_ARENA_H
#define SR_SUPPORT_ARENA_H

#include <setjmp.h>
#include <shardrun/status.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct sr_arena;

struct sr_arena *sr_arena_new(void); /* NULL only when malloc fails */
void sr_arena_free(struct sr_arena *arena); /* NULL is fine */
/* Where to go when memory runs out; NULL: abort(). Returns the guard that was set before, to be put back. */
jmp_buf *sr_arena_guard(struct sr_arena *arena, jmp_buf *unwind);
/* Return what body(data) returns, or SR_NO_MEMORY if an allocation of the arena unwound it. The guard from before is back then. */
enum sr_status sr_arena_guarded(struct sr_arena *arena, enum sr_status (*body)(void *data), void *data);
/* Have room for `bytes` in small allocations, rounded up to 16 each: until so many are allocated none of them can fail. For code
 * that must not unwind because other ranks would wait for this one. */
void sr_arena_reserve(struct sr_arena *arena, size_t bytes);
/* Unwind now, as an allocation that cannot be had does. */
_Noreturn void sr_arena_unwind(struct sr_arena *arena);

/* n objects of `size` bytes, zeroed, aligned to 16. n * size == 0 gives a valid pointer that must not be read. */
void *sr_alloc(struct sr_arena *arena, size_t n, size_t size);
void *sr_dup(struct sr_arena *arena, const void *src, size_t n, size_t size); /* src may be NULL if n == 0 */
char *sr_strndup(struct sr_arena *arena, const char *s, size_t n);            /* NUL added */
char *sr_strdup(struct sr_arena *arena, const char *s);
char *sr_printf(struct sr_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *sr_vprintf(struct sr_arena *arena, const char *format, va_list args);
/* A second arena for what one piece of work needs and nothing outlives: taken back to a mark, its memory is used again. It unwinds
 * where `parent` does, whose owner frees it too. What is allocated once a mark is set must not be reached once it is released: a
 * map or vector from before that grows in between belongs into another arena.
 *
 *	struct sr_arena_position mark = sr_arena_mark(scratch);
 *	...
 *	sr_arena_release(scratch, mark);
 */
struct sr_arena *sr_arena_scratch(struct sr_arena *parent);
struct sr_arena_position {
	void *head, *behind; /* blocks */
	size_t used, all;    /* bytes of the head, and of the arena */
};
struct sr_arena_position sr_arena_mark(const struct sr_arena *arena);
void sr_arena_release(struct sr_arena *arena, struct sr_arena_position mark);

size_t sr_arena_used(const struct sr_arena *arena); /* bytes handed out */

#define SR_NEW(arena, T) ((T *)sr_alloc((arena), 1, sizeof(T)))
#define SR_NEWS(arena, T, n) ((T *)sr_alloc((arena), (size_t)(n), sizeof(T)))

#endif
