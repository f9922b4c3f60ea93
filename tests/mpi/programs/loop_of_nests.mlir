// A loop until an error is small: loop nests of few elements, and a sort, which prevents compiling the loop as one function
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%s = %x, %e = %one) : tensor<32xf32>, tensor<f32>
  cond {
    %least = stablehlo.constant dense<1.0e-3> : tensor<f32>
    %c = stablehlo.compare GT, %e, %least : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %half = stablehlo.constant dense<0.9> : tensor<32xf32>
    %a = stablehlo.multiply %s, %half : tensor<32xf32>
    %b = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %d = stablehlo.tanh %b : tensor<32xf32>
    %f = "stablehlo.sort"(%d) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare GT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %h = stablehlo.multiply %f, %half : tensor<32xf32>
    %i = "stablehlo.sort"(%h) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare GT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %j = stablehlo.sine %i : tensor<32xf32>
    %k = stablehlo.multiply %j, %half : tensor<32xf32>
    %m = stablehlo.abs %k : tensor<32xf32>
    %n = stablehlo.reduce(%m init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %k, %n : tensor<32xf32>, tensor<f32>
  }
  return %r#0 : tensor<32xf32>
}
