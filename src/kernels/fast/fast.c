/* Registration of faster kernels in place of the reference kernels: those for any machine first, those of an instruction set
 * last. */
#include "kernels/fast/fast.h"
#include "kernels/nest/access.h"
#include "support/arena.h"
#include <string.h>

const char *const sr_isa_names[SR_ISA_COUNT] = {
#define ISA(ID, name, ...) [SR_ISA_##ID] = #name,
#include "kernels/fast/isa.def"
};

uint64_t sr_cpu_features(void)
{
	uint64_t features = 0;
#if defined(__x86_64__)
	__builtin_cpu_init();
#define HAS(feature) __builtin_cpu_supports(feature)
#define FEATURE(ID, test) features |= (test) ? SR_FEATURE(ID) : 0;
#include "kernels/fast/cpu_features.def"
#undef HAS
#endif
	return features;
}

static const struct {
	uint64_t required_features, optional_features;
} rows[SR_ISA_COUNT] = {
#define F(id) SR_FEATURE(id)
#define ISA(ID, name, core, flag, requires, optional) [SR_ISA_##ID] = {requires, optional},
#include "kernels/fast/isa.def"
#undef F
};

bool sr_isa_is_within(enum sr_isa isa, uint64_t features)
{
	return !(rows[isa].required_features & ~features);
}

uint64_t sr_isa_features(enum sr_isa isa)
{
	return rows[isa].required_features | rows[isa].optional_features;
}

enum sr_isa sr_isa_select(uint64_t features)
{
	int isa = SR_ISA_COUNT - 1;
	while (isa > 0 && !sr_isa_is_within((enum sr_isa)isa, features))
		isa--;
	return (enum sr_isa)isa;
}

enum sr_isa sr_isa_detect(void)
{
	return sr_isa_select(sr_cpu_features());
}

enum sr_isa sr_isa_find(const char *name, size_t n)
{
	int isa = 0;
	while (isa < SR_ISA_COUNT && (strlen(sr_isa_names[isa]) != n || strncmp(name, sr_isa_names[isa], n) != 0))
		isa++;
	return (enum sr_isa)isa;
}

const char *sr_isa_list(struct sr_arena *arena)
{
	const char *list = sr_isa_names[0];
	for (int i = 1; i < SR_ISA_COUNT; i++)
		list = sr_printf(arena, "%s%s%s", list, i + 1 < SR_ISA_COUNT ? ", " : " or ", sr_isa_names[i]);
	return list;
}

#define ISA(ID, name, ...) extern const struct sr_access_functions sr_access_##name; /* access_*.c */
#include "kernels/fast/isa.def"

void sr_kernels_fast_init_isa(struct sr_kernels *table, enum sr_isa isa)
{
	static const struct {
		void (*loops)(struct sr_kernels *), (*scatter)(struct sr_kernels *), (*gemm)(struct sr_kernels *), (*sort)(struct sr_kernels *);
		const struct sr_access_functions *access;
	} by_isa[SR_ISA_COUNT] = {
#define ISA(ID, name, ...)                                                                                       \
	[SR_ISA_##ID] = {sr_kernels_fast_loops_##name, sr_kernels_fast_scatter_##name, sr_kernels_fast_gemm_##name, \
			 sr_kernels_fast_sort_##name, &sr_access_##name},
#include "kernels/fast/isa.def"
	};

	if (sr_blas_is_open()) {
		sr_kernels_fast_product(table);
		sr_kernels_fast_lapack(table);
		sr_kernels_fast_small_factors(table, isa);
	}
	by_isa[isa].gemm(table);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(table);
	by_isa[isa].sort(table);
	sr_kernels_fast_fft(table, isa);
	by_isa[isa].scatter(table);
	by_isa[isa].loops(table);
	table->access = by_isa[isa].access;
}

void sr_kernels_fast_init(struct sr_kernels *table)
{
	sr_kernels_fast_init_isa(table, sr_isa_detect());
}
