// If only the first elements of a sort are read, the first ones of each shard are gathered and sorted; a full sort of many elements becomes a columnsort.
// Equal keys with different payloads carry their positions along
// RUN: shardopt %s -shardrun-search-shardings -shardrun-emit-forms -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4]>

func.func @first(%arg0: tensor<2x1022xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x3xf32> {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.compare GT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<2x1022xf32>) -> tensor<2x1022xf32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x1022xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

func.func @all(%arg0: tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1048576xi32>) -> tensor<1048576xi32>
  return %0 : tensor<1048576xi32>
}

func.func @with_another(%arg0: tensor<1024xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<1024xcomplex<f64>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1024xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<1024xcomplex<f64>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<complex<f64>>, %arg5: tensor<complex<f64>>):
    %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<1024xi32>, tensor<1024xcomplex<f64>>) -> (tensor<1024xi32>, tensor<1024xcomplex<f64>>)
  return %0#0, %0#1 : tensor<1024xi32>, tensor<1024xcomplex<f64>>
}
