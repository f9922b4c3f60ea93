# Written by scripts/update-sources.
libsr_plan_la_SOURCES = \
	src/plan/builder.c \
	src/plan/builder.h \
	src/plan/cost.c \
	src/plan/entry.c \
	src/plan/gaps.c \
	src/plan/gaps.h \
	src/plan/groups.c \
	src/plan/groups.h \
	src/plan/layout.c \
	src/plan/lower.c \
	src/plan/lower.h \
	src/plan/lower_check.c \
	src/plan/lower_collective.c \
	src/plan/lower_collective_body.c \
	src/plan/lower_control.c \
	src/plan/lower_custom.c \
	src/plan/lower_gather.c \
	src/plan/lower_map.c \
	src/plan/lower_parallel.c \
	src/plan/lower_product.c \
	src/plan/lower_reduce.c \
	src/plan/lower_rest.c \
	src/plan/lower_shape.c \
	src/plan/lower_tile.c \
	src/plan/module.c \
	src/plan/plan.h \
	src/plan/tile_access.c \
	src/plan/tile_emit.c \
	src/plan/tile_emit.h \
	src/plan/tile_stages.c \
	src/plan/write.c
