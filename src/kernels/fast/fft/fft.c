/* Registration of the FFT kernels of an instruction set. */
#include "kernels/fast/fft/fft.h"

#if defined(__x86_64__)
#define ROUTINES(name) sr_fft_##name
#else
#define ROUTINES(name) sr_fft_base
#endif
#define ISA(ID, name, ...) \
	static struct sr_prepared_kernel *prepare_##name(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range) \
	{ \
		return sr_fft_prepare(&ROUTINES(name), t, params); \
	}
#include "kernels/fast/isa.def"

void sr_kernels_fast_fft(struct sr_kernels *table, enum sr_isa isa)
{
	static sr_kernel_prepare_fn *const prepare[SR_ISA_COUNT] = {
#define ISA(ID, name, ...) [SR_ISA_##ID] = prepare_##name,
#include "kernels/fast/isa.def"
	};

	table->prepare[SR_KERNEL_FFT] = prepare[isa];
}
