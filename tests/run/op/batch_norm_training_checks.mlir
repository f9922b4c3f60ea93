// batch_norm_training gives results, means and variances of each feature that are known from its formula
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[[1.620000005e+00, -6.100000143e-01], [-5.299999714e-01, -1.070000052e+00], [8.700000048e-01, -2.299999952e+00]], [[1.740000010e+00, -7.599999905e-01], [3.199999928e-01, -2.500000000e-01], [1.460000038e+00, -2.059999943e+00]]]> : tensor<2x3x2xf32>
  %s = stablehlo.constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %o = stablehlo.constant dense<[5.000000000e-01, -1.000000000e+00]> : tensor<2xf32>
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.125 : f32, feature_index = 2 : i64} : (tensor<2x3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %r#0, dense<[[[1.301107287e+00, 3.575837612e-01], [-1.136223912e+00, -7.477059364e-01], [4.508754611e-01, -3.703153610e+00]], [[1.437144279e+00, -2.836704254e-03], [-1.726278663e-01, 1.222592831e+00], [1.119724512e+00, -3.126480818e+00]]]> : tensor<2x3x2xf32>, tolerance = 1.000000e-04
  check.expect_almost_eq_const %r#1, dense<[9.133333564e-01, -1.174999952e+00]> : tensor<2xf32>, tolerance = 1.000000e-04
  check.expect_almost_eq_const %r#2, dense<[6.531222463e-01, 5.678250194e-01]> : tensor<2xf32>, tolerance = 1.000000e-04
  return
}
