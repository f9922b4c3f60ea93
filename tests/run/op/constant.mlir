// Each device makes its shard of a constant
// RUN: shardrun --interpret %s --input="6x2xf32=0.4 -0.78 -1.52 -0.85 -1.19 0.35 0.05 -0.69 -1.45 0.71 -0.86 -1.64" --expected-output="6x2xf32=1.4 1.22 1.48 3.15 3.81 6.35 7.05 7.31 7.55 10.71 10.14 10.36" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x2xf32>) {
  %c = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]> : tensor<6x2xf32>
  %r0 = stablehlo.add %a, %c : tensor<6x2xf32>
  return %r0 : tensor<6x2xf32>
}
