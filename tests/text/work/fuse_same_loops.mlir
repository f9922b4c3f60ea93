// A sum and a sum of squares read their operand once; a value that depends on the first prevents fusing the second.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @together(%x: tensor<64x256xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = stablehlo.multiply %x, %x : tensor<64x256xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
    return %0, %2 : tensor<64xf32>, tensor<64xf32>
  }
  func.func @path(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.negate %x : tensor<64x64xf32>
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.add %x, %1 : tensor<64x64xf32>
    return %0, %2 : tensor<64x64xf32>, tensor<64x64xf32>
  }
}
