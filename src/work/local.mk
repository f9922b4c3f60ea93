# Written by scripts/update-sources.
libsr_work_la_SOURCES = \
	src/work/access.c \
	src/work/access.h \
	src/work/build.c \
	src/work/emit/emit.c \
	src/work/emit/emit.h \
	src/work/emit/emit_access.c \
	src/work/emit/emit_body.c \
	src/work/emit/emit_parts.h \
	src/work/emit/emit_stages.c \
	src/work/emit/play.c \
	src/work/emit/scalar_ops.c \
	src/work/fuse/fuse.c \
	src/work/fuse/fuse.h \
	src/work/fuse/fuse_build.c \
	src/work/fuse/fuse_compose.c \
	src/work/fuse/fuse_cost.c \
	src/work/fuse/fuse_merge.c \
	src/work/fuse/fuse_part.c \
	src/work/fuse/fuse_reason.c \
	src/work/fuse/fuse_rows.c \
	src/work/lower.c \
	src/work/passes.c \
	src/work/passes.h \
	src/work/schedule/remake.c \
	src/work/schedule/schedule.c \
	src/work/schedule/schedule.h \
	src/work/schedule/schedule_graph.c \
	src/work/schedule/schedule_orders.c \
	src/work/slice.c \
	src/work/splat.c \
	src/work/tile/tile_gather.c \
	src/work/tile/tile_map.c \
	src/work/tile/tile_move.c \
	src/work/tile/tile_of.h \
	src/work/tile/tile_reduce.c \
	src/work/work.h
