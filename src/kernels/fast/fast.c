/* Registration of faster kernels in place of the reference ones: general ones first, those of an instruction set last. */
#include "kernels/fast/fast.h"

const char *const sr_isa_names[SR_ISA_COUNT] = {
#define ISA(ID, name, ...) [SR_ISA_##ID] = #name,
#include "kernels/fast/isa.def"
};

enum sr_isa sr_isa_detect(void)
{
	enum sr_isa best = SR_ISA_BASE;

#if defined(__x86_64__)
	__builtin_cpu_init();
#define HAS(feature) __builtin_cpu_supports(feature)
#define ISA(ID, name, core, features) \
	if (features) \
		best = SR_ISA_##ID;
#include "kernels/fast/isa.def"
#undef HAS
#endif
	return best;
}

void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa)
{
	static const struct {
		void (*loops)(struct sr_kernels *table), (*scatter)(struct sr_kernels *table), (*gemm)(struct sr_kernels *table);
	} by_isa[SR_ISA_COUNT] = {
#define ISA(ID, name, ...) [SR_ISA_##ID] = {sr_kernels_fast_loops_##name, sr_kernels_fast_scatter_##name, sr_kernels_fast_gemm_##name},
#include "kernels/fast/isa.def"
	};

	if (sr_blas_is_open()) {
		sr_kernels_fast_product(table);
		sr_kernels_fast_lapack(table);
	}
	by_isa[isa].gemm(table);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(table);
	sr_kernels_fast_sort(table);
	sr_kernels_fast_fft(table, isa);
	by_isa[isa].scatter(table);
	by_isa[isa].loops(table);
}

void sr_kernels_fast_init(struct sr_kernels *table)
{
	sr_kernels_fast_init_isa(table, sr_isa_detect());
}
