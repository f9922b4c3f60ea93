// broadcast_in_dim adds dimensions, and expands dimensions of extent 1
// RUN: shardrun --interpret %s --input="7xf32=-1.12 1.15 -0.9 -1.35 0.22 1.97 0.68" --input="1x5xf32=-0.57 0.79 1.92 -0.23 0.49" --input="f32=-1.58" --expected-output="6x7xf32=-1.12 1.15 -0.9 -1.35 0.22 1.97 0.68 -1.12 1.15 -0.9 -1.35 0.22 1.97 0.68 -1.12 1.15 -0.9 -1.35 0.22 1.97 0.68 -1.12 1.15 -0.9 -1.35 0.22 1.97 0.68 -1.12 1.15 -0.9 -1.35 0.22 1.97 0.68 -1.12 1.15 -0.9 -1.35 0.22 1.97 0.68" --expected-output="7x3xf32=-1.12 -1.12 -1.12 1.15 1.15 1.15 -0.9 -0.9 -0.9 -1.35 -1.35 -1.35 0.22 0.22 0.22 1.97 1.97 1.97 0.68 0.68 0.68" --expected-output="6x5xf32=-0.57 0.79 1.92 -0.23 0.49 -0.57 0.79 1.92 -0.23 0.49 -0.57 0.79 1.92 -0.23 0.49 -0.57 0.79 1.92 -0.23 0.49 -0.57 0.79 1.92 -0.23 0.49 -0.57 0.79 1.92 -0.23 0.49" --expected-output="9xf32=-1.58 -1.58 -1.58 -1.58 -1.58 -1.58 -1.58 -1.58 -1.58" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<1x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %c: tensor<f32>) -> (tensor<6x7xf32>, tensor<7x3xf32>, tensor<6x5xf32>, tensor<9xf32>) {
  %r0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<7xf32>) -> tensor<6x7xf32>
  %r1 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<7xf32>) -> tensor<7x3xf32>
  %r2 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<6x5xf32>
  %r3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<9xf32>
  return %r0, %r1, %r2, %r3 : tensor<6x7xf32>, tensor<7x3xf32>, tensor<6x5xf32>, tensor<9xf32>
}
