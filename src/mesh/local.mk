# Written by scripts/update-sources.
libsr_mesh_la_SOURCES = \
	src/mesh/axes.c \
	src/mesh/axis.c \
	src/mesh/digits.c \
	src/mesh/mesh.c \
	src/mesh/mesh.h \
	src/mesh/rule.h \
	src/mesh/same_placement.c \
	src/mesh/sdy_sharding.c \
	src/mesh/sdy_sharding.h \
	src/mesh/sharding.c \
	src/mesh/tiling.c \
	src/mesh/tiling.h \
	src/mesh/tiling_axes.c \
	src/mesh/tiling_form.c \
	src/mesh/tiling_mesh.c \
	src/mesh/tiling_parse.c \
	src/mesh/tiling_print.c \
	src/mesh/tiling_proto.c
