// Computations of shapes, legalized to tensors, are refined through the casts to index values.
// RUN: shardopt %s --shape-legalize-to-stablehlo --stablehlo-refine-shapes

func.func @main(%a: tensor<4x6xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %a, %c0 : tensor<4x6xf32>
  %1 = tensor.dim %a, %c1 : tensor<4x6xf32>
  %2 = arith.muli %0, %c2 : index
  %half = arith.constant 3 : index
  %shape = tensor.from_elements %2, %half : tensor<2xindex>
  %3 = stablehlo.dynamic_reshape %a, %shape : (tensor<4x6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %4 = shape.shape_of %3 : tensor<?x?xf32> -> tensor<2xindex>
  %5 = stablehlo.dynamic_iota %4, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi32>
  return %3, %5 : tensor<?x?xf32>, tensor<?x?xi32>
}
