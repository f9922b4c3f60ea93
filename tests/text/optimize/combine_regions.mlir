// Loops and branches: sums in one body are combined; a loop that reads a sum prevents combining that sum with later ones
// RUN: shardopt %s -shardrun-combine-collectives
func.func @regions(%x: tensor<4xf32>, %y: tensor<3xf32>, %i: tensor<i32>, %j: tensor<2xi32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<i32>, tensor<2xi32>) {
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%i) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %2:3 = stablehlo.while(%k = %c, %a = %x, %b = %y) : tensor<i32>, tensor<4xf32>, tensor<3xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l = stablehlo.add %k, %one : tensor<i32>
  %3 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
    %5 = stablehlo.add %3, %0 : tensor<4xf32>
    stablehlo.return %l, %5, %4 : tensor<i32>, tensor<4xf32>, tensor<3xf32>
  }
  %6 = "stablehlo.all_reduce"(%j) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  %7 = "stablehlo.all_reduce"(%2#2) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %2#1, %7, %1, %6 : tensor<4xf32>, tensor<3xf32>, tensor<i32>, tensor<2xi32>
}
