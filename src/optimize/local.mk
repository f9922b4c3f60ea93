# Written by scripts/update-sources.
libsr_optimize_la_SOURCES = \
	src/optimize/canonicalize.c \
	src/optimize/chlo_formulas.c \
	src/optimize/chlo_formulas.h \
	src/optimize/chlo_legalize.c \
	src/optimize/chlo_scan.c \
	src/optimize/chlo_structure.c \
	src/optimize/chlo_structure.h \
	src/optimize/complex_math.c \
	src/optimize/cse.c \
	src/optimize/dce.c \
	src/optimize/decompose.c \
	src/optimize/decompose.h \
	src/optimize/deprecated.c \
	src/optimize/dynamism.c \
	src/optimize/formula.c \
	src/optimize/formula.h \
	src/optimize/inline.c \
	src/optimize/loop_invariant.c \
	src/optimize/optimize.h \
	src/optimize/pass_functions.h \
	src/optimize/passes.c \
	src/optimize/pattern_case.c \
	src/optimize/pattern_collective.c \
	src/optimize/pattern_manual.c \
	src/optimize/pattern_reshard.c \
	src/optimize/patterns.c \
	src/optimize/patterns.h \
	src/optimize/quant_to_math.c \
	src/optimize/rewrite.c \
	src/optimize/rewrite.h \
	src/optimize/side_effects.c \
	src/optimize/side_effects.h \
	src/optimize/symbol_dce.c \
	src/optimize/symbol_uses.c \
	src/optimize/symbol_uses.h
