/* Loading an object of compiled tiles: from memory, or where that is forbidden from a file of its own. */
#include "codegen/jit.h"
#include "support/knobs/knobs.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct sr_jit_module {
	struct {
		void *handle;
		int fd; /* kept: its number names what is loaded; -1: none */
	} parts[SR_JIT_SOURCE_FILES];
	int n;
	uint64_t n_steps;
	const struct sr_jit_function *tiles[]; /* [n_steps] NULL: interpreted */
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

/* One part: its functions become those of its steps. */
static bool load(struct sr_jit_module *u, const char *object, uint64_t n, struct sr_arena *arena)
{
	int k = u->n++;
	u->parts[k].handle = open_memory(object, n, &u->parts[k].fd);
	if (!u->parts[k].handle)
		u->parts[k].handle = open_file(object, n, arena);
	const struct sr_jit_function *tiles = u->parts[k].handle ? dlsym(u->parts[k].handle, "sr_jit_nests") : NULL;
	const int32_t(*steps)[2] = u->parts[k].handle ? dlsym(u->parts[k].handle, "sr_unit_steps") : NULL;
	for (; tiles && steps && (*steps)[0] >= 0 && (uint64_t)(*steps)[0] < u->n_steps; steps++)
		u->tiles[(*steps)[0]] = &tiles[(*steps)[1]];
	return tiles && steps;
}

bool sr_jit_load(const char *object, uint64_t n, uint64_t n_steps, struct sr_jit_module **out, struct sr_arena *arena, const char **why)
{
	struct sr_jit_module *u = calloc(1, sizeof *u + (size_t)n_steps * sizeof *u->tiles);
	struct sr_jit_object_header head;
	bool good = true;
	*out = u;
	if (!u) {
		*why = "out of memory";
		return false;
	}
	u->n_steps = n_steps;
	for (uint64_t at = 0; good && at < n; at += sizeof head + head.bytes) {
		good = n - at >= sizeof head && u->n < SR_JIT_SOURCE_FILES;
		if (good)
			memcpy(&head, object + at, sizeof head);
		good = good && head.bytes <= n - at - sizeof head && load(u, object + at + sizeof head, head.bytes, arena);
	}
	if (good)
		return true;
	const char *message = dlerror();
	*why = sr_printf(arena, "the compiled tiles cannot be loaded: %s", message ? message : "no table");
	sr_jit_release(u);
	*out = NULL;
	return false;
}

const struct sr_jit_function *sr_jit_function_of(const struct sr_jit_module *u, uint64_t step)
{
	return u && step < u->n_steps ? u->tiles[step] : NULL;
}

void sr_jit_release(struct sr_jit_module *u)
{
	for (int k = 0; u && k < u->n; k++) {
		if (u->parts[k].handle)
			dlclose(u->parts[k].handle);
		if (u->parts[k].fd >= 0)
			close(u->parts[k].fd);
	}
	free(u);
}
