# Written by scripts/update-sources.
libsr_upstream_la_SOURCES = \
	src/upstream/per_instruction.c \
	src/upstream/permute.c \
	src/upstream/permute.h \
	src/upstream/permute_halo.c \
	src/upstream/permute_pad.c \
	src/upstream/permute_reshape.c \
	src/upstream/permute_reverse.c \
	src/upstream/remove_all_gather_reduce_scatter.c \
	src/upstream/single_device.c \
	src/upstream/upstream.h \
	src/upstream/upstream_local.c \
	src/upstream/upstream_local.h \
	src/upstream/upstream_local_collective.c \
	src/upstream/upstream_local_indexed.c \
	src/upstream/upstream_local_op.c \
	src/upstream/upstream_pad.c \
	src/upstream/upstream_passes.c \
	src/upstream/upstream_passes.h \
	src/upstream/upstream_reshards.c \
	src/upstream/upstream_shapes.c \
	src/upstream/upstream_shapes.h
