// The scattered dimension of a reduce_scatter has one factor in the operand and another in the result
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<8x16xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.reduce_scatter"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8x16xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
