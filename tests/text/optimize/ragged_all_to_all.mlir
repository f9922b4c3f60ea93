// ragged_all_to_all becomes collectives of static sizes: operands are gathered or, if outputs are shorter, rows are sent by output.
// RUN: shardopt %s -shardrun-decompose
func.func @longer_outputs(%x: tensor<3x2xf32>, %out: tensor<4x2xf32>, %b: tensor<2xi32>, %s: tensor<2xi32>, %p: tensor<2xi32>, %r: tensor<2xi32>) -> tensor<4x2xf32> {
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %out, %b, %s, %p, %r) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}} : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// Two slices for each member; groups of replicas.
func.func @shorter_outputs(%x: tensor<5xi8>, %out: tensor<4xi8>, %b: tensor<4xi64>, %s: tensor<4xui8>, %p: tensor<4xi32>, %r: tensor<4xi32>) -> tensor<4xi8> {
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %out, %b, %s, %p, %r) {api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<5xi8>, tensor<4xi8>, tensor<4xi64>, tensor<4xui8>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @nothing_to_send(%x: tensor<0xi8>, %out: tensor<4xi8>, %n: tensor<1xi32>) -> tensor<4xi8> {
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %out, %n, %n, %n, %n) {api_version = 4 : i32, backend_config = {replica_groups = dense<0> : tensor<1x1xi64>}} : (tensor<0xi8>, tensor<4xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
