// softmax(q @ k) along rows; both operands are sharded by rows. The example of architecture.md.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%q: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %k: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xf32>) -> tensor<64x8xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<64x8xf32>
  %4 = stablehlo.exponential %3 : tensor<64x8xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<64xf32>) -> tensor<64x8xf32>
  %7 = stablehlo.divide %4, %6 : tensor<64x8xf32>
  return %7 : tensor<64x8xf32>
}
