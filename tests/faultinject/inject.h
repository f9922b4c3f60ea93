/* Make one call of the library fail: an allocation, an MPI call or a file operation. A program that includes this file replaces
 * the functions of these calls; only calls from libshardrun are counted. The memory that the library has allocated and not freed
 * is counted, too.
 *
 *	inject_begin(INJECT_MPI, 3);       the fourth MPI call from now on fails
 *	...
 *	if (inject_end() <= 3) ...         no call failed, since there were fewer than four
 */
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <shardrun.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum inject_kind { INJECT_NONE, INJECT_ALLOCATION, INJECT_MPI, INJECT_MPI_AFTER, INJECT_MPI_LATE, INJECT_FILE };

static struct {
	uintptr_t begin_address, end_address; /* first and last address of the library's code */
	long fail_at;
	_Atomic long n_calls;
	volatile enum inject_kind kind;
	const char *volatile failed_call; // name of the call that the injection made fail
} inject;

static int inject_find(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t library_function = (uintptr_t)&shardrun_module_read;
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && library_function >= begin && library_function < end) {
			inject.begin_address = begin;
			inject.end_address = end;
		}
	}
	return 0;
}

static void inject_begin(enum inject_kind kind, long fail_at)
{
	if (!inject.end_address)
		dl_iterate_phdr(inject_find, NULL);
	inject.fail_at = fail_at;
	inject.n_calls = 0;
	inject.failed_call = NULL;
	inject.kind = kind;
}

static long inject_end(void)
{
	inject.kind = INJECT_NONE;
	return inject.n_calls;
}

static int inject_is_library(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	return at >= inject.begin_address && at < inject.end_address;
}

static int inject_fails(enum inject_kind kind, const void *caller, const char *name)
{
	if (inject.kind != kind || !inject_is_library(caller) || atomic_fetch_add(&inject.n_calls, 1) != inject.fail_at)
		return 0;
	inject.failed_call = name;
	return 1;
}

// ---- allocations; the table holds the complements of addresses that the library has not freed: LeakSanitizer takes no complement for a pointer ----

#ifdef INJECT_ADDRESS_SANITIZER // Linked with the sanitizer, but compiled without its checks: they fail before it starts.
#define INJECT_REAL(name) __interceptor_##name
#else
#define INJECT_REAL(name) __libc_##name
#endif
enum { INJECT_SLOTS = 1 << 20 };
static uintptr_t inject_live[INJECT_SLOTS];
static atomic_flag inject_lock = ATOMIC_FLAG_INIT;
static long inject_n_live, inject_n_mapped;

extern void *INJECT_REAL(malloc)(size_t n);
extern void *INJECT_REAL(calloc)(size_t n, size_t size);
extern void *INJECT_REAL(realloc)(void *p, size_t n);
extern void *INJECT_REAL(memalign)(size_t align, size_t n);
extern void INJECT_REAL(free)(void *p);

static size_t inject_slot(uintptr_t complement)
{
	size_t at = (complement >> 4) * 0x9e3779b97f4a7c15u % INJECT_SLOTS;
	while (inject_live[at] && inject_live[at] != complement)
		at = (at + 1) % INJECT_SLOTS;
	return at;
}

static void *inject_add(void *p)
{
	while (p && atomic_flag_test_and_set(&inject_lock))
		;
	if (p) {
		inject_live[inject_slot(~(uintptr_t)p)] = ~(uintptr_t)p;
		inject_n_live++;
		atomic_flag_clear(&inject_lock);
	}
	return p;
}

static void inject_remove(void *p)
{
	if (!p)
		return;
	while (atomic_flag_test_and_set(&inject_lock))
		;
	size_t at = inject_slot(~(uintptr_t)p);
	if (inject_live[at]) {
		inject_n_live--;
		inject_live[at] = 0;
		for (size_t i = (at + 1) % INJECT_SLOTS; inject_live[i]; i = (i + 1) % INJECT_SLOTS) { // move later entries into the gap of the removed one
			uintptr_t moved_address = inject_live[i];
			inject_live[i] = 0;
			inject_live[inject_slot(moved_address)] = moved_address;
		}
	}
	atomic_flag_clear(&inject_lock);
}

