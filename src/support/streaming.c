#include "support/streaming.h"
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINE = 64, SHORTEST = 4 * LINE /* shorter copies are mostly partial lines */ };

void sr_copy_streaming(void *restrict dst, const void *restrict src, size_t n)
{
#ifdef __SSE2__
	char *to = dst;
	const char *from = src;
	if (n >= SHORTEST) {
		size_t head = -(uintptr_t)to % LINE;
		memcpy(to, from, head);
		for (to += head, from += head, n -= head; n >= LINE; to += LINE, from += LINE, n -= LINE) {
			__m128i line[LINE / sizeof(__m128i)];
			memcpy(line, from, LINE);
			for (size_t i = 0; i < sizeof line / sizeof *line; i++)
				_mm_stream_si128((__m128i *)(void *)to + i, line[i]);
		}
	}
	memcpy(to, from, n);
#else
	memcpy(dst, src, n);
#endif
}

void sr_streaming_fence(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}
