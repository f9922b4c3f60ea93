// Two slices in sequence are merged if no dimension is sliced by both and the first slice has no other user.
// RUN: shardopt %s -canonicalize

func.func @once(%arg0: tensor<4x8x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<1x2x6xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg0, %i, %c, %j, sizes = [1, 8, 6] : (tensor<4x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
  %1 = stablehlo.dynamic_slice %0, %j, %j, %c, sizes = [1, 2, 6] : (tensor<1x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x6xf32>
  return %1 : tensor<1x2x6xf32>
}

func.func @cut_twice(%arg0: tensor<8xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %arg0, %i, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_slice %0, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

func.func @read_by_others(%arg0: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i64>) -> (tensor<2x4xf32>, tensor<2x1xf32>) {
  %0 = stablehlo.dynamic_slice %arg0, %i, %i, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_slice %0, %j, %j, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x1xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x1xf32>
}

func.func @unlike_starts(%arg0: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i64>) -> tensor<2x1xf32> {
  %0 = stablehlo.dynamic_slice %arg0, %i, %i, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_slice %0, %j, %j, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}
