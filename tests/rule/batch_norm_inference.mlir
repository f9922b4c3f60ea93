// Scale, offset, mean and variance of a batch norm share the feature factor
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%x: tensor<4x8x6xf32>, %s: tensor<8xf32>, %o: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) -> tensor<4x8x6xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 1.0e-5 : f32, feature_index = 1 : i64} : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6xf32>
  return %0 : tensor<4x8x6xf32>
}
