// Newton-Schulz iterations of a small matrix, as in optax's muon: the matrix is gathered once, and all is computed on every device.
// Its norm and the products need no all_reduce
// RUN: shardopt %s -sdy-propagation-pipeline -shardrun-search-shardings -shardrun-insert-reshards -shardrun-lower-reshards
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%g: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %m: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.add %g, %m : tensor<16x16xf32>
  %q = stablehlo.multiply %x, %x : tensor<16x16xf32>
  %s = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.rsqrt %s : tensor<f32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %x0 = stablehlo.multiply %x, %rb : tensor<16x16xf32>
  %a0 = stablehlo.dot_general %x0, %x0, contracting_dims = [1] x [1] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %b0 = stablehlo.dot_general %a0, %a0, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %c0 = stablehlo.add %a0, %b0 : tensor<16x16xf32>
  %d0 = stablehlo.dot_general %c0, %x0, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %x1 = stablehlo.add %d0, %x0 : tensor<16x16xf32>
  %a1 = stablehlo.dot_general %x1, %x1, contracting_dims = [1] x [1] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %b1 = stablehlo.dot_general %a1, %a1, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %c1 = stablehlo.add %a1, %b1 : tensor<16x16xf32>
  %d1 = stablehlo.dot_general %c1, %x1, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %x2 = stablehlo.add %d1, %x1 : tensor<16x16xf32>
  %w = stablehlo.subtract %g, %x2 : tensor<16x16xf32>
  return %w, %x : tensor<16x16xf32>, tensor<16x16xf32>
}
