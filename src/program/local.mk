# Written by scripts/update-sources.
libsr_program_la_SOURCES = \
	src/program/bytes.c \
	src/program/check.c \
	src/program/check.h \
	src/program/check_instruction.c \
	src/program/file.c \
	src/program/groups.c \
	src/program/groups.h \
	src/program/print.c \
	src/program/program.h \
	src/program/units.c
