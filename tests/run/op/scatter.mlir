// scatter combines rows by sums, maxima and replacement, and skips indices out of bounds
// RUN: shardrun --interpret %s --input="10x7xf32=-0.16 1.96 -0.61 0.19 1.4 -0.26 -0.18 1.52 -1.48 -0.98 1.17 1.45 -0.07 1.21 -1.05 1.48 0.91 1.03 1.04 0.84 -0.83 0.01 -1 -1.25 0.04 -1.77 0.59 0.54 -0.43 1.72 0.36 -0.79 0.08 -0.71 0.17 -0.75 -1.19 -1.9 1.03 -1.04 -1.61 -1.68 1.32 1.89 -0.47 1 1.22 1.04 1.82 1.46 -1.82 -0.32 1.95 -1.42 1.2 -0.74 0 -1.42 -1.75 -0.65 -0.5 -1.77 0.95 0.56 -0.21 -0.65 0.85 -1.85 1.9 0.32" --input="5x1xi32=3 -1 9 3 10" --input="5x7xf32=-1.79 1.24 0.38 -1.13 0.52 -1.28 -1.2 1.14 -0.58 0.03 -1.78 0.62 0.47 -0.76 0.72 1.09 0.34 -1.91 1.21 0.21 -0.97 -1.69 0.19 0.51 -1.34 0.92 1.41 1.12 1.71 -1.08 -1.56 -0.65 -1.82 -1.37 1.31" --input="5x1xi32=0 4 2 8 5" --expected-output="10x7xf32=-0.16 1.96 -0.61 0.19 1.4 -0.26 -0.18 1.52 -1.48 -0.98 1.17 1.45 -0.07 1.21 -1.05 1.48 0.91 1.03 1.04 0.84 -0.83 -3.47 0.43 -0.36 -2.43 -0.33 0.72 0.46 -0.43 1.72 0.36 -0.79 0.08 -0.71 0.17 -0.75 -1.19 -1.9 1.03 -1.04 -1.61 -1.68 1.32 1.89 -0.47 1 1.22 1.04 1.82 1.46 -1.82 -0.32 1.95 -1.42 1.2 -0.74 0 -1.42 -1.75 -0.65 -0.5 -1.77 0.95 1.28 0.8800001 -0.31 -1.06 -0.64 2.11 -0.65" --expected-output="10x7xf32=-0.16 1.96 -0.61 0.19 1.4 -0.26 -0.18 1.52 -1.48 -0.98 1.17 1.45 -0.07 1.21 -1.05 1.48 0.91 1.03 1.04 0.84 -0.83 0.01 1.24 0.51 0.04 0.92 1.41 1.12 -0.43 1.72 0.36 -0.79 0.08 -0.71 0.17 -0.75 -1.19 -1.9 1.03 -1.04 -1.61 -1.68 1.32 1.89 -0.47 1 1.22 1.04 1.82 1.46 -1.82 -0.32 1.95 -1.42 1.2 -0.74 0 -1.42 -1.75 -0.65 -0.5 -1.77 0.95 0.72 1.09 0.34 0.85 1.21 1.9 0.32" --expected-output="10x7xf32=-1.79 1.24 0.38 -1.13 0.52 -1.28 -1.2 1.52 -1.48 -0.98 1.17 1.45 -0.07 1.21 0.72 1.09 0.34 -1.91 1.21 0.21 -0.97 0.01 -1 -1.25 0.04 -1.77 0.59 0.54 1.14 -0.58 0.03 -1.78 0.62 0.47 -0.76 1.71 -1.08 -1.56 -0.65 -1.82 -1.37 1.31 1.32 1.89 -0.47 1 1.22 1.04 1.82 1.46 -1.82 -0.32 1.95 -1.42 1.2 -0.74 -1.69 0.19 0.51 -1.34 0.92 1.41 1.12 0.56 -0.21 -0.65 0.85 -1.85 1.9 0.32" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>) {
  %r0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x7xf32>, tensor<5x1xi32>, tensor<5x7xf32>) -> tensor<10x7xf32>
  %r1 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.maximum %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x7xf32>, tensor<5x1xi32>, tensor<5x7xf32>) -> tensor<10x7xf32>
  %r2 = "stablehlo.scatter"(%a, %d, %c) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  stablehlo.return %q : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x7xf32>, tensor<5x1xi32>, tensor<5x7xf32>) -> tensor<10x7xf32>
  return %r0, %r1, %r2 : tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>
}
