// Simplification creates constants that enable folding.
// RUN: shardopt %s --stablehlo-target-independent-optimization

func.func @main(%x: tensor<i32>, %y: tensor<?xf32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.subtract %x, %x : tensor<i32>
  %1 = stablehlo.add %0, %one : tensor<i32>
  %2 = stablehlo.multiply %1, %x : tensor<i32>
  return %2 : tensor<i32>
}
