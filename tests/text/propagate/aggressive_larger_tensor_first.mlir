// If two factors conflict over an axis, the larger tensor's factor gets it
// RUN: shardopt %s -sdy-aggressive-propagate
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>}) -> tensor<8x64xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
