// A loop until all of 600 integers are one: its nest is too small to be divided among threads.
func.func @main(%x: tensor<600xi32>) -> (tensor<600xi32>) {
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %two = stablehlo.constant dense<2> : tensor<600xi32>
  %three = stablehlo.constant dense<3> : tensor<600xi32>
  %zero = stablehlo.constant dense<0> : tensor<600xi32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %r:2 = stablehlo.while(%n = %x, %steps = %zero) : tensor<600xi32>, tensor<600xi32>
  cond {
    %is_open = stablehlo.compare NE, %n, %one, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %any = stablehlo.reduce(%is_open init: %false) applies stablehlo.or across dimensions = [0] : (tensor<600xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %any : tensor<i1>
  } do {
    %half = stablehlo.divide %n, %two : tensor<600xi32>
    %rest = stablehlo.remainder %n, %two : tensor<600xi32>
    %is_even = stablehlo.compare EQ, %rest, %zero, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %tripled = stablehlo.multiply %n, %three : tensor<600xi32>
    %next = stablehlo.add %tripled, %one : tensor<600xi32>
    %new = stablehlo.select %is_even, %half, %next : tensor<600xi1>, tensor<600xi32>
    %is_open = stablehlo.compare NE, %n, %one, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %more = stablehlo.add %steps, %one : tensor<600xi32>
    %n1 = stablehlo.select %is_open, %new, %n : tensor<600xi1>, tensor<600xi32>
    %steps1 = stablehlo.select %is_open, %more, %steps : tensor<600xi1>, tensor<600xi32>
    stablehlo.return %n1, %steps1 : tensor<600xi32>, tensor<600xi32>
  }
  return %r#1 : tensor<600xi32>
}
