// Expensive ops are not duplicated: both users join the producer's nest.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @dear(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
    %0 = stablehlo.exponential %x : tensor<4096xf32>
    %1 = stablehlo.negate %0 : tensor<4096xf32>
    %2 = stablehlo.add %0, %x : tensor<4096xf32>
    return %1, %2 : tensor<4096xf32>, tensor<4096xf32>
  }
  func.func @dear_elsewhere(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.exponential %x : tensor<64x64xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<64x64xf32>
    return %2, %0 : tensor<64x64xf32>, tensor<64x64xf32>
  }
}
