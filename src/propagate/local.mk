# Written by scripts/update-sources.
libsr_propagate_la_SOURCES = \
	src/propagate/propagate.h \
	src/propagate/rule.c \
	src/propagate/rule_builder.c \
	src/propagate/rule_builder.h \
	src/propagate/rules.h \
	src/propagate/rules_collective.c \
	src/propagate/rules_convolution.c \
	src/propagate/rules_custom_call.c \
	src/propagate/rules_elementwise.c \
	src/propagate/rules_gather.c \
	src/propagate/rules_linalg.c \
	src/propagate/rules_reduce.c \
	src/propagate/rules_reshape.c \
	src/propagate/rules_shape.c
