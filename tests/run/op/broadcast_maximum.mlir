// chlo.broadcast_maximum gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=-0.16 1.5 0.54 -0.36 0.69 -1.7 0.18 1.1 1.74 1.13 1.15 0.06 0.42 -1.34 -0 0.35 1.06 -1.01 -1.16 1.95 1.27 -0.58 0.72 0.58 1.32 1.32 -1.26 0.14 -1.21 -0.94" --input="5xf32=0.28 -0.98 1.5 1.93 -1.04" --expected-output="6x5xf32=0.28 1.5 1.5 1.93 0.69 0.28 0.18 1.5 1.93 1.13 1.15 0.06 1.5 1.93 -0 0.35 1.06 1.5 1.93 1.95 1.27 -0.58 1.5 1.93 1.32 1.32 -0.98 1.5 1.93 -0.94" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_maximum %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
