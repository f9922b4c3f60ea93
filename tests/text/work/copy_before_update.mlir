// A loop that updates a matrix from its elements, a column and a row of it copies the column and the row first, so that the matrix is
// updated in place: no instruction of the loop's body writes a second matrix
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%d: tensor<64x64xf32>) -> (tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%k = %zero, %a = %d) : tensor<i32>, tensor<64x64xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %more = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %column = stablehlo.dynamic_slice %a, %none, %k, sizes = [64, 1] : (tensor<64x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x1xf32>
    %row = stablehlo.dynamic_slice %a, %k, %none, sizes = [1, 64] : (tensor<64x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %columns = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %rows = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<64x64xf32>
    %sum = stablehlo.add %columns, %rows : tensor<64x64xf32>
    %least = stablehlo.minimum %a, %sum : tensor<64x64xf32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %least : tensor<i32>, tensor<64x64xf32>
  }
  return %0#1 : tensor<64x64xf32>
}
