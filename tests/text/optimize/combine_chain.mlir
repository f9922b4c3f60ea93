// An op that reads all_reduces of two element types moves after the combined all_reduce of the first type;
// an op that reads this op and an all_reduce of a third type moves too, although the pass visits it after that combination
// RUN: shardopt %s -shardrun-combine-collectives --verify-each
func.func @chain(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi16>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %f1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %n = "stablehlo.all_reduce"(%i) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  %nf = stablehlo.convert %n : (tensor<4xi32>) -> tensor<4xf32>
  %sum = stablehlo.add %f1, %nf : tensor<4xf32>
  %f2 = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %first:2 = stablehlo.while(%k = %zero, %a = %f2) : tensor<i32>, tensor<4xf32>
   cond {
    %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %l = stablehlo.add %k, %one : tensor<i32>
    %square = stablehlo.multiply %a, %a : tensor<4xf32>
    stablehlo.return %l, %square : tensor<i32>, tensor<4xf32>
  }
  %m = "stablehlo.all_reduce"(%j) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<i16>, %q: tensor<i16>):
    %r = stablehlo.add %p, %q : tensor<i16>
    stablehlo.return %r : tensor<i16>
  }) : (tensor<4xi16>) -> tensor<4xi16>
  %mf = stablehlo.convert %m : (tensor<4xi16>) -> tensor<4xf32>
  %product = stablehlo.multiply %sum, %mf : tensor<4xf32>
  %second:2 = stablehlo.while(%k = %zero, %a = %n) : tensor<i32>, tensor<4xi32>
   cond {
    %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %l = stablehlo.add %k, %one : tensor<i32>
    %square = stablehlo.multiply %a, %a : tensor<4xi32>
    stablehlo.return %l, %square : tensor<i32>, tensor<4xi32>
  }
  return %product, %second#1, %first#1 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}
