// The product of %7 is only sharded along a, too, if the first product sends less: both changes together are within the limit on bytes
// RUN: shardopt %s -sdy-propagation-pipeline -shardrun-search-shardings | grep "dot\|exponential"
sdy.mesh @mesh = <["a"=4, "b"=2]>
func.func @main(%a0: tensor<16x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>}, %a1: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %a2: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}, tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}, tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  %0 = stablehlo.dot %a1, %a0 : (tensor<256x16xf32>, tensor<16x256xf32>) -> tensor<256x256xf32>
  %c1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%a1 init: %c1) applies stablehlo.add across dimensions = [1] : (tensor<256x16xf32>, tensor<f32>) -> tensor<256xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<256xf32>) -> tensor<256x16xf32>
  %4 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<16x256xf32>) -> tensor<256x16xf32>
  %c5 = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%3 init: %c5) applies stablehlo.add across dimensions = [0] : (tensor<256x16xf32>, tensor<f32>) -> tensor<16xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<16xf32>) -> tensor<256x16xf32>
  %8 = stablehlo.dot %3, %a0 : (tensor<256x16xf32>, tensor<16x256xf32>) -> tensor<256x256xf32>
  %9 = stablehlo.dot %7, %a0 : (tensor<256x16xf32>, tensor<16x256xf32>) -> tensor<256x256xf32>
  %10 = stablehlo.add %7, %4 : tensor<256x16xf32>
  %11 = stablehlo.exponential %9 : tensor<256x256xf32>
  %12 = stablehlo.transpose %9, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %13 = stablehlo.add %11, %11 : tensor<256x256xf32>
  %14 = stablehlo.add %9, %8 : tensor<256x256xf32>
  %15 = stablehlo.dot %14, %a2 : (tensor<256x256xf32>, tensor<256x16xf32>) -> tensor<256x16xf32>
  %16 = stablehlo.dot %15, %a0 : (tensor<256x16xf32>, tensor<16x256xf32>) -> tensor<256x256xf32>
  return %0, %10, %12, %13, %16 : tensor<256x256xf32>, tensor<256x16xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
}
