# Written by scripts/update-sources.
libsr_partition_la_SOURCES = \
	src/partition/choose.c \
	src/partition/choose_cost.c \
	src/partition/choose_limits.c \
	src/partition/explicit_reshards.c \
	src/partition/explicit_reshards.h \
	src/partition/explicit_reshards_device.c \
	src/partition/explicit_reshards_factors.c \
	src/partition/explicit_reshards_insert.c \
	src/partition/explicit_reshards_special.c \
	src/partition/explicit_reshards_unreduced.c \
	src/partition/explicit_reshards_view.c \
	src/partition/local.c \
	src/partition/local.h \
	src/partition/local_collective.c \
	src/partition/local_special.c \
	src/partition/pad.c \
	src/partition/pad.h \
	src/partition/pad_collective.c \
	src/partition/partition.h \
	src/partition/passes.c \
	src/partition/passes.h \
	src/partition/replicate.c \
	src/partition/reshard_to_collectives.c \
	src/partition/route.c \
	src/partition/route.h \
	src/partition/route_cost.c \
	src/partition/route_emit.c \
	src/partition/route_list.c \
	src/partition/route_search.c \
	src/partition/route_simple.c
