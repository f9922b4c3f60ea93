// dynamic_gather accepts slice sizes that are computed at run time
// RUN: shardrun --interpret %s --input="10x7xf32=-1.85 -0.93 0.03 -1.52 -0.15 0.24 -1.54 1.48 -1.66 -1.07 -0.67 1.95 1.69 0.07 -0.56 -0.2 -1.57 -0.37 -1.35 -0.18 0.23 0.39 1.11 1.68 1.93 0.86 -1.33 -1.98 -0.53 0.84 0.32 0.6 1.57 -1.32 1.7 -0.46 -0.76 -0.72 1.11 1.44 0.36 -0.14 0.48 1.61 0.9 -1.12 -1.66 1.99 1.66 -1.67 1.28 -0.46 0.9 1.51 0.74 -1.42 -0.71 0.42 0.47 -1.5 -0.02 1.96 1.55 -0.77 -0.59 -0.84 -0.76 0.54 -0.23 1.49" --input="5x1xi32=6 6 2 3 4" --expected-output="5x7xf32=0.48 1.61 0.9 -1.12 -1.66 1.99 1.66 0.48 1.61 0.9 -1.12 -1.66 1.99 1.66 -0.56 -0.2 -1.57 -0.37 -1.35 -0.18 0.23 0.39 1.11 1.68 1.93 0.86 -1.33 -1.98 -0.53 0.84 0.32 0.6 1.57 -1.32 1.7" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<5x7xf32>) {
  %s = stablehlo.constant dense<[1, 7]> : tensor<2xi32>
  %r0 = "stablehlo.dynamic_gather"(%a, %b, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x7xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x7xf32>
  return %r0 : tensor<5x7xf32>
}
