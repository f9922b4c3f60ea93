// Rolls along a dimension that is not sharded, then along a sharded one: the sharded one comes first, and rolls of one value by different
// distances share it. If both dimensions are sharded, or if the first concatenate is of two values, the order stays.
// RUN: shardopt %s -shardrun-simplify=sharded=true -cse -dce
sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @rows(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.slice %u [0:8, 5:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.slice %u [0:8, 0:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x5xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x1xf32>, tensor<8x5xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.slice %2 [7:8, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %4 = stablehlo.slice %2 [0:7, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %6 = stablehlo.slice %u [0:8, 2:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x4xf32>
  %7 = stablehlo.slice %u [0:8, 0:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x2xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<8x6xf32>
  %9 = stablehlo.slice %8 [7:8, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %10 = stablehlo.slice %8 [0:7, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %11 = stablehlo.concatenate %9, %10, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  return %5, %11 : tensor<8x6xf32>, tensor<8x6xf32>
}

func.func @both(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.slice %u [0:8, 5:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.slice %u [0:8, 0:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x6xf32>) -> tensor<8x5xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x1xf32>, tensor<8x5xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.slice %2 [7:8, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %4 = stablehlo.slice %2 [0:7, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}

func.func @two_values(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %v: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.slice %u [0:8, 4:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x2xf32>
  %1 = stablehlo.concatenate %0, %v, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x2xf32>, tensor<8x6xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.slice %1 [4:8, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.slice %1 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
