// Elementwise ops of constants are folded, splats with one computation.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main() -> (tensor<3xi32>, tensor<1000000xf32>, tensor<4xi1>) {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[4, 5, -6]> : tensor<3xi32>
  %0 = stablehlo.multiply %a, %b : tensor<3xi32>
  %c = stablehlo.constant dense<2.5> : tensor<1000000xf32>
  %1 = stablehlo.add %c, %c : tensor<1000000xf32>
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, -0.0, 2.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0, 1.0]> : tensor<4xf32>
  %2 = stablehlo.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<3xi32>, tensor<1000000xf32>, tensor<4xi1>
}
