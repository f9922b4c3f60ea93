# Written by scripts/update-sources.
libsr_codegen_la_SOURCES = \
	src/codegen/c_prelude.h \
	src/codegen/expression_rows.h \
	src/codegen/jit.h \
	src/codegen/jit_benefit.c \
	src/codegen/jit_cache.c \
	src/codegen/jit_compile.c \
	src/codegen/jit_generate.c \
	src/codegen/jit_key.c \
	src/codegen/jit_load.c \
	src/codegen/jit_tools.h \
	src/codegen/loop_c.c \
	src/codegen/loop_c.h \
	src/codegen/loop_threads.c \
	src/codegen/loop_threads.h \
	src/codegen/nest_c.c \
	src/codegen/nest_c.h \
	src/codegen/nest_form.c \
	src/codegen/nest_form.h \
	src/codegen/nest_instr_c.c \
	src/codegen/nest_instr_c.h \
	src/codegen/nest_limits.c \
	src/codegen/nest_limits.h \
	src/codegen/nest_masks.c \
	src/codegen/nest_masks.h \
	src/codegen/nest_parts.c \
	src/codegen/nest_parts.h \
	src/codegen/nest_prefetch.c \
	src/codegen/nest_prefetch.h \
	src/codegen/nest_ranges.c \
	src/codegen/nest_ranges.h \
	src/codegen/nest_short_rows.c \
	src/codegen/nest_tables.c \
	src/codegen/nest_tables.h \
	src/codegen/scalar_c.c \
	src/codegen/scalar_c.h
