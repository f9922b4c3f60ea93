// A select with a constant predicate, one with equal operands, and one with a negated predicate are simplified.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%p: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %false, %a, %b : tensor<i1>, tensor<2xf32>
  %1 = stablehlo.select %p, %a, %a : tensor<2xi1>, tensor<2xf32>
  %n = stablehlo.not %p : tensor<2xi1>
  %2 = stablehlo.select %n, %a, %b : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
