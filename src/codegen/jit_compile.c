/* Run the system's compiler. It is found at run time, started by posix_spawn in a temporary folder, which also holds its temporary
 * files, without the MPI launcher's environment, and killed after a time limit or, in the background, when it is cancelled. */
#include "codegen/jit_tools.h"
#include "support/clock.h"
#include "support/thread.h"
#include "support/knobs/knobs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const flags[] = {"-std=gnu11", "-O3", "-fPIC", "-shared", "-w", "-fno-math-errno", "-fno-trapping-math",
				    "-ffp-contract=off"};
enum { N_TARGET_FLAGS = 3 }; /* maximum number of flags of an instruction set; missing ones are NULL */
static const char *const target_flags[SR_ISA_COUNT][N_TARGET_FLAGS] = {
#define FLAGS(...) {__VA_ARGS__}
#define ISA(ID, name, core, flags, ...) [SR_ISA_##ID] = flags,
#include "kernels/fast/isa.def"
};
static const char *const libraries[] = {"-lm"};

/* Return the flag that enables or disables the prefetches of reductions (c_prelude.h) for this machine. Intel's processors with
 * AVX-512 read up to 1.5 times faster with them, AMD's (Zen 4) up to 1.8 times faster without. */
static const char *prefetch_flag(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (__builtin_cpu_is("intel"))
		return "-DPREFETCHES=1";
#endif
	return "-DPREFETCHES=0";
}

/* Return the path of the compiler's executable; NULL if it is not found. */
static const char *find_compiler(const char *name, struct sr_arena *arena)
{
	const char *path = sr_env("PATH");
	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : name;
	for (const char *p = path ? path : "/usr/bin:/bin"; p; p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
		size_t n = strcspn(p, ":");
		const char *file = sr_printf(arena, "%.*s%s%s", (int)n, p, n ? "/" : "", name);
		if (!access(file, X_OK))
			return file;
	}
	return NULL;
}

/* Add the compiler's identity to a hash: path, size and modification time of its executable. Return the executable's base name;
 * NULL if it is not found. */
