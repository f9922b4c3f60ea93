// Under a memory limit, expensive values are rematerialized as well: products and gathered values
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-schedule=memory=120000
func.func @chain(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %0, %arg1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot %1, %arg0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.concatenate %3, %3, %3, %3, dim = 0 : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %5 = stablehlo.dot %4, %arg0 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %6 = stablehlo.slice %5 [64:128, 0:64] : (tensor<256x64xf32>) -> tensor<64x64xf32>
  %7 = stablehlo.dot %6, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %7 : tensor<64x64xf32>
}

// Weights are gathered for each use
func.func @gathered(%arg0: tensor<8x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %arg1, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.concatenate %1, %1, %1, %1, dim = 0 : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %3 = stablehlo.dot %2, %arg1 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %4 = stablehlo.slice %3 [64:128, 0:64] : (tensor<256x64xf32>) -> tensor<64x64xf32>
  %5 = stablehlo.dot %4, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}
