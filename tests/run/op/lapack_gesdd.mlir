// LAPACK gesdd: singular values, and the matrix as the product of its factors
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[1.750000000e+00, -2.899999917e-01, -4.799999893e-01], [-2.650000095e+00, -9.999999776e-03, -3.199999928e-01], [-5.400000215e-01, 3.199999928e-01, 4.199999869e-01], [-1.070000052e+00, -8.899999857e-01, -4.799999893e-01]]]> : tensor<1x4x3xf32>
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x3xf32>, tensor<1x4x3xf32>, tensor<1x3x3xf32>, tensor<1xi32>)
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
  %r:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xf64>) -> (tensor<1x4x3xf64>, tensor<1x3xf64>, tensor<1x4x3xf64>, tensor<1x3x3xf64>, tensor<1xi32>)
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
  %a = stablehlo.constant dense<[[[(1.75000000000000000e+00, 6.89999997615814209e-01), (-2.89999991655349731e-01, 5.60000002384185791e-01), (-4.79999989271163940e-01, -1.30999994277954102e+00)], [(-2.65000009536743164e+00, -1.12000000476837158e+00), (-9.99999977648258209e-03, 7.40000009536743164e-01), (-3.19999992847442627e-01, 1.57000005245208740e+00)], [(-5.40000021457672119e-01, -2.99999993294477463e-02), (3.19999992847442627e-01, -6.80000007152557373e-01), (4.19999986886978149e-01, 1.10000002384185791e+00)], [(-1.07000005245208740e+00, -3.10000002384185791e-01), (-8.89999985694885254e-01, 7.30000019073486328e-01), (-4.79999989271163940e-01, 1.54999995231628418e+00)]]]> : tensor<1x4x3xcomplex<f32>>
  %r:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>) -> (tensor<1x4x3xcomplex<f32>>, tensor<1x3xf32>, tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[4.563371658e+00, 1.665016294e+00, 1.058613181e+00]]> : tensor<1x3xf32>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x4x3xf32>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf32>) -> tensor<1x4x3xcomplex<f32>>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xcomplex<f32>>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  check.expect_almost_eq_const %b, dense<[[[(1.75000000000000000e+00, 6.89999997615814209e-01), (-2.89999991655349731e-01, 5.60000002384185791e-01), (-4.79999989271163940e-01, -1.30999994277954102e+00)], [(-2.65000009536743164e+00, -1.12000000476837158e+00), (-9.99999977648258209e-03, 7.40000009536743164e-01), (-3.19999992847442627e-01, 1.57000005245208740e+00)], [(-5.40000021457672119e-01, -2.99999993294477463e-02), (3.19999992847442627e-01, -6.80000007152557373e-01), (4.19999986886978149e-01, 1.10000002384185791e+00)], [(-1.07000005245208740e+00, -3.10000002384185791e-01), (-8.89999985694885254e-01, 7.30000019073486328e-01), (-4.79999989271163940e-01, 1.54999995231628418e+00)]]]> : tensor<1x4x3xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.75000000000000000e+00, 6.89999999999999947e-01), (-2.89999999999999980e-01, 5.60000000000000053e-01), (-4.79999999999999982e-01, -1.31000000000000005e+00)], [(-2.64999999999999991e+00, -1.12000000000000011e+00), (-1.00000000000000002e-02, 7.39999999999999991e-01), (-3.20000000000000007e-01, 1.57000000000000006e+00)], [(-5.40000000000000036e-01, -2.99999999999999989e-02), (3.20000000000000007e-01, -6.80000000000000049e-01), (4.19999999999999984e-01, 1.10000000000000009e+00)], [(-1.07000000000000006e+00, -3.09999999999999998e-01), (-8.90000000000000013e-01, 7.29999999999999982e-01), (-4.79999999999999982e-01, 1.55000000000000004e+00)]]]> : tensor<1x4x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>) -> (tensor<1x4x3xcomplex<f64>>, tensor<1x3xf64>, tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>, tensor<1xi32>)
  check.expect_almost_eq_const %r#1, dense<[[4.563371449e+00, 1.665016257e+00, 1.058613190e+00]]> : tensor<1x3xf64>, tolerance = 1.000000e-03
  %s0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<1x3xf64>) -> tensor<1x4x3xf64>
  %s = stablehlo.convert %s0 : (tensor<1x4x3xf64>) -> tensor<1x4x3xcomplex<f64>>
  %us = stablehlo.multiply %r#2, %s : tensor<1x4x3xcomplex<f64>>
  %b = stablehlo.dot_general %us, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  check.expect_almost_eq_const %b, dense<[[[(1.75000000000000000e+00, 6.89999999999999947e-01), (-2.89999999999999980e-01, 5.60000000000000053e-01), (-4.79999999999999982e-01, -1.31000000000000005e+00)], [(-2.64999999999999991e+00, -1.12000000000000011e+00), (-1.00000000000000002e-02, 7.39999999999999991e-01), (-3.20000000000000007e-01, 1.57000000000000006e+00)], [(-5.40000000000000036e-01, -2.99999999999999989e-02), (3.20000000000000007e-01, -6.80000000000000049e-01), (4.19999999999999984e-01, 1.10000000000000009e+00)], [(-1.07000000000000006e+00, -3.09999999999999998e-01), (-8.90000000000000013e-01, 7.29999999999999982e-01), (-4.79999999999999982e-01, 1.55000000000000004e+00)]]]> : tensor<1x4x3xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
