// Refining a bounded dimension removes its bound.
// RUN: shardopt %s --stablehlo-refine-arguments="types=tensor<5x4xf32>" --stablehlo-refine-shapes

func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>> {
  %0 = stablehlo.negate %x : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  return %0 : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
}