#define INJECT_HERE __builtin_return_address(0)
#define INJECT_ALLOCATE(name, call)                                                        \
	do {                                                                               \
		const void *caller = INJECT_HERE;                                          \
		if (inject_fails(INJECT_ALLOCATION, caller, name))                         \
			return errno = ENOMEM, NULL;                                       \
		return inject_is_library(caller) ? inject_add(call) : call;                \
	} while (0)

void *malloc(size_t n)
{
	INJECT_ALLOCATE("malloc", INJECT_REAL(malloc)(n));
}

void *calloc(size_t n, size_t size)
{
	INJECT_ALLOCATE("calloc", INJECT_REAL(calloc)(n, size));
}

void *aligned_alloc(size_t align, size_t n)
{
	INJECT_ALLOCATE("aligned_alloc", INJECT_REAL(memalign)(align, n));
}

void *realloc(void *p, size_t n)
{
	const void *caller = INJECT_HERE;
	if (inject_fails(INJECT_ALLOCATION, caller, "realloc"))
		return errno = ENOMEM, NULL;
	inject_remove(p);
	void *q = INJECT_REAL(realloc)(p, n);
	return inject_is_library(caller) ? inject_add(q) : q;
}

int posix_memalign(void **out, size_t align, size_t n)
{
	const void *caller = INJECT_HERE;
	if (inject_fails(INJECT_ALLOCATION, caller, "posix_memalign"))
		return ENOMEM;
	*out = INJECT_REAL(memalign)(align, n);
	if (inject_is_library(caller))
		inject_add(*out);
	return *out ? 0 : ENOMEM;
}

void free(void *p)
{
	inject_remove(p);
	INJECT_REAL(free)(p);
}

// ---- calls of the system ----

