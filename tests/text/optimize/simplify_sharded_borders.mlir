// Copied and uniform borders that are concatenated with a computed interior, sharded or not: the interior is computed in the shape of the
// result, copies are updates of it, uniform borders are selects.
// RUN: shardopt %s -shardrun-simplify=sharded=true -dce
sdy.mesh @mesh = <["x"=2]>

// numpy.pad(u[2:, 1:-1] * u[:-2, 1:-1], 1, mode="wrap")
func.func @wrap(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.slice %u [2:8, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.slice %u [0:6, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.multiply %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<6x4xf32>
  %3 = stablehlo.slice %2 [5:6, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<6x4xf32>) -> tensor<1x4xf32>
  %4 = stablehlo.slice %2 [0:1, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<6x4xf32>) -> tensor<1x4xf32>
  %5 = stablehlo.concatenate %3, %2, %4, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x4xf32>, tensor<6x4xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>
  %6 = stablehlo.slice %5 [0:8, 3:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>) -> tensor<8x1xf32>
  %7 = stablehlo.slice %5 [0:8, 0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>) -> tensor<8x1xf32>
  %8 = stablehlo.concatenate %6, %5, %7, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x1xf32>, tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x6xf32>
  return %8 : tensor<8x6xf32>
}

// concatenate(c, -u[2:], v[-1:], where v = -u[2:]); the last element as numpy.pad repeats it
func.func @uniform_and_edge(%u: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<f32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %u [2:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<6xf32>
  %low = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %2 = stablehlo.slice %1 [5:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1xf32>) -> tensor<1x1xf32>
  %high = stablehlo.reshape %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1x1xf32>) -> tensor<1xf32>
  %4 = stablehlo.concatenate %low, %1, %high, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Two of these stay: two borders at one side, and an interior with another user. A result that is not sharded becomes updates.
func.func @kept(%u: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %w: tensor<8xf32>, %c: tensor<1xf32>) -> (tensor<8xf32>, tensor<7xf32>, tensor<6xf32>, tensor<8xf32>) {
  %0 = stablehlo.slice %u [2:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<6xf32>
  %2 = stablehlo.slice %1 [5:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<1xf32>
  %3 = stablehlo.slice %1 [0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<1xf32>
  %4 = stablehlo.concatenate %1, %2, %3, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8xf32>
  %5 = stablehlo.abs %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<6xf32>
  %6 = stablehlo.slice %5 [5:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<1xf32>
  %7 = stablehlo.concatenate %5, %6, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>, tensor<1xf32>) -> tensor<7xf32>
  %8 = stablehlo.slice %w [2:8] : (tensor<8xf32>) -> tensor<6xf32>
  %9 = stablehlo.negate %8 : tensor<6xf32>
  %10 = stablehlo.slice %9 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
  %11 = stablehlo.slice %9 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
  %12 = stablehlo.concatenate %10, %9, %11, dim = 0 : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %4, %7, %5, %12 : tensor<8xf32>, tensor<7xf32>, tensor<6xf32>, tensor<8xf32>
}
