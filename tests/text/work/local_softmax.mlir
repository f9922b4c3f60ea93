// Exponentials of a softmax with sharded rows are computed from the shard's maximum, and scaled when the maximum over devices is known; also
// if only the sum is used, or if 0 replaces a maximum that is not finite, as in JAX's logsumexp. A softmax whose exponentials have other readers, and one that is small, stay.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @softmax(%x: tensor<64x2048xf32>) -> tensor<64x2048xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %lows, %1 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x2048xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<64x2048xf32>
    %6 = stablehlo.exponential %5 : tensor<64x2048xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<64xf32>) -> tensor<64x2048xf32>
    %10 = stablehlo.divide %6, %9 : tensor<64x2048xf32>
    return %10 : tensor<64x2048xf32>
  }
  func.func @logarithm(%x: tensor<64x2048xf32>) -> tensor<64xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %lows, %1 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x2048xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<64x2048xf32>
    %6 = stablehlo.exponential %5 : tensor<64x2048xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %9 = stablehlo.log %8 : tensor<64xf32>
    return %9 : tensor<64xf32>
  }
  func.func @guarded_logarithm(%x: tensor<64x2048xf32>) -> tensor<64xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %lows, %1 : tensor<64xf32>
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %is_finite = stablehlo.is_finite %2 : (tensor<64xf32>) -> tensor<64xi1>
    %guarded = stablehlo.select %is_finite, %2, %zeros : tensor<64xi1>, tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %guarded, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x2048xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<64x2048xf32>
    %6 = stablehlo.exponential %5 : tensor<64x2048xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %9 = stablehlo.log %8 : tensor<64xf32>
    %10 = stablehlo.add %9, %guarded : tensor<64xf32>
    return %10 : tensor<64xf32>
  }
  func.func @other_reader(%x: tensor<64x2048xf32>) -> (tensor<64x2048xf32>, tensor<64x2048xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %lows, %1 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x2048xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<64x2048xf32>
    %6 = stablehlo.exponential %5 : tensor<64x2048xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x2048xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<64xf32>) -> tensor<64x2048xf32>
    %10 = stablehlo.divide %6, %9 : tensor<64x2048xf32>
    return %10, %6 : tensor<64x2048xf32>, tensor<64x2048xf32>
  }
  func.func @small(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %lows, %1 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x128xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<64x128xf32>
    %6 = stablehlo.exponential %5 : tensor<64x128xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
    %10 = stablehlo.divide %6, %9 : tensor<64x128xf32>
    return %10 : tensor<64x128xf32>
  }
}
