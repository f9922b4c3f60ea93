# Written by scripts/update-sources.
libsr_plan_la_SOURCES = \
	src/plan/access.c \
	src/plan/access.h \
	src/plan/alias.c \
	src/plan/alias.h \
	src/plan/builder.c \
	src/plan/builder.h \
	src/plan/cost.c \
	src/plan/entry.c \
	src/plan/estimate.c \
	src/plan/estimate.h \
	src/plan/estimate_collective.c \
	src/plan/estimate_kernel.c \
	src/plan/estimate_tile.c \
	src/plan/gaps.c \
	src/plan/gaps.h \
<<<<<<< HEAD
	src/plan/groups.c \
	src/plan/groups.h \
=======
>>>>>>> 9a35877 (Buffers that may share memory are one: loop state, updates, results and donated arguments in place; exact lives; layout in several orders)
	src/plan/layout.c \
	src/plan/layout.h \
	src/plan/liveness.c \
	src/plan/liveness.h \
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
	src/plan/trip_count.c \
	src/plan/write.c
