/* OpenBLAS as a table of functions, filled when a run begins.
 *
 * OpenBLAS chooses its kernels once, as it is loaded, by the processor's name; one that is newer than the library gets kernels of an older
 * one. So it is loaded when the ranks know their least instruction set, and is told the core that stands for it; a user's own
 * OPENBLAS_CORETYPE stands. */
#ifndef SR_KERNELS_FAST_BLAS_H
#define SR_KERNELS_FAST_BLAS_H

#include "kernels/fast/fast.h"
#include <cblas.h>
#include <stddef.h>

typedef const char *letter;
typedef const int *integer;

struct sr_blas {
#define BLAS(name) __typeof__(name) *name;
#define LAPACK(name, ...) void(*name) __VA_ARGS__;
#define OPTIONAL(result, name, ...) result(*name) __VA_ARGS__;
#include "kernels/fast/blas.def"
};

extern struct sr_blas sr_blas; /* of the process, as the library's own state is */

#endif
