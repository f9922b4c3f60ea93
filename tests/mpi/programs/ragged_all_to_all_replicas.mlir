// Two replicas of a program with two partitions: the exchange is within a replica
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
sdy.mesh @mesh = <["y"=2]>
func.func @main(%x: tensor<6xi32>, %out: tensor<8xi32>, %begin: tensor<4xi32>, %size: tensor<4xi32>, %place: tensor<4xi32>) -> tensor<8xi32> {
  %0 = sdy.manual_computation(%x, %out, %begin, %size, %place) in_shardings=[<@mesh, [{"y"}]>, <@mesh, [{"y"}]>, <@mesh, [{"y"}]>, <@mesh, [{"y"}]>, <@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%a: tensor<3xi32>, %b: tensor<4xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>, %f: tensor<2xi32>) {
    %1 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %d, %e, %f, %e) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
    sdy.return %1 : tensor<4xi32>
  } : (tensor<6xi32>, tensor<8xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
}
