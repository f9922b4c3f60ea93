// Reading through a reshape that splits a dimension, and through one that merges two: the consumer's loop is split.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @split(%x: tensor<24xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.exponential %x : tensor<24xf32>
    %1 = stablehlo.reshape %0 : (tensor<24xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.negate %1 : tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
  func.func @merge(%x: tensor<4xf32>) -> tensor<24xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x6xf32>) -> tensor<24xf32>
    %2 = stablehlo.negate %1 : tensor<24xf32>
    return %2 : tensor<24xf32>
  }
}
