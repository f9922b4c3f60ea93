// Dead loop state, and a multiplication by 1 of a value that is transposed twice, are removed before the partition
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-partition-pipeline -shardrun-optimize-pipeline

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %number = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %turned = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %same = stablehlo.multiply %back, %ones : tensor<8x8xf32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %dead = %x) : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
   cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
   } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sine = stablehlo.sine %a : tensor<8x8xf32>
    %product = stablehlo.dot_general %dead, %sine, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %next, %sine, %product : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
   }
  return %r#1, %same : tensor<8x8xf32>, tensor<8x8xf32>
}
