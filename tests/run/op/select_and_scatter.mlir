// select_and_scatter adds values at the position of each window's largest element
// RUN: shardrun --interpret %s --input="8x6xf32=1.82 -0.77 0.3 -1.38 -1.33 -0.94 1.6 -0.86 0.39 0.87 -0.8 1.3 1.84 0.89 -0.36 0.19 0.04 -2 1.36 0.09 1.92 -0.21 1.63 -1.99 1.61 -1.38 -0.4 -0.42 -0.61 0.99 -1.54 0.32 -0.76 -0.3 1.79 0.82 1.26 0.8 1.28 1.44 -0.9 1.41 1.2 1.22 -1.28 -1 1.07 -1.79" --input="4x6xf32=-0.06 1.06 1.47 -1.34 1.78 -1.52 0.52 -1.94 0.75 -1.65 -0.44 -1.07 -1.4 -0.6 -0.5 1 1.4 0.68 -0.5 -0.7 -1.51 -0.28 0.46 0.48" --input="f32=0" --expected-output="8x6xf32=-0.06 1.06 0 0 0 0 0 0 1.47 -1.34 1.78 -1.52 0.52 -1.94 0 -1.65 0 0 0 0 0.75 0 -0.44 -1.07 -1.4 0 -0.5 0 0 0.68 0 -0.6 0 1 1.4 0 -0.5 0 -1.51 -0.28 0 0.48 0 -0.7 0 0 0.46 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<f32>) -> (tensor<8x6xf32>) {
  %r0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>} : (tensor<8x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %r0 : tensor<8x6xf32>
}
