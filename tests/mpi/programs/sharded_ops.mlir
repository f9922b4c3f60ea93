// Ops that need an SPMD expansion, along dimensions that the four devices of "x" do not divide.
// Some indices are out of bounds, and some repeat.
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<29x3xi32>, %arg1: tensor<3x29xbf16>, %arg2: tensor<96xi32>, %arg3: tensor<3x29xf32>, %arg4: tensor<3x3xf32>, %arg5: tensor<896xi32>)
      -> (tensor<29x3xi32>, tensor<7x3xi32>, tensor<29x3xi32>, tensor<29x3xi32>, tensor<3x2xbf16>, tensor<3x3xi32>, tensor<29x3xi32>, tensor<29x3xi32>, tensor<3x29xf32>,
          tensor<3x3xf32>, tensor<3x3xi32>, tensor<96xi32>, tensor<896xi32>, tensor<896xi32>, tensor<3x29xf32>) {
    %x = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<29x3xi32>
    %m = sdy.sharding_constraint %arg1 <@mesh, [{}, {"x"}]> : tensor<3x29xbf16>
    %z = sdy.sharding_constraint %arg2 <@mesh, [{"x"}]> : tensor<96xi32>
    %w = sdy.sharding_constraint %arg5 <@mesh, [{"x", "y"}]> : tensor<896xi32>
    %t = sdy.sharding_constraint %arg3 <@mesh, [{}, {"x"}]> : tensor<3x29xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.constant dense<27> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %three = stablehlo.constant dense<3> : tensor<29x1xi32>
    %nine = stablehlo.constant dense<9> : tensor<29x1xi32>
    %iota = stablehlo.iota dim = 0 : tensor<29x1xi32>
    %odd = stablehlo.multiply %iota, %three : tensor<29x1xi32>
    %index = stablehlo.subtract %odd, %nine : tensor<29x1xi32>
    %half = stablehlo.divide %index, %three : tensor<29x1xi32>

    // sharded updates added to few rows and to many; with a general body; into a shard of the device
    %none = stablehlo.constant dense<0> : tensor<7x3xi32>
    %sums = "stablehlo.scatter"(%none, %half, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<7x3xi32>, tensor<29x1xi32>, tensor<29x3xi32>) -> tensor<7x3xi32>
    %added = "stablehlo.scatter"(%x, %half, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<29x3xi32>, tensor<29x1xi32>, tensor<29x3xi32>) -> tensor<29x3xi32>
    %most = "stablehlo.scatter"(%x, %index, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<29x3xi32>, tensor<29x1xi32>, tensor<29x3xi32>) -> tensor<29x3xi32>
    %rows = stablehlo.constant dense<[[30], [7], [-1]]> : tensor<3x1xi32>
    %two = stablehlo.slice %arg0 [0:3, 0:3] : (tensor<29x3xi32>) -> tensor<3x3xi32>
    %set = "stablehlo.scatter"(%x, %rows, %two) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
    }) : (tensor<29x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<29x3xi32>

    // a gather along a sharded dimension with a batch
    %places = stablehlo.constant dense<[[[28], [3]], [[-2], [31]], [[9], [9]]]> : tensor<3x2x1xi32>
    %found = "stablehlo.gather"(%m, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x29xbf16>, tensor<3x2x1xi32>) -> tensor<3x2xbf16>

    // a slice that crosses two shards, and one beyond the end; updates likewise
    %cut = stablehlo.dynamic_slice %x, %27, %zero, sizes = [3, 3] : (tensor<29x3xi32>, tensor<i32>, tensor<i32>) -> tensor<3x3xi32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %put = stablehlo.dynamic_update_slice %x, %two, %seven, %zero : (tensor<29x3xi32>, tensor<3x3xi32>, tensor<i32>, tensor<i32>) -> tensor<29x3xi32>

    // a reverse cumulative sum and a forward cumulative maximum
    %sum = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 28], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 29, 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<29x3xi32>, tensor<i32>) -> tensor<29x3xi32>
    %greatest = "stablehlo.reduce_window"(%t, %low) <{padding = dense<[[0, 0], [28, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 29>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x29xf32>, tensor<f32>) -> tensor<3x29xf32>

    // the largest elements; full stable sorts, with one operand and with a payload
    %top, %where = chlo.top_k(%t, k = 3) : tensor<3x29xf32> -> (tensor<3x3xf32>, tensor<3x3xi32>)
    %sorted = "stablehlo.sort"(%z) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<96xi32>) -> tensor<96xi32>
    %few = stablehlo.constant dense<536870912> : tensor<896xi32>
    %keys = stablehlo.divide %w, %few : tensor<896xi32>
    %k, %v = "stablehlo.sort"(%keys, %w) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %s = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<896xi32>, tensor<896xi32>) -> (tensor<896xi32>, tensor<896xi32>)
    %in_order = sdy.sharding_constraint %sorted <@mesh, [{"x"}]> : tensor<96xi32>
    %k_in_order = sdy.sharding_constraint %k <@mesh, [{"x", "y"}]> : tensor<896xi32>
    %v_in_order = sdy.sharding_constraint %v <@mesh, [{"x", "y"}]> : tensor<896xi32>

    // triangular solve, sharded along columns of the right-hand side
    %solved = "stablehlo.triangular_solve"(%arg4, %t) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x29xf32>) -> tensor<3x29xf32>
    return %added, %sums, %most, %set, %found, %cut, %put, %sum, %greatest, %top, %where, %in_order, %k_in_order, %v_in_order, %solved
        : tensor<29x3xi32>, tensor<7x3xi32>, tensor<29x3xi32>, tensor<29x3xi32>, tensor<3x2xbf16>, tensor<3x3xi32>, tensor<29x3xi32>, tensor<29x3xi32>, tensor<3x29xf32>,
          tensor<3x3xf32>, tensor<3x3xi32>, tensor<96xi32>, tensor<896xi32>, tensor<896xi32>, tensor<3x29xf32>
  }
}
