// Unsigned start indices above the largest signed integer are clamped to the last position, also where the operand is sharded
// RUN: shardrun --interpret %s --input="8xi32=1 2 3 4 5 6 7 8" --input="2xi32=20 30" --input="ui32=4294967295" --input="ui64=18446744073709551615" --expected-output="3xi32=6 7 8" --expected-output="3xi32=6 7 8" --expected-output="8xi32=1 2 3 4 5 6 20 30" --expected-output="8xi32=1 2 3 4 5 6 20 30" >/dev/null
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<2xi32>, %i: tensor<ui32>, %j: tensor<ui64>) -> (tensor<3xi32>, tensor<3xi32>, tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<8xi32>, tensor<ui32>) -> tensor<3xi32>
  %1 = stablehlo.dynamic_slice %a, %j, sizes = [3] : (tensor<8xi32>, tensor<ui64>) -> tensor<3xi32>
  %2 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<8xi32>, tensor<2xi32>, tensor<ui32>) -> tensor<8xi32>
  %3 = stablehlo.dynamic_update_slice %a, %u, %j : (tensor<8xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<8xi32>
  return %0, %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<8xi32>, tensor<8xi32>
}
