/* Texts that several suites have in their programs. */
#ifndef SR_TESTS_PROGRAMS_H
#define SR_TESTS_PROGRAMS_H

/* 1 or 2 by %i, as a function's body. */
#define SR_ONE_OR_TWO                                        \
	"  %0 = \"stablehlo.case\"(%i) ({\n"                   \
	"    %c = stablehlo.constant dense<1> : tensor<i32>\n" \
	"    stablehlo.return %c : tensor<i32>\n"              \
	"  }, {\n"                                             \
	"    %c = stablehlo.constant dense<2> : tensor<i32>\n" \
	"    stablehlo.return %c : tensor<i32>\n"              \
	"  }) : (tensor<i32>) -> tensor<i32>\n"                \
	"  return %0 : tensor<i32>\n"                          \
	"}\n"

#endif
