// A loop whose body calls functions, as in JAX's gradients of scans, gets the sharding of what it reads: calls are inlined before propagation
// RUN: shardrun --run=false -q --max-wire-bytes=1 %s
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<3x16x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %xs = stablehlo.broadcast_in_dim %t, dims = [1, 2] : (tensor<16x8xf32>) -> tensor<3x16x8xf32>
  %ys = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x16x8xf32>
  %0:3 = stablehlo.while(%i = %c, %x = %xs, %y = %ys) : tensor<i32>, tensor<3x16x8xf32>, tensor<3x16x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = func.call @row(%x, %i) : (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
    %sin = stablehlo.sine %row : tensor<16x8xf32>
    %next = func.call @put(%y, %sin, %i) : (tensor<3x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<3x16x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %x, %next : tensor<i32>, tensor<3x16x8xf32>, tensor<3x16x8xf32>
  }
  return %0#2 : tensor<3x16x8xf32>
}
func.func private @row(%x: tensor<3x16x8xf32>, %i: tensor<i32>) -> tensor<16x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %c, %c, sizes = [1, 16, 8]
    : (tensor<3x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
func.func private @put(%x: tensor<3x16x8xf32>, %v: tensor<16x8xf32>, %i: tensor<i32>) -> tensor<3x16x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reshape %v : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %i, %c, %c
    : (tensor<3x16x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x8xf32>
  return %1 : tensor<3x16x8xf32>
}
