// Sums that are not divided: of few terms, of a prime number of terms, of few columns or along rows with few terms for each accumulator,
// of f64, and maxima. No nest of this module has loops over blocks.
// RUN: shardopt %s -shardrun-work-pipeline
module {
  func.func @main(%short: tensor<1024x64xf32>, %prime: tensor<8191x64xf32>, %narrow: tensor<4096x16xf32>, %rows: tensor<64x8192xf32>, %double: tensor<8192x64xf64>, %x: tensor<8192x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<16xf32>, tensor<64xf32>, tensor<64xf64>, tensor<64xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zero64 = stablehlo.constant dense<0.0> : tensor<f64>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%short init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x64xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = stablehlo.reduce(%prime init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8191x64xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.reduce(%narrow init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x16xf32>, tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x8192xf32>, tensor<f32>) -> tensor<64xf32>
    %4 = stablehlo.reduce(%double init: %zero64) applies stablehlo.add across dimensions = [0] : (tensor<8192x64xf64>, tensor<f64>) -> tensor<64xf64>
    %5 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
    return %0, %1, %2, %3, %4, %5 : tensor<64xf32>, tensor<64xf32>, tensor<16xf32>, tensor<64xf32>, tensor<64xf64>, tensor<64xf32>
  }
}
