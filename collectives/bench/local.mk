# Written by scripts/update-sources.
shardbench_SOURCES =
