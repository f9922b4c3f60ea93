/* Pointer-keyed hash maps and interned strings: open addressing with linear probing over a power-of-two number of slots, at most
 * half full. Map entries are stored in insertion order, separate from the slots. A removed entry keeps its slot (its key is
 * NULL) until the map grows and the slots are rebuilt. */
#include "support/map.h"
#include "support/checked.h"
#include "support/vec.h"
#include <string.h>

void sr_map_init(struct sr_map *map, struct sr_arena *arena)
{
	*map = (struct sr_map){.arena = arena};
}

static uint64_t hash_pointer(const void *p)
{
	uint64_t h = sr_hash_mix(0, (uint64_t)(uintptr_t)p);
	return h ^ h >> 32;
}

/* Return the slot of `key`, or the empty slot for inserting it. Requires at least one empty slot. */
static uint32_t *find_slot(const struct sr_map *map, const void *key)
{
	size_t mask = map->n_slots - 1;
	for (size_t i = hash_pointer(key) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &map->slots[i];
		if (!*slot || map->entries[*slot - 1].key == key)
			return slot;
	}
}

static struct sr_map_entry *find_entry(const struct sr_map *map, const void *key)
{
	uint32_t *slot = map->n_slots && key ? find_slot(map, key) : NULL;
	return slot && *slot ? &map->entries[*slot - 1] : NULL;
}

/* Ensure room for one more entry; double and rebuild the slots when they are half full. */
static void grow(struct sr_map *map)
{
	if (map->n >= UINT32_MAX / 4)
		sr_arena_unwind(map->arena);
	if (map->n == map->cap)
		map->entries = sr_vec_grow(map->arena, map->entries, map->n, &map->cap, sizeof *map->entries);
	if (2 * (map->n + 1) <= map->n_slots)
		return;
	map->n_slots = map->n_slots ? 2 * map->n_slots : 16;
	map->slots = SR_NEW_ARRAY(map->arena, uint32_t, map->n_slots);
	for (size_t i = 0; i < map->n; i++)
		if (map->entries[i].key)
			*find_slot(map, map->entries[i].key) = (uint32_t)i + 1;
}

void **sr_map_at(struct sr_map *map, const void *key)
{
	struct sr_map_entry *entry = find_entry(map, key);
	if (entry)
		return &entry->value;
	grow(map);
	map->entries[map->n] = (struct sr_map_entry){.key = key};
	*find_slot(map, key) = (uint32_t)map->n + 1;
	return &map->entries[map->n++].value;
}

void *sr_map_get(const struct sr_map *map, const void *key)
{
	struct sr_map_entry *entry = find_entry(map, key);
	return entry ? entry->value : NULL;
}

bool sr_map_has(const struct sr_map *map, const void *key)
{
	return find_entry(map, key) != NULL;
}

void sr_map_put(struct sr_map *map, const void *key, void *value)
{
	*sr_map_at(map, key) = value;
}

void sr_map_remove(struct sr_map *map, const void *key)
{
	struct sr_map_entry *entry = find_entry(map, key);
	if (entry)
		*entry = (struct sr_map_entry){0};
}

/* FNV-1a over 8 bytes at a time with a final mix. Not resistant to adversarial keys. */
uint64_t sr_hash_bytes(const void *data, size_t n, uint64_t seed)
{
	const unsigned char *p = data;
	uint64_t h = seed ^ 0xcbf29ce484222325ull ^ n;
	for (; n >= 8; n -= 8, p += 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = sr_hash_mix(h, word);
		h ^= h >> 29;
	}
	for (; n; n--)
		h = (h ^ *p++) * 0x100000001b3ull;
	h = sr_hash_mix(h, seed);
	return h ^ h >> 32;
}

/* Header stored before the bytes of an interned string. */
struct interned_string {
	size_t n;
	uint64_t hash;
	char bytes[];
};

static const struct interned_string *string_header(const char *s)
{
	return (const struct interned_string *)(const void *)(s - offsetof(struct interned_string, bytes));
}

void sr_strings_init(struct sr_strings *strings, struct sr_arena *arena)
{
	*strings = (struct sr_strings){.arena = arena};
}

static const char **find_string(const struct sr_strings *strings, const char *s, size_t n, uint64_t hash)
{
	size_t mask = strings->n_slots - 1;
	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		const char *candidate = strings->slots[i];
		if (!candidate)
			return &strings->slots[i];
		const struct interned_string *h = string_header(candidate);
		if (h->hash == hash && h->n == n && (n == 0 || memcmp(candidate, s, n) == 0))
			return &strings->slots[i];
	}
}

static void grow_strings(struct sr_strings *strings)
{
	const char **old = strings->slots;
	size_t n_old = strings->n_slots;
	if (sr_mul_overflows(n_old ? n_old : 32, (size_t)2, &strings->n_slots))
		sr_arena_unwind(strings->arena);
	strings->slots = SR_NEW_ARRAY(strings->arena, const char *, strings->n_slots);
	for (size_t i = 0; i < n_old; i++)
		if (old[i])
			*find_string(strings, old[i], string_header(old[i])->n, string_header(old[i])->hash) = old[i];
}

const char *sr_strings_intern(struct sr_strings *strings, const char *s, size_t n)
{
	uint64_t hash = sr_hash_bytes(s, n, 0);
	const char *shared = strings->shared_strings ? *find_string(strings->shared_strings, s, n, hash) : NULL;
	if (shared)
		return shared;
	if (2 * (strings->n + 1) > strings->n_slots)
		grow_strings(strings);
	const char **slot = find_string(strings, s, n, hash);
	if (*slot)
		return *slot;
	size_t bytes;
	if (sr_add_overflows(n, sizeof(struct interned_string) + 1, &bytes))
		sr_arena_unwind(strings->arena);
	struct interned_string *new_string = sr_alloc(strings->arena, bytes, 1);
	new_string->n = n;
	new_string->hash = hash;
	if (n)
		memcpy(new_string->bytes, s, n);
	strings->n++;
	return *slot = new_string->bytes;
}

size_t sr_interned_length(const char *interned)
{
	return string_header(interned)->n;
}
