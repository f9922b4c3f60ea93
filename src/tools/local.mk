# Written by scripts/update-sources.
shardopt_SOURCES = \
	src/tools/shardopt.c
shardrun_SOURCES = \
	src/tools/shardrun.c
