# Written by scripts/update-sources.
libsr_partition_la_SOURCES = \
	src/partition/partition.h
