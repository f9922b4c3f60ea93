// batch_norm_grad is the gradient of batch_norm_training (expected values by differences)
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[[1.620000005e+00, -6.100000143e-01], [-5.299999714e-01, -1.070000052e+00], [8.700000048e-01, -2.299999952e+00]], [[1.740000010e+00, -7.599999905e-01], [3.199999928e-01, -2.500000000e-01], [1.460000038e+00, -2.059999943e+00]]]> : tensor<2x3x2xf32>
  %s = stablehlo.constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %m = stablehlo.constant dense<[9.133333564e-01, -1.174999952e+00]> : tensor<2xf32>
  %v = stablehlo.constant dense<[6.531222463e-01, 5.678250194e-01]> : tensor<2xf32>
  %g = stablehlo.constant dense<[[[-3.199999928e-01, -3.799999952e-01], [1.129999995e+00, -1.100000024e+00], [-1.700000018e-01, -8.799999952e-01]], [[3.999999911e-02, 5.799999833e-01], [-1.100000024e+00, 1.139999986e+00], [8.999999762e-01, 5.000000000e-01]]]> : tensor<2x3x2xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {epsilon = 0.125 : f32, feature_index = 2 : i64} : (tensor<2x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3x2xf32>) -> (tensor<2x3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %r#0, dense<[[[-3.381485939e-01, -1.350954771e+00], [9.548126459e-01, -2.678815126e+00], [-2.904813886e-01, -1.074863076e+00]], [[8.954335004e-02, 1.086874962e+00], [-1.434513569e+00, 1.986574054e+00], [1.018787622e+00, 2.031183958e+00]]]> : tensor<2x3x2xf32>, tolerance = 1.000000e-04
  check.expect_almost_eq_const %r#1, dense<[-7.618077397e-01, 1.817120314e+00]> : tensor<2xf32>, tolerance = 1.000000e-04
  check.expect_almost_eq_const %r#2, dense<[4.799999595e-01, -1.400002241e-01]> : tensor<2xf32>, tolerance = 1.000000e-04
  return
}
