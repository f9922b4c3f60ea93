# Written by scripts/update-sources.
libsr_kernels_la_SOURCES = \
	src/kernels/all_types.h \
	src/kernels/choose.c \
	src/kernels/choose_body.h \
	src/kernels/compare_row.h \
	src/kernels/convert.c \
	src/kernels/convert_body.h \
	src/kernels/convert_row.h \
	src/kernels/each_type.h \
	src/kernels/element.h \
	src/kernels/fft.c \
	src/kernels/fill_row.h \
	src/kernels/gather.c \
	src/kernels/kernel.h \
	src/kernels/kernels.def \
	src/kernels/linalg.c \
	src/kernels/map.ops \
	src/kernels/map_body.h \
	src/kernels/map_columns.h \
	src/kernels/map_complex.c \
	src/kernels/map_float.c \
	src/kernels/map_integer.c \
	src/kernels/map_small.c \
	src/kernels/move.c \
	src/kernels/product.c \
	src/kernels/reduce.c \
	src/kernels/reduce_body.h \
	src/kernels/reduce_row.h \
	src/kernels/rng.c \
	src/kernels/scalar.c \
	src/kernels/scalar_body.h \
	src/kernels/scatter.c \
	src/kernels/scatter_body.h \
	src/kernels/sort.c \
	src/kernels/sort_body.h \
	src/kernels/table.c