static const char *hash_compiler(struct sr_sha256 *out, const char *file, struct sr_arena *arena)
{
	struct stat st;
	char *real_path = realpath(file, NULL);
	const char *name = NULL;
	if (real_path && !stat(real_path, &st)) {
		const int64_t version[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
		sr_sha256_add_text(out, real_path);
		sr_sha256_add(out, version, sizeof version);
		name = sr_strdup(arena, strrchr(real_path, '/') + 1);
	}
	free(real_path);
	return name;
}

/* Return the environment without variables of MPI launchers, so that the compiler is not taken for a rank, and with the temporary
 * folder `dir`. */
static char **environment_of_compiler(const char *dir, struct sr_arena *arena)
{
	static const char *const hidden_prefixes[] = {"OMPI_", "PMI", "PRTE_", "MPI_", "MV2_", "HYDRA_", "LD_PRELOAD=", "TMPDIR="};
	int n = 0, n_out = 0;
	sr_environment_lock();
	while (environ[n])
		n++;
	sr_environment_unlock(); /* Release the lock, because the following allocation may unwind the stack. */
	char **out = SR_NEW_ARRAY(arena, char *, n + 2);
	out[n_out++] = sr_printf(arena, "TMPDIR=%s", dir);
	sr_environment_lock();
	for (int i = 0; i < n && environ[i]; i++) {
		bool is_hidden = false;
		for (size_t k = 0; k < sizeof hidden_prefixes / sizeof *hidden_prefixes; k++)
			is_hidden = is_hidden || !strncmp(environ[i], hidden_prefixes[k], strlen(hidden_prefixes[k]));
		if (!is_hidden)
			out[n_out++] = environ[i];
	}
	sr_environment_unlock();
	return out;
}

/* Wait for a child to end. At time `end` kill the child, on cancellation its process group; return false in both cases. The exit
 * status is not used, since other code of the process may reap the child or ignore SIGCHLD. */
static bool wait_for_child(const struct sr_jit_options *o, pid_t child, double end)
{
	int status;
	for (;;) {
		pid_t ended_child = waitpid(child, &status, WNOHANG);
		if (ended_child == child || (ended_child < 0 && errno != EINTR))
			return true;
		if (sr_now() > end || (o->cancel && atomic_load(o->cancel))) {
			kill(o->cancel ? -child : child, SIGKILL);
			while (waitpid(child, &status, 0) < 0 && errno == EINTR)
				;
			return false;
		}
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
}

static bool write_file(const char *path, const char *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool is_written = fd >= 0;
	for (size_t n_written = 0; is_written && n_written < n;) {
		ssize_t k = write(fd, data + n_written, n - n_written);
		is_written = k > 0 || (k < 0 && errno == EINTR);
		n_written += k > 0 ? (size_t)k : 0;
	}
	return fd >= 0 && !close(fd) && is_written;
}

static bool read_file(const char *path, struct sr_arena *arena, const char **data, uint64_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool is_read = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0;
	char *contents = is_read ? sr_alloc(arena, (size_t)st.st_size, 1) : NULL;
	for (off_t n_read = 0; is_read && n_read < st.st_size;) {
		ssize_t k = read(fd, contents + n_read, (size_t)(st.st_size - n_read));
		is_read = k > 0 || (k < 0 && errno == EINTR);
		n_read += k > 0 ? k : 0;
	}
	if (fd >= 0)
		close(fd);
	*data = contents;
	*n = is_read ? (uint64_t)st.st_size : 0;
	return is_read;
}

/* A process of the compiler for one source file. */
struct job {
	const char *dir, *source, *object_path, *log,
	    *done_path; /* `dir` is NULL until the job starts; `done_path` is the path of a file that exists after success */
	pid_t child;                                  /* process id of the compiler; 0: no compiler is running */
	const char *object;
	uint64_t n;
};

/* Set default signal handling: a compiler waits for its own children. Launchers send SIGUSR1 and SIGUSR2 to a whole job as notices.
 * They would kill the compiler, and the nests would be interpreted, possibly with other bits. They are blocked until the shell
 * script ignores them, which its children inherit. Blocking alone is not enough: dash resets the signal mask of its children. */
static bool set_attributes(const struct sr_jit_options *o, posix_spawnattr_t *attr)
{
	sigset_t notices, all_signals;
	sigemptyset(&notices);
	sigaddset(&notices, SIGUSR1);
	sigaddset(&notices, SIGUSR2);
	sigfillset(&all_signals);
	if (posix_spawnattr_init(attr))
		return false;
	posix_spawnattr_setsigmask(attr, &notices);
	posix_spawnattr_setsigdefault(attr, &all_signals);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (o->cancel ? POSIX_SPAWN_SETPGROUP : 0));
	return true;
}

static bool spawn_command(const struct sr_jit_options *o, const struct job *j, char *const *argv, pid_t *child, struct sr_arena *arena)
{
	char **environment = environment_of_compiler(j->dir, arena);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	if (posix_spawn_file_actions_init(&actions))
		return false;
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, j->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
	posix_spawn_file_actions_addclosefrom_np(&actions, 3); /* do not inherit the parent's files */
#endif
	bool is_spawned = set_attributes(o, &attr);
	int error = is_spawned ? posix_spawn(child, argv[0], &actions, &attr, argv, environment) : 1;
	if (is_spawned)
		posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return !error;
}

/* Shell script that runs the compiler. $0 is the file to create after success, $1 the limit of CPU seconds; the command
 * follows. The script removes the folder if a signal ends it or the parent process has ended. */
static const char script[] = "trap '' USR1 USR2; dir=${0%/*}; trap 'rm -rf \"$dir\"; exit 1' HUP INT TERM; "
			     "ulimit -t \"$1\"; shift; \"$@\" && : >\"$0\"; kill -0 $PPID 2>/dev/null || rm -rf \"$dir\"";

/* Start "cc FLAGS -o OBJECT SOURCE LIBRARIES", with messages to LOG, then create DONE. The CPU limit holds for processes that the
 * compiler starts, too. Return false if the process cannot be started. */
static bool spawn(const struct sr_jit_options *o, const char *compiler, struct job *j, struct sr_arena *arena)
{
	enum { MAX_ARGUMENTS = 32 };
	const char *argv[MAX_ARGUMENTS] = {"/bin/sh", "-c", script, j->done_path, sr_printf(arena, "%d", (int)o->timeout_s + 1)};
	int n = 5;
	if (o->cancel) {
		argv[n++] = "nice";
		/* With niceness 5 the compiler still gets a quarter of a core that it shares with a thread that never sleeps. */
		argv[n++] = "-n5";
	}
	argv[n++] = compiler;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		argv[n++] = flags[i];
	argv[n++] = prefetch_flag();
	for (int i = 0; i < N_TARGET_FLAGS && target_flags[o->target][i]; i++)
		argv[n++] = target_flags[o->target][i];
	argv[n++] = "-o";
	argv[n++] = j->object_path;
	argv[n++] = j->source;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		argv[n++] = libraries[i];
	argv[n] = NULL;
	bool is_spawned = spawn_command(o, j, (char *const *)(uintptr_t)argv, &j->child, arena);
	j->child = is_spawned ? j->child : 0;
	return is_spawned;
}

/* Return the first error message of the compiler, or its first line. */
static const char *first_error(const char *log, struct sr_arena *arena)
{
	const char *text;
	uint64_t n;
	if (!read_file(log, arena, &text, &n))
		return "it failed";
	text = sr_strndup(arena, text, n > 100000 ? 100000 : n);
	const char *error = strstr(text, "error: ");
	text = error ? error : text;
	return sr_strndup(arena, text, strcspn(text, "\n"));
}

static bool start_job(const struct sr_jit_options *o, const char *compiler, const struct sr_buf *text, struct job *j,
		      struct sr_arena *arena, const char **why)
{
	const char *tmp = sr_env("TMPDIR");
	char *dir = sr_printf(arena, "%s/shardrun-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(dir)) {
		*why = sr_printf(arena, "no folder for the compiler can be made in %s", tmp && *tmp ? tmp : "/tmp");
		return false;
	}
	j->dir = dir;
	j->source = sr_printf(arena, "%s/jit.c", dir);
	j->object_path = sr_printf(arena, "%s/jit.so", dir);
	j->log = sr_printf(arena, "%s/log", dir);
	j->done_path = sr_printf(arena, "%s/done", dir);
	if (write_file(j->source, text->data, text->n) && spawn(o, compiler, j, arena))
		return true;
	*why = sr_printf(arena, "%s: it failed", compiler);
	return false;
}

/* Remove a folder and the files in it. A compiler that was killed leaves its temporary files. */
static void remove_folder(const char *path, struct sr_arena *arena)
{
	DIR *dir = opendir(path);
	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlink(sr_printf(arena, "%s/%s", path, entry->d_name));
	if (dir)
		closedir(dir);
	rmdir(path);
}

/* Wait for a job and remove its folder. Return false if there is no object; *why is set then unless it was set before. */
static bool finish_job(const struct sr_jit_options *o, const char *compiler, struct job *j, double deadline, struct sr_arena *arena,
		       const char **why)
{
	if (!j->dir)
		return true;
	bool has_ended = !j->child || wait_for_child(o, j->child, deadline);
	bool is_compiled = has_ended && !access(j->done_path, F_OK) && read_file(j->object_path, arena, &j->object, &j->n);
	if (!is_compiled && !*why)
		*why = o->cancel && atomic_load(o->cancel) ? "it was cancelled"
		       : !has_ended ? sr_printf(arena, "%s takes more than %g s", compiler, o->timeout_s)
				: sr_printf(arena, "%s: %s", compiler, first_error(j->log, arena));
	remove_folder(j->dir, arena);
	return is_compiled;
}

const char *sr_jit_add_tools(struct sr_sha256 *h, const struct sr_jit_options *o, struct sr_arena *arena, const char **why)
{
	const char *file = find_compiler(o->compiler, arena), *name = file ? hash_compiler(h, file, arena) : NULL;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		sr_sha256_add_text(h, flags[i]);
	sr_sha256_add_text(h, prefetch_flag());
	sr_sha256_add_text(h, sr_target_arch);
	sr_sha256_add_text(h, sr_isa_names[o->target]);
	for (int i = 0; i < N_TARGET_FLAGS; i++)
		sr_sha256_add_text(h, target_flags[o->target][i]);
	if (!name)
		*why = sr_printf(arena, "no compiler %s is found", o->compiler);
	return name;
}

struct sr_digest sr_jit_source_digest(const struct sr_jit_source *text)
{
	struct sr_sha256 h;
	sr_sha256_begin(&h);
	for (int k = 0; k < text->n; k++) {
		sr_sha256_add(&h, &text->files[k].n, sizeof text->files[k].n);
		sr_sha256_add(&h, text->files[k].data, text->files[k].n);
	}
	return sr_sha256_end(&h);
}

/* Return the estimated memory of a compiler in bytes: gcc 12 with -O3 takes 38 MB for an empty file and 57 MB for 28 kB. */
static int64_t compiler_bytes(const struct sr_buf *text)
{
	enum { FIXED = 32 << 20, EACH = 1024 };
	return FIXED + (int64_t)text->n * EACH;
}

/* Return how many compilers may run at once if each takes at most `bytes` of memory. */
static int64_t max_parallel_compilers(const struct sr_jit_options *o, int64_t bytes)
{
	return o->cancel ? 1 : o->memory ? o->memory / bytes : SR_JIT_SOURCE_FILES;
}

/* Compile the files, as many at once as sr_jit_options allow. */
static bool compile_files(const struct sr_jit_options *o, const char *compiler, const struct sr_jit_source *text, struct job *jobs,
			  struct sr_arena *arena, const char **why)
{
	int n = text->n, n_finished = 0;
	int64_t max_bytes = 0;
	double deadline = sr_now() + o->timeout_s;
	bool all_compiled = true;
	*why = NULL;
	for (int k = 0; k < n; k++)
		max_bytes = compiler_bytes(&text->files[k]) > max_bytes ? compiler_bytes(&text->files[k]) : max_bytes;
	if (n && o->memory && o->memory < max_bytes) {
		*why = sr_printf(arena, "%s needs about %lld MB of memory, and %lld MB are left", compiler,
				 (long long)max_bytes >> 20, (long long)o->memory >> 20);
		return false;
	}
	for (int i = 0; i < n; i++) {
		if (i - n_finished >= max_parallel_compilers(o, max_bytes))
			all_compiled = finish_job(o, compiler, &jobs[n_finished++], all_compiled ? deadline : 0, arena, why) &&
				       all_compiled;
		all_compiled = all_compiled && start_job(o, compiler, &text->files[i], &jobs[i], arena, why);
	}
	for (; n_finished < n; n_finished++) /* wait for all started jobs, even after a failure */
		all_compiled = finish_job(o, compiler, &jobs[n_finished], all_compiled ? deadline : 0, arena, why) && all_compiled;
	return all_compiled;
}

bool sr_jit_compile(const struct sr_jit_options *o, const struct sr_jit_source *text, struct sr_arena *arena,
		    struct sr_program_object *out, const char **why)
{
	struct sr_sha256 unused_hash;
	struct sr_buf block;
	struct job jobs[SR_JIT_SOURCE_FILES] = {0};
	sr_sha256_begin(&unused_hash);
	*out = (struct sr_program_object){.machine = sr_target_arch, .target = sr_isa_names[o->target]};
	out->compiler = sr_jit_add_tools(&unused_hash, o, arena, why);
	const char *compiler = find_compiler(o->compiler, arena);
	if (!out->compiler || !compiler || !compile_files(o, compiler, text, jobs, arena, why))
		return false;
	sr_buf_init(&block, arena);
	for (int k = 0; k < text->n; k++) {
		struct sr_jit_object_header head = {.bytes = jobs[k].n};
		sr_buf_put(&block, (const char *)&head, sizeof head);
		sr_buf_put(&block, jobs[k].object, jobs[k].n);
	}
	out->key = sr_jit_source_digest(text);
	out->object = block.data;
	out->n = block.n;
	return true;
}

bool sr_jit_emit_source(const char *dir, const struct sr_jit_source *text, struct sr_arena *arena, const char **why)
{
	const char *path = dir;
	bool is_written = !mkdir(dir, 0777) || errno == EEXIST;
	for (int k = 0; is_written && k < text->n; k++) {
		path = k ? sr_printf(arena, "%s/jit_%d.c", dir, k + 1) : sr_printf(arena, "%s/jit.c", dir);
		is_written = (!unlink(path) || errno == ENOENT) && write_file(path, text->files[k].data, text->files[k].n) &&
			     !chmod(path, 0644);
	}
	if (!is_written)
		*why = sr_printf(arena, "%s: %s", path, strerror(errno));
	return is_written;
}
