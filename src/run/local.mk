# Written by scripts/update-sources.
libsr_run_la_SOURCES = \
	src/run/body.c \
	src/run/device.c \
	src/run/device.h \
	src/run/hooks.h \
	src/run/parallel.c \
	src/run/player.c \
	src/run/slots.c \
	src/run/tiles.c
