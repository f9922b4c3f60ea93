/* Program texts that several suites use. */
#ifndef SR_TESTS_PROGRAMS_H
#define SR_TESTS_PROGRAMS_H

/* A function body that returns 1 or 2, depending on %i. */
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
