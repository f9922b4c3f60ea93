// On a single device, probes may replace values, and results of manual computations are supplied from outside
// RUN: shardopt %s "-shardrun-insert-probes=match=add|manual through=true" -shardrun-unshard
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %n: tensor<i32>) -> tensor<f32> {
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = stablehlo.reduce(%a init: %inf) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %w:2 = stablehlo.while(%i = %n, %x = %r) : tensor<i32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %x, %x : tensor<f32>
      stablehlo.return %i, %t : tensor<i32>, tensor<f32>
    }
  %m = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%l: tensor<4x4xf32>) {
    %e = stablehlo.exponential %l : tensor<4x4xf32>
    sdy.return %e : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %d = stablehlo.dot_general %m, %a, contracting_dims = [0, 1] x [0, 1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %s = stablehlo.subtract %d, %w#1 : tensor<f32>
  return %s : tensor<f32>
}
