// triangular systems, the factor transposed and conjugated
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[3.440000057e+00, -3.300000131e-01, 2.430000067e+00], [-2.500000000e-01, 3.109999895e+00, 1.580000043e+00], [-9.100000262e-01, -5.899999738e-01, 3.190000057e+00]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[-3.100000024e-01, 7.300000191e-01], [2.199999988e-01, -8.999999762e-01], [-2.490000010e+00, 9.100000262e-01]]> : tensor<3x2xf32>
  %x = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %x, dense<[[-3.022235334e-01, 2.705740631e-01], [-7.734176517e-02, -2.352709919e-01], [-7.805642486e-01, 2.852664590e-01]]> : tensor<3x2xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[3.440000000e+00, -3.300000000e-01, 2.430000000e+00], [-2.500000000e-01, 3.110000000e+00, 1.580000000e+00], [-9.100000000e-01, -5.900000000e-01, 3.190000000e+00]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[-3.100000000e-01, 7.300000000e-01], [2.200000000e-01, -9.000000000e-01], [-2.490000000e+00, 9.100000000e-01]]> : tensor<3x2xf64>
  %x = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %x, dense<[[-3.022235241e-01, 2.705740489e-01], [-7.734177343e-02, -2.352709936e-01], [-7.805642633e-01, 2.852664577e-01]]> : tensor<3x2xf64>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[(3.440000057e+00, -3.300000131e-01), (-3.300000131e-01, -1.190000057e+00), (2.430000067e+00, -2.000000030e-01)], [(-2.500000000e-01, -3.600000143e-01), (3.109999895e+00, 6.000000238e-01), (1.580000043e+00, -1.659999967e+00)], [(-9.100000262e-01, -6.999999881e-01), (-5.899999738e-01, 1.149999976e+00), (3.190000057e+00, 1.860000014e+00)]]> : tensor<3x3xcomplex<f32>>
  %b = stablehlo.constant dense<[[(-3.100000024e-01, 1.129999995e+00), (7.300000191e-01, -1.509999990e+00)], [(2.199999988e-01, 1.639999986e+00), (-8.999999762e-01, -4.300000072e-01)], [(-2.490000010e+00, 2.630000114e+00), (9.100000262e-01, 6.000000238e-01)]]> : tensor<3x2xcomplex<f32>>
  %x = stablehlo.custom_call @lapack_ctrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  check.expect_almost_eq_const %x, dense<[[(-2.189329863e-01, 6.529996395e-01), (2.274433225e-01, -3.893578649e-01)], [(-2.452920973e-01, 1.842376888e-01), (-3.419593871e-01, -1.056012660e-01)], [(-9.412717819e-01, 2.756220996e-01), (1.310457140e-01, 2.644968629e-01)]]> : tensor<3x2xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[(3.440000000e+00, -3.300000000e-01), (-3.300000000e-01, -1.190000000e+00), (2.430000000e+00, -2.000000000e-01)], [(-2.500000000e-01, -3.600000000e-01), (3.110000000e+00, 6.000000000e-01), (1.580000000e+00, -1.660000000e+00)], [(-9.100000000e-01, -7.000000000e-01), (-5.900000000e-01, 1.150000000e+00), (3.190000000e+00, 1.860000000e+00)]]> : tensor<3x3xcomplex<f64>>
  %b = stablehlo.constant dense<[[(-3.100000000e-01, 1.130000000e+00), (7.300000000e-01, -1.510000000e+00)], [(2.200000000e-01, 1.640000000e+00), (-9.000000000e-01, -4.300000000e-01)], [(-2.490000000e+00, 2.630000000e+00), (9.100000000e-01, 6.000000000e-01)]]> : tensor<3x2xcomplex<f64>>
  %x = stablehlo.custom_call @lapack_ztrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_almost_eq_const %x, dense<[[(-2.189329817e-01, 6.529996550e-01), (2.274433175e-01, -3.893578707e-01)], [(-2.452920804e-01, 1.842376846e-01), (-3.419593826e-01, -1.056012564e-01)], [(-9.412718086e-01, 2.756220803e-01), (1.310457109e-01, 2.644968722e-01)]]> : tensor<3x2xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
