// while carries a sharded value through its iterations
// RUN: shardrun --interpret %s --input="6x5xf32=-1.07 -1 1.57 1.74 1.57 -1.35 0.05 -0.54 -0.79 0.58 -1.89 0.9 1.42 1.73 -1.93 0.3 0.49 1.33 0.35 -1.13 1.68 -0.36 0.55 0.53 -1.26 -1.33 1.53 1.49 0.85 -1.02" --input="i32=3" --expected-output="6x5xf32=9.6 -2.12 -12.24 -10.36 -2.2 -1.32 1.24 -0.03999996 1.04 2.72 6.36 -5.56 -11 -8.32 12.24 6.36 -5.56 -11 -8.32 12.24 -1.32 1.24 -0.03999996 1.04 2.72 9.6 -2.12 -12.24 -10.36 -2.2" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<i32>) -> (tensor<6x5xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%v = %a, %i = %z) : tensor<6x5xf32>, tensor<i32> cond {
  %t = stablehlo.compare LT, %i, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %t : tensor<i1>
  } do {
  %k = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.add %i, %k : tensor<i32>
  %u = stablehlo.reverse %v, dims = [0] : tensor<6x5xf32>
  %m = stablehlo.add %u, %v : tensor<6x5xf32>
  stablehlo.return %m, %n : tensor<6x5xf32>, tensor<i32>
  }
  %r0 = stablehlo.negate %w#0 : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
