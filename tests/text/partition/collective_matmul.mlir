// An all_gather read by one product is removed; so is a reduce_scatter of a product's result, unless an operand of the product was gathered
// RUN: shardopt %s -sdy-remove-all-gather-reduce-scatter-for-cmv1

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @gather(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %0 = sdy.all_gather [{"x"}, {}] %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<16x32xf32>
  %1 = stablehlo.dot %arg0, %0 : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %2 = sdy.all_gather [{"x"}, {}] %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<16x32xf32>
  %3 = stablehlo.dot %arg0, %2 : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %4 = stablehlo.dot %arg0, %2 : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x32xf32>
  return %1, %5 : tensor<8x32xf32>, tensor<8x32xf32>
}

func.func @scatter(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = sdy.reduce_scatter [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
