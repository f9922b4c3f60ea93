/* OpenBLAS as a table of functions, loaded when a run begins.
 *
 * OpenBLAS selects its kernels once, while it is loaded, by processor type or as OPENBLAS_CORETYPE says; for a processor newer than
 * the library it may select poor ones. The programs therefore set the variable (run/process_environment.h); libshardrun does not
 * change the environment of its host process. */
#ifndef SR_KERNELS_FAST_BLAS_H
#define SR_KERNELS_FAST_BLAS_H

#include "kernels/fast/fast.h"
#include <cblas.h>
#include <stddef.h>

typedef const char *fortran_char;
typedef const int *fortran_int;

struct sr_blas {
#define BLAS(name) __typeof__(name) *name;
#define LAPACK(name, ...) void(*name) __VA_ARGS__;
#define OPTIONAL(result, name, ...) result(*name) __VA_ARGS__;
#include "kernels/fast/blas.def"
};

extern struct sr_blas sr_blas; /* functions of the loaded OpenBLAS; one table per process, as the library has one state */

#endif
