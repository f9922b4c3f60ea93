// A custom call that gives its number of batch dimensions is sharded along them; not if an operand or result does not have them.
// RUN: shardopt %s -shardrun-library-rules -sdy-propagation-pipeline
sdy.mesh @mesh = <["i"=2, "j"=2]>
func.func @main(%a: tensor<8x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {"j"}, {}]>}, %s: tensor<f32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0:2 = stablehlo.custom_call @f(%a) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)
  %1 = stablehlo.custom_call @g(%a, %s) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4x5xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0#0, %0#1, %1 : tensor<8x4x5xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
