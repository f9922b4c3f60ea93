// If executes one of two branches, with collectives inside
// RUN: shardrun --interpret %s --input="6x5xf32=-0.34 0.38 -0.68 0.88 -1.74 -1.49 -0.76 0.82 1.15 -0.03 0.11 1.12 -0.31 -0.83 0.62 2 1.68 1.69 1.37 1.94 1.69 0.12 -0.49 -1.54 1 -1.74 -0.98 1.17 0.59 0.71" --input="i1=1" --expected-output="5xf32=0.23 1.56 2.2 1.62 2.5" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<i1>) -> (tensor<5xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r0 = "stablehlo.if"(%b) ({
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
  stablehlo.return %s : tensor<5xf32>
  }, {
  %s = stablehlo.slice %a [0:1, 0:5] : (tensor<6x5xf32>) -> tensor<1x5xf32>
  %t = stablehlo.reshape %s : (tensor<1x5xf32>) -> tensor<5xf32>
  stablehlo.return %t : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<5xf32>
  return %r0 : tensor<5xf32>
}
