// Reduced dimensions are reduction factors, which several inputs share; initial values have no factors
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<2x64x13xf32>, %b: tensor<2x64x13xi32>, %z: tensor<f32>, %w: tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>) {
  %0:2 = stablehlo.reduce(%a init: %z), (%b init: %w) across dimensions = [0, 2] : (tensor<2x64x13xf32>, tensor<2x64x13xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%u: tensor<i32>, %v: tensor<i32>) {
      %1 = stablehlo.add %x, %y : tensor<f32>
      %2 = stablehlo.add %u, %v : tensor<i32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xi32>
}
