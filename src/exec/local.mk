# Written by scripts/update-sources.
libsr_exec_la_SOURCES = \
	src/exec/abort.c \
	src/exec/abort.h \
	src/exec/agree_options.c \
	src/exec/agree_options.h \
	src/exec/client_options.c \
	src/exec/client_options.h \
	src/exec/interpret.c \
	src/exec/profile/profile.c \
	src/exec/profile/profile.h \
	src/exec/profile/profile_table.c \
	src/exec/profile/profile_trace.c \
	src/exec/program_file.c \
	src/exec/program_file.h \
	src/exec/progress.c \
	src/exec/progress.h \
	src/exec/run.c \
	src/exec/run.h \
	src/exec/spawn.c \
	src/exec/spawn.h \
	src/exec/summary.c \
	src/exec/summary.h \
	src/exec/values/archive_names.c \
	src/exec/values/argument_type.c \
	src/exec/values/arguments.c \
	src/exec/values/bind.h \
	src/exec/values/check.c \
	src/exec/values/check.h \
	src/exec/values/checksums.c \
	src/exec/values/names.c \
	src/exec/values/names.h \
	src/exec/values/outputs.c \
	src/exec/values/print_results.c \
	src/exec/values/print_value.c \
	src/exec/values/results.c \
	src/exec/watch.c \
	src/exec/watch.h
