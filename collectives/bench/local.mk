# Written by scripts/update-sources.
shardbench_SOURCES = \
	collectives/bench/bench.h \
	collectives/bench/bench_options.c \
	collectives/bench/calibrate.c \
	collectives/bench/measure.c \
	collectives/bench/node_levels.c \
	collectives/bench/replay.c \
	collectives/bench/shardbench.c \
	collectives/bench/table.c \
	collectives/bench/verify.c
