// Sharding products sends bytes that other ops save: the total is at most that of the strategies that are best for each op alone
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-search-shardings
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%a0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>},
    %a1: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>},
    %a2: tensor<1024x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %a3: tensor<1024x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
    %a4: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<1024x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
    tensor<16x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
    tensor<1024x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>},
    tensor<1024x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) {
  %0 = stablehlo.multiply %a2, %a2 : tensor<1024x16xf32>
  %c1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%a2 init: %c1) applies stablehlo.add across dimensions = [0] : (tensor<1024x16xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<16xf32>) -> tensor<1024x16xf32>
  %4 = stablehlo.exponential %a3 : tensor<1024x16xf32>
  %5 = stablehlo.tanh %a3 : tensor<1024x16xf32>
  %6 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1024x16xf32>) -> tensor<16x1024xf32>
  %c7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.reduce(%5 init: %c7) applies stablehlo.add across dimensions = [1] : (tensor<1024x16xf32>, tensor<f32>) -> tensor<1024xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<1024xf32>) -> tensor<1024x16xf32>
  %10 = stablehlo.dot %3, %a0 : (tensor<1024x16xf32>, tensor<16x16xf32>) -> tensor<1024x16xf32>
  %11 = stablehlo.multiply %10, %10 : tensor<1024x16xf32>
  return %4, %6, %9, %11 : tensor<1024x16xf32>, tensor<16x1024xf32>, tensor<1024x16xf32>, tensor<1024x16xf32>
}
