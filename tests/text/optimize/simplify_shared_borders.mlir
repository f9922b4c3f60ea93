// Slices of a concatenate along a sharded dimension read one concatenate, whose borders are exchanged once; each slice leaves out
// elements along another dimension. Along a dimension without devices, the slice is distributed over the operands.
// RUN: shardopt %s -shardrun-simplify=sharded=true -cse -dce
sdy.mesh @mesh = <["y"=2]>

func.func @periodic(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %first = stablehlo.slice %u [0:1, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %last = stablehlo.slice %u [7:8, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %p = stablehlo.concatenate %last, %u, %first, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<1x6xf32>, tensor<8x6xf32>, tensor<1x6xf32>) -> tensor<10x6xf32>
  %a = stablehlo.slice %p [0:8, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<10x6xf32>) -> tensor<8x4xf32>
  %b = stablehlo.slice %p [0:8, 2:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<10x6xf32>) -> tensor<8x4xf32>
  %c = stablehlo.slice %p [1:9, 2:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<10x6xf32>) -> tensor<8x4xf32>
  return %a, %b, %c : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

func.func @columns(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x6xf32> {
  %first = stablehlo.slice %u [0:8, 0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %p = stablehlo.concatenate %u, %first, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>, tensor<8x1xf32>) -> tensor<8x7xf32>
  %a = stablehlo.slice %p [0:8, 1:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x7xf32>) -> tensor<8x6xf32>
  return %a : tensor<8x6xf32>
}
