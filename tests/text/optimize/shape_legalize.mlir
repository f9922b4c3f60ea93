// shape computations on index values become tensors of i32; others are errors
// RUN: shardopt %s --shape-legalize-to-stablehlo

func.func @main(%a: tensor<?x1xf32>, %s: tensor<f32>, %x: tensor<2xindex>) -> (index, tensor<?x?x?xf32>, tensor<0xindex>, i64, tensor<3xindex>) {
  %0 = shape.shape_of %a : tensor<?x1xf32> -> tensor<2xindex>
  %1 = shape.const_shape [2, 1, 3] : tensor<3xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  %3 = stablehlo.dynamic_broadcast_in_dim %a, %2, dims = [1, 2] : (tensor<?x1xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %4 = shape.num_elements %x : tensor<2xindex> -> index
  %c4 = arith.constant 4 : index
  %5 = arith.muli %4, %c4 : index
  %6 = shape.shape_of %s : tensor<f32> -> tensor<0xindex>
  %7 = arith.index_cast %5 : index to i64
  %c1 = arith.constant 1 : index
  %8 = tensor.extract %x[%c1] : tensor<2xindex>
  %9 = tensor.dim %3, %c1 : tensor<?x?x?xf32>
  %10 = tensor.from_elements %8, %c4, %9 : tensor<3xindex>
  return %5, %3, %6, %7, %10 : index, tensor<?x?x?xf32>, tensor<0xindex>, i64, tensor<3xindex>
}
