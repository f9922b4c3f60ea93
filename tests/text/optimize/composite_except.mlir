// Composites become calls of their decompositions, except those in the option `except`.
// RUN: shardopt %s --stablehlo-legalize-composite-to-call=except=a.kept,a.other

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.composite "a.kept" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "a.called" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
