// optimization_barrier returns its operands unchanged
// RUN: shardrun --interpret %s --input="6x5xf32=-0.71 -1.79 -1.03 -0.69 1.34 1.04 -0.36 -0.53 1.81 1.06 -1.91 1.29 1.84 1.27 0.56 -1.17 -0.76 0.1 -0.4 -0.14 -0.49 -0.41 1.21 0.71 0.8 -0.57 -0.87 0.07 -1.62 -1.71" --input="7xf32=1.14 1.39 0.67 -0.84 -0.97 0.64 -1.69" --expected-output="6x5xf32=-0.71 -1.79 -1.03 -0.69 1.34 1.04 -0.36 -0.53 1.81 1.06 -1.91 1.29 1.84 1.27 0.56 -1.17 -0.76 0.1 -0.4 -0.14 -0.49 -0.41 1.21 0.71 0.8 -0.57 -0.87 0.07 -1.62 -1.71" --expected-output="7xf32=1.14 1.39 0.67 -0.84 -0.97 0.64 -1.69" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<7xf32>) {
  %r0, %r1 = stablehlo.optimization_barrier %a, %b : tensor<6x5xf32>, tensor<7xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<7xf32>
}
