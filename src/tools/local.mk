# Written by scripts/update-sources.
shardopt_SOURCES =
shardrun_SOURCES =
