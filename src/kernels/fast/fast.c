/* Registration of faster kernels in place of the reference ones: general ones first, those of an instruction set last. */
#include "kernels/fast/fast.h"

const char *const sr_isa_names[SR_ISA_COUNT] = {[SR_ISA_BASE] = "base", [SR_ISA_AVX2] = "avx2", [SR_ISA_AVX512] = "avx512"};

enum sr_isa sr_isa_detect(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
		return SR_ISA_AVX512;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
		return SR_ISA_AVX2;
#endif
	return SR_ISA_BASE;
}

void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa)
{
	static const struct {
		void (*loops)(struct sr_kernels *table), (*scatter)(struct sr_kernels *table), (*gemm)(struct sr_kernels *table);
	} of[SR_ISA_COUNT] = {
		[SR_ISA_BASE] = {sr_kernels_fast_loops_base, sr_kernels_fast_scatter_base, sr_kernels_fast_gemm_base},
		[SR_ISA_AVX2] = {sr_kernels_fast_loops_avx2, sr_kernels_fast_scatter_avx2, sr_kernels_fast_gemm_avx2},
		[SR_ISA_AVX512] = {sr_kernels_fast_loops_avx512, sr_kernels_fast_scatter_avx512, sr_kernels_fast_gemm_avx512},
	};

	if (sr_blas_is_open()) {
		sr_kernels_fast_product(table);
		sr_kernels_fast_lapack(table);
	}
	of[isa].gemm(table);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(table);
	sr_kernels_fast_sort(table);
	sr_kernels_fast_fft(table, isa);
	of[isa].scatter(table);
	of[isa].loops(table);
}

void sr_kernels_fast_init(struct sr_kernels *table)
{
	sr_kernels_fast_init_isa(table, sr_isa_detect());
}
