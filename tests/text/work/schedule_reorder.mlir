// An op that reduces a large value to a small one is scheduled before the next large value is computed
// RUN: shardopt %s -shardrun-schedule
func.func @frees_first(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<16xf32> {
  %0 = stablehlo.negate %arg0 : tensor<64xf32>
  %1 = stablehlo.negate %arg1 : tensor<64xf32>
  %2 = stablehlo.slice %0 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %3 = stablehlo.slice %1 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %4 = stablehlo.add %2, %3 : tensor<16xf32>
  return %4 : tensor<16xf32>
}

// Values computed from a parameter, back to the argument, are computed directly before their reader
func.func @waits(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.negate %arg1 : tensor<64x64xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.negate %arg2 : tensor<64x64xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.negate %arg3 : tensor<64x64xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = stablehlo.dot %arg0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %7 = stablehlo.dot %6, %3 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = stablehlo.dot %7, %5 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %8 : tensor<64x64xf32>
}

// If no order has a lower peak, the order of the input is kept
func.func @stays(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.negate %arg1 : tensor<64xf32>
  %1 = stablehlo.negate %arg0 : tensor<64xf32>
  return %1, %0 : tensor<64xf32>, tensor<64xf32>
}
