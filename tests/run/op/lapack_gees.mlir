// LAPACK gees: the Schur form, for which Z T Z* is the matrix
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[1.599999964e-01, 6.200000048e-01, 1.629999995e+00], [2.700000107e-01, 2.000000030e-01, -2.800000012e-01], [-1.610000014e+00, 7.599999905e-01, -1.759999990e+00]], [[6.499999762e-01, -9.999999776e-03, 1.129999995e+00], [-7.000000030e-02, -8.199999928e-01, 3.600000143e-01], [-5.600000024e-01, -1.800000072e-01, 3.999999911e-02]]]> : tensor<2x3x3xf32>
  %f:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>, tensor<2xi32>)
  %zt = stablehlo.dot_general %f#1, %f#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %ztz = stablehlo.dot_general %zt, %f#1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq_const %ztz, dense<[[[1.599999964e-01, 6.200000048e-01, 1.629999995e+00], [2.700000107e-01, 2.000000030e-01, -2.800000012e-01], [-1.610000014e+00, 7.599999905e-01, -1.759999990e+00]], [[6.499999762e-01, -9.999999776e-03, 1.129999995e+00], [-7.000000030e-02, -8.199999928e-01, 3.600000143e-01], [-5.600000024e-01, -1.800000072e-01, 3.999999911e-02]]]> : tensor<2x3x3xf32>, tolerance = 1.000000e-03
  check.expect_eq_const %f#5, dense<[0, 0]> : tensor<2xi32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(-0.13, 0.11), (-0.19, -1.23), (-0.83, 0.62)], [(-0.19, 0.74), (-2.14, -1.15), (-0.16, -0.66)], [(-1.2, -0.08), (1.12, -0.57), (1.27, 1.74)]], [[(-1.95, 0.21), (0.14, -1.01), (-0.13, -0.79)], [(-1.05, -0.06), (0.53, 2.3), (-0.46, -0.18)], [(-1.77, 0.13), (-0.27, 0.51), (-0.15, -0.04)]]]> : tensor<2x3x3xcomplex<f64>>
  %f:5 = stablehlo.custom_call @lapack_zgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2xi32>, tensor<2xi32>)
  %zt = stablehlo.dot_general %f#1, %f#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %conj = chlo.conj %f#1 : tensor<2x3x3xcomplex<f64>> -> tensor<2x3x3xcomplex<f64>>
  %ztz = stablehlo.dot_general %zt, %conj, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq_const %ztz, dense<[[[(-0.13, 0.11), (-0.19, -1.23), (-0.83, 0.62)], [(-0.19, 0.74), (-2.14, -1.15), (-0.16, -0.66)], [(-1.2, -0.08), (1.12, -0.57), (1.27, 1.74)]], [[(-1.95, 0.21), (0.14, -1.01), (-0.13, -0.79)], [(-1.05, -0.06), (0.53, 2.3), (-0.46, -0.18)], [(-1.77, 0.13), (-0.27, 0.51), (-0.15, -0.04)]]]> : tensor<2x3x3xcomplex<f64>>, tolerance = 1.000000e-03
  check.expect_eq_const %f#4, dense<[0, 0]> : tensor<2xi32>
  return
}
