// Ops on index values: types missing in the text are index, or the tensor's element type.
// RUN: shardopt %s

func.func @main(%a: tensor<?x3xf32>, %x: tensor<3x3xindex>) -> (index, index, tensor<2xindex>, f32, i64) {
  %c = arith.constant 0 : index
  %0 = tensor.dim %a, %c : tensor<?x3xf32>
  %1 = tensor.extract %x[%c, %0] : tensor<3x3xindex>
  %2 = tensor.from_elements %0, %1 : tensor<2xindex>
  %3 = tensor.extract %a[%c, %0] {note} : tensor<?x3xf32>
  %4 = arith.muli %0, %1 : index
  %5 = arith.index_cast %4 : index to i64
  %6 = shape.num_elements %2 : tensor<2xindex> -> index
  return %6, %4, %2, %3, %5 : index, index, tensor<2xindex>, f32, i64
}
