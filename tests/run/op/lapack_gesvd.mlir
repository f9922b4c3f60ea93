// singular values, and the matrix from its parts, by gesvd
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[1.750000000e+00, -2.899999917e-01, -4.799999893e-01], [-2.650000095e+00, -9.999999776e-03, -3.199999928e-01], [-5.400000215e-01, 3.199999928e-01, 4.199999869e-01], [-1.070000052e+00, -8.899999857e-01, -4.799999893e-01]]]> : tensor<1x4x3xf32>
  %r:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x3xf32>, tensor<1x4x3xf32>, tensor<1x3x3xf32>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[3.396932125e+00, 1.247267127e+00, 3.807581663e-01]]> : tensor<1x3xf32>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x4x3xf32>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xf32>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xf32>, tensor<1x3x3xf32>) -> tensor<1x4x3xf32>
  check.expect_almost_eq_const %b, dense<[[[1.750000000e+00, -2.899999917e-01, -4.799999893e-01], [-2.650000095e+00, -9.999999776e-03, -3.199999928e-01], [-5.400000215e-01, 3.199999928e-01, 4.199999869e-01], [-1.070000052e+00, -8.899999857e-01, -4.799999893e-01]]]> : tensor<1x4x3xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[1.750000000e+00, -2.900000000e-01, -4.800000000e-01], [-2.650000000e+00, -1.000000000e-02, -3.200000000e-01], [-5.400000000e-01, 3.200000000e-01, 4.200000000e-01], [-1.070000000e+00, -8.900000000e-01, -4.800000000e-01]]]> : tensor<1x4x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xf64>) -> (tensor<1x4x3xf64>, tensor<1x3xf64>, tensor<1x4x3xf64>, tensor<1x3x3xf64>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[3.396932105e+00, 1.247267207e+00, 3.807581779e-01]]> : tensor<1x3xf64>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf64>) -> tensor<1x4x3xf64>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf64>) -> tensor<1x4x3xf64>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xf64>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xf64>, tensor<1x3x3xf64>) -> tensor<1x4x3xf64>
  check.expect_almost_eq_const %b, dense<[[[1.750000000e+00, -2.900000000e-01, -4.800000000e-01], [-2.650000000e+00, -1.000000000e-02, -3.200000000e-01], [-5.400000000e-01, 3.200000000e-01, 4.200000000e-01], [-1.070000000e+00, -8.900000000e-01, -4.800000000e-01]]]> : tensor<1x4x3xf64>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.750000000e+00, 6.899999976e-01), (-2.899999917e-01, 5.600000024e-01), (-4.799999893e-01, -1.309999943e+00)], [(-2.650000095e+00, -1.120000005e+00), (-9.999999776e-03, 7.400000095e-01), (-3.199999928e-01, 1.570000052e+00)], [(-5.400000215e-01, -2.999999933e-02), (3.199999928e-01, -6.800000072e-01), (4.199999869e-01, 1.100000024e+00)], [(-1.070000052e+00, -3.100000024e-01), (-8.899999857e-01, 7.300000191e-01), (-4.799999893e-01, 1.549999952e+00)]]]> : tensor<1x4x3xcomplex<f32>>
  %r:5 = stablehlo.custom_call @lapack_cgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>) -> (tensor<1x4x3xcomplex<f32>>, tensor<1x3xf32>, tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[4.563371658e+00, 1.665016294e+00, 1.058613181e+00]]> : tensor<1x3xf32>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x4x3xf32>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf32>) -> tensor<1x4x3xcomplex<f32>>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xcomplex<f32>>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  check.expect_almost_eq_const %b, dense<[[[(1.750000000e+00, 6.899999976e-01), (-2.899999917e-01, 5.600000024e-01), (-4.799999893e-01, -1.309999943e+00)], [(-2.650000095e+00, -1.120000005e+00), (-9.999999776e-03, 7.400000095e-01), (-3.199999928e-01, 1.570000052e+00)], [(-5.400000215e-01, -2.999999933e-02), (3.199999928e-01, -6.800000072e-01), (4.199999869e-01, 1.100000024e+00)], [(-1.070000052e+00, -3.100000024e-01), (-8.899999857e-01, 7.300000191e-01), (-4.799999893e-01, 1.549999952e+00)]]]> : tensor<1x4x3xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.750000000e+00, 6.900000000e-01), (-2.900000000e-01, 5.600000000e-01), (-4.800000000e-01, -1.310000000e+00)], [(-2.650000000e+00, -1.120000000e+00), (-1.000000000e-02, 7.400000000e-01), (-3.200000000e-01, 1.570000000e+00)], [(-5.400000000e-01, -3.000000000e-02), (3.200000000e-01, -6.800000000e-01), (4.200000000e-01, 1.100000000e+00)], [(-1.070000000e+00, -3.100000000e-01), (-8.900000000e-01, 7.300000000e-01), (-4.800000000e-01, 1.550000000e+00)]]]> : tensor<1x4x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>) -> (tensor<1x4x3xcomplex<f64>>, tensor<1x3xf64>, tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[4.563371449e+00, 1.665016257e+00, 1.058613190e+00]]> : tensor<1x3xf64>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf64>) -> tensor<1x4x3xf64>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf64>) -> tensor<1x4x3xcomplex<f64>>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xcomplex<f64>>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  check.expect_almost_eq_const %b, dense<[[[(1.750000000e+00, 6.900000000e-01), (-2.900000000e-01, 5.600000000e-01), (-4.800000000e-01, -1.310000000e+00)], [(-2.650000000e+00, -1.120000000e+00), (-1.000000000e-02, 7.400000000e-01), (-3.200000000e-01, 1.570000000e+00)], [(-5.400000000e-01, -3.000000000e-02), (3.200000000e-01, -6.800000000e-01), (4.200000000e-01, 1.100000000e+00)], [(-1.070000000e+00, -3.100000000e-01), (-8.900000000e-01, 7.300000000e-01), (-4.800000000e-01, 1.550000000e+00)]]]> : tensor<1x4x3xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
