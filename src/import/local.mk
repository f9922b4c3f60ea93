# Written by scripts/update-sources.
libsr_import_la_SOURCES = \
	src/import/edge.c \
	src/import/edge.h \
	src/import/import.h \
	src/import/shardings.c \
	src/import/shardings.h
