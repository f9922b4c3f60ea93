// chlo.broadcast_subtract gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=1.1 -0.89 1.29 -1.75 0.81 -1.8 0.71 -0.87 -0.31 0.44 1.93 1.14 -1.67 1.05 -0.94 0.85 0.16 0.51 -1.06 1.6 -0.67 -0.48 1.64 1.69 -0.84 1.97 1.69 1.49 0.12 -1.61" --input="5xf32=0.99 -1.82 -1.24 -0.96 1.61" --expected-output="6x5xf32=0.11 0.9300001 2.53 -0.79 -0.8 -2.79 2.53 0.37 0.65 -1.17 0.9399999 2.96 -0.4299999 2.01 -2.55 -0.14 1.98 1.75 -0.09999996 -0.00999999 -1.66 1.34 2.88 2.65 -2.45 0.98 3.51 2.73 1.08 -3.22" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_subtract %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
