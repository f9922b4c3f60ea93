# Written by scripts/update-sources.
libsr_dialect_la_SOURCES = \
	src/dialect/all.ops \
	src/dialect/attr_def.c \
	src/dialect/attr_defs.def \
	src/dialect/attr_kind.c \
	src/dialect/build.c \
	src/dialect/builtin.ops \
	src/dialect/check.ops \
	src/dialect/chlo.ops \
	src/dialect/class.c \
	src/dialect/classes.def \
	src/dialect/func.c \
	src/dialect/func.ops \
	src/dialect/infer.h \
	src/dialect/interpreter.ops \
	src/dialect/op_columns.h \
	src/dialect/op_columns_end.h \
	src/dialect/operands.c \
	src/dialect/ops.c \
	src/dialect/ops.h \
	src/dialect/quant.c \
	src/dialect/sdy.ops \
	src/dialect/signature.c \
	src/dialect/signature.h \
	src/dialect/stablehlo_collective.ops \
	src/dialect/stablehlo_control.ops \
	src/dialect/stablehlo_dynamic.ops \
	src/dialect/stablehlo_elementwise.ops \
	src/dialect/stablehlo_linalg.ops \
	src/dialect/stablehlo_other.ops \
	src/dialect/stablehlo_reduce.ops \
	src/dialect/stablehlo_shape.ops \
	src/dialect/verify.c
