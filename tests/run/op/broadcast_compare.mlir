// chlo.broadcast_compare gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=0.85 -0.98 -0.51 0.02 -1.86 -0.85 0.46 -0.22 -1.41 1.6 1.86 0.9 -0.24 -0.27 -1.72 -1.55 1.78 1.13 0.84 0.04 -1.59 -1.48 1.57 1.1 1.43 1.94 -1.54 -1.23 -1.07 -1.01" --input="5xf32=-1.4 -0.5 -1.03 -1.82 0.07" --expected-output="6x5xi1=0 1 0 0 1 0 0 0 0 0 0 0 0 0 1 1 0 0 0 1 1 1 0 0 0 0 1 1 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xi1>) {
  %r0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xi1>
  return %r0 : tensor<6x5xi1>
}
