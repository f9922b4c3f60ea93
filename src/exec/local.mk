# Written by scripts/update-sources.
libsr_exec_la_SOURCES = \
	src/exec/abort.c \
	src/exec/abort.h \
	src/exec/agree_options.c \
	src/exec/agree_options.h \
	src/exec/archive_names.c \
	src/exec/argument_type.c \
	src/exec/arguments.c \
	src/exec/bind.h \
	src/exec/check.c \
	src/exec/check.h \
	src/exec/checksums.c \
	src/exec/client_options.c \
	src/exec/client_options.h \
	src/exec/interpret.c \
	src/exec/names.c \
	src/exec/names.h \
	src/exec/outputs.c \
	src/exec/print_results.c \
	src/exec/print_value.c \
	src/exec/profile.c \
	src/exec/profile.h \
	src/exec/profile_table.c \
	src/exec/profile_trace.c \
	src/exec/program_file.c \
	src/exec/program_file.h \
	src/exec/progress.c \
	src/exec/progress.h \
	src/exec/results.c \
	src/exec/run.c \
	src/exec/run.h \
	src/exec/spawn.c \
	src/exec/spawn.h \
	src/exec/summary.c \
	src/exec/summary.h \
	src/exec/watch.c \
	src/exec/watch.h
