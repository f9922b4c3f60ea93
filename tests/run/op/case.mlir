// case executes one of three branches, the last one if the index is out of range
// RUN: shardrun --interpret %s --input="6x5xf32=-0.66 0.87 0.58 1.44 1.23 0.42 1.7 0.05 1.9 -0.4 -1.7 -0.47 -1.72 -1.31 -1.38 1.75 0.79 -1.56 -0.46 0.89 0.47 0.85 -0.66 1.8 1.32 -0.76 1.97 -0.57 -1.68 -1.19" --input="i32=7" --expected-output="6x5xf32=-0.76 1.97 -0.57 -1.68 -1.19 0.47 0.85 -0.66 1.8 1.32 1.75 0.79 -1.56 -0.46 0.89 -1.7 -0.47 -1.72 -1.31 -1.38 0.42 1.7 0.05 1.9 -0.4 -0.66 0.87 0.58 1.44 1.23" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<i32>) -> (tensor<6x5xf32>) {
  %r0 = "stablehlo.case"(%b) ({
  stablehlo.return %a : tensor<6x5xf32>
  }, {
  %s = stablehlo.negate %a : tensor<6x5xf32>
  stablehlo.return %s : tensor<6x5xf32>
  }, {
  %s = stablehlo.reverse %a, dims = [0] : tensor<6x5xf32>
  stablehlo.return %s : tensor<6x5xf32>
  }) : (tensor<i32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
