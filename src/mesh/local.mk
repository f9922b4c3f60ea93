# Written by scripts/update-sources.
libsr_mesh_la_SOURCES = \
	src/mesh/axes.c \
	src/mesh/axis.c \
	src/mesh/mesh.c \
	src/mesh/mesh.h \
	src/mesh/rule.h \
	src/mesh/sharding.c \
	src/mesh/tile.c
