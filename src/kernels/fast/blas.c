/* Load OpenBLAS with the kernels of an instruction set. */
#include "kernels/fast/blas.h"
#include "kernels/fast/library.h"
#include "support/knobs/knobs.h"
#include "support/thread.h"
#include <pthread.h>
#include <stdlib.h>

struct sr_blas sr_blas;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool opened;
static int n_holders, threads_before; /* unmatched calls of sr_blas_begin_single_thread; number of threads before the first */

static const struct sr_library_row rows[] = {
#define BLAS(name) {#name, offsetof(struct sr_blas, name), false},
#define LAPACK(name, ...) {#name, offsetof(struct sr_blas, name), false},
#define OPTIONAL(result, name, ...) {#name, offsetof(struct sr_blas, name), true},
#include "kernels/fast/blas.def"
};

static const char *const cores[SR_ISA_COUNT] = {
#if defined(__x86_64__)
#define ISA(ID, name, core, ...) [SR_ISA_##ID] = core,
#include "kernels/fast/isa.def"
#endif
};

/* Set an environment variable for the library to read while it is loaded, unless the user has. Returns true if it was set. */
static bool set_default(const char *name, const char *value)
{
	return value && !sr_env(name) && !setenv(name, value, 0);
}

static const char *load(enum sr_isa isa)
{
	sr_environment_lock();
	/* do not start threads while loading */
	bool core = set_default("OPENBLAS_CORETYPE", cores[isa]), threads = set_default("OPENBLAS_NUM_THREADS", "1");
	const char *message = sr_library_open(SR_BLAS_LIBRARY, rows, sizeof rows / sizeof *rows, &sr_blas);
	if (core)
		unsetenv("OPENBLAS_CORETYPE");
	if (threads)
		unsetenv("OPENBLAS_NUM_THREADS");
	sr_environment_unlock();
	return message;
}

const char *sr_blas_open(enum sr_isa isa)
{
	const char *message = NULL;
	pthread_mutex_lock(&lock);
	if (!opened)
		message = load(isa);
	opened = opened || !message;
	pthread_mutex_unlock(&lock);
	return message;
}

bool sr_blas_is_open(void)
{
	pthread_mutex_lock(&lock);
	bool is = opened;
	pthread_mutex_unlock(&lock);
	return is;
}

const char *sr_blas_version(void)
{
	return sr_blas.openblas_get_config ? sr_blas.openblas_get_config() : SR_BLAS_LIBRARY;
}

const char *sr_blas_core(void)
{
	return sr_blas.openblas_get_corename ? sr_blas.openblas_get_corename() : "unknown";
}

void sr_blas_begin_single_thread(void)
{
	pthread_mutex_lock(&lock);
	if (!n_holders++ && sr_blas.openblas_set_num_threads && sr_blas.openblas_get_num_threads) {
		threads_before = sr_blas.openblas_get_num_threads();
		sr_blas.openblas_set_num_threads(1);
	}
	pthread_mutex_unlock(&lock);
}

void sr_blas_end_single_thread(void)
{
	pthread_mutex_lock(&lock);
	if (!--n_holders && sr_blas.openblas_set_num_threads && sr_blas.openblas_get_num_threads)
		sr_blas.openblas_set_num_threads(threads_before);
	pthread_mutex_unlock(&lock);
}
