/* How a thread treats denormal results of floating-point operations. On x86-64 a denormal result takes over a hundred cycles, unless
 * the thread flushes such results to zero. Each thread has its own mode; a new thread has that of the thread which creates it.
 * Denormal operands keep their values in both modes, so that small floats can be decoded by a multiplication. On other processors
 * denormals cost little, and the functions do nothing. */
#ifndef SR_SUPPORT_FLOAT_MODE_H
#define SR_SUPPORT_FLOAT_MODE_H

#include <stdbool.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

/* Return the mode of the calling thread, for sr_float_mode_set. */
static inline unsigned sr_float_mode(void)
{
#ifdef __x86_64__
	return _mm_getcsr();
#else
	return 0;
#endif
}

static inline void sr_float_mode_set(unsigned mode)
{
#ifdef __x86_64__
	_mm_setcsr(mode);
#else
	(void)mode;
#endif
}

/* Flush denormal results of the calling thread to zero if `flush`, else keep them. Denormal operands keep their values, results are
 * rounded to nearest, and no exception traps, whatever the mode of the host program was: XLA's threads, for one, take denormal
 * operands as zero. Return the mode before, to be restored. */
static inline unsigned sr_float_mode_begin(bool flush)
{
	unsigned before = sr_float_mode();
#ifdef __x86_64__
	_mm_setcsr(_MM_MASK_MASK | _MM_ROUND_NEAREST | (flush ? _MM_FLUSH_ZERO_ON : 0));
#else
	(void)flush;
#endif
	return before;
}

#endif
