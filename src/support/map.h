/* Hash maps keyed by pointer, and interned byte strings, in an arena. NULL keys are not allowed. Iteration follows insertion
 * order, so output never depends on addresses. */
#ifndef SR_SUPPORT_MAP_H
#define SR_SUPPORT_MAP_H

#include "support/arena.h"
#include <stdbool.h>

struct sr_map_entry {
	const void *key;
	void *value;
};

struct sr_map {
	struct sr_arena *arena;
	struct sr_map_entry *entries; /* entries in insertion order; key NULL: the entry was removed; length n */
	size_t n, cap;
	uint32_t *slots; /* hash slots: 1 + index of the entry; 0: empty; length n_slots */
	size_t n_slots;  /* number of slots: a power of two, or 0 */
};

void sr_map_init(struct sr_map *map, struct sr_arena *arena);
/* Return a pointer to the value of a key, which is inserted with value NULL if missing. */
void **sr_map_at(struct sr_map *map, const void *key);
void *sr_map_get(const struct sr_map *map, const void *key); /* Return the value of a key; NULL if missing. */
bool sr_map_has(const struct sr_map *map, const void *key);
void sr_map_put(struct sr_map *map, const void *key, void *value);
void sr_map_remove(struct sr_map *map, const void *key);

uint64_t sr_hash_bytes(const void *data, size_t n, uint64_t seed);
static inline uint64_t sr_hash_mix(uint64_t h, uint64_t x)
{
	h ^= x + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
	return h * 0xff51afd7ed558ccdull;
}

/* Interned byte strings: equal bytes have equal pointers. NUL-terminated; may contain NUL bytes. */
struct sr_strings {
	struct sr_arena *arena;
	const char **slots;
	size_t n, n_slots;
	/* a second table, not empty and never changed; strings in it are not stored again in this one; NULL: none */
	const struct sr_strings *shared_strings;
};
void sr_strings_init(struct sr_strings *strings, struct sr_arena *arena);
const char *sr_strings_intern(struct sr_strings *strings, const char *s, size_t n);
size_t sr_interned_length(const char *interned); /* Return the bytes of an interned string, excluding the terminating NUL. */

#endif
