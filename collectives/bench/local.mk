# Written by scripts/update-sources.
shardbench_SOURCES = \
	collectives/bench/bench.h \
	collectives/bench/calibrate.c \
	collectives/bench/levels.c \
	collectives/bench/measure.c \
	collectives/bench/options.c \
	collectives/bench/replay.c \
	collectives/bench/shardbench.c \
	collectives/bench/table.c \
	collectives/bench/verify.c
