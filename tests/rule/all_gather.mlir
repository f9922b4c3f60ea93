// The dimension that an all_gather gathers has one factor in the operand and another in the result
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<8x2xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8x2xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
