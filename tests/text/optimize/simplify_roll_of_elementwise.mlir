// A roll of few elementwise ops of rolls of one value is these ops of other rolls of the value: roll(u - roll(u, 1), -1) is
// roll(u, -1) - u. On shards, only the value's border is exchanged then.
// RUN: shardopt %s -shardrun-simplify=sharded=true -cse -dce
sdy.mesh @mesh = <["x"=2]>

func.func @difference(%u: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.slice %u [7:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<1xf32>
  %1 = stablehlo.slice %u [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
  %3 = stablehlo.subtract %u, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %4 = stablehlo.slice %3 [1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %5 = stablehlo.slice %3 [0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<1xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<1xf32>) -> tensor<8xf32>
  %7 = stablehlo.multiply %3, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %7 : tensor<8xf32>
}

// A difference over two elements times a number, rolled by three.
func.func @scaled(%u: tensor<4x8xf32>, %h: tensor<f32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %u [0:4, 2:8] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.slice %u [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.subtract %2, %u : tensor<4x8xf32>
  %4 = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<4x8xf32>
  %6 = stablehlo.slice %5 [0:4, 3:8] : (tensor<4x8xf32>) -> tensor<4x5xf32>
  %7 = stablehlo.slice %5 [0:4, 0:3] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 1 : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// These stay: along another dimension, of two values, of a value that is a result, and of an expensive op.
func.func @kept(%u: tensor<4x8xf32>, %v: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.slice %u [0:4, 2:8] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.slice %u [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.subtract %2, %u : tensor<4x8xf32>
  %4 = stablehlo.slice %3 [1:4, 0:8] : (tensor<4x8xf32>) -> tensor<3x8xf32>
  %5 = stablehlo.slice %3 [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %7 = stablehlo.subtract %2, %v : tensor<4x8xf32>
  %8 = stablehlo.slice %7 [0:4, 2:8] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %9 = stablehlo.slice %7 [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %10 = stablehlo.concatenate %8, %9, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %11 = stablehlo.add %2, %u : tensor<4x8xf32>
  %12 = stablehlo.slice %11 [0:4, 2:8] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %13 = stablehlo.slice %11 [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %15 = stablehlo.divide %2, %u : tensor<4x8xf32>
  %16 = stablehlo.slice %15 [0:4, 2:8] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %17 = stablehlo.slice %15 [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %18 = stablehlo.concatenate %16, %17, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return %6, %10, %11, %14, %18 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
