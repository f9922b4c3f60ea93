# Written by scripts/update-sources.
libsr_propagate_la_SOURCES = \
	src/propagate/aggressive_factors.c \
	src/propagate/basic_factors.c \
	src/propagate/directions.c \
	src/propagate/explain.c \
	src/propagate/explain.h \
	src/propagate/explain_reduction.c \
	src/propagate/factors.h \
	src/propagate/pipelines.c \
	src/propagate/populate_op_sharding_rules.c \
	src/propagate/priorities.c \
	src/propagate/priorities.h \
	src/propagate/projection.c \
	src/propagate/projection.h \
	src/propagate/propagate.h \
	src/propagate/propagate_passes.c \
	src/propagate/propagate_passes.h \
	src/propagate/propagation.c \
	src/propagate/propagation.h \
	src/propagate/propagation_visit.c \
	src/propagate/record_provenance.c \
	src/propagate/rules/library_rules.c \
	src/propagate/rules/rule.c \
	src/propagate/rules/rule_builder.c \
	src/propagate/rules/rule_builder.h \
	src/propagate/rules/rules.h \
	src/propagate/rules/rules_collective.c \
	src/propagate/rules/rules_convolution.c \
	src/propagate/rules/rules_custom_call.c \
	src/propagate/rules/rules_elementwise.c \
	src/propagate/rules/rules_gather.c \
	src/propagate/rules/rules_linalg.c \
	src/propagate/rules/rules_reduce.c \
	src/propagate/rules/rules_reshape.c \
	src/propagate/rules/rules_shape.c \
	src/propagate/sharding_groups.c
