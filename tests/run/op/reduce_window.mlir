// reduce_window gives the expected values for windows that overlap, are padded, or are cumulative
// RUN: shardrun --interpret %s --input="10x6xf32=-1.9 -0.24 1.25 0.15 -1.12 0.6 0.85 -0.59 0.86 1.64 -0.62 1.71 -1.19 -1.04 -1.01 -1.52 -1.55 0.76 0.72 -0.01 -0.39 0.12 0.12 1.68 1.41 -0.49 -1.79 1.25 -0.06 -0.58 -1.03 -0.81 -0.03 1.77 -0.33 1.33 0.3 1.84 0.34 0.56 1.87 -0.25 0.99 0.14 0.68 -0.5 -0.82 -0.46 -1.87 -1.37 -1.81 0.05 1.55 -1.02 0.99 0.87 -1.36 0.34 0.7 0.2" --expected-output="10x6xf32=-1.05 -0.83 2.11 1.79 -1.74 2.31 -2.24 -1.87 1.1 0.27 -3.29 3.07 0.38 -1.64 -0.54 0.24 -2.05 4.15 0.9399999 -1.54 -3.19 -0.15 -1.49 1.86 1.1 -1.31 -2.21 3.14 -0.27 2.43 0.68 0.5400001 -1.48 3.58 1.48 0.5000001 0.2600001 1.17 0.99 1.83 0.72 0.62 -0.58 0.61 -0.79 0.11 2.6 -1.73 0.11 -0.36 -2.49 -0.11 1.43 -1.28 -0.88 -0.5 -3.17 0.39 2.25 -0.82" --expected-output="5x6xf32=0.85 -0.24 1.25 1.64 -0.62 1.71 0.72 -0.01 -0.39 0.12 0.12 1.68 1.41 -0.49 -0.03 1.77 -0.06 1.33 0.99 1.84 0.68 0.56 1.87 -0.25 0.99 0.87 -1.36 0.34 1.55 0.2" --expected-output="10x6xf32=-1.9 -0.24 1.25 0.15 -1.12 0.6 -1.05 -0.83 2.11 1.79 -1.74 2.31 -2.24 -1.87 1.1 0.27 -3.29 3.07 -1.52 -1.88 0.7100002 0.39 -3.17 4.75 -0.11 -2.37 -1.08 1.64 -3.23 4.17 -1.14 -3.18 -1.11 3.41 -3.56 5.5 -0.84 -1.34 -0.7699997 3.97 -1.69 5.25 0.15 -1.2 -0.08999974 3.47 -2.51 4.79 -1.72 -2.57 -1.9 3.52 -0.96 3.77 -0.73 -1.7 -3.26 3.86 -0.2600001 3.97" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<10x6xf32>, tensor<5x6xf32>, tensor<10x6xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r0 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<10x6xf32>
  %r1 = "stablehlo.reduce_window"(%a, %low) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.maximum %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  %r2 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {padding = dense<[[9, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 10, 1>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<10x6xf32>
  return %r0, %r1, %r2 : tensor<10x6xf32>, tensor<5x6xf32>, tensor<10x6xf32>
}
