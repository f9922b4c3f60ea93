# Written by scripts/update-sources.
libsr_driver_la_SOURCES = \
	src/driver/compile.c \
	src/driver/driver.h \
	src/driver/expect.c \
	src/driver/file.c \
	src/driver/format.c \
	src/driver/limits.c \
	src/driver/list_ops.c \
	src/driver/moves.c \
	src/driver/moves.h \
	src/driver/needs.c \
	src/driver/needs.h \
	src/driver/opt.c \
	src/driver/page.c \
	src/driver/page.h \
	src/driver/page_cause.c \
	src/driver/page_collectives.c \
	src/driver/page_html.c \
	src/driver/page_html.h \
	src/driver/page_needs.c \
	src/driver/page_source.c \
	src/driver/pipelines.c \
	src/driver/plan_diff.c \
	src/driver/plan_diff.h \
	src/driver/program_cache.c \
	src/driver/registry.c \
	src/driver/report.c \
	src/driver/show_sharding.c \
	src/driver/show_sharding.h \
	src/driver/static_shapes.c \
	src/driver/static_shapes.h \
	src/driver/tune.c \
	src/driver/tune.h \
	src/driver/tune_annotate.c \
	src/driver/tune_mesh.c \
	src/driver/tune_table.c