#define INJECT_NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))
#define INJECT_WRAP(kind, error, failure, result, name, parameters, arguments)             \
	result name parameters;                                                            \
	result name parameters                                                             \
	{                                                                                  \
		static result(*next) parameters;                                           \
		if (inject_fails(kind, INJECT_HERE, #name))                                \
			return errno = error, failure;                                     \
		if (!next)                                                                 \
			next = INJECT_NEXT(result(*) parameters, #name);                   \
		return next arguments;                                                     \
	}
#define INJECT_OUT_OF_MEMORY(...) INJECT_WRAP(INJECT_ALLOCATION, ENOMEM, __VA_ARGS__)
#define INJECT_BROKEN(...) INJECT_WRAP(INJECT_FILE, EIO, __VA_ARGS__)

INJECT_OUT_OF_MEMORY(-1, int, memfd_create, (const char *name, unsigned flags), (name, flags))
INJECT_OUT_OF_MEMORY(-1, int, ftruncate, (int fd, off_t n), (fd, n))
INJECT_OUT_OF_MEMORY(ENOSPC, int, posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n))
INJECT_OUT_OF_MEMORY(-1, int, eventfd, (unsigned n, int flags), (n, flags))
INJECT_BROKEN(-1, ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
INJECT_BROKEN(-1, ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
INJECT_BROKEN(-1, ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
INJECT_BROKEN(-1, ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
INJECT_BROKEN(-1, int, rename, (const char *a, const char *b), (a, b))
INJECT_BROKEN(-1, int, fsync, (int fd), (fd))
INJECT_BROKEN(-1, int, fstat, (int fd, struct stat *s), (fd, s))
INJECT_BROKEN(-1, int, stat, (const char *path, struct stat *s), (path, s))
INJECT_BROKEN(NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
INJECT_BROKEN(0, size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))

int open(const char *path, int flags, ...)
{
	static int (*next)(const char *path, int flags, int mode);
	if (inject_fails(INJECT_FILE, INJECT_HERE, "open"))
		return errno = EIO, -1;
	if (!next)
		next = INJECT_NEXT(int (*)(const char *, int, int), "open");
	va_list list;
	va_start(list, flags);
	int mode = flags & O_CREAT ? va_arg(list, int) : 0;
	va_end(list);
	return next(path, flags, mode);
}

// The file is closed even if the injected failure makes close return an error.
int close(int fd)
{
	static int (*next)(int fd);
	int fails = inject_fails(INJECT_FILE, INJECT_HERE, "close");
	if (!next)
		next = INJECT_NEXT(int (*)(int), "close");
	int code = next(fd);
	return fails ? (errno = EIO, -1) : code;
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	static void *(*next)(void *at, size_t n, int protection, int flags, int fd, off_t offset);
	const void *caller = INJECT_HERE;
	if (inject_fails(INJECT_ALLOCATION, caller, "mmap"))
		return errno = ENOMEM, MAP_FAILED;
	if (!next)
		next = INJECT_NEXT(void *(*)(void *, size_t, int, int, int, off_t), "mmap");
	void *p = next(at, n, protection, flags, fd, offset);
	if (p != MAP_FAILED && inject_is_library(caller) && !(flags & MAP_FIXED))
		__atomic_fetch_add(&inject_n_mapped, 1, __ATOMIC_RELAXED);
	return p;
}

int munmap(void *p, size_t n)
{
	static int (*next)(void *p, size_t n);
	if (!next)
		next = INJECT_NEXT(int (*)(void *, size_t), "munmap");
	if (inject_is_library(INJECT_HERE))
		__atomic_fetch_sub(&inject_n_mapped, 1, __ATOMIC_RELAXED);
	return next(p, n);
}

// ---- MPI; INJECT_MPI_AFTER makes the call and returns an error ----

#define INJECT_MPI_CALL(name, parameters, arguments)                                       \
	int MPI_##name parameters                                                          \
	{                                                                                  \
		const void *caller = INJECT_HERE;                                          \
		if (inject_fails(INJECT_MPI, caller, "MPI_" #name))                        \
			return MPI_ERR_OTHER;                                              \
		int code = PMPI_##name arguments;                                          \
		return inject_fails(INJECT_MPI_AFTER, caller, "MPI_" #name) ? MPI_ERR_OTHER : code; \
	}
INJECT_MPI_CALL(Comm_rank, (MPI_Comm c, int *r), (c, r))
INJECT_MPI_CALL(Comm_size, (MPI_Comm c, int *n), (c, n))
INJECT_MPI_CALL(Comm_get_errhandler, (MPI_Comm c, MPI_Errhandler *e), (c, e))
INJECT_MPI_CALL(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler e), (c, e))
INJECT_MPI_CALL(Errhandler_free, (MPI_Errhandler *e), (e))
INJECT_MPI_CALL(Comm_idup, (MPI_Comm c, MPI_Comm *out, MPI_Request *r), (c, out, r))
INJECT_MPI_CALL(Comm_free, (MPI_Comm *c), (c))
INJECT_MPI_CALL(Comm_get_attr, (MPI_Comm c, int key, void *value, int *flag), (c, key, value, flag))
INJECT_MPI_CALL(Irecv, (void *p, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r), (p, n, t, from, tag, c, r))
INJECT_MPI_CALL(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
INJECT_MPI_CALL(Iallgather, (const void *p, int n, MPI_Datatype t, void *q, int m, MPI_Datatype u, MPI_Comm c, MPI_Request *r),
		(p, n, t, q, m, u, c, r))
INJECT_MPI_CALL(Query_thread, (int *level), (level))
INJECT_MPI_CALL(Is_thread_main, (int *flag), (flag))
INJECT_MPI_CALL(Initialized, (int *flag), (flag))
INJECT_MPI_CALL(Finalized, (int *flag), (flag))

// INJECT_MPI_LATE: a call that gives data to other ranks returns an error, and inject_make_late_call makes it. The other ranks have then stopped
// waiting, but MPI still writes the data to the memory of their receives.
static struct {
	enum { INJECT_LATE_NONE, INJECT_LATE_SEND, INJECT_LATE_BROADCAST, INJECT_LATE_REDUCE } call;
	void *data;    // copy of the data to send
	void **copies; // list of all copies, which are not freed: MPI may still read them
	int n, rank, tag;
	MPI_Datatype type;
	MPI_Op op;
	MPI_Comm comm;
} inject_late;

static int inject_delay(int call, const void *data, int n, MPI_Datatype type, MPI_Op op, int rank, int tag, MPI_Comm comm)
{
	enum { HEAD = 2 }; // pointers before the data: the next copy, and padding
	int size;
	PMPI_Type_size(type, &size);
	void **copy = INJECT_REAL(calloc)(1, HEAD * sizeof *copy + (size_t)n * (size_t)size);
	*copy = inject_late.copies;
	inject_late.copies = copy;
	inject_late.call = call;
	inject_late.data = copy + HEAD;
	memcpy(inject_late.data, data, (size_t)n * (size_t)size);
	inject_late.n = n;
	inject_late.rank = rank;
	inject_late.tag = tag;
	inject_late.type = type;
	inject_late.op = op;
	inject_late.comm = comm;
	return MPI_ERR_OTHER;
}

// Make the delayed call, if there is one. All ranks call this function, so that MPI makes progress on all of them.
static void inject_make_late_call(void)
{
	enum { POLLS = 1000 };
	MPI_Request request = MPI_REQUEST_NULL;
	int is_done = 0;
	if (inject_late.call == INJECT_LATE_SEND)
		PMPI_Isend(inject_late.data, inject_late.n, inject_late.type, inject_late.rank, inject_late.tag, inject_late.comm, &request);
	else if (inject_late.call == INJECT_LATE_BROADCAST)
		PMPI_Ibcast(inject_late.data, inject_late.n, inject_late.type, inject_late.rank, inject_late.comm, &request);
	else if (inject_late.call == INJECT_LATE_REDUCE)
		PMPI_Iallreduce(MPI_IN_PLACE, inject_late.data, inject_late.n, inject_late.type, inject_late.op, inject_late.comm, &request);
	inject_late.call = INJECT_LATE_NONE;
	for (int i = 0; i < POLLS && !is_done; i++)
		PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
	PMPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < POLLS; i++)
		PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_done, MPI_STATUS_IGNORE);
	PMPI_Barrier(MPI_COMM_WORLD);
}

#define INJECT_MPI_DATA_CALL(name, parameters, arguments, delayed)                         \
	int MPI_##name parameters                                                          \
	{                                                                                  \
		const void *caller = INJECT_HERE;                                          \
		if (inject_fails(INJECT_MPI_LATE, caller, "MPI_" #name))                   \
			return inject_delay delayed;                                       \
		if (inject_fails(INJECT_MPI, caller, "MPI_" #name))                        \
			return MPI_ERR_OTHER;                                              \
		int code = PMPI_##name arguments;                                          \
		return inject_fails(INJECT_MPI_AFTER, caller, "MPI_" #name) ? MPI_ERR_OTHER : code; \
	}
INJECT_MPI_DATA_CALL(Isend, (const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (p, n, t, to, tag, c, r),
		     (INJECT_LATE_SEND, p, n, t, MPI_OP_NULL, to, tag, c))
INJECT_MPI_DATA_CALL(Ibcast, (void *p, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r), (p, n, t, root, c, r),
		     (INJECT_LATE_BROADCAST, p, n, t, MPI_OP_NULL, root, 0, c))
INJECT_MPI_DATA_CALL(Iallreduce, (const void *p, void *q, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request *r), (p, q, n, t, op, c, r),
		     (INJECT_LATE_REDUCE, p, n, t, op, 0, 0, c))

// How often a wait calls MPI_Test depends on time, so only a test that completes is counted.
#define INJECT_MPI_TEST(name, parameters, arguments)                                       \
	int MPI_##name parameters                                                          \
	{                                                                                  \
		int code = PMPI_##name arguments;                                          \
		enum inject_kind kind = inject.kind == INJECT_MPI ? INJECT_MPI : INJECT_MPI_AFTER; \
		return *flag && inject_fails(kind, INJECT_HERE, "MPI_" #name) ? MPI_ERR_OTHER : code; \
	}
INJECT_MPI_TEST(Test, (MPI_Request *r, int *flag, MPI_Status *s), (r, flag, s))
INJECT_MPI_TEST(Testall, (int n, MPI_Request *r, int *flag, MPI_Status *s), (n, r, flag, s))
