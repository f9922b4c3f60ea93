// The work pipeline makes a nest of the ops before a product, and one nest of both ops after it.
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %a = stablehlo.negate %x : tensor<2x3xf32>
  %0 = stablehlo.dot_general %a, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.abs %0 : tensor<2x2xf32>
  %2 = stablehlo.add %1, %1 : tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
