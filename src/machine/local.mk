# Written by scripts/update-sources.
libsr_machine_la_SOURCES = \
	src/machine/detect.c \
	src/machine/machine.c \
	src/machine/machine.h \
	src/machine/memory.c
