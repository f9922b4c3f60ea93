// batch_norm_inference gives results that are known from its formula
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[[1.620000005e+00, -6.100000143e-01], [-5.299999714e-01, -1.070000052e+00], [8.700000048e-01, -2.299999952e+00]], [[1.740000010e+00, -7.599999905e-01], [3.199999928e-01, -2.500000000e-01], [1.460000038e+00, -2.059999943e+00]]]> : tensor<2x3x2xf32>
  %s = stablehlo.constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %o = stablehlo.constant dense<[5.000000000e-01, -1.000000000e+00]> : tensor<2xf32>
  %m = stablehlo.constant dense<[1.000000015e-01, 2.000000030e-01]> : tensor<2xf32>
  %v = stablehlo.constant dense<[1.500000000e+00, 5.000000000e-01]> : tensor<2xf32>
  %r = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.125 : f32, feature_index = 2 : i64} : (tensor<2x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq_const %r, dense<[[[1.692386031e+00, -3.049155951e+00], [5.787342787e-03, -4.212874413e+00], [1.104037762e+00, -7.324555397e+00]], [[1.786521792e+00, -3.428629160e+00], [6.725822091e-01, -2.138419867e+00], [1.566871762e+00, -6.717397690e+00]]]> : tensor<2x3x2xf32>, tolerance = 1.000000e-04
  return
}
