/* Micro-kernels of VECTORS vectors of WIDTH bytes, for every number of rows. Included by type_body.h. */
#define ROWS 1
#include "kernels/fast/gemm/micro_kernel_body.h"
#define ROWS 2
#include "kernels/fast/gemm/micro_kernel_body.h"
#define ROWS 4
#include "kernels/fast/gemm/micro_kernel_body.h"
#if MAX_ROWS > 4
#define ROWS 8
#include "kernels/fast/gemm/micro_kernel_body.h"
#endif
#undef VECTORS
