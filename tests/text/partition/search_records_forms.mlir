// The search records how ops along sharded dimensions are computed: a shift by one element, which reads through its pad, a cumulative sum, and a window;
// a window over all elements is computed by its rule, from gathered elements
// RUN: shardopt %s -shardrun-search-shardings
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4096x64xf32>, tensor<f32>) -> tensor<4097x64xf32>
  %1 = stablehlo.slice %0 [0:4096, 0:64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4097x64xf32>) -> tensor<4096x64xf32>
  %2 = "stablehlo.reduce_window"(%1, %zero) <{padding = dense<[[4095, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4096, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4096x64xf32>, tensor<f32>) -> tensor<4096x64xf32>
  %3 = "stablehlo.reduce_window"(%2, %zero) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4096x64xf32>, tensor<f32>) -> tensor<4096x64xf32>
  %4 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[2048, 2047], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4096, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4096x64xf32>, tensor<f32>) -> tensor<4096x64xf32>
  return %3, %4 : tensor<4096x64xf32>, tensor<4096x64xf32>
}
