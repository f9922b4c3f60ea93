# Written by scripts/update-sources.
libsr_support_la_SOURCES = \
	src/support/arena.c \
	src/support/arena.h \
	src/support/buf.c \
	src/support/buf.h \
	src/support/bug.c \
	src/support/bug.h \
	src/support/cache.c \
	src/support/cache.h \
	src/support/checked.h \
	src/support/crc32.c \
	src/support/crc32.h \
	src/support/diag.c \
	src/support/diag.h \
	src/support/dtype.c \
	src/support/dtype.h \
	src/support/dtypes.def \
	src/support/gcd.h \
	src/support/json.c \
	src/support/json.h \
	src/support/knobs/knobs.c \
	src/support/knobs/knobs.h \
	src/support/knobs/knobs_help.c \
	src/support/knobs/knobs_settings.c \
	src/support/knobs/knobs_value.c \
	src/support/knobs/knobs_value.h \
	src/support/knobs/suggest.c \
	src/support/knobs/suggest.h \
	src/support/machine.h \
	src/support/map.c \
	src/support/map.h \
	src/support/print_float.c \
	src/support/sha256.c \
	src/support/sha256.h \
	src/support/status.c \
	src/support/vec.c \
	src/support/vec.h
