// A reduce over dimensions of extent 1 is an elementwise op on the initial value; one over others stays, too.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @main(%x: tensor<1x3x1x5x1xf32>, %init: tensor<f32>, %b: tensor<3x1xi1>) -> (tensor<3x5xf32>, tensor<1x3x1xf32>, tensor<3xi1>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [0, 2, 4] : (tensor<1x3x1x5x1xf32>, tensor<f32>) -> tensor<3x5xf32>
  %1 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x3x1x5x1xf32>, tensor<f32>) -> tensor<1x3x1xf32>
  %2 = stablehlo.reduce(%b init: %false) applies stablehlo.or across dimensions = [1] : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
  return %0, %1, %2 : tensor<3x5xf32>, tensor<1x3x1xf32>, tensor<3xi1>
}
