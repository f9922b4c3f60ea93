/* Load compiled objects with dlopen: from memory, or if that is forbidden from a temporary file. Modules with a key are in a
 * list, so that programs of this process share them. */
#include "codegen/jit.h"
#include "support/knobs/knobs.h"
#include "support/thread.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_UNUSED_MODULES = 16 }; /* maximum number of JIT modules without users that stay loaded */

struct sr_jit_module {
	int64_t references; /* number of users; this field and the next four are protected by the list's lock */
	bool is_listed;
	struct sr_digest key;
	struct sr_jit_counts counts;
	struct sr_jit_module *next; /* next module in the list of loaded modules */
	struct {
		void *handle;
		int fd; /* file descriptor that stays open, since the name of the loaded object contains its number; -1: none */
	} files[SR_JIT_SOURCE_FILES];
	int n;
	uint64_t n_instrs;
	const struct sr_jit_function *functions[]; /* compiled function of each instruction; NULL: interpreted */
};

static bool write_all(int fd, const char *data, uint64_t n)
{
	for (uint64_t n_written = 0; n_written < n;) {
		ssize_t k = write(fd, data + n_written, n - n_written);
		if (k < 0 && errno != EINTR)
			return false;
		n_written += k > 0 ? (uint64_t)k : 0;
	}
	return true;
}

static void *open_memory(const char *object, uint64_t n, int *fd)
{
	char name[64];
	*fd = memfd_create("shardrun-jit", MFD_CLOEXEC);
	if (*fd < 0 || !write_all(*fd, object, n))
		return NULL;
	snprintf(name, sizeof name, "/proc/self/fd/%d", *fd);
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *open_file(const char *object, uint64_t n, struct sr_arena *arena)
{
	const char *tmp = sr_env("TMPDIR");
	char *name = sr_printf(arena, "%s/shardrun-jit-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	int fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return NULL;
	void *handle = write_all(fd, object, n) ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
	unlink(name);
	close(fd);
	return handle;
}

/* Load the object of one source file, and set the functions of its instructions. */
static bool load_file(struct sr_jit_module *module, const char *object, uint64_t n, struct sr_arena *arena)
{
	int k = module->n++;
	module->files[k].handle = open_memory(object, n, &module->files[k].fd);
	if (!module->files[k].handle)
		module->files[k].handle = open_file(object, n, arena);
	const struct sr_jit_function *functions = module->files[k].handle ? dlsym(module->files[k].handle, "sr_jit_functions") : NULL;
	const int32_t(*instrs)[2] = module->files[k].handle ? dlsym(module->files[k].handle, "sr_jit_instr_functions") : NULL;
	for (; functions && instrs && (*instrs)[0] >= 0 && (uint64_t)(*instrs)[0] < module->n_instrs; instrs++)
		module->functions[(*instrs)[0]] = &functions[(*instrs)[1]];
	return functions && instrs;
}

bool sr_jit_load(const char *object, uint64_t n, uint64_t n_instrs, struct sr_jit_module **out, struct sr_arena *arena, const char **why)
{
	struct sr_jit_module *module = calloc(1, sizeof *module + (size_t)n_instrs * sizeof *module->functions);
	struct sr_jit_object_header head;
	bool is_loaded = true;
	*out = module;
	if (!module) {
		*why = "out of memory";
		return false;
	}
	module->references = 1;
	module->n_instrs = n_instrs;
	for (uint64_t at = 0; is_loaded && at < n; at += sizeof head + head.bytes) {
		is_loaded = n - at >= sizeof head && module->n < SR_JIT_SOURCE_FILES;
		if (is_loaded)
			memcpy(&head, object + at, sizeof head);
		is_loaded = is_loaded && head.bytes <= n - at - sizeof head &&
			    load_file(module, object + at + sizeof head, head.bytes, arena);
	}
	if (is_loaded)
		return true;
	const char *message = dlerror();
	*why = sr_printf(arena, "the compiled code cannot be loaded: %s", message ? message : "no table");
	sr_jit_release(module);
	*out = NULL;
	return false;
}

const struct sr_jit_function *sr_jit_function_of(const struct sr_jit_module *module, uint64_t instr)
{
	return module && instr < module->n_instrs ? module->functions[instr] : NULL;
}

static void unload(struct sr_jit_module *module)
{
	for (int k = 0; module && k < module->n; k++) {
		if (module->files[k].handle)
			dlclose(module->files[k].handle);
		if (module->files[k].fd >= 0)
			close(module->files[k].fd);
	}
	free(module);
}

/* ---- the list of this process ---- */

static struct {
	pthread_mutex_t lock;
	struct sr_jit_module *first; /* list in order of last use, newest first */
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Return the link to the module with the key, or to the end of the list. The caller holds the lock. */
static struct sr_jit_module **find_link(const struct sr_digest *key)
{
	struct sr_jit_module **module_link = &loaded.first;
	while (*module_link && memcmp(&(*module_link)->key, key, sizeof *key) != 0)
		module_link = &(*module_link)->next;
	return module_link;
}

/* Move a module to the front of the list. The caller holds the lock. */
static void move_to_front(struct sr_jit_module **module_link)
{
	struct sr_jit_module *module = *module_link;
	*module_link = module->next;
	module->next = loaded.first;
	loaded.first = module;
}

struct sr_jit_module *sr_jit_module_find(const struct sr_digest *key, struct sr_jit_counts *counts)
{
	pthread_mutex_lock(&loaded.lock);
	struct sr_jit_module **module_link = find_link(key), *module = *module_link;
	if (module) {
		module->references++;
		*counts = module->counts;
		move_to_front(module_link);
	}
	pthread_mutex_unlock(&loaded.lock);
	return module;
}

void sr_jit_module_add(struct sr_jit_module *module, const struct sr_digest *key, const struct sr_jit_counts *counts)
{
	pthread_mutex_lock(&loaded.lock);
	if (!*find_link(key)) {
		module->is_listed = true;
		module->key = *key;
		module->counts = *counts;
		module->next = loaded.first;
		loaded.first = module;
	}
	pthread_mutex_unlock(&loaded.lock);
}

/* Remove the least recently used module without users from the list if there are too many. The caller holds the lock. */
static struct sr_jit_module *remove_unused(void)
{
	struct sr_jit_module **last = NULL, *module;
	int n = 0;
	for (struct sr_jit_module **at = &loaded.first; *at; at = &(*at)->next)
		if (!(*at)->references) {
			last = at;
			n++;
		}
	if (n <= MAX_UNUSED_MODULES)
		return NULL;
	module = *last;
	*last = module->next;
	return module;
}

void sr_jit_release(struct sr_jit_module *module)
{
	if (!module)
		return;
	pthread_mutex_lock(&loaded.lock);
	bool is_last = !--module->references;
	struct sr_jit_module *unused_module = !is_last ? NULL : module->is_listed ? remove_unused() : module;
	pthread_mutex_unlock(&loaded.lock);
	unload(unused_module);
}
