# Written by scripts/update-sources.
libsr_run_la_SOURCES = \
	src/run/array.c \
	src/run/array.h \
	src/run/body.c \
	src/run/check.c \
	src/run/check.h \
	src/run/client.c \
	src/run/client.h \
	src/run/crew.c \
	src/run/crew.h \
	src/run/device.c \
	src/run/device.h \
	src/run/exchange.c \
	src/run/executable.c \
	src/run/executable.h \
	src/run/execution.c \
	src/run/execution.h \
	src/run/hooks.h \
	src/run/launch.c \
	src/run/launch.h \
	src/run/launcher.c \
	src/run/launcher.h \
	src/run/memory.c \
	src/run/parallel.c \
	src/run/player.c \
	src/run/prepared.c \
	src/run/profile.c \
	src/run/profile.h \
	src/run/share.c \
	src/run/slots.c \
	src/run/tiles.c \
	src/run/units.c \
	src/run/window.c \
	src/run/workers.c \
	src/run/workers.h
