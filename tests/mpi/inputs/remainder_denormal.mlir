// The bits of remainders of denormal numbers by constants, in loop nests
func.func @main(%a: tensor<8xf32>, %d: tensor<8xf64>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi64>) {
  %three = stablehlo.constant dense<-3.0> : tensor<8xf32>
  %0 = stablehlo.remainder %a, %three : tensor<8xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<8xf32>) -> tensor<8xi32>
  %two = stablehlo.constant dense<2.0> : tensor<8xf32>
  %2 = stablehlo.remainder %a, %two : tensor<8xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<8xf32>) -> tensor<8xi32>
  %five = stablehlo.constant dense<5.0> : tensor<8xf64>
  %4 = stablehlo.remainder %d, %five : tensor<8xf64>
  %5 = stablehlo.bitcast_convert %4 : (tensor<8xf64>) -> tensor<8xi64>
  return %1, %3, %5 : tensor<8xi32>, tensor<8xi32>, tensor<8xi64>
}
