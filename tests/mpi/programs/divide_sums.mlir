// Means over 65,536 equal rows: one sum after another would be off in the fourth digit
func.func @main(%x: tensor<f32>) -> (tensor<32xf32>, tensor<65536x32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<65536.0> : tensor<32xf32>
  %rows = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<65536x32xf32>
  %index = stablehlo.iota dim = 0 : tensor<65536x32xf32>
  %scaled = stablehlo.multiply %rows, %index : tensor<65536x32xf32>
  %sum = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<65536x32xf32>, tensor<f32>) -> tensor<32xf32>
  %mean = stablehlo.divide %sum, %n : tensor<32xf32>
  return %mean, %scaled : tensor<32xf32>, tensor<65536x32xf32>
}
