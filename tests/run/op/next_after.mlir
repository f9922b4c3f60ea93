// chlo.next_after of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-1.87 -1.88 -0.87 -0.5 -0.87 -0.44 -1.11 1.9 0.91 0.8 -1.36 -0.93 -1.01 -0.05 -1.79 1.82 -1.34 1.09 -1.16 -0.17 1.89 -0.78 1.64 -1.33 -1.56 -0.35 1.86 -1.23 -0.76 -1.56" --input="6x5xf32=-0.63 1.83 1.81 1.01 0.9 0.31 1.2 0.06 -1.41 0.1 0.4 -1.9 -0.27 1.91 -0.25 1.08 -1.77 0.03 -1.76 -1.98 0.46 -1.43 1.59 -1.35 -1.97 -1.02 0.2 0.3 -1.14 1.13" --expected-output="6x5xf32=-1.87 -1.88 -0.8699999 -0.5 -0.8699999 -0.44 -1.11 1.9 0.91 0.8 -1.36 -0.9300001 -1.01 -0.05 -1.79 1.82 -1.34 1.09 -1.16 -0.17 1.89 -0.78 1.64 -1.33 -1.56 -0.35 1.86 -1.23 -0.7600001 -1.56" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = chlo.next_after %a, %b : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
