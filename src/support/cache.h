/* What is kept between runs: files in one folder, which is its user's alone and bounded in size. An entry is found by its kind
 *("program", "unit") and the digest of all that decides it. Any number of processes may read and write: an entry appears whole or
 * not at all, and one that is not whole is none. What was not used for longest goes first.
 *
 *	struct sr_cache cache;
 *	sr_cache_open(&cache, NULL, most, arena);       the environment's folder
 *	if (!sr_cache_get(&cache, "unit", &key, arena, &data, &n)) {
 *		... make it ...
 *		sr_cache_put(&cache, "unit", &key, arena, data, n);
 *	}
 *
 * Nothing here fails: a folder that cannot be used holds nothing, and `why` says what is wrong with it. */
#ifndef SR_SUPPORT_CACHE_H
#define SR_SUPPORT_CACHE_H

#include "support/arena.h"
#include "support/sha256.h"
#include <stdbool.h>
#include <sys/stat.h>

struct sr_cache {
	const char *folder; /* NULL: nothing is kept */
	int64_t most;       /* bytes of all entries */
	const char *why;    /* why the folder is not used though it was asked for; NULL */
};

enum { SR_CACHE_DEFAULT_BYTES = 1 << 30 }; /* bytes, where nobody says */

/* where: a folder, which is made when first written to; "off"; NULL: XDG_CACHE_HOME/shardrun, or HOME/.cache/shardrun. */
void sr_cache_open(struct sr_cache *cache, const char *where, int64_t most, struct sr_arena *arena);
bool sr_cache_get(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const char **data, uint64_t *n);
void sr_cache_put(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const void *data, uint64_t n);

/* A file or folder that its owner, who is this user, can write and nobody else. */
bool sr_is_owner_writable_only(const struct stat *st);
/* Into a hash: which build of this program it is that asks, by its file. */
void sr_sha256_add_build(struct sr_sha256 *h);

#endif
