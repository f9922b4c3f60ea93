/* Copies by non-temporal stores of full cache lines, where the processor has them, else by memcpy; eviction of lines. */
#include "support/streaming.h"
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { LINE = 64, MIN_BYTES = 4 * LINE }; /* Copies of less than MIN_BYTES consist mostly of partial lines. */

#ifdef __x86_64__
/* Copy lines to an address that is a multiple of LINE. Storing a full line at once is faster than partial stores that the processor
 * has to combine. */
__attribute__((target("avx512f"))) static void stream_lines_avx512(char *to, const char *from, size_t lines)
{
	for (size_t i = 0; i < lines; i++)
		_mm512_stream_si512((void *)(to + i * LINE), _mm512_loadu_si512(from + i * LINE));
}

__attribute__((target("avx"))) static void stream_lines_avx(char *to, const char *from, size_t lines)
{
	for (size_t i = 0; i < 2 * lines; i++)
		_mm256_stream_si256((void *)(to + i * LINE / 2), _mm256_loadu_si256((const void *)(from + i * LINE / 2)));
}

static bool stream_lines(char *to, const char *from, size_t lines)
{
	bool has_avx512 = __builtin_cpu_supports("avx512f"), has_avx = __builtin_cpu_supports("avx");
	if (has_avx512)
		stream_lines_avx512(to, from, lines);
	else if (has_avx)
		stream_lines_avx(to, from, lines);
	return has_avx512 || has_avx;
}

void sr_streaming_fence(void)
{
	_mm_sfence();
}

bool sr_eviction_pays(void)
{
	unsigned a, b, c, d;
	return __builtin_cpu_is("amd") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_CLFLUSHOPT;
}

__attribute__((target("clflushopt"))) void sr_evict_lines(const void *data, size_t n)
{
	uintptr_t line = (uintptr_t)data / LINE * LINE, end = (uintptr_t)data + n;
	for (; n && line < end; line += LINE)
		_mm_clflushopt((void *)line);
}
#else
static bool stream_lines(char *to, const char *from, size_t lines)
{
	(void)to, (void)from, (void)lines;
	return false;
}

void sr_streaming_fence(void)
{
}

bool sr_eviction_pays(void)
{
	return false;
}

void sr_evict_lines(const void *data, size_t n)
{
	(void)data, (void)n;
}
#endif

void sr_copy_streaming(void *restrict dst, const void *restrict src, size_t n)
{
	char *to = dst;
	const char *source = src;
	size_t head = -(uintptr_t)to % LINE, lines = n >= MIN_BYTES ? (n - head) / LINE : 0;
	if (lines && stream_lines(to + head, source + head, lines)) {
		memcpy(to, source, head);
		to += head + lines * LINE;
		source += head + lines * LINE;
		n -= head + lines * LINE;
	}
	memcpy(to, source, n);
}
