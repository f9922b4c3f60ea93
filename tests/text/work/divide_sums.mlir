// Long sums of f32 over rows are divided into sums over blocks of rows, which a second nest adds, with what follows them. A result
// that varies along the rows is one of the first nest.
// RUN: shardopt %s -shardrun-work-pipeline
module {
  func.func @mean(%x: tensor<8192x64xf32>, %scale: tensor<64xf32>) -> (tensor<8192x64xf32>, tensor<64xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.tanh %x : tensor<8192x64xf32>
    %sum = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
    %mean = stablehlo.multiply %sum, %scale : tensor<64xf32>
    return %t, %mean : tensor<8192x64xf32>, tensor<64xf32>
  }
  // Blocks of the dimensions before the last summed one, and a bf16 result; the index of a row is that in its block and more
  func.func @images(%x: tensor<16x28x28x32xbf16>) -> (tensor<32xbf16>) {
    %init = stablehlo.constant dense<1.0> : tensor<bf16>
    %i = stablehlo.iota dim = 1 : tensor<16x28x28x32xbf16>
    %t = stablehlo.multiply %x, %i : tensor<16x28x28x32xbf16>
    %sum = stablehlo.reduce(%t init: %init) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x28x28x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    return %sum : tensor<32xbf16>
  }
  // Long rows
  func.func @rows(%x: tensor<4x262144xf32>) -> (tensor<4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x262144xf32>, tensor<f32>) -> tensor<4xf32>
    return %sum : tensor<4xf32>
  }
}
