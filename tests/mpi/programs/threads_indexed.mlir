// Scatters of rows that worker threads divide: some indices out of bounds, rows shorter and longer than a vector, repeated indices
module @threads_indexed {
  func.func @main(%t: tensor<301x77xf32>, %i: tensor<9000xi32>, %u: tensor<9000x77xf32>, %w: tensor<77x16xbf16>, %v: tensor<9000x16xbf16>) -> (tensor<301x77xf32>, tensor<77x16xbf16>) {
    %many = stablehlo.constant dense<307> : tensor<9000xi32>
    %less = stablehlo.constant dense<80> : tensor<9000xi32>
    %iota = stablehlo.iota dim = 0 : tensor<9000xi32>
    %sum = stablehlo.add %iota, %i : tensor<9000xi32>
    %a = stablehlo.remainder %sum, %many : tensor<9000xi32>
    %b = stablehlo.remainder %sum, %less : tensor<9000xi32>
    %0 = "stablehlo.scatter"(%t, %a, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<301x77xf32>, tensor<9000xi32>, tensor<9000x77xf32>) -> tensor<301x77xf32>
    %1 = "stablehlo.scatter"(%w, %b, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
      %s = stablehlo.multiply %x, %y : tensor<bf16>
      stablehlo.return %s : tensor<bf16>
    }) : (tensor<77x16xbf16>, tensor<9000xi32>, tensor<9000x16xbf16>) -> tensor<77x16xbf16>
    return %0, %1 : tensor<301x77xf32>, tensor<77x16xbf16>
  }
}
