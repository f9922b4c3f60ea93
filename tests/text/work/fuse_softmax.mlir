// Softmax: maximum, sum and quotient are stages of one nest; the rows' values are not stored.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
    %b = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
    %s = stablehlo.subtract %x, %b : tensor<64x256xf32>
    %e = stablehlo.exponential %s : tensor<64x256xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
    %sb = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
    %q = stablehlo.divide %e, %sb : tensor<64x256xf32>
    return %q : tensor<64x256xf32>
  }
}
