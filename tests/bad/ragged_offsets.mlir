// A ragged_all_to_all whose offsets or sizes are not integers is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @main(%0: tensor<3x2xf32>, %1: tensor<4x2xf32>, %2: tensor<2xi32>, %3: tensor<2xi32>, %4: tensor<2xf32>, %5: tensor<2xi32>) {
  %r = stablehlo.custom_call @ragged_all_to_all(%0, %1, %2, %3, %4, %5) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return
}
