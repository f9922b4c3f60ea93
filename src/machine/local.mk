# Written by scripts/update-sources.
libsr_machine_la_SOURCES =
