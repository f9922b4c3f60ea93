# Written by scripts/update-sources.
libsr_exec_la_SOURCES = \
	src/exec/agree_options.c \
	src/exec/agree_options.h \
	src/exec/argument_type.c \
	src/exec/arguments.c \
	src/exec/bind.h \
	src/exec/check.c \
	src/exec/check.h \
	src/exec/interpret.c \
	src/exec/launch.c \
	src/exec/launch.h \
	src/exec/names.c \
	src/exec/names.h \
	src/exec/outputs.c \
	src/exec/print_results.c \
	src/exec/print_value.c \
	src/exec/program_file.c \
	src/exec/program_file.h \
	src/exec/progress.c \
	src/exec/progress.h \
	src/exec/results.c \
	src/exec/run.c \
	src/exec/run.h \
	src/exec/session.c \
	src/exec/session.h \
	src/exec/summary.c \
	src/exec/summary.h \
	src/exec/temporary.c \
	src/exec/temporary.h \
	src/exec/units.c \
	src/exec/watch.c \
	src/exec/watch.h
