# Written by scripts/update-sources.
libsr_partition_la_SOURCES = \
	src/partition/local.c \
	src/partition/local.h \
	src/partition/local_collective.c \
	src/partition/local_special.c \
	src/partition/partition.h \
	src/partition/passes.c \
	src/partition/passes.h \
	src/partition/replicate.c \
	src/partition/route_simple.c
