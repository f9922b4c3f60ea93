/* Faster kernels, registered over the reference ones. Every one is checked against the reference in tests/unit/kernels_fast.c.
 *
 * Products go to BLAS; loops are written so that the compiler vectorises them, once for the baseline, once for AVX2 and once for AVX-512. A
 * program that must give the same bits on several machines takes the least of their instruction sets. */
#ifndef SR_KERNELS_FAST_FAST_H
#define SR_KERNELS_FAST_FAST_H

#include "kernels/kernel.h"
#include "support/buf.h"

enum sr_isa { SR_ISA_BASE, SR_ISA_AVX2, SR_ISA_AVX512, SR_ISA_COUNT };
extern const char *const sr_isa_names[SR_ISA_COUNT];

enum sr_isa sr_isa_detect(void); /* the best one that this machine runs */
void sr_kernels_fast_init(struct sr_kernels *table); /* for this machine; table has been through sr_kernels_init */
void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa);

/* OpenBLAS, loaded with the kernels of an instruction set; the first call of a process decides. NULL where it is there, else what is wrong:
 * then products are the reference's, and there is no LAPACK. To be called before the tables are filled. */
const char *sr_blas_open(enum sr_isa isa);
bool sr_blas_is_open(void);
const char *sr_blas_version(void); /* of the open library, as it calls itself */
const char *sr_blas_core(void);    /* whose kernels it took */
/* Have the open library compute on the calling thread alone, in the whole process, until as many releases: then it has as many
 * threads as before the first hold. Another BLAS than OpenBLAS goes by its own variables. Any thread may call these. */
void sr_blas_begin_single_thread(void);
void sr_blas_end_single_thread(void);

/* oneDNN, where shardrun was built with it: loaded (a number that says version and what this machine runs, within `isa`; 0, and why or NULL, where there is
 * none), then held to the least of the ranks' numbers, or not used where their versions differ. Then tables that are filled have kernels of
 * it. The first call of a process decides. */
uint64_t sr_dnnl_open(enum sr_isa isa, const char **message);
void sr_dnnl_limit(uint64_t least, uint64_t most);
bool sr_dnnl_is_open(void);
void sr_dnnl_describe(struct sr_buf *out); /* where it is open: "oneDNN 2.6.3; kernels for AVX2" */

/* ---- what the files of this folder register ---- */
void sr_kernels_fast_product(struct sr_kernels *table);
void sr_kernels_fast_gemm_base(struct sr_kernels *table);
void sr_kernels_fast_gemm_avx2(struct sr_kernels *table);
void sr_kernels_fast_gemm_avx512(struct sr_kernels *table);
void sr_kernels_fast_dnnl(struct sr_kernels *table);
void sr_kernels_fast_dnnl_convolution(struct sr_kernels *table);
void sr_kernels_fast_lapack(struct sr_kernels *table);
void sr_kernels_fast_sort(struct sr_kernels *table);
void sr_kernels_fast_scatter_base(struct sr_kernels *table);
void sr_kernels_fast_scatter_avx2(struct sr_kernels *table);
void sr_kernels_fast_scatter_avx512(struct sr_kernels *table);
void sr_kernels_fast_fft(struct sr_kernels *table, enum sr_isa isa);
void sr_kernels_fast_loops_base(struct sr_kernels *table);
void sr_kernels_fast_loops_avx2(struct sr_kernels *table);
void sr_kernels_fast_loops_avx512(struct sr_kernels *table);

#endif
