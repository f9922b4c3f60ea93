# Written by scripts/update-sources.
libsr_ir_la_SOURCES = \
	src/ir/attrs.c \
	src/ir/block.c \
	src/ir/clone.c \
	src/ir/context.c \
	src/ir/intern.c \
	src/ir/intern.h \
	src/ir/ir.h \
	src/ir/ir_pool.c \
	src/ir/ir_pool.h \
	src/ir/location.c \
	src/ir/op.c \
	src/ir/pass.c \
	src/ir/pass.h \
	src/ir/pass_options.c \
	src/ir/pass_options.h \
	src/ir/symbol.c \
	src/ir/type_print.c \
	src/ir/types.c \
	src/ir/verify_module.c \
	src/ir/walk.c
