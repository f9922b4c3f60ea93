// chlo.broadcast_multiply gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=-0.42 1.01 -0.69 1.45 -0.28 0.28 0.06 -0.66 0.3 1.92 0.43 0.19 -1.3 1.86 -1.6 0.07 -1.98 0.91 -0.86 -1.47 1.14 -1.03 -0.38 -0.89 -0.35 0.21 1.18 -1.87 0.28 -1.96" --input="5xf32=-1.47 -0.55 1.17 -1.46 0.4" --expected-output="6x5xf32=0.6174 -0.5555 -0.8073 -2.117 -0.112 -0.4116 -0.033 -0.7722 -0.438 0.768 -0.6321 -0.1045 -1.521 -2.7156 -0.64 -0.1029 1.089 1.0647 1.2556 -0.588 -1.6758 0.5665 -0.4446 1.2994 -0.14 -0.3087 -0.649 -2.1879 -0.4088 -0.784" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_multiply %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
