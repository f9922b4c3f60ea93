// --show-sharding draws rows and columns, one dimension, replication, uneven shards, each slice of a third dimension, and sub-axes.
// RUN: shardrun -q --run=false --show-sharding %s
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "x"}, {}]>},
                %arg2: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}]>},
                %arg3: tensor<4x6x8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {"z"}]>},
                %arg4: tensor<f32>,
                %arg5: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x16xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x16xf32>
  %1 = stablehlo.tanh %arg5 : tensor<4x4xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<4x4xf32>
}
