/* Load a vector of BYTES bytes of f32 from narrower elements: load_BF16_lanes, load_I8_lanes, load_UI8_lanes, and
 * load_F16_lanes if HAS_F16_LANES is 1. Included by code.h.
 * GCC 12 converts vectors of more than 16 bytes in halves and joins them, so that instructions are named where they are known.
 * Clang ignores "#pragma GCC target", so that it has neither these instructions nor the macros that declare them. */
typedef float f32_lanes __attribute__((vector_size(BYTES)));
typedef float f32_lanes_unaligned __attribute__((vector_size(BYTES), aligned(4), may_alias));
typedef int32_t i32_lanes __attribute__((vector_size(BYTES)));
#if (BYTES == 64 && defined(__AVX512F__)) || (BYTES == 32 && defined(__AVX2__) && defined(__F16C__))
#include <immintrin.h>
#define HAS_F16_LANES 1
#if BYTES == 64
#define WIDEN_F16(from) _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(from)))
#define WIDEN_BF16(from) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(from)))
#define WIDEN_I8(from) _mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)(from)))
#define WIDEN_UI8(from) _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(from)))
#else
#define WIDEN_F16(from) _mm256_cvtph_ps(_mm_loadu_si128((const void *)(from)))
#define WIDEN_BF16(from) _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(from)))
#define WIDEN_I8(from) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)(from)))
#define WIDEN_UI8(from) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(from)))
#endif
#else
#define HAS_F16_LANES 0
#define VECTOR_OF(id) \
	typedef S_##id id##_lanes \
	    __attribute__((vector_size(BYTES / 4 * sizeof(S_##id)), aligned(sizeof(S_##id)), may_alias));
VECTOR_OF(BF16)
VECTOR_OF(I8)
VECTOR_OF(UI8)
#undef VECTOR_OF
#define WIDEN_BF16(from) __builtin_convertvector(*(const BF16_lanes *)(from), i32_lanes)
#define WIDEN_I8(from) __builtin_convertvector(*(const I8_lanes *)(from), i32_lanes)
#define WIDEN_UI8(from) __builtin_convertvector(*(const UI8_lanes *)(from), i32_lanes)
#endif

static inline f32_lanes load_BF16_lanes(const void *from)
{
	return (f32_lanes)((i32_lanes)WIDEN_BF16(from) << 16);
}

#if HAS_F16_LANES
static inline f32_lanes load_F16_lanes(const void *from)
{
	return (f32_lanes)WIDEN_F16(from);
}
#endif

static inline f32_lanes load_I8_lanes(const void *from)
{
	return __builtin_convertvector((i32_lanes)WIDEN_I8(from), f32_lanes);
}

static inline f32_lanes load_UI8_lanes(const void *from)
{
	return __builtin_convertvector((i32_lanes)WIDEN_UI8(from), f32_lanes);
}
#undef WIDEN_F16
#undef WIDEN_BF16
#undef WIDEN_I8
#undef WIDEN_UI8
