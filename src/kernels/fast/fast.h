/* Faster kernels, registered in place of the reference kernels. tests/unit/kernels_fast.c compares each with its reference.
 *
 * Loops are written for the compiler to vectorize and are compiled for the baseline, AVX2 and AVX-512. Matrix products are computed
 * by kernels/fast/gemm, oneDNN or BLAS (doc/adding-a-kernel.md). A program that must give the same bits on several machines uses an
 * instruction set that all of them have. */
#ifndef SR_KERNELS_FAST_FAST_H
#define SR_KERNELS_FAST_FAST_H

#include "kernels/kernel.h"
#include "support/buf.h"

/* Features of processors. In a set of features, bit F stands for enum sr_cpu_feature F. Ranks use the intersection of their
 * sets. */
enum sr_cpu_feature {
#define FEATURE(ID, ...) SR_FEATURE_##ID,
#include "kernels/fast/cpu_features.def"
	SR_FEATURE_COUNT
};
#define SR_FEATURE(id) (UINT64_C(1) << SR_FEATURE_##id)
uint64_t sr_cpu_features(void); /* Return the features of this machine. */

/* Instruction sets, in order of preference. */
enum sr_isa {
#define ISA(ID, ...) SR_ISA_##ID,
#include "kernels/fast/isa.def"
	SR_ISA_COUNT
};
extern const char *const sr_isa_names[SR_ISA_COUNT];

enum sr_isa sr_isa_select(uint64_t features); /* Return the preferred instruction set whose features are all in the set. */
enum sr_isa sr_isa_detect(void);              /* Return the preferred instruction set that this machine supports. */
/* Return true if all features that instruction set `isa` requires are in the set. */
bool sr_isa_is_within(enum sr_isa isa, uint64_t features);
/* Return the features that kernels, compiled code and libraries may use if a user limits them to an instruction set. */
uint64_t sr_isa_features(enum sr_isa isa);
/* sr_isa_find returns the instruction set of this name, or SR_ISA_COUNT if there is none; sr_isa_list returns "base, avx2 or
 * avx512" for messages. */
enum sr_isa sr_isa_find(const char *name, size_t n);
const char *sr_isa_list(struct sr_arena *arena);
/* Register the kernels for this machine in a table filled by sr_kernels_init. */
void sr_kernels_fast_init(struct sr_kernels *table);
void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa);

/* Load OpenBLAS, which selects its own kernels (sr_blas_core). Returns NULL on success, otherwise the error message; then products
 * use other kernels and LAPACK is not available. Call this before filling kernel tables. */
const char *sr_blas_open(void);
void sr_blas_disable(void); /* Leave OpenBLAS unused from now on, as if it could not be loaded. */
/* Return the value for the environment variable OPENBLAS_CORETYPE with which OpenBLAS uses kernels of this instruction set; NULL:
 * none. OpenBLAS reads the variable while it is loaded. */
const char *sr_blas_core_of(enum sr_isa isa);
bool sr_blas_is_open(void);
const char *sr_blas_version(void); /* Return the version string of the loaded OpenBLAS. */
const char *sr_blas_core(void);    /* Return the name of the processor type whose kernels the loaded OpenBLAS uses. */
/* sr_blas_begin_single_thread makes OpenBLAS compute on the calling thread only, in the whole process, until
 * sr_blas_end_single_thread has been called as often; then the previous number of threads is restored. No effect on other BLAS
 * libraries, which have their own environment variables. Thread-safe. */
void sr_blas_begin_single_thread(void);
void sr_blas_end_single_thread(void);

/* oneDNN, if shardrun was built with it. sr_dnnl_open loads it and returns a number for the version and the instruction set, within
 * `features`, that it will use; 0 if it is not available; *message is then the reason or NULL. sr_dnnl_limit takes the minimum and
 * the maximum of these numbers over all ranks: it limits oneDNN to the minimum's instruction set, or leaves it unused if versions
 * differ. Kernel tables filled afterwards use it. The first call in a process decides. */
uint64_t sr_dnnl_open(uint64_t features, const char **message);
void sr_dnnl_limit(uint64_t min, uint64_t max);
bool sr_dnnl_is_open(void);
void sr_dnnl_describe(struct sr_buf *out); /* Append text such as "oneDNN 2.6.3; kernels for AVX2". Requires sr_dnnl_is_open. */

/* ---- registration functions of the files in this folder ---- */
void sr_kernels_fast_product(struct sr_kernels *table);
void sr_kernels_fast_dnnl(struct sr_kernels *table);
void sr_kernels_fast_dnnl_convolution(struct sr_kernels *table);
void sr_kernels_fast_lapack(struct sr_kernels *table);
/* Register kernels for batches of small matrices. They pass other batches on to the kernels of sr_kernels_fast_lapack, which must
 * have been registered before. */
void sr_kernels_fast_small_factors(struct sr_kernels *table, enum sr_isa isa);
#define ISA(ID, name, ...) \
	void sr_kernels_fast_gemm_##name(struct sr_kernels *table); \
	void sr_kernels_fast_scatter_##name(struct sr_kernels *table); \
	void sr_kernels_fast_sort_##name(struct sr_kernels *table); \
	void sr_kernels_fast_loops_##name(struct sr_kernels *table);
#include "kernels/fast/isa.def"
void sr_kernels_fast_fft(struct sr_kernels *table, enum sr_isa isa);

#endif
