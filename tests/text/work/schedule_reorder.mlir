// An op that makes a large value small comes before the next large value is computed
// RUN: shardopt %s -shardrun-schedule
func.func @frees_first(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<16xf32> {
  %0 = stablehlo.negate %arg0 : tensor<64xf32>
  %1 = stablehlo.negate %arg1 : tensor<64xf32>
  %2 = stablehlo.slice %0 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %3 = stablehlo.slice %1 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %4 = stablehlo.add %2, %3 : tensor<16xf32>
  return %4 : tensor<16xf32>
}

// A parameter's values are made where they are wanted, all the way from the argument, and not before
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

// Where no order takes less, the one that was given stays
func.func @stays(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.negate %arg1 : tensor<64xf32>
  %1 = stablehlo.negate %arg0 : tensor<64xf32>
  return %1, %0 : tensor<64xf32>, tensor<64xf32>
}
