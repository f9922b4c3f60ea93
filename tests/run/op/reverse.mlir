// reverse reverses sharded dimensions
// RUN: shardrun --interpret %s --input="7x5xf32=-0.48 -0.66 1.17 0.77 -0.05 -0.43 0.22 -1.73 1.67 0.36 0.87 -1.27 0.41 -1.47 -0.37 1.78 1.88 0.62 1.36 -1.79 -0.36 -0.32 0.08 -0.98 0.65 -0.85 1.32 0.5 -0 -1.99 1.51 0.24 -0.72 -1.4 -1.13" --expected-output="7x5xf32=1.51 0.24 -0.72 -1.4 -1.13 -0.85 1.32 0.5 -0 -1.99 -0.36 -0.32 0.08 -0.98 0.65 1.78 1.88 0.62 1.36 -1.79 0.87 -1.27 0.41 -1.47 -0.37 -0.43 0.22 -1.73 1.67 0.36 -0.48 -0.66 1.17 0.77 -0.05" --expected-output="7x5xf32=-1.13 -1.4 -0.72 0.24 1.51 -1.99 -0 0.5 1.32 -0.85 0.65 -0.98 0.08 -0.32 -0.36 -1.79 1.36 0.62 1.88 1.78 -0.37 -1.47 0.41 -1.27 0.87 0.36 1.67 -1.73 0.22 -0.43 -0.05 0.77 1.17 -0.66 -0.48" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %r0 = stablehlo.reverse %a, dims = [0] : tensor<7x5xf32>
  %r1 = stablehlo.reverse %a, dims = [0, 1] : tensor<7x5xf32>
  return %r0, %r1 : tensor<7x5xf32>, tensor<7x5xf32>
}
