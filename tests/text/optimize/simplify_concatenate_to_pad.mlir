// A concatenate of one tensor with uniform values is a pad, or a shift if the tensor is a slice, along any dimension and with a sharding;
// equal constants at both ends are one pad. A concatenate of two tensors stays.
// RUN: shardopt %s -shardrun-simplify=sharded=true -dce
sdy.mesh @mesh = <["x"=2]>
func.func @shifts(%x: tensor<8x6xf32>, %v: tensor<f32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<1x6xf32>
  %vs = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
  %0 = stablehlo.slice %x [0:7, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %1 = stablehlo.concatenate %zeros, %0, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.slice %x [0:8, 2:6] : (tensor<8x6xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.concatenate %2, %vs, dim = 1 : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<8x6xf32>
  return %1, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}

func.func @both_ends(%x: tensor<4xi32>) -> (tensor<7xi32>, tensor<7xi32>) {
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %more_ones = stablehlo.constant dense<1> : tensor<2xi32>
  %twos = stablehlo.constant dense<2> : tensor<2xi32>
  %0 = stablehlo.concatenate %ones, %x, %more_ones, dim = 0 : (tensor<1xi32>, tensor<4xi32>, tensor<2xi32>) -> tensor<7xi32>
  %1 = stablehlo.concatenate %ones, %x, %twos, dim = 0 : (tensor<1xi32>, tensor<4xi32>, tensor<2xi32>) -> tensor<7xi32>
  return %0, %1 : tensor<7xi32>, tensor<7xi32>
}

func.func @sharded(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} dense<0.0> : tensor<1xf32>
  %0 = stablehlo.slice %x [1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %1 = stablehlo.concatenate %0, %c, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<9xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<1xf32>
  %0 = stablehlo.concatenate %x, %c, %y, dim = 0 : (tensor<4xf32>, tensor<1xf32>, tensor<4xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
