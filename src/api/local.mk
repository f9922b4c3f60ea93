# Written by scripts/update-sources.
libsr_api_la_SOURCES = \
	src/api/api.c \
	src/api/api.h \
	src/api/api_run.c \
	src/api/api_run.h \
	src/api/client.c \
	src/api/collectives.c \
	src/api/execute.c \
	src/api/module.c \
	src/api/plan.c
