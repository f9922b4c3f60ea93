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

// An update at constant indices inside of a shard: the device that has the shard selects it
func.func @update_of_shard(%arg0: tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<2x4xf32>) -> (tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c = stablehlo.constant dense<1020> : tensor<i32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %c, %c_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1022x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1022x4xf32>
  return %0 : tensor<1022x4xf32>
}

// Updates by slices of the same tensor: the first sends nothing, the second is sent from the last device to the first one
func.func @copies(%arg0: tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1022x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c = stablehlo.constant dense<1021> : tensor<i32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.slice %arg0 [1020:1021, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<1022x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.dynamic_update_slice %arg0, %0, %c, %c_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1022x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1022x4xf32>
  %2 = stablehlo.slice %1 [1020:1021, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<1022x4xf32>) -> tensor<1x4xf32>
  %3 = stablehlo.dynamic_update_slice %1, %2, %c_0, %c_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1022x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1022x4xf32>
  return %3 : tensor<1022x4xf32>
}
