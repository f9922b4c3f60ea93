// Vectors that a LAPACK call does not compute are zeros if they are read
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[2.0, 0.0], [0.0, -3.0]]> : tensor<2x2xf32>
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}, api_version = 4 : i32} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[3.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<0.0> : tensor<2x2xf32>
  check.expect_eq_const %r#3, dense<0.0> : tensor<2x2xf32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (-3.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %r:4 = stablehlo.custom_call @lapack_cgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}, api_version = 4 : i32} : (tensor<2x2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[(2.0, 0.0), (-3.0, 0.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %r#1, dense<(0.0, 0.0)> : tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r#2, dense<(0.0, 0.0)> : tensor<2x2xcomplex<f32>>
  return
}
