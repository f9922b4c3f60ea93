// chlo.constant_like: a constant in the shape of a value
// RUN: shardrun --interpret %s --input="6x5xf32=0.66 -1.48 -0.9 -1.52 -0.27 1.93 1.67 -0.45 1.88 -0.99 0.83 -1.25 0.94 -0.13 -0.93 0.11 0.01 0.39 1.32 -1.17 -0.78 -0.46 0.5 1.34 1.23 -1.89 0.34 0.96 -1.93 1.35" --expected-output="6x5xf32=1.65 -3.7 -2.25 -3.8 -0.675 4.825 4.175 -1.125 4.7 -2.475 2.075 -3.125 2.35 -0.325 -2.325 0.275 0.025 0.975 3.3 -2.925 -1.95 -1.15 1.25 3.35 3.075 -4.725 0.85 2.4 -4.825 3.375" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %0 = "chlo.constant_like"(%a) {value = 2.5 : f32} : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %r0 = stablehlo.multiply %0, %a : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
