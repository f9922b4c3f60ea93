// LAPACK getrf: LU factors with pivots
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[1.000000000e+00, 2.000000000e+00, 0.000000000e+00], [4.000000000e+00, 1.000000000e+00, 1.000000000e+00], [2.000000000e+00, 8.000000000e+00, 3.000000000e+00]]> : tensor<3x3xf32>
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.000000000e+00, 1.000000000e+00, 1.000000000e+00], [5.000000000e-01, 7.500000000e+00, 2.500000000e+00], [2.500000000e-01, 2.333333343e-01, -8.333333135e-01]]> : tensor<3x3xf32>, tolerance = 1.000000e-03
  check.expect_eq_const %r#1, dense<[2, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %r#2, dense<0> : tensor<i32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[1.000000000e+00, 2.000000000e+00, 0.000000000e+00], [4.000000000e+00, 1.000000000e+00, 1.000000000e+00], [2.000000000e+00, 8.000000000e+00, 3.000000000e+00]]> : tensor<3x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.000000000e+00, 1.000000000e+00, 1.000000000e+00], [5.000000000e-01, 7.500000000e+00, 2.500000000e+00], [2.500000000e-01, 2.333333333e-01, -8.333333333e-01]]> : tensor<3x3xf64>, tolerance = 1.000000e-03
  check.expect_eq_const %r#1, dense<[2, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %r#2, dense<0> : tensor<i32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[(1.00000000000000000e+00, 0.00000000000000000e+00), (2.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(4.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00)], [(2.00000000000000000e+00, 0.00000000000000000e+00), (8.00000000000000000e+00, 0.00000000000000000e+00), (3.00000000000000000e+00, 0.00000000000000000e+00)]]> : tensor<3x3xcomplex<f32>>
  %r:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00)], [(5.00000000000000000e-01, 0.00000000000000000e+00), (7.50000000000000000e+00, 0.00000000000000000e+00), (2.50000000000000000e+00, 0.00000000000000000e+00)], [(2.50000000000000000e-01, 0.00000000000000000e+00), (2.33333334326744080e-01, 0.00000000000000000e+00), (-8.33333313465118408e-01, 0.00000000000000000e+00)]]> : tensor<3x3xcomplex<f32>>, tolerance = 1.000000e-03
  check.expect_eq_const %r#1, dense<[2, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %r#2, dense<0> : tensor<i32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[(1.00000000000000000e+00, 0.00000000000000000e+00), (2.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(4.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00)], [(2.00000000000000000e+00, 0.00000000000000000e+00), (8.00000000000000000e+00, 0.00000000000000000e+00), (3.00000000000000000e+00, 0.00000000000000000e+00)]]> : tensor<3x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00)], [(5.00000000000000000e-01, 0.00000000000000000e+00), (7.50000000000000000e+00, 0.00000000000000000e+00), (2.50000000000000000e+00, 0.00000000000000000e+00)], [(2.50000000000000000e-01, 0.00000000000000000e+00), (2.33333333333333337e-01, 0.00000000000000000e+00), (-8.33333333333333370e-01, 0.00000000000000000e+00)]]> : tensor<3x3xcomplex<f64>>, tolerance = 1.000000e-03
  check.expect_eq_const %r#1, dense<[2, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %r#2, dense<0> : tensor<i32>
  return
}
