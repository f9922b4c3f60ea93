// The messages of a graph network are computed in blocks of rows and scattered block by block, and not in memory as a whole; the last two rows have a
// loop of their own. Messages stay whole if something else reads them, if they are computed from another array as large, if their rows are
// not the outermost dimension, or short, or elements of the windows of a gather, if they are an argument, and if nothing reads the sums.
// RUN: shardopt %s -shardrun-strip-mine='min-bytes=0 rows=4' | grep -e "func" -e "while" -e "gather" -e "scatter" -e "dynamic_slice" -e "multiply.*x16xf32" -e "exponential" -e "dot_general"
module {
  func.func @messages(%x: tensor<7x16xf32>, %r: tensor<18x1xf32>, %from: tensor<18x1xi32>, %to: tensor<18x1xi32>, %w: tensor<1x16xf32>, %sums: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %h = "stablehlo.gather"(%x, %from) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<7x16xf32>, tensor<18x1xi32>) -> tensor<18x16xf32>
    %f = stablehlo.dot_general %r, %w, contracting_dims = [1] x [0] : (tensor<18x1xf32>, tensor<1x16xf32>) -> tensor<18x16xf32>
    %m = stablehlo.multiply %h, %f : tensor<18x16xf32>
    %o = "stablehlo.scatter"(%sums, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %o : tensor<7x16xf32>
  }
  func.func @result(%x: tensor<18x1xf32>, %to: tensor<18x1xi32>, %sums: tensor<7x16xf32>) -> (tensor<7x16xf32>, tensor<18x16xf32>) {
    %b = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<18x1xf32>) -> tensor<18x16xf32>
    %m = stablehlo.exponential %b : tensor<18x16xf32>
    %o = "stablehlo.scatter"(%sums, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.maximum %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %o, %m : tensor<7x16xf32>, tensor<18x16xf32>
  }
  func.func @large_operand(%x: tensor<18x16xf32>, %to: tensor<18x1xi32>, %sums: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %m = stablehlo.exponential %x : tensor<18x16xf32>
    %o = "stablehlo.scatter"(%sums, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      stablehlo.return %c : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %o : tensor<7x16xf32>
  }
  func.func @columns(%x: tensor<18xf32>, %to: tensor<18x1xi32>, %sums: tensor<16x7xf32>) -> tensor<16x7xf32> {
    %b = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<18xf32>) -> tensor<16x18xf32>
    %m = stablehlo.exponential %b : tensor<16x18xf32>
    %o = "stablehlo.scatter"(%sums, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<16x7xf32>, tensor<18x1xi32>, tensor<16x18xf32>) -> tensor<16x7xf32>
    return %o : tensor<16x7xf32>
  }
  func.func @short_rows(%x: tensor<7x2xf32>, %from: tensor<18x1xi32>, %to: tensor<18x1xi32>, %sums: tensor<7x2xf32>) -> tensor<7x2xf32> {
    %h = "stablehlo.gather"(%x, %from) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<7x2xf32>, tensor<18x1xi32>) -> tensor<18x2xf32>
    %o = "stablehlo.scatter"(%sums, %to, %h) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<7x2xf32>, tensor<18x1xi32>, tensor<18x2xf32>) -> tensor<7x2xf32>
    return %o : tensor<7x2xf32>
  }
  func.func @argument(%x: tensor<18x16xf32>, %to: tensor<18x1xi32>, %sums: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %o = "stablehlo.scatter"(%sums, %to, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %o : tensor<7x16xf32>
  }
  func.func @windows(%x: tensor<18x9xf32>, %from: tensor<16x1xi32>, %to: tensor<18x1xi32>, %sums: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %h = "stablehlo.gather"(%x, %from) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 18, 1>}> : (tensor<18x9xf32>, tensor<16x1xi32>) -> tensor<18x16xf32>
    %o = "stablehlo.scatter"(%sums, %to, %h) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %o : tensor<7x16xf32>
  }
  func.func @unread(%x: tensor<18x1xf32>, %to: tensor<18x1xi32>, %sums: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %b = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<18x1xf32>) -> tensor<18x16xf32>
    %m = stablehlo.exponential %b : tensor<18x16xf32>
    %o = "stablehlo.scatter"(%sums, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<7x16xf32>, tensor<18x1xi32>, tensor<18x16xf32>) -> tensor<7x16xf32>
    return %sums : tensor<7x16xf32>
  }
}
