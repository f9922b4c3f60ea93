/* FFT routines for one element type: V is a vector of LANES reals, C (a cell) one complex number per lane.
 * Included once per type by code.h. */
#define V SR_CAT(V_, TYPE)
#define U SR_CAT(U_, TYPE)
#define C SR_CAT(C_, TYPE)
#define W LANES

typedef S V __attribute__((vector_size(BYTES)));
typedef S U __attribute__((vector_size(BYTES), aligned(4), may_alias)); /* vector type for memory of unknown alignment */
typedef struct {
	V re, im;
} C;

#include "kernels/fast/fft/butterfly_body.h"
#include "kernels/fast/fft/pass_body.h"
#include "kernels/fast/fft/move_body.h"
#include "kernels/fast/fft/real_body.h"
#include "kernels/fast/fft/line_body.h"

#undef V
#undef U
#undef C
#undef W
