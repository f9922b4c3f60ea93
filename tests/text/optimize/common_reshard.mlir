// A second reshard of the same data to the same placement, after a reshape, reuses the first one.
// RUN: shardopt %s -canonicalize
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<32xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
  %2 = sdy.reshard %1 <@mesh, [{"a"}]> : tensor<32xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<32xf32>
}
