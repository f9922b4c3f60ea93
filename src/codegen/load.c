/* Loading an object of compiled tiles: from memory, or where that is forbidden from a file of its own. */
#include "codegen/unit.h"
#include "support/knobs.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct sr_unit {
	void *handle;
	int fd; /* kept: its number names what is loaded */
	uint64_t n_steps;
	const struct sr_unit_tile *tiles[]; /* [n_steps] NULL: interpreted */
};

static bool put(int fd, const char *data, uint64_t n)
{
	for (uint64_t done = 0; done < n;) {
		ssize_t k = write(fd, data + done, n - done);
		if (k < 0 && errno != EINTR)
			return false;
		done += k > 0 ? (uint64_t)k : 0;
	}
	return true;
}

static void *open_memory(const char *object, uint64_t n, int *fd)
{
	char name[64];
	*fd = memfd_create("shardrun-tiles", MFD_CLOEXEC);
	if (*fd < 0 || !put(*fd, object, n))
		return NULL;
	snprintf(name, sizeof name, "/proc/self/fd/%d", *fd);
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *open_file(const char *object, uint64_t n, struct sr_arena *arena)
{
	const char *tmp = sr_env("TMPDIR");
	char *name = sr_printf(arena, "%s/shardrun-tiles-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	int fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return NULL;
	void *handle = put(fd, object, n) ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
	unlink(name);
	close(fd);
	return handle;
}

bool sr_unit_load(const char *object, uint64_t n, uint64_t n_steps, struct sr_unit **out, struct sr_arena *arena, const char **why)
{
	struct sr_unit *u = calloc(1, sizeof *u + (size_t)n_steps * sizeof *u->tiles);
	*out = u;
	if (!u) {
		*why = "out of memory";
		return false;
	}
	u->n_steps = n_steps;
	u->handle = open_memory(object, n, &u->fd);
	if (!u->handle)
		u->handle = open_file(object, n, arena);
	const struct sr_unit_tile *tiles = u->handle ? dlsym(u->handle, "sr_unit_tiles") : NULL;
	const int32_t(*steps)[2] = u->handle ? dlsym(u->handle, "sr_unit_steps") : NULL;
	if (!tiles || !steps) {
		const char *message = dlerror();
		*why = sr_printf(arena, "the compiled tiles cannot be loaded: %s", message ? message : "no table");
		sr_unit_release(u);
		*out = NULL;
		return false;
	}
	for (; (*steps)[0] >= 0 && (uint64_t)(*steps)[0] < u->n_steps; steps++)
		u->tiles[(*steps)[0]] = &tiles[(*steps)[1]];
	return true;
}

const struct sr_unit_tile *sr_unit_tile_of(const struct sr_unit *u, uint64_t step)
{
	return u && step < u->n_steps ? u->tiles[step] : NULL;
}

void sr_unit_release(struct sr_unit *u)
{
	if (!u)
		return;
	if (u->handle)
		dlclose(u->handle);
	if (u->fd >= 0)
		close(u->fd);
	free(u);
}
