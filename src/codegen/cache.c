/* Objects kept between runs: FOLDER/HASH.unit holds the whole key (compiler, flags, text), which is compared, and the object. A folder or
 * a file that others may write is not trusted. */
#include "codegen/unit.h"
#include "support/knobs/knobs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 512 };

struct head {
	char magic[8];
	uint64_t key, object; /* bytes */
};
static const struct head empty = {.magic = "SRUNIT1"};

const char *sr_unit_cache_folder(struct sr_arena *arena)
{
	const char *cache = sr_env("XDG_CACHE_HOME"), *home = sr_env("HOME");
	if (cache && *cache == '/')
		return sr_printf(arena, "%s/shardrun", cache);
	return home && *home == '/' ? sr_printf(arena, "%s/.cache/shardrun", home) : NULL;
}

static const char *path_of(const char *folder, const struct sr_buf *key, struct sr_arena *arena)
{
	uint64_t a = 14695981039346656037u, b = 88172645463325252u;
	for (size_t i = 0; i < key->n; i++) {
		a = (a ^ (unsigned char)key->data[i]) * 1099511628211u;
		b = (b + (unsigned char)key->data[i]) * 6364136223846793005u + 1442695040888963407u;
	}
	return sr_printf(arena, "%s/%016llx%016llx.unit", folder, (unsigned long long)a, (unsigned long long)b);
}

/* Mine, and nobody else may write it. */
static bool trusted(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & 022);
}

static bool read_all(int fd, void *to, uint64_t n)
{
	for (uint64_t done = 0; done < n;) {
		ssize_t k = read(fd, (char *)to + done, n - done);
		if (k == 0 || (k < 0 && errno != EINTR))
			return false;
		done += k > 0 ? (uint64_t)k : 0;
	}
	return true;
}

static bool folder_trusted(const char *folder)
{
	struct stat st;
	return !lstat(folder, &st) && S_ISDIR(st.st_mode) && trusted(&st);
}

bool sr_unit_cache_get(const char *folder, const struct sr_buf *key, struct sr_arena *arena, const char **object, uint64_t *n)
{
	struct stat st;
	struct head head;
	int fd = folder_trusted(folder) ? open(path_of(folder, key, arena), O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	if (fd < 0)
		return false;
	bool good = !fstat(fd, &st) && S_ISREG(st.st_mode) && trusted(&st) && read_all(fd, &head, sizeof head) &&
		    !memcmp(head.magic, empty.magic, sizeof head.magic) && head.key == key->n && head.object &&
		    (uint64_t)st.st_size - sizeof head - head.key == head.object;
	char *data = good ? sr_alloc(arena, head.key + head.object, 1) : NULL;
	good = good && read_all(fd, data, head.key + head.object) && !memcmp(data, key->data, key->n);
	close(fd);
	*object = good ? data + head.key : NULL;
	*n = good ? head.object : 0;
	return good;
}

/* So that the folder does not grow for ever: the oldest file goes where there are many. */
static void prune(const char *folder, struct sr_arena *arena)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	const char *oldest = NULL;
	time_t age = 0;
	int n = 0;
	while (dir && (entry = readdir(dir))) {
		struct stat st;
		size_t length = strlen(entry->d_name);
		if (length < 5 || strcmp(entry->d_name + length - 5, ".unit") || fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		n++;
		if (!oldest || st.st_mtime < age) {
			oldest = sr_printf(arena, "%s/%s", folder, entry->d_name);
			age = st.st_mtime;
		}
	}
	if (dir)
		closedir(dir);
	if (oldest && n > MOST_FILES)
		unlink(oldest);
}

static bool write_all(int fd, const void *from, uint64_t n)
{
	for (uint64_t done = 0; done < n;) {
		ssize_t k = write(fd, (const char *)from + done, n - done);
		if (k < 0 && errno != EINTR)
			return false;
		done += k > 0 ? (uint64_t)k : 0;
	}
	return true;
}

/* The folder and those above it. */
static void make_folder(const char *folder, struct sr_arena *arena)
{
	char *path = sr_printf(arena, "%s", folder);
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = 0;
			mkdir(path, 0700);
			*p = '/';
		}
	mkdir(path, 0700);
}

void sr_unit_cache_put(const char *folder, const struct sr_buf *key, struct sr_arena *arena, const char *object, uint64_t n)
{
	struct head head = empty;
	const char *path = path_of(folder, key, arena), *name = sr_printf(arena, "%s.%ld", path, (long)getpid());
	head.key = key->n;
	head.object = n;
	make_folder(folder, arena);
	int fd = folder_trusted(folder) ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	bool good = write_all(fd, &head, sizeof head) && write_all(fd, key->data, key->n) && write_all(fd, object, n);
	if (close(fd) || !good || rename(name, path))
		unlink(name);
	else
		prune(folder, arena);
}
