/* Matrix products of bf16 by the processor's instructions for sums of bf16 products. */
#ifndef SR_KERNELS_FAST_GEMM_BF16_H
#define SR_KERNELS_FAST_GEMM_BF16_H

#include "kernels/kernel.h"

/* Prepare a product of bf16 matrices with result bf16 or f32. Return NULL if it is not supported or if memory runs out. The processor
 * must have the instructions of AVX512_BF16. */
struct sr_prepared_kernel *sr_gemm_prepare_bf16(const struct sr_product_params *p);

#endif
