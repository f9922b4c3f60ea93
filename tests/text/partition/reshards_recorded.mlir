// Shardings recorded by the search are used: partial sums are reduce_scattered to the result's axes, then all_reduced along others
// RUN: shardopt %s -shardrun-insert-reshards
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @scattered(%arg0: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
                     %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>,
      shardrun.form = {in = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>, <@mesh, [{"x", "y"}, {}]>]>, name = "factors",
                       out = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}}
      : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// every device has both operands: without the record the product would be split along "x"
func.func @replicated(%arg0: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<64x32xf32>)
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>,
      shardrun.form = {in = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>, name = "factors",
                       out = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}}
      : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// the initial value of the sum must enter once: no reduce_scatter before an all_reduce
func.func @initial_value(%arg0: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %arg1: tensor<f32>)
    -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>,
       shardrun.form = {in = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>, <@mesh, []>]>, name = "factors",
                        out = #sdy.sharding_per_value<[<@mesh, [{}]>]>}}
      : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
