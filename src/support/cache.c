/* Cache entries are files FOLDER/DIGEST.KIND: a header, then the data. */
#define _GNU_SOURCE 1
#include "support/cache.h"
#include "support/crc32.h"
#include "support/knobs/knobs.h"
#include "support/thread.h"
#include "support/vec.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* age after which an abandoned temporary file is removed; an entry may have at most 1/4 of the limit */
enum { STALE_SECONDS = 3600, MAX_ENTRY_FRACTION = 4 };

struct file_header {
	char magic[8];
	uint64_t n; /* number of bytes of data after the header */
	struct sr_digest key;
	uint32_t crc, zero; /* crc: CRC-32 of the entry's data; zero: 0 */
};
static const struct file_header empty_header = {.magic = "SRKEPT1"};

/* Return true if this user owns the file or folder and nobody else can write it. */
static bool is_owner_writable_only(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static bool folder_is_private(const char *folder)
{
	struct stat st;
	return !stat(folder, &st) && S_ISDIR(st.st_mode) && is_owner_writable_only(&st);
}

/* Create a folder and its parents. */
static void make_folder(const char *folder, struct sr_arena *arena)
{
	char *path = sr_strdup(arena, folder);
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
	mkdir(path, 0700);
}

void sr_cache_open(struct sr_cache *cache, const char *folder, int64_t max_bytes, struct sr_arena *arena)
{
	const char *base = sr_env("XDG_CACHE_HOME"), *home = sr_env("HOME");
	struct stat st;
	*cache = (struct sr_cache){.max_bytes = max_bytes > 0 ? max_bytes : SR_CACHE_DEFAULT_BYTES};
	if (folder && strcmp(folder, "off") != 0)
		cache->folder = folder;
	else if (!folder && base && *base == '/')
		cache->folder = sr_printf(arena, "%s/shardrun", base);
	else if (!folder && home && *home == '/')
		cache->folder = sr_printf(arena, "%s/.cache/shardrun", home);
	if (!cache->folder)
		return;
	make_folder(cache->folder, arena);
	if (folder_is_private(cache->folder))
		return;
	bool is_missing = stat(cache->folder, &st) && errno == ENOENT;
	cache->unused_reason = sr_printf(arena, "%s %s", cache->folder,
					 is_missing ? "cannot be created" : "is not a folder that only this user can write");
	cache->folder = NULL;
}

static const char *entry_path(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena)
{
	char name[2 * sizeof key->bytes + 1];
	for (size_t i = 0; i < sizeof key->bytes; i++)
		snprintf(name + 2 * i, 3, "%02x", key->bytes[i]);
	return sr_printf(arena, "%s/%s.%s", cache->folder, name, kind);
}

static bool read_all(int fd, void *to, uint64_t n)
{
	for (uint64_t n_read = 0; n_read < n;) {
		ssize_t n_bytes = read(fd, (char *)to + n_read, n - n_read);
		if (n_bytes == 0 || (n_bytes < 0 && errno != EINTR))
			return false;
		n_read += n_bytes > 0 ? (uint64_t)n_bytes : 0;
	}
	return true;
}

static bool write_all(int fd, const void *from, uint64_t n)
{
	for (uint64_t n_written = 0; n_written < n;) {
		ssize_t n_bytes = write(fd, (const char *)from + n_written, n - n_written);
		if (n_bytes < 0 && errno != EINTR)
			return false;
		n_written += n_bytes > 0 ? (uint64_t)n_bytes : 0;
	}
	return true;
}

/* Read a complete, valid entry and set its modification time to now, for LRU eviction. Return NULL if the file is not such an
 * entry. */
static const char *read_entry(int fd, const struct sr_digest *key, struct sr_arena *arena, uint64_t *n)
{
	struct stat st;
	struct file_header head;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !is_owner_writable_only(&st) || !read_all(fd, &head, sizeof head) ||
	    memcmp(head.magic, empty_header.magic, sizeof head.magic) != 0 || memcmp(&head.key, key, sizeof *key) != 0 ||
	    (uint64_t)st.st_size != sizeof head + head.n)
		return NULL;
	char *data = sr_alloc(arena, head.n + 1, 1); /* memory of the arena has the alignment of 16 bytes that a program needs */
	if (!read_all(fd, data, head.n) || sr_crc32(0, data, head.n) != head.crc)
		return NULL;
	futimens(fd, NULL);
	*n = head.n;
	return data;
}

