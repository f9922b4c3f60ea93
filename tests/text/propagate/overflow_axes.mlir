// Axes that do not divide a major factor stay on the tensor, but are not propagated.
// RUN: shardopt %s -sdy-basic-propagate
sdy.mesh @mesh = <["a"=3, "b"=2]>
func.func @main(%a: tensor<8x6xf32>, %b: tensor<48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) -> tensor<48xf32> {
  %0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<48xf32>
  %1 = stablehlo.add %0, %b : tensor<48xf32>
  return %1 : tensor<48xf32>
}
