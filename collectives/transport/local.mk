# Written by scripts/update-sources.
libsr_transport_la_SOURCES =
