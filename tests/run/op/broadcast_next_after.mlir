// chlo.broadcast_next_after gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=0.28 0.48 1.51 0.45 -0.19 0.33 0.93 0.48 0.34 1.79 -1.72 0.78 1.43 -0.99 1.57 0.42 -1.84 -0.84 -1.55 1.09 -0.23 -0.67 -0.87 1.95 -1.5 1.33 1.91 1.77 0.45 -1.32" --input="5xf32=-1.32 -1.27 0.85 0.24 1.38" --expected-output="6x5xf32=0.28 0.48 1.51 0.45 -0.19 0.33 0.9299999 0.48 0.34 1.79 -1.72 0.7799999 1.43 -0.9899999 1.57 0.42 -1.84 -0.8399999 -1.55 1.09 -0.23 -0.6700001 -0.8699999 1.95 -1.5 1.33 1.91 1.77 0.45 -1.32" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_next_after %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
