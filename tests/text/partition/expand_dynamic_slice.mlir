// A dynamic_slice along a sharded dimension sums the devices' contributions; a dynamic_update_slice is local and sends nothing
// RUN: shardopt %s -shardrun-emit-forms -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4]>

func.func @slice(%arg0: tensor<1024x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<ui8>) -> tensor<2x4xf32> {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [2, 4] : (tensor<1024x4xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @update(%arg0: tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<2x4xf32>, %arg2: tensor<i64>) -> (tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1022x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1022x4xf32>
  return %0 : tensor<1022x4xf32>
}
