/* FFT of the instruction set that is asked for. */
#include "kernels/fast/fft/fft.h"

#define PREPARE(isa) \
	static struct sr_prepared_kernel *prepare_##isa(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range) \
	{ \
		return sr_fft_prepare(&sr_fft_##isa, t, params); \
	}
PREPARE(base)
#if defined(__x86_64__)
PREPARE(avx2)
PREPARE(avx512)
#else
#define prepare_avx2 prepare_base
#define prepare_avx512 prepare_base
#endif

void sr_kernels_fast_fft(struct sr_kernels *table, enum sr_isa isa)
{
	static sr_kernel_prepare_fn *const prepare[SR_ISA_COUNT] = {
		[SR_ISA_BASE] = prepare_base, [SR_ISA_AVX2] = prepare_avx2, [SR_ISA_AVX512] = prepare_avx512};
	table->prepare[SR_KERNEL_FFT] = prepare[isa];
}
