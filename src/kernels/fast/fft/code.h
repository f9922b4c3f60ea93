/* FFT routines for one instruction set. Included by a file that sets the compiler's target and defines BYTES (bytes of a vector),
 * RADIX (the largest power-of-two radix) and CODES (name of the table to define). */
#include "kernels/element.h"
#include "kernels/fast/fft/fft.h"
#include <string.h>

#define TYPE F32
#define LANES (BYTES / 4)
#include "kernels/fast/fft/type.h"
#undef TYPE
#undef LANES
#define TYPE F64
#define LANES (BYTES / 8)
#include "kernels/fast/fft/type.h"
#undef TYPE
#undef LANES

const struct sr_fft_isa_routines CODES = {
	.f32 = {BYTES / 4, RADIX, 4, rows_F32, columns_F32, real_rows_F32, lines_F32, real_lines_F32},
	.f64 = {BYTES / 8, RADIX, 8, rows_F64, columns_F64, real_rows_F64, lines_F64, real_lines_F64},
};
