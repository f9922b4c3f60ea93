// Full reductions in two stages apply the initial value once and keep the sign of zeros, and NaN.
// RUN: shardrun --interpret %s
module {
  func.func @main() {
    %i = stablehlo.iota dim = 1 : tensor<300x300xi32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %sum = stablehlo.reduce(%i init: %ten) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x300xi32>, tensor<i32>) -> tensor<i32>
    check.expect_eq_const %sum, dense<13455010> : tensor<i32>
    %least = stablehlo.reduce(%i init: %ten) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<300x300xi32>, tensor<i32>) -> tensor<i32>
    check.expect_eq_const %least, dense<0> : tensor<i32>
    %most = stablehlo.reduce(%i init: %ten) applies stablehlo.maximum across dimensions = [1, 0] : (tensor<300x300xi32>, tensor<i32>) -> tensor<i32>
    check.expect_eq_const %most, dense<299> : tensor<i32>
    %j = stablehlo.convert %i : (tensor<300x300xi32>) -> tensor<300x300xf32>
    %three = stablehlo.constant dense<3.0> : tensor<f32>
    %real = stablehlo.reduce(%j init: %three) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x300xf32>, tensor<f32>) -> tensor<f32>
    check.expect_almost_eq_const %real, dense<13455003.0> : tensor<f32>
    %none = stablehlo.constant dense<-0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<300x300xf32>
    %zero = stablehlo.reduce(%zeros init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x300xf32>, tensor<f32>) -> tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %sign = stablehlo.divide %one, %zero : tensor<f32>
    check.expect_eq_const %sign, dense<0xFF800000> : tensor<f32>
    %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<300x300xf32>
    %product = stablehlo.reduce(%ones init: %three) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<300x300xf32>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %product, dense<3.0> : tensor<f32>
    %odd = stablehlo.divide %j, %j : tensor<300x300xf32>
    %lost = stablehlo.reduce(%odd init: %three) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<300x300xf32>, tensor<f32>) -> tensor<f32>
    %is = stablehlo.compare NE, %lost, %lost : (tensor<f32>, tensor<f32>) -> tensor<i1>
    check.expect_eq_const %is, dense<true> : tensor<i1>
    return
  }
}
