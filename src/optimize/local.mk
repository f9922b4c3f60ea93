# Written by scripts/update-sources.
libsr_optimize_la_SOURCES =
