// A broadcast that is live across the peak is rematerialized for its distant readers, once for those after the peak
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-schedule
func.func @far(%arg0: tensor<64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot %1, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.dot %3, %arg2 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = stablehlo.dot %4, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = stablehlo.dot %0, %5 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %6, %5 : tensor<64x64xf32>, tensor<64x64xf32>
}

// It is not rematerialized if the peak is elsewhere
func.func @elsewhere(%arg0: tensor<64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot %1, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot %2, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.concatenate %3, %3, %3, %3, dim = 0 : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %5 = stablehlo.dot %4, %arg2 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %6 = stablehlo.slice %5 [64:128, 0:64] : (tensor<256x64xf32>) -> tensor<64x64xf32>
  return %6 : tensor<64x64xf32>
}

// The result of a product is kept
func.func @dear(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot %1, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.dot %3, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}