bool sr_cache_get(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const char **data, uint64_t *n)
{
	*data = NULL;
	*n = 0;
	if (!cache->folder || !folder_is_private(cache->folder))
		return false;
	/* O_NONBLOCK, since the entry's name may be that of a FIFO, on which open must not block */
	int fd = open(entry_path(cache, kind, key, arena), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	*data = read_entry(fd, key, arena, n);
	close(fd);
	return *data != NULL;
}

/* ---- eviction ---- */

struct cache_entry {
	const char *name;
	int64_t bytes;
	struct timespec last_use;
};
typedef SR_VEC(struct cache_entry) entry_list;

static int by_last_use(const void *x, const void *y)
{
	const struct cache_entry *a = x, *b = y;
	if (a->last_use.tv_sec != b->last_use.tv_sec)
		return a->last_use.tv_sec < b->last_use.tv_sec ? -1 : 1;
	return a->last_use.tv_nsec < b->last_use.tv_nsec ? -1 : a->last_use.tv_nsec > b->last_use.tv_nsec;
}

/* Return true if the file name is that of an entry: 64 hex digits, a dot, the kind. The name of a temporary file has a further
 * suffix. */
static bool is_entry(const char *name, bool *is_temporary)
{
	enum { DIGITS = 64 };
	const char *kind = strspn(name, "0123456789abcdef") == DIGITS && name[DIGITS] == '.' ? name + DIGITS + 1 : NULL;
	*is_temporary = kind && strchr(kind, '.');
	return kind != NULL;
}

static void collect_entry(int folder, const char *name, struct sr_arena *arena, entry_list *list, int64_t *sum)
{
	struct stat st;
	bool is_temporary;
	if (!is_entry(name, &is_temporary) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return;
	if (is_temporary && time(NULL) - st.st_mtime > STALE_SECONDS)
		unlinkat(folder, name, 0);
	if (is_temporary)
		return;
	*sum += st.st_size;
	sr_push(arena, list, ((struct cache_entry){sr_strdup(arena, name), st.st_size, st.st_mtim}));
}

static void prune(const struct sr_cache *cache, struct sr_arena *arena)
{
	DIR *dir = opendir(cache->folder);
	const struct dirent *dir_entry;
	entry_list list = {0};
	int64_t sum = 0;
	if (!dir)
		return;
	while ((dir_entry = readdir(dir)))
		collect_entry(dirfd(dir), dir_entry->d_name, arena, &list, &sum);
	if (sum > cache->max_bytes)
		qsort(list.data, list.n, sizeof *list.data, by_last_use);
	for (size_t i = 0; i < list.n && sum > cache->max_bytes; i++) {
		unlinkat(dirfd(dir), list.data[i].name, 0);
		sum -= list.data[i].bytes;
	}
	closedir(dir);
}

/* ---- writing ---- */

void sr_cache_put(const struct sr_cache *cache, const char *kind, const struct sr_digest *key, struct sr_arena *arena,
		  const void *data, uint64_t n)
{
	struct file_header head = empty_header;
	if (!cache->folder || n > (uint64_t)cache->max_bytes / MAX_ENTRY_FRACTION)
		return;
	const char *path = entry_path(cache, kind, key, arena);
	char *name = sr_printf(arena, "%s.XXXXXX", path);
	head.n = n;
	head.key = *key;
	head.crc = sr_crc32(0, data, n);
	make_folder(cache->folder, arena);
	int fd = folder_is_private(cache->folder) ? mkostemp(name, O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	bool is_written = write_all(fd, &head, sizeof head) && write_all(fd, data, n);
	if (close(fd) || !is_written || rename(name, path))
		unlink(name);
	else
		prune(cache, arena);
}

/* ---- this build ---- */

/* Callback of dl_iterate_phdr: copy the path of the object that contains this function. The path of the executable itself is
 * empty. */
static int find_this_object(struct dl_phdr_info *object, size_t n, void *path)
{
	uintptr_t address = (uintptr_t)find_this_object;
	(void)n;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
		if (object->dlpi_phdr[i].p_type != PT_LOAD || address < begin || address - begin >= object->dlpi_phdr[i].p_memsz)
			continue;
		if (*object->dlpi_name)
			snprintf(path, PATH_MAX, "%s", object->dlpi_name);
		return 1;
	}
	return 0;
}

static struct sr_digest build_digest;

static void compute_build_digest(void)
{
	struct sr_sha256 h;
	struct stat st;
	char path[PATH_MAX] = "";
	sr_sha256_begin(&h);
	dl_iterate_phdr(find_this_object, path);
	if (!*path && readlink("/proc/self/exe", path, sizeof path - 1) < 0)
		*path = '\0';
	sr_sha256_add_text(&h, path);
	if (!stat(path, &st)) {
		const int64_t version[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
		sr_sha256_add(&h, version, sizeof version);
	}
	sr_sha256_add_text(&h, PACKAGE_VERSION);
	build_digest = sr_sha256_end(&h);
}

void sr_sha256_add_build(struct sr_sha256 *h)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, compute_build_digest);
	sr_sha256_add(h, &build_digest, sizeof build_digest);
}
