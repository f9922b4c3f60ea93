// Slices of a sharded image with borders of two rows, as jnp.pad makes them in its modes edge and reflect, are concatenates of a
// shorter border and a slice of the image; a row is repeated by one broadcast. Slices with strides, and reverses of other values, stay.
// RUN: shardopt %s -shardrun-simplify=sharded=true -cse -dce
sdy.mesh @mesh = <["x"=2]>

func.func @edge(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %x [0:1, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<1x4xf32>) -> tensor<1x3x4xf32>
  %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
  %3 = stablehlo.concatenate %2, %x, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<3x4xf32>, tensor<16x4xf32>) -> tensor<19x4xf32>
  %4 = stablehlo.slice %3 [1:17, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<19x4xf32>) -> tensor<16x4xf32>
  return %4 : tensor<16x4xf32>
}

func.func @reflect(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %x [12:15, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.reverse %0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<3x4xf32>
  %2 = stablehlo.concatenate %x, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>, tensor<3x4xf32>) -> tensor<19x4xf32>
  %3 = stablehlo.slice %2 [2:18, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<19x4xf32>) -> tensor<16x4xf32>
  return %3 : tensor<16x4xf32>
}

func.func @kept(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %x [10:15, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.reverse %0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<5x4xf32>
  %2 = stablehlo.slice %1 [0:5:2, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<5x4xf32>) -> tensor<3x4xf32>
  %3 = stablehlo.reverse %x, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<16x4xf32>
  %4 = stablehlo.slice %3 [0:5, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>) -> tensor<5x4xf32>
  %5 = stablehlo.concatenate %2, %4, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}
