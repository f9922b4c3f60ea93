module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, tf.aliasing_output = 1 : i32},
                  %b: tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, jax.buffer_donor = true},
                  %row: tensor<1x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x2xi32>, tensor<4x2xi32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %r:4 = stablehlo.while(%i = %zero, %x = %a, %y = %b, %s = %zero) : tensor<i32>, tensor<4x2xi32>, tensor<4x2xi32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %u = stablehlo.dynamic_update_slice %x, %row, %i, %zero : (tensor<4x2xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<4x2xi32>
      %odd = stablehlo.remainder %i, %two : tensor<i32>
      %v = "stablehlo.case"(%odd) ({
        %t:2 = stablehlo.while(%k = %zero, %z = %y) : tensor<i32>, tensor<4x2xi32>
        cond {
          %q = stablehlo.compare LT, %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %q : tensor<i1>
        } do {
          %w = stablehlo.add %z, %x : tensor<4x2xi32>
          %n = stablehlo.add %k, %one : tensor<i32>
          stablehlo.return %n, %w : tensor<i32>, tensor<4x2xi32>
        }
        stablehlo.return %t#1 : tensor<4x2xi32>
      }, {
        stablehlo.return %y : tensor<4x2xi32>
      }) : (tensor<i32>) -> tensor<4x2xi32>
      %sum = stablehlo.reduce(%y init: %s) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xi32>, tensor<i32>) -> tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %v, %u, %sum : tensor<i32>, tensor<4x2xi32>, tensor<4x2xi32>, tensor<i32>
    }
    return %r#1, %r#2, %r#3 : tensor<4x2xi32>, tensor<4x2xi32>, tensor<i32>
  }
}
