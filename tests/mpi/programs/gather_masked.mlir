func.func @main(%x: tensor<2048x1024xf32>, %i: tensor<2048x1024xi32>) -> tensor<2048x1024xf32> {
  %c = stablehlo.constant dense<0> : tensor<2048x1024xi32>
  %c_0 = stablehlo.constant dense<1023> : tensor<2048x1024xi32>
  %c_1 = stablehlo.constant dense<1024> : tensor<2048x1024xi32>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<2048x1024xf32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<2048x1024xi32>, tensor<2048x1024xi32>) -> tensor<2048x1024xi1>
  %1 = stablehlo.add %i, %c_1 : tensor<2048x1024xi32>
  %2 = stablehlo.select %0, %1, %i : tensor<2048x1024xi1>, tensor<2048x1024xi32>
  %3 = stablehlo.compare GE, %2, %c, SIGNED : (tensor<2048x1024xi32>, tensor<2048x1024xi32>) -> tensor<2048x1024xi1>
  %4 = stablehlo.compare LE, %2, %c_0, SIGNED : (tensor<2048x1024xi32>, tensor<2048x1024xi32>) -> tensor<2048x1024xi1>
  %5 = stablehlo.and %3, %4 : tensor<2048x1024xi1>
  %6 = stablehlo.reshape %5 : (tensor<2048x1024xi1>) -> tensor<2048x1024x1xi1>
  %7 = stablehlo.reduce(%6 init: %true) applies stablehlo.and across dimensions = [2] : (tensor<2048x1024x1xi1>, tensor<i1>) -> tensor<2048x1024xi1>
  %8 = stablehlo.reshape %2 : (tensor<2048x1024xi32>) -> tensor<2048x1024x1xi32>
  %9 = "stablehlo.gather"(%x, %8) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2048x1024xf32>, tensor<2048x1024x1xi32>) -> tensor<2048x1024xf32>
  %10 = stablehlo.select %7, %9, %cst : tensor<2048x1024xi1>, tensor<2048x1024xf32>
  return %10 : tensor<2048x1024xf32>
}
