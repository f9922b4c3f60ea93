# Written by scripts/update-sources.
libsr_api_la_SOURCES =
