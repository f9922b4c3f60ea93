// q times r is the matrix, by geqrf and orgqr (ungqr)
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[1.690000057e+00, -4.699999988e-01, 2.999999933e-02], [4.099999964e-01, -7.900000215e-01, 0.000000000e+00], [-0.000000000e+00, -1.750000000e+00, 1.019999981e+00], [6.000000238e-01, -6.299999952e-01, -1.700000018e-01]]]> : tensor<1x4x3xf32>
  %f:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x3xf32>)
  %q = stablehlo.custom_call @lapack_sorgqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xf32>, tensor<1x3xf32>) -> tensor<1x4x3xf32>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xf32>) -> tensor<1x3x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<1x3x3xf32>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xf32>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xf32>, tensor<1x3x3xf32>) -> tensor<1x4x3xf32>
  check.expect_almost_eq_const %qr, dense<[[[1.690000057e+00, -4.699999988e-01, 2.999999933e-02], [4.099999964e-01, -7.900000215e-01, 0.000000000e+00], [-0.000000000e+00, -1.750000000e+00, 1.019999981e+00], [6.000000238e-01, -6.299999952e-01, -1.700000018e-01]]]> : tensor<1x4x3xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[1.690000000e+00, -4.700000000e-01, 3.000000000e-02], [4.100000000e-01, -7.900000000e-01, 0.000000000e+00], [-0.000000000e+00, -1.750000000e+00, 1.020000000e+00], [6.000000000e-01, -6.300000000e-01, -1.700000000e-01]]]> : tensor<1x4x3xf64>
  %f:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xf64>) -> (tensor<1x4x3xf64>, tensor<1x3xf64>)
  %q = stablehlo.custom_call @lapack_dorgqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xf64>, tensor<1x3xf64>) -> tensor<1x4x3xf64>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xf64>) -> tensor<1x3x3xf64>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<1x3x3xf64>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xf64>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xf64>, tensor<1x3x3xf64>) -> tensor<1x4x3xf64>
  check.expect_almost_eq_const %qr, dense<[[[1.690000000e+00, -4.700000000e-01, 3.000000000e-02], [4.100000000e-01, -7.900000000e-01, 0.000000000e+00], [-0.000000000e+00, -1.750000000e+00, 1.020000000e+00], [6.000000000e-01, -6.300000000e-01, -1.700000000e-01]]]> : tensor<1x4x3xf64>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.690000057e+00, 5.099999905e-01), (-4.699999988e-01, -2.599999905e-01), (2.999999933e-02, -2.399999946e-01)], [(4.099999964e-01, -1.450000048e+00), (-7.900000215e-01, 5.500000119e-01), (0.000000000e+00, 1.199999973e-01)], [(0.000000000e+00, 2.700000107e-01), (-1.750000000e+00, -1.529999971e+00), (1.019999981e+00, 1.649999976e+00)], [(6.000000238e-01, 1.500000060e-01), (-6.299999952e-01, -3.899999857e-01), (-1.700000018e-01, 2.029999971e+00)]]]> : tensor<1x4x3xcomplex<f32>>
  %f:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>) -> (tensor<1x4x3xcomplex<f32>>, tensor<1x3xcomplex<f32>>)
  %q = stablehlo.custom_call @lapack_cungqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>, tensor<1x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<1x3x3xcomplex<f32>>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xcomplex<f32>>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  check.expect_almost_eq_const %qr, dense<[[[(1.690000057e+00, 5.099999905e-01), (-4.699999988e-01, -2.599999905e-01), (2.999999933e-02, -2.399999946e-01)], [(4.099999964e-01, -1.450000048e+00), (-7.900000215e-01, 5.500000119e-01), (0.000000000e+00, 1.199999973e-01)], [(0.000000000e+00, 2.700000107e-01), (-1.750000000e+00, -1.529999971e+00), (1.019999981e+00, 1.649999976e+00)], [(6.000000238e-01, 1.500000060e-01), (-6.299999952e-01, -3.899999857e-01), (-1.700000018e-01, 2.029999971e+00)]]]> : tensor<1x4x3xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.690000000e+00, 5.100000000e-01), (-4.700000000e-01, -2.600000000e-01), (3.000000000e-02, -2.400000000e-01)], [(4.100000000e-01, -1.450000000e+00), (-7.900000000e-01, 5.500000000e-01), (0.000000000e+00, 1.200000000e-01)], [(0.000000000e+00, 2.700000000e-01), (-1.750000000e+00, -1.530000000e+00), (1.020000000e+00, 1.650000000e+00)], [(6.000000000e-01, 1.500000000e-01), (-6.300000000e-01, -3.900000000e-01), (-1.700000000e-01, 2.030000000e+00)]]]> : tensor<1x4x3xcomplex<f64>>
  %f:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>) -> (tensor<1x4x3xcomplex<f64>>, tensor<1x3xcomplex<f64>>)
  %q = stablehlo.custom_call @lapack_zungqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>, tensor<1x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<1x3x3xcomplex<f64>>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xcomplex<f64>>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  check.expect_almost_eq_const %qr, dense<[[[(1.690000000e+00, 5.100000000e-01), (-4.700000000e-01, -2.600000000e-01), (3.000000000e-02, -2.400000000e-01)], [(4.100000000e-01, -1.450000000e+00), (-7.900000000e-01, 5.500000000e-01), (0.000000000e+00, 1.200000000e-01)], [(0.000000000e+00, 2.700000000e-01), (-1.750000000e+00, -1.530000000e+00), (1.020000000e+00, 1.650000000e+00)], [(6.000000000e-01, 1.500000000e-01), (-6.300000000e-01, -3.900000000e-01), (-1.700000000e-01, 2.030000000e+00)]]]> : tensor<1x4x3xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
