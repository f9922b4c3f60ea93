// A nest that only copies all elements in their order becomes a reshape after fusion: dimensions of extent 1 are added, moved or removed.
// A nest that changes the order, omits elements or repeats them stays a nest
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse
func.func @added(%arg0: tensor<4x8xf32>, %arg1: tensor<5x4x8xf32>, %arg2: tensor<i32>) -> tensor<5x4x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %1 = stablehlo.dynamic_update_slice %arg1, %0, %arg2, %c, %c : (tensor<5x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x8xf32>
  return %1 : tensor<5x4x8xf32>
}

func.func @moved(%arg0: tensor<4x1x8xf32>) -> tensor<1x4x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<4x1x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

func.func @computed(%arg0: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<4x8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  return %1 : tensor<1x4x8xf32>
}

func.func @turned(%arg0: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @left_out(%arg0: tensor<4x8xf32>) -> tensor<1x4x4xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
  return %1 : tensor<1x4x4xf32>
}

func.func @repeated(%arg0: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @backwards(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.reverse %arg0, dims = [0] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
