# Written by scripts/update-sources.
libsr_text_la_SOURCES = \
	src/text/aliases.c \
	src/text/aliases.h \
	src/text/custom_control.c \
	src/text/custom_module.c \
	src/text/custom_reduce.c \
	src/text/directives.c \
	src/text/directives.h \
	src/text/directives_stablehlo.c \
	src/text/form.c \
	src/text/form.h \
	src/text/form_parse.c \
	src/text/form_print.c \
	src/text/lexer.c \
	src/text/names.c \
	src/text/parse.c \
	src/text/parse_attr.c \
	src/text/parse_conv.c \
	src/text/parse_dense.c \
	src/text/parse_dialect_attr.c \
	src/text/parse_loc.c \
	src/text/parse_number.c \
	src/text/parse_op.c \
	src/text/parse_region.c \
	src/text/parse_sdy.c \
	src/text/parse_type.c \
	src/text/parser.h \
	src/text/print_attr.c \
	src/text/print_dense.c \
	src/text/print_float.c \
	src/text/print_loc.c \
	src/text/print_op.c \
	src/text/print_sdy.c \
	src/text/print_struct.c \
	src/text/printer.h \
	src/text/text.h
