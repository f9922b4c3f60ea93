// Slices are sent to the next device along y: into an output that is longer than the input, and into a shorter one.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<12xi32>, %out: tensor<16xi32>, %back: tensor<12xi32>, %begin: tensor<8xi32>, %size: tensor<8xi32>, %place: tensor<8xi32>, %begin1: tensor<8xi32>, %size1: tensor<8xi32>, %place1: tensor<8xi32>) -> (tensor<16xi32>, tensor<12xi32>) {
  %0:2 = sdy.manual_computation(%x, %out, %back, %begin, %size, %place, %begin1, %size1, %place1) in_shardings=[<@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} (%a: tensor<3xi32>, %b: tensor<4xi32>, %c: tensor<3xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>, %f: tensor<2xi32>, %g: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>) {
    %1 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %d, %e, %f, %e) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}} : (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
    %2 = stablehlo.custom_call @ragged_all_to_all(%1, %c, %g, %h, %i, %h) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}} : (tensor<4xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3xi32>
    sdy.return %1, %2 : tensor<4xi32>, tensor<3xi32>
  } : (tensor<12xi32>, tensor<16xi32>, tensor<12xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<16xi32>, tensor<12xi32>)
  return %0#0, %0#1 : tensor<16xi32>, tensor<12xi32>
}
