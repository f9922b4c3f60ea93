// In a loop, a scatter of one window is a dynamic_update_slice. Indices that are in bounds in every iteration (@inside: a counter, one that JAX has made
// non-negative, and a remainder) need no test; at others the old elements are stored again (@outside). Several small windows are several updates (@several).
// Scatters of a large window at an unknown index, of a window with several elements along the indexed dimension, of large windows, and outside of loops
// stay (@stay).
// RUN: shardopt %s -shardrun-simplify
func.func @inside(%x: tensor<8x100xf32>, %t: tensor<8x8xi32>) -> (tensor<8x100xf32>, tensor<8x8xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %k = %one, %y = %x, %s = %t) : tensor<i32>, tensor<i32>, tensor<8x100xf32>, tensor<8x8xi32>
  cond {
    %go_on = stablehlo.compare LT, %i, %seven, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %is_negative = stablehlo.compare LT, %k, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %sum = stablehlo.add %k, %eight : tensor<i32>
    %row = stablehlo.select %is_negative, %sum, %k : tensor<i1>, tensor<i32>
    %index = stablehlo.broadcast_in_dim %row, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %new = stablehlo.constant dense<1.0> : tensor<100xf32>
    %y1 = "stablehlo.scatter"(%y, %index, %new) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8x100xf32>, tensor<1xi32>, tensor<100xf32>) -> tensor<8x100xf32>
    %twice = stablehlo.add %k, %k : tensor<i32>
    %column = stablehlo.remainder %twice, %eight : tensor<i32>
    %c0 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %c1 = stablehlo.reshape %column : (tensor<i32>) -> tensor<1xi32>
    %pair = stablehlo.concatenate %c0, %c1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %s1 = "stablehlo.scatter"(%s, %pair, %k) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<8x8xi32>, tensor<2xi32>, tensor<i32>) -> tensor<8x8xi32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %i1, %k1, %y1, %s1 : tensor<i32>, tensor<i32>, tensor<8x100xf32>, tensor<8x8xi32>
  }
  return %r#2, %r#3 : tensor<8x100xf32>, tensor<8x8xi32>
}
func.func @outside(%x: tensor<8xf32>, %n: tensor<i32>, %at: tensor<9xui32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %new = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %index = stablehlo.dynamic_slice %at, %i, sizes = [1] : (tensor<9xui32>, tensor<i32>) -> tensor<1xui32>
    %y1 = "stablehlo.scatter"(%y, %index, %new) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %b, %a : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<8xf32>, tensor<1xui32>, tensor<f32>) -> tensor<8xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %y1 : tensor<i32>, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}
func.func @stay(%x: tensor<8x100xf32>, %at: tensor<1xi32>, %two: tensor<2x1xi32>, %v: tensor<f32>) -> tensor<8x100xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %new = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<100xf32>
  %rows = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<2x100xf32>
  %x1 = "stablehlo.scatter"(%x, %at, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x100xf32>, tensor<1xi32>, tensor<100xf32>) -> tensor<8x100xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x1) : tensor<i32>, tensor<8x100xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %y1 = "stablehlo.scatter"(%y, %at, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8x100xf32>, tensor<1xi32>, tensor<100xf32>) -> tensor<8x100xf32>
    %y2 = "stablehlo.scatter"(%y1, %at, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8x100xf32>, tensor<1xi32>, tensor<2x100xf32>) -> tensor<8x100xf32>
    %y3 = "stablehlo.scatter"(%y2, %two, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8x100xf32>, tensor<2x1xi32>, tensor<2x100xf32>) -> tensor<8x100xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %y3 : tensor<i32>, tensor<8x100xf32>
  }
  return %r#1 : tensor<8x100xf32>
}
func.func @several(%x: tensor<8x2xf32>, %at: tensor<2x1xi32>, %rows: tensor<2x2xf32>) -> tensor<8x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x2xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %y1 = "stablehlo.scatter"(%y, %at, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<8x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<8x2xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %y1 : tensor<i32>, tensor<8x2xf32>
  }
  return %r#1 : tensor<8x2xf32>
}
