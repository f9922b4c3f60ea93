# Written by scripts/update-sources.
libsr_program_la_SOURCES = \
	src/program/check_instruction.c \
	src/program/instruction_bytes.c \
	src/program/object_code.c \
	src/program/print_program.c \
	src/program/program.h \
	src/program/program_check.c \
	src/program/program_check.h \
	src/program/program_file_format.c \
	src/program/program_groups.c \
	src/program/program_groups.h
