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

/* A function body that executes s = reverse(s) + %b ten times, from s = %a, and returns s and the number of iterations. */
#define SR_TEN_ITERATIONS \
	"  %zero = stablehlo.constant dense<0> : tensor<i32>\n" \
	"  %one = stablehlo.constant dense<1> : tensor<i32>\n" \
	"  %ten = stablehlo.constant dense<10> : tensor<i32>\n" \
	"  %r:2 = stablehlo.while(%i = %zero, %s = %a) : tensor<i32>, tensor<64xf32>\n" \
	"  cond {\n" \
	"    %p = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" \
	"    stablehlo.return %p : tensor<i1>\n" \
	"  } do {\n" \
	"    %j = stablehlo.add %i, %one : tensor<i32>\n" \
	"    %t = stablehlo.reverse %s, dims = [0] : tensor<64xf32>\n" \
	"    %u = stablehlo.add %t, %b : tensor<64xf32>\n" \
	"    stablehlo.return %j, %u : tensor<i32>, tensor<64xf32>\n" \
	"  }\n" \
	"  return %r#1, %r#0 : tensor<64xf32>, tensor<i32>\n" \
	"}\n"

#endif
