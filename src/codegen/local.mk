# Written by scripts/update-sources.
libsr_codegen_la_SOURCES = \
	src/codegen/compiler.c \
	src/codegen/expression_rows.h \
	src/codegen/head_text.h \
	src/codegen/load.c \
	src/codegen/loop_c.c \
	src/codegen/loop_c.h \
	src/codegen/scalar_text.c \
	src/codegen/scalar_text.h \
	src/codegen/tile_c.c \
	src/codegen/tile_c.h \
	src/codegen/tile_form.c \
	src/codegen/tile_form.h \
	src/codegen/unit.c \
	src/codegen/unit.h \
	src/codegen/worth.c
