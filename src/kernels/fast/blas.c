/* Loading of OpenBLAS, with its kernels for an instruction set. */
#include "kernels/fast/blas.h"
#include "kernels/fast/library.h"
#include <pthread.h>

struct sr_blas sr_blas;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_opened, is_disabled;
/* number of sr_blas_begin_single_thread calls that have not been ended; OpenBLAS's number of threads before the first of them */
static int n_holders, saved_threads;

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

const char *sr_blas_core_of(enum sr_isa isa)
{
	return cores[isa];
}

const char *sr_blas_open(void)
{
	const char *message = NULL;
	pthread_mutex_lock(&lock);
	if (!is_opened)
		message = sr_library_open(SR_BLAS_LIBRARY, rows, sizeof rows / sizeof *rows, &sr_blas);
	is_opened = is_opened || !message;
	pthread_mutex_unlock(&lock);
	return message;
}

void sr_blas_disable(void)
{
	pthread_mutex_lock(&lock);
	is_disabled = true;
	pthread_mutex_unlock(&lock);
}

bool sr_blas_is_open(void)
{
	pthread_mutex_lock(&lock);
	bool is = is_opened && !is_disabled;
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
		saved_threads = sr_blas.openblas_get_num_threads();
		sr_blas.openblas_set_num_threads(1);
	}
	pthread_mutex_unlock(&lock);
}

void sr_blas_end_single_thread(void)
{
	pthread_mutex_lock(&lock);
	if (!--n_holders && sr_blas.openblas_set_num_threads && sr_blas.openblas_get_num_threads)
		sr_blas.openblas_set_num_threads(saved_threads);
	pthread_mutex_unlock(&lock);
}
