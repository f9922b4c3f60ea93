/* Growing arrays in an arena, typed by macro.
 *
 *	SR_VEC(int64_t) v = {0};
 *	sr_push(arena, &v, 3);          amortized O(1); old storage stays in the arena
 *	for (size_t i = 0; i < v.n; i++) use(v.data[i]);
 */
#ifndef SR_SUPPORT_VEC_H
#define SR_SUPPORT_VEC_H

#include "support/arena.h"

#define SR_VEC(T)           \
	struct {            \
		T *data;    \
		size_t n;   \
		size_t cap; \
	}

/* Grow the storage by at least one element of `size` bytes. Return the new data pointer and update *cap. */
void *sr_vec_grow(struct sr_arena *arena, void *data, size_t n, size_t *cap, size_t size);

#define sr_push(arena, v, ...)                                                                                   \
	do {                                                                                                     \
		if ((v)->n == (v)->cap)                                                                          \
			(v)->data = sr_vec_grow((arena), (v)->data, (v)->n, &(v)->cap, sizeof *(v)->data);       \
		(v)->data[(v)->n++] = (__VA_ARGS__);                                                             \
	} while (0)

#define sr_pop(v) ((v)->data[--(v)->n])

#endif
