// get_dimension_size of static dimensions is folded; set_dimension_size to the static size is removed.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main(%x: tensor<3x?xf32>) -> (tensor<i32>, tensor<i32>, tensor<3x?xf32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
  %2 = stablehlo.set_dimension_size %x, %0, dim = 0 : (tensor<3x?xf32>, tensor<i32>) -> tensor<3x?xf32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<3x?xf32>
}
