// Slices of a pad are the shifted reads of a stencil: along sharded and other dimensions, along both, by two elements
// RUN: shardrun --interpret %s --input="7x5xf32=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35" --input="f32=-1" --expected-output="7x5xf32=-1 -1 -1 -1 -1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30" --expected-output="7x5xf32=6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 -1 -1 -1 -1 -1" --expected-output="7x5xf32=-1 1 2 3 4 -1 6 7 8 9 -1 11 12 13 14 -1 16 17 18 19 -1 21 22 23 24 -1 26 27 28 29 -1 31 32 33 34" --expected-output="7x5xf32=2 3 4 5 -1 7 8 9 10 -1 12 13 14 15 -1 17 18 19 20 -1 22 23 24 25 -1 27 28 29 30 -1 32 33 34 35 -1" --expected-output="7x5xf32=-1 6 7 8 9 -1 11 12 13 14 -1 16 17 18 19 -1 21 22 23 24 -1 26 27 28 29 -1 31 32 33 34 -1 -1 -1 -1 -1" --expected-output="7x5xf32=-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %v: tensor<f32>) -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<7x5xf32>) {
  %p = stablehlo.pad %a, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<9x7xf32>
  %north = stablehlo.slice %p [0:7, 1:6] : (tensor<9x7xf32>) -> tensor<7x5xf32>
  %south = stablehlo.slice %p [2:9, 1:6] : (tensor<9x7xf32>) -> tensor<7x5xf32>
  %west = stablehlo.slice %p [1:8, 0:5] : (tensor<9x7xf32>) -> tensor<7x5xf32>
  %east = stablehlo.slice %p [1:8, 2:7] : (tensor<9x7xf32>) -> tensor<7x5xf32>
  %south_west = stablehlo.slice %p [2:9, 0:5] : (tensor<9x7xf32>) -> tensor<7x5xf32>
  %first = stablehlo.slice %a [0:6, 0:5] : (tensor<7x5xf32>) -> tensor<6x5xf32>
  %q = stablehlo.pad %first, %v, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<8x5xf32>
  %by_two = stablehlo.slice %q [0:7, 0:5] : (tensor<8x5xf32>) -> tensor<7x5xf32>
  return %north, %south, %west, %east, %south_west, %by_two : tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>
}
