// A stack that a loop slices is gathered before the loop.
// If neither that nor any other plan fits the limit, the stack stays sharded, and a collective in each iteration gives the slice to all devices.
// RUN: shardrun -q --cache=off --run=false --memory-per-device=60000 %s
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%w: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %x: tensor<256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %from = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %to = stablehlo.constant dense<256> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<256x32xf32>
    %h = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %0:4 = stablehlo.while(%i = %from, %xs = %x, %a = %h, %ys = %zeros) : tensor<i32>, tensor<256x32xf32>, tensor<1x32xf32>, tensor<256x32xf32>
     cond {
      %1 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %xs, %i, %from, sizes = [1, 32] : (tensor<256x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %2 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
      %3 = stablehlo.add %1, %2 : tensor<1x32xf32>
      %4 = stablehlo.tanh %3 : tensor<1x32xf32>
      %5 = stablehlo.dynamic_update_slice %ys, %4, %i, %from : (tensor<256x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<256x32xf32>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %xs, %4, %5 : tensor<i32>, tensor<256x32xf32>, tensor<1x32xf32>, tensor<256x32xf32>
    }
    return %0#3 : tensor<256x32xf32>
  }
}
