sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<7x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %w: tensor<4x3xf32>, %v: tensor<3x3xf32>, %u: tensor<3x5xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<7x4x5xf32>) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<7> : tensor<i32>
  %h0 = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %g0 = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %y0 = stablehlo.constant dense<0.0> : tensor<7x4x5xf32>
  %r:5 = stablehlo.while(%i = %first, %h = %h0, %g = %g0, %y = %y0, %weights = %w) : tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<7x4x5xf32>, tensor<4x3xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %slice = stablehlo.dynamic_slice %x, %i, %first, %first, sizes = [1, 4, 4] : (tensor<7x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %row = stablehlo.reshape %slice : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %a = stablehlo.dot_general %row, %weights, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %b = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    %z = stablehlo.add %a, %b : tensor<4x3xf32>
    %next = stablehlo.tanh %z : tensor<4x3xf32>
    %t = stablehlo.dot_general %next, %row, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
    %tt = stablehlo.transpose %t, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %sum = stablehlo.add %g, %tt : tensor<4x3xf32>
    %c = stablehlo.dot_general %next, %u, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %result = stablehlo.reshape %c : (tensor<4x5xf32>) -> tensor<1x4x5xf32>
    %stack = stablehlo.dynamic_update_slice %y, %result, %i, %first, %first : (tensor<7x4x5xf32>, tensor<1x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x4x5xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next, %sum, %stack, %weights : tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<7x4x5xf32>, tensor<4x3xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<7x4x5xf32>
}
