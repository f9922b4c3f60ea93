// rng in a loop is refused: it would give the same values in every iteration
// RUN: shardrun --interpret %s
// EXIT: 4
func.func @main() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %r = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %u = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.subtract %i, %one : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  return
}
