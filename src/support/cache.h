/* Persistent cache of compiled programs and JIT objects: files in one folder, which only the user can write, with a limit on the
 * total size. The key of an entry is its kind ("program", "object") and the SHA-256 digest of everything that determines its
 * contents. Any number of processes may read and write: an entry is created by rename, and incomplete or corrupt entries are
 * treated as missing. The least recently used entries are evicted first.
 *
 *	struct sr_cache cache;
 *	sr_cache_open(&cache, NULL, max_bytes, arena);     default folder
 *	if (!sr_cache_get(&cache, "object", &key, arena, &data, &n)) {
 *		... compute data ...
 *		sr_cache_put(&cache, "object", &key, arena, data, n);
 *	}
 *
 * No function fails: if the folder cannot be used, the cache stays empty and `unused_reason` holds the reason. */
#ifndef SR_SUPPORT_CACHE_H
#define SR_SUPPORT_CACHE_H

#include "support/arena.h"
#include "support/sha256.h"
#include <stdbool.h>
#include <sys/stat.h>

struct sr_cache {
	const char *folder; /* path of the folder; NULL: the cache is disabled */
	int64_t max_bytes;       /* maximum bytes of all entries together */
	const char *unused_reason; /* reason why the requested folder is not used; NULL: there is none */
};

enum { SR_CACHE_DEFAULT_BYTES = 1 << 30 }; /* default maximum of all entries together, in bytes */

/* Open the cache in `folder`, which is created if it does not exist. "off" disables the cache; NULL means
 * XDG_CACHE_HOME/shardrun or HOME/.cache/shardrun. max_bytes <= 0 means the default. */
void sr_cache_open(struct sr_cache *cache, const char *folder, int64_t max_bytes, struct sr_arena *arena);
bool sr_cache_get(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const char **data, uint64_t *n);
void sr_cache_put(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const void *data, uint64_t n);

/* Add the identity of this build to a hash: path, size and modification time of the executable or library that contains this
 * function, and the version. */
void sr_sha256_add_build(struct sr_sha256 *h);

#endif
