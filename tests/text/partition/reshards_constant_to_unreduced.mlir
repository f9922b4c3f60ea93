// A constant that is to be unreduced is replaced by a partial value: one device has the constant, the others zeros.
// RUN: shardopt %s -shardrun-insert-reshards -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) {
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x", "y"}>]>} dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>} : (tensor<f32>) -> tensor<4x2xf32>
  %2 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : tensor<4xi32>
  return %1, %2 : tensor<4x2xf32>, tensor<4xi32>
}
