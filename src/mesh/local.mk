# Written by scripts/update-sources.
libsr_mesh_la_SOURCES = \
	src/mesh/axes.c \
	src/mesh/axis.c \
	src/mesh/digits.c \
	src/mesh/mesh.c \
	src/mesh/mesh.h \
	src/mesh/rule.h \
	src/mesh/sharding.c \
	src/mesh/tile.c \
	src/mesh/tile.h \
	src/mesh/tile_axes.c \
	src/mesh/tile_form.c \
	src/mesh/tile_mesh.c \
	src/mesh/tile_parse.c \
	src/mesh/tile_print.c \
	src/mesh/tile_proto.c
