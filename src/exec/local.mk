# Written by scripts/update-sources.
libsr_exec_la_SOURCES = \
	src/exec/arguments.c \
	src/exec/bind.h \
	src/exec/body.c \
	src/exec/device.c \
	src/exec/device.h \
	src/exec/launch.c \
	src/exec/launch.h \
	src/exec/player.c \
	src/exec/results.c \
	src/exec/run.c \
	src/exec/run.h
