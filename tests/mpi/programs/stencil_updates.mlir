// Stencil loops that set borders and interiors by updates at constant indices, on an array with sharded rows: an interior (scatter), an interior
// added to (scatter), four borders and a point source, and an interior within zeros (dynamic_update_slice) of two arrays.
sdy.mesh @mesh = <["x"=2]>
func.func private @laplacian(%u: tensor<196x280xf32>) -> tensor<194x278xf32> {
  %n = stablehlo.slice %u [0:194, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s = stablehlo.slice %u [2:196, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %w = stablehlo.slice %u [1:195, 0:278] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %e = stablehlo.slice %u [1:195, 2:280] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %m = stablehlo.slice %u [1:195, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %0 = stablehlo.add %n, %s : tensor<194x278xf32>
  %1 = stablehlo.add %w, %e : tensor<194x278xf32>
  %2 = stablehlo.add %0, %1 : tensor<194x278xf32>
  %fifth = stablehlo.constant dense<0.2> : tensor<194x278xf32>
  %3 = stablehlo.multiply %2, %fifth : tensor<194x278xf32>
  %4 = stablehlo.subtract %3, %m : tensor<194x278xf32>
  return %4 : tensor<194x278xf32>
}
func.func private @set_interior(%u: tensor<196x280xf32>) -> tensor<196x280xf32> {
  %at = stablehlo.constant dense<1> : tensor<2xi32>
  %new = call @laplacian(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %0 = "stablehlo.scatter"(%u, %at, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<196x280xf32>, tensor<2xi32>, tensor<194x278xf32>) -> tensor<196x280xf32>
  return %0 : tensor<196x280xf32>
}
func.func private @add_interior(%u: tensor<196x280xf32>) -> tensor<196x280xf32> {
  %at = stablehlo.constant dense<1> : tensor<2xi32>
  %new = call @laplacian(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %0 = "stablehlo.scatter"(%u, %at, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<196x280xf32>, tensor<2xi32>, tensor<194x278xf32>) -> tensor<196x280xf32>
  return %0 : tensor<196x280xf32>
}
func.func private @set_row(%u: tensor<196x280xf32>, %at: tensor<1xi32>, %row: tensor<280xf32>) -> tensor<196x280xf32> {
  %0 = "stablehlo.scatter"(%u, %at, %row) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<196x280xf32>, tensor<1xi32>, tensor<280xf32>) -> tensor<196x280xf32>
  return %0 : tensor<196x280xf32>
}
func.func private @set_column(%u: tensor<196x280xf32>, %at: tensor<1xi32>, %column: tensor<196xf32>) -> tensor<196x280xf32> {
  %0 = "stablehlo.scatter"(%u, %at, %column) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<196x280xf32>, tensor<1xi32>, tensor<196xf32>) -> tensor<196x280xf32>
  return %0 : tensor<196x280xf32>
}
func.func private @borders(%u: tensor<196x280xf32>) -> tensor<196x280xf32> {
  %0 = call @laplacian(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.pad %0, %zero, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<194x278xf32>, tensor<f32>) -> tensor<196x280xf32>
  %2 = stablehlo.add %u, %1 : tensor<196x280xf32>
  %first = stablehlo.constant dense<0> : tensor<1xi32>
  %last_row = stablehlo.constant dense<195> : tensor<1xi32>
  %last_column = stablehlo.constant dense<279> : tensor<1xi32>
  %ones = stablehlo.constant dense<1.0> : tensor<280xf32>
  %halves = stablehlo.constant dense<0.5> : tensor<196xf32>
  %second = stablehlo.slice %u [0:196, 1:2] : (tensor<196x280xf32>) -> tensor<196x1xf32>
  %column = stablehlo.reshape %second : (tensor<196x1xf32>) -> tensor<196xf32>
  %3 = call @set_row(%2, %first, %ones) : (tensor<196x280xf32>, tensor<1xi32>, tensor<280xf32>) -> tensor<196x280xf32>
  %4 = call @set_row(%3, %last_row, %ones) : (tensor<196x280xf32>, tensor<1xi32>, tensor<280xf32>) -> tensor<196x280xf32>
  %5 = call @set_column(%4, %first, %column) : (tensor<196x280xf32>, tensor<1xi32>, tensor<196xf32>) -> tensor<196x280xf32>
  %6 = call @set_column(%5, %last_column, %halves) : (tensor<196x280xf32>, tensor<1xi32>, tensor<196xf32>) -> tensor<196x280xf32>
  %point = stablehlo.constant dense<[98, 30]> : tensor<2xi32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %7 = "stablehlo.scatter"(%6, %point, %three) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<196x280xf32>, tensor<2xi32>, tensor<f32>) -> tensor<196x280xf32>
  return %7 : tensor<196x280xf32>
}
func.func @main(%a: tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<23> : tensor<i32>
  %r0:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<196x280xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %next = func.call @set_interior(%u) : (tensor<196x280xf32>) -> tensor<196x280xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<196x280xf32>
    }
  %r1:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<196x280xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %next = func.call @add_interior(%u) : (tensor<196x280xf32>) -> tensor<196x280xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<196x280xf32>
    }
  %r2:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<196x280xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %next = func.call @borders(%u) : (tensor<196x280xf32>) -> tensor<196x280xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<196x280xf32>
    }
  %r3:3 = stablehlo.while(%i = %zero, %u = %a, %v = %r2#1) : tensor<i32>, tensor<196x280xf32>, tensor<196x280xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %zeros = stablehlo.constant dense<0.0> : tensor<196x280xf32>
      %l = func.call @laplacian(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
      %old = stablehlo.slice %v [1:195, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
      %new = stablehlo.subtract %l, %old : tensor<194x278xf32>
      %next = stablehlo.dynamic_update_slice %zeros, %new, %one, %one : (tensor<196x280xf32>, tensor<194x278xf32>, tensor<i32>, tensor<i32>) -> tensor<196x280xf32>
      stablehlo.return %i1, %next, %u : tensor<i32>, tensor<196x280xf32>, tensor<196x280xf32>
    }
  return %r0#1, %r1#1, %r2#1, %r3#1 : tensor<196x280xf32>, tensor<196x280xf32>, tensor<196x280xf32>, tensor<196x280xf32>
}
