// The split and the concatenated dimension of an all_to_all have factors of their own
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<2x16x8xf32>) -> tensor<2x4x32xf32> {
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 2 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x16x8xf32>) -> tensor<2x4x32xf32>
  return %0 : tensor<2x4x32xf32>
}
