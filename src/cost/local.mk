# Written by scripts/update-sources.
libsr_cost_la_SOURCES = \
	src/cost/cost.c \
	src/cost/cost.h \
	src/cost/machine_text.c \
	src/cost/machine_text.h \
	src/cost/mesh_links.c \
	src/cost/mesh_links.h \
	src/cost/wire_bytes.c
