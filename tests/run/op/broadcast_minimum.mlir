// chlo.broadcast_minimum gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=1.99 1.82 -1.55 -0.4 1.38 -1.98 1.61 1.97 -0.95 -1.7 -1.56 -1.25 1.95 0.02 -0.22 -1.36 1.85 -0.19 -0.27 -1.18 1.73 1.18 -1.32 -0.15 0.02 -0.23 -1.29 -0.12 0.73 -1.9" --input="5xf32=-1.15 -0.66 1.09 -0.25 1.42" --expected-output="6x5xf32=-1.15 -0.66 -1.55 -0.4 1.38 -1.98 -0.66 1.09 -0.95 -1.7 -1.56 -1.25 1.09 -0.25 -0.22 -1.36 -0.66 -0.19 -0.27 -1.18 -1.15 -0.66 -1.32 -0.25 0.02 -1.15 -1.29 -0.12 -0.25 -1.9" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_minimum %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
