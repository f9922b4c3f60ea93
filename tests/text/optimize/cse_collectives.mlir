// A collective with equal operand and groups is not repeated, also in a loop; other groups or a token prevent this.
// RUN: shardopt %s '-cse=collectives=true'
func.func @main(%arg0: tensor<2xf32>, %n: tensor<i32>, %t: !stablehlo.token) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %3:2 = stablehlo.while(%i = %c, %x = %2) : tensor<i32>, tensor<4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %4 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    %5 = stablehlo.add %x, %4 : tensor<4xf32>
    stablehlo.return %j, %5 : tensor<i32>, tensor<4xf32>
  }
  %6:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %7:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0, %1, %3#1, %6#0, %7#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
}
