# Written by scripts/update-sources.
libsr_kernels_fast_la_SOURCES = \
	src/kernels/fast/blas.c \
	src/kernels/fast/blas.def \
	src/kernels/fast/blas.h \
	src/kernels/fast/convolution.c \
	src/kernels/fast/dnnl.c \
	src/kernels/fast/dnnl.def \
	src/kernels/fast/dnnl.h \
	src/kernels/fast/dnnl_convolution.c \
	src/kernels/fast/dnnl_product.c \
	src/kernels/fast/fast.c \
	src/kernels/fast/fast.h \
	src/kernels/fast/lapack.c \
	src/kernels/fast/library.c \
	src/kernels/fast/library.h \
	src/kernels/fast/loops.h \
	src/kernels/fast/loops_avx2.c \
	src/kernels/fast/loops_avx512.c \
	src/kernels/fast/loops_base.c \
	src/kernels/fast/loops_body.h \
	src/kernels/fast/product.c \
	src/kernels/fast/scatter.c \
	src/kernels/fast/scatter_body.h \
	src/kernels/fast/sort.c \
	src/kernels/fast/sort_body.h
