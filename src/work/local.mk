# Written by scripts/update-sources.
libsr_work_la_SOURCES = \
	src/work/access.c \
	src/work/access.h \
	src/work/build.c \
	src/work/emit.c \
	src/work/emit.h \
	src/work/emit_access.c \
	src/work/emit_body.c \
	src/work/emit_parts.h \
	src/work/emit_stages.c \
	src/work/fuse.c \
	src/work/fuse.h \
	src/work/fuse_build.c \
	src/work/fuse_compose.c \
	src/work/fuse_cost.c \
	src/work/fuse_merge.c \
	src/work/fuse_part.c \
	src/work/fuse_rows.c \
	src/work/lower.c \
	src/work/passes.c \
	src/work/passes.h \
	src/work/play.c \
	src/work/remake.c \
	src/work/scalar_ops.c \
	src/work/schedule.c \
	src/work/schedule.h \
	src/work/schedule_graph.c \
	src/work/schedule_orders.c \
	src/work/slice.c \
	src/work/tile_gather.c \
	src/work/tile_map.c \
	src/work/tile_move.c \
	src/work/tile_of.h \
	src/work/tile_reduce.c \
	src/work/work.h
