func.func @main(%x: tensor<8xf32>, %n: tensor<4x3xi32>) -> (tensor<8xf32>, tensor<4x3xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<-3> : tensor<i32>
  %end = stablehlo.constant dense<12> : tensor<i32>
  %r:3 = stablehlo.while(%i = %start, %y = %x, %m = %n) : tensor<i32>, tensor<8xf32>, tensor<4x3xi32>
  cond {
    %go_on = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %index = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %new = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %y1 = "stablehlo.scatter"(%y, %index, %new) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<8xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8xf32>
    %row = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %m1 = "stablehlo.scatter"(%m, %index, %row) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<4x3xi32>, tensor<1xi32>, tensor<3xi32>) -> tensor<4x3xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y1, %m1 : tensor<i32>, tensor<8xf32>, tensor<4x3xi32>
  }
  return %r#1, %r#2 : tensor<8xf32>, tensor<4x3xi32>
}
