// top_k returns the largest elements of each row and their positions
// RUN: shardrun --interpret %s --input="5x9xf32=-1.94 -0.75 0.13 1.32 1.6 -1.51 0.81 1.49 -0.54 -0.47 -1.93 -1.82 -0.55 1.19 -1.47 -1.72 -0.64 -0.25 1.84 0.35 -1.2 0.78 0.59 0.43 -0.14 0.74 0.24 -0.06 -0.79 -1.67 -1.26 1.69 1.01 -0.39 0.36 -1.67 1.84 1.82 -0.94 1.87 -1.98 -0.76 0.6 1.02 -0.59" --expected-output="5x3xf32=1.6 1.49 1.32 1.19 -0.25 -0.47 1.84 0.78 0.74 1.69 1.01 0.36 1.87 1.84 1.82" --expected-output="5x3xi32=4 7 3 4 8 0 0 3 7 4 5 7 3 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<5x3xf32>, tensor<5x3xi32>) {
  %r0, %r1 = chlo.top_k(%a, k = 3) : tensor<5x9xf32> -> (tensor<5x3xf32>, tensor<5x3xi32>)
  return %r0, %r1 : tensor<5x3xf32>, tensor<5x3xi32>
}
