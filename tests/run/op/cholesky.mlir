// cholesky gives the factors of a batch of matrices
// RUN: shardrun --interpret %s --input="5x3x3xf32=2.9891 -0.041 0.5826 -0.041 3.025 0.731 0.5826 0.731 3.7378 2.3493 0.0679 -0.6523 0.0679 2.2523 -0.1569 -0.6523 -0.1569 3.3403 3.3429 0.5809 -0.1539 0.5809 3.3434 0.703 -0.1539 0.703 2.8707 2.7574 -0.1677 -0.4338 -0.1677 3.2105 0.4042 -0.4338 0.4042 2.8888 3.4833 1.1364 -0.5035 1.1364 3.2653 -0.1184 -0.5035 -0.1184 2.5549" --expected-output="5x3x3xf32=1.728901 0 0 -0.02371448 1.739091 0 0.336977 0.4249296 1.855716 1.532743 0 0 0.04429967 1.500113 0 -0.425577 -0.09202449 1.775025 1.82836 0 0 0.3177164 1.800682 0 -0.08417379 0.4052594 1.642979 1.660542 0 0 -0.1009911 1.788938 0 -0.26124 0.2111962 1.666118 1.86636 0 0 0.6088857 1.70134 0 -0.2697765 0.026957 1.575244" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> (tensor<5x3x3xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<5x3x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<5x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<5x3x3xi32>
  %l = stablehlo.compare GE, %i, %j : (tensor<5x3x3xi32>, tensor<5x3x3xi32>) -> tensor<5x3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<5x3x3xf32>
  %r0 = stablehlo.select %l, %0, %z : tensor<5x3x3xi1>, tensor<5x3x3xf32>
  return %r0 : tensor<5x3x3xf32>
}
