// Integer ops of constants are folded, in loops too; float ops that round are not.
// RUN: shardopt %s -shardrun-optimize-pipeline
func.func @main(%x: tensor<4xui32>, %n: tensor<i64>) -> (tensor<4xui32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %e = stablehlo.exponential %half : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i64>, tensor<4xui32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i64>
    %divisor = stablehlo.convert %two : (tensor<i64>) -> tensor<ui32>
    %all = stablehlo.broadcast_in_dim %divisor, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %quotient = stablehlo.divide %y, %all : tensor<4xui32>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %next = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next, %quotient : tensor<i64>, tensor<4xui32>
  }
  return %r#1, %e : tensor<4xui32>, tensor<f32>
}
