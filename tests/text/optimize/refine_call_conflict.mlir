// A function that is called with two shapes cannot be refined.
// RUN: shardopt %s --stablehlo-refine-shapes
// EXIT: 1

func.func @main(%x: tensor<6xf32>, %y: tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<?xf32>
  %1 = stablehlo.convert %y : (tensor<7xf32>) -> tensor<?xf32>
  %2 = call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %3 = call @f(%1) : (tensor<?xf32>) -> tensor<?xf32>
  return %2, %3 : tensor<?xf32>, tensor<?xf32>
}
func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
