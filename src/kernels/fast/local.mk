# Written by scripts/update-sources.
libsr_kernels_fast_la_SOURCES =
