// Softmax and layer norm with static rows give the expected values, through reshapes and a transpose.
// RUN: shardrun --interpret %s
module {
  func.func @main() {
    %i = stablehlo.iota dim = 1 : tensor<4x3xf32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%i init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
    %s = stablehlo.subtract %i, %b : tensor<4x3xf32>
    %e = stablehlo.exponential %s : tensor<4x3xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %sb = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
    %q = stablehlo.divide %e, %sb : tensor<4x3xf32>
    %row = stablehlo.constant dense<[0.0900305733, 0.244728476, 0.665240943]> : tensor<3xf32>
    %want = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
    check.expect_close %q, %want, max_ulp_difference = 8 : tensor<4x3xf32>, tensor<4x3xf32>
    %t = stablehlo.transpose %i, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %flat = stablehlo.reshape %t : (tensor<3x4xf32>) -> tensor<12xf32>
    %two = stablehlo.add %flat, %flat : tensor<12xf32>
    %known = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0, 4.0, 4.0, 4.0, 4.0]> : tensor<12xf32>
    check.expect_close %two, %known, max_ulp_difference = 0 : tensor<12xf32>, tensor<12xf32>
    return
  }
}
