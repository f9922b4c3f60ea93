// A choice between true and false is its predicate; so the body of a reduction as PyTorch/XLA writes it is one op.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%p: tensor<2x3xi1>, %q: tensor<i1>) -> (tensor<2x3xi1>, tensor<2x3xi1>, tensor<2xi1>, tensor<2x3xi1>) {
  %true = stablehlo.constant dense<true> : tensor<2x3xi1>
  %false = stablehlo.constant dense<false> : tensor<2x3xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %true, %false : tensor<2x3xi1>, tensor<2x3xi1>
  %1 = stablehlo.select %p, %false, %true : tensor<2x3xi1>, tensor<2x3xi1>
  %2 = stablehlo.reduce(%p init: %t) across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
   reducer(%a: tensor<i1>, %b: tensor<i1>) {
    %na = stablehlo.compare NE, %a, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %nb = stablehlo.compare NE, %b, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %both = stablehlo.and %na, %nb : tensor<i1>
    %c = stablehlo.select %both, %t, %f : tensor<i1>, tensor<i1>
    stablehlo.return %c : tensor<i1>
  }
  %3 = stablehlo.select %q, %true, %false : tensor<i1>, tensor<2x3xi1>
  return %0, %1, %2, %3 : tensor<2x3xi1>, tensor<2x3xi1>, tensor<2xi1>, tensor<2x3xi1>
}
