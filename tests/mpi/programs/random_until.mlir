// For each number from %n down to 1, a random generator runs until its second bit is set: two nested loops of unknown trip count
func.func @main(%n: tensor<i32>, %seed: tensor<ui32>) -> (tensor<ui32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %odd = stablehlo.constant dense<1> : tensor<ui32>
  %three = stablehlo.constant dense<3> : tensor<ui32>
  %five = stablehlo.constant dense<5> : tensor<ui32>
  %shift = stablehlo.constant dense<1> : tensor<ui32>
  %0:3 = stablehlo.while(%i = %n, %s = %seed, %tries = %zero) : tensor<i32>, tensor<ui32>, tensor<i32>
  cond {
    %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %first = stablehlo.multiply %s, %three : tensor<ui32>
    %1:2 = stablehlo.while(%x = %first, %t = %tries) : tensor<ui32>, tensor<i32>
    cond {
      %half = stablehlo.shift_right_logical %x, %shift : tensor<ui32>
      %bit = stablehlo.and %half, %odd : tensor<ui32>
      %even = stablehlo.compare NE, %bit, %odd : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %even : tensor<i1>
    } do {
      %y = stablehlo.add %x, %five : tensor<ui32>
      %u = stablehlo.add %t, %one : tensor<i32>
      stablehlo.return %y, %u : tensor<ui32>, tensor<i32>
    }
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %j, %1#0, %1#1 : tensor<i32>, tensor<ui32>, tensor<i32>
  }
  return %0#1, %0#2 : tensor<ui32>, tensor<i32>
}
