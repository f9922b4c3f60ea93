// chlo.broadcast_remainder gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=0.99 -0.2 -1.14 0.63 -0.54 1.12 -0.88 -0.16 0.43 1 -0.75 0.39 1.94 -1.61 0.35 0.81 -1.57 -1.26 0.25 1.14 -0.19 -0.15 -1.23 0.86 1.04 -1.58 0.4 -0.29 0.72 -0.79" --input="5xf32=1.09 1.31 1.75 2.45 1.7" --expected-output="6x5xf32=0.99 -0.2 -1.14 0.63 -0.54 0.02999997 -0.88 -0.16 0.43 1 -0.75 0.39 0.1900001 -1.61 0.35 0.81 -0.2600001 -1.26 0.25 1.14 -0.19 -0.15 -1.23 0.86 1.04 -0.49 0.4 -0.29 0.72 -0.79" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_remainder %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
