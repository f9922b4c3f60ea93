// Bits packed into bytes as jax.numpy.packbits does it: sums of eight neighbors. Also a sum of floats, whose order is kept.
func.func @main(%x: tensor<100x64xui8>, %y: tensor<100x32xf32>) -> (tensor<100x8xui8>, tensor<100x8xf32>, tensor<100x8xi32>) {
  %limit = stablehlo.constant dense<127> : tensor<100x64xui8>
  %0 = stablehlo.compare GT, %x, %limit, UNSIGNED : (tensor<100x64xui8>, tensor<100x64xui8>) -> tensor<100x64xi1>
  %1 = stablehlo.convert %0 : (tensor<100x64xi1>) -> tensor<100x64xui8>
  %2 = stablehlo.reshape %1 : (tensor<100x64xui8>) -> tensor<100x8x8xui8>
  %3 = stablehlo.iota dim = 2 : tensor<100x8x8xui8>
  %4 = stablehlo.shift_left %2, %3 : tensor<100x8x8xui8>
  %5 = stablehlo.convert %4 : (tensor<100x8x8xui8>) -> tensor<100x8x8xui64>
  %zero = stablehlo.constant dense<0> : tensor<ui64>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x8x8xui64>, tensor<ui64>) -> tensor<100x8xui64>
  %7 = stablehlo.convert %6 : (tensor<100x8xui64>) -> tensor<100x8xui8>
  %8 = stablehlo.reshape %y : (tensor<100x32xf32>) -> tensor<100x8x4xf32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %fzero) applies stablehlo.add across dimensions = [2] : (tensor<100x8x4xf32>, tensor<f32>) -> tensor<100x8xf32>
  %10 = stablehlo.reshape %x : (tensor<100x64xui8>) -> tensor<100x8x8xui8>
  %11 = stablehlo.convert %10 : (tensor<100x8x8xui8>) -> tensor<100x8x8xi32>
  %least = stablehlo.constant dense<-7> : tensor<i32>
  %12 = stablehlo.reduce(%11 init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<100x8x8xi32>, tensor<i32>) -> tensor<100x8xi32>
  return %7, %9, %12 : tensor<100x8xui8>, tensor<100x8xf32>, tensor<100x8xi32>
}
