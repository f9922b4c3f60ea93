/* Faster kernels, registered over the reference ones. Every one is checked against the reference in tests/unit/kernels_fast.c.
 *
 * Products go to BLAS; loops are written so that the compiler vectorises them, once for the baseline, once for AVX2 and once for AVX-512. A
 * program that must give the same bits on several machines takes the least of their instruction sets. */
#ifndef SR_KERNELS_FAST_FAST_H
#define SR_KERNELS_FAST_FAST_H

#include "kernels/kernel.h"

enum sr_isa { SR_ISA_BASE, SR_ISA_AVX2, SR_ISA_AVX512, SR_ISA_COUNT };
extern const char *const sr_isa_names[SR_ISA_COUNT];

enum sr_isa sr_isa_here(void); /* the best one that this machine runs */
void sr_kernels_fast_init(struct sr_kernels *table); /* for this machine; table has been through sr_kernels_init */
void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa);

/* OpenBLAS, loaded with the kernels of an instruction set; the first call of a process decides. NULL where it is there, else what is wrong:
 * then products are the reference's, and there is no LAPACK. To be called before the tables are filled. */
const char *sr_blas_open(enum sr_isa isa);
bool sr_blas_is_open(void);
const char *sr_blas_version(void); /* of the open library, as it calls itself */
const char *sr_blas_core(void);    /* whose kernels it took */
void sr_fast_set_threads(int n);   /* of the open library, in the whole process; at least 1 */

/* ---- what the files of this folder register ---- */
void sr_kernels_fast_product(struct sr_kernels *table);
void sr_kernels_fast_convolution(struct sr_kernels *table);
void sr_kernels_fast_lapack(struct sr_kernels *table);
void sr_kernels_fast_sort(struct sr_kernels *table);
void sr_kernels_fast_scatter(struct sr_kernels *table);
void sr_kernels_fast_loops_base(struct sr_kernels *table);
void sr_kernels_fast_loops_avx2(struct sr_kernels *table);
void sr_kernels_fast_loops_avx512(struct sr_kernels *table);

#endif
