// A sliced all_reduce becomes a slice and a reduce_scatter; only the remaining axes are all_reduced
// RUN: shardopt %s -shardrun-scatter-reductions
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @slice_scatter_reduce(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{"z", "x"}, {}] %0 out_sharding=<@mesh, [{"z", "x"}, {}]> : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
func.func @scatter_slice(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced=max{"x"}>}) -> tensor<16x16xf32> {
  %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{"x", "z"}, {}] %0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
func.func @not_divisible(%arg0: tensor<10x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<10x16xf32> {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<10x16xf32>
  %1 = sdy.all_slice [{"x", "y"}, {}] %0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<10x16xf32>
  return %1 : tensor<10x16xf32>
}
func.func @other_users(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x16xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}
func.func @init_is_no_identity(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<16xf32>
  %2 = sdy.all_slice [{"y", "x"}] %1 out_sharding=<@mesh, [{"y", "x"}]> : tensor<16xf32>
  %3 = stablehlo.reduce(%arg0 init: %one) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}]> : tensor<16xf32>
  %5 = sdy.all_slice [{"y", "x"}] %4 out_sharding=<@mesh, [{"y", "x"}]> : tensor<16xf32>
  return %2, %5 : tensor<16xf32>, tensor<16xf32>
}
