/* Growth of arrays in an arena: by 8 elements up to a capacity of 16, then by doubling. The old storage is not freed. */
#include "support/vec.h"
#include "support/checked.h"
#include <string.h>

void *sr_vec_grow(struct sr_arena *arena, void *data, size_t n, size_t *cap, size_t size)
{
	size_t new_cap;
	if (sr_add_overflows(*cap, *cap < 16 ? (size_t)8 : *cap, &new_cap))
		sr_arena_unwind(arena);
	void *p = sr_alloc(arena, new_cap, size);
	if (n)
		memcpy(p, data, n * size);
	*cap = new_cap;
	return p;
}
