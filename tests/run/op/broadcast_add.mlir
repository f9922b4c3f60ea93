// chlo.broadcast_add gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=0.18 -1.98 0.5 0.54 -1.58 1.8 -1.79 0.81 0.57 -0.62 -1.57 1.49 -0.18 0.21 0.58 -1.89 -1.56 1.13 -0.29 0.32 -0.59 0.01 0.96 1.44 1.45 -1.63 -0.31 0.36 -0.97 0.8" --input="5xf32=0.08 -0.25 0.15 -1.97 0.13" --expected-output="6x5xf32=0.26 -2.23 0.65 -1.43 -1.45 1.88 -2.04 0.96 -1.4 -0.49 -1.49 1.24 -0.03 -1.76 0.71 -1.81 -1.81 1.28 -2.26 0.45 -0.51 -0.24 1.11 -0.53 1.58 -1.55 -0.56 0.51 -2.94 0.93" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_add %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
