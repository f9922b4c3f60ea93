// A result with more elements than fold-op-element-limit is not folded.
// RUN: shardopt %s --stablehlo-aggressive-folder=fold-op-element-limit=3

func.func @main() -> (tensor<3xi32>, tensor<4xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.negate %a : tensor<3xi32>
  %1 = stablehlo.negate %b : tensor<4xi32>
  return %0, %1 : tensor<3xi32>, tensor<4xi32>
}
