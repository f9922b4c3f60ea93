// A refinement that contradicts the declared type is an error at the function.
// RUN: shardopt %s --stablehlo-refine-arguments="types=tensor<5x?xf32>"
// EXIT: 1

func.func @main(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %x : tensor<4x?xf32>
}
