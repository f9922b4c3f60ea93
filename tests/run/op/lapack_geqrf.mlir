// LAPACK geqrf and orgqr (ungqr): q times r is the matrix
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
  %a = stablehlo.constant dense<[[[(1.69000005722045898e+00, 5.09999990463256836e-01), (-4.69999998807907104e-01, -2.59999990463256836e-01), (2.99999993294477463e-02, -2.39999994635581970e-01)], [(4.09999996423721313e-01, -1.45000004768371582e+00), (-7.90000021457672119e-01, 5.50000011920928955e-01), (0.00000000000000000e+00, 1.19999997317790985e-01)], [(0.00000000000000000e+00, 2.70000010728836060e-01), (-1.75000000000000000e+00, -1.52999997138977051e+00), (1.01999998092651367e+00, 1.64999997615814209e+00)], [(6.00000023841857910e-01, 1.50000005960464478e-01), (-6.29999995231628418e-01, -3.89999985694885254e-01), (-1.70000001788139343e-01, 2.02999997138977051e+00)]]]> : tensor<1x4x3xcomplex<f32>>
  %f:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>) -> (tensor<1x4x3xcomplex<f32>>, tensor<1x3xcomplex<f32>>)
  %q = stablehlo.custom_call @lapack_cungqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f32>>, tensor<1x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<1x3x3xcomplex<f32>>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xcomplex<f32>>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x4x3xcomplex<f32>>
  check.expect_almost_eq_const %qr, dense<[[[(1.69000005722045898e+00, 5.09999990463256836e-01), (-4.69999998807907104e-01, -2.59999990463256836e-01), (2.99999993294477463e-02, -2.39999994635581970e-01)], [(4.09999996423721313e-01, -1.45000004768371582e+00), (-7.90000021457672119e-01, 5.50000011920928955e-01), (0.00000000000000000e+00, 1.19999997317790985e-01)], [(0.00000000000000000e+00, 2.70000010728836060e-01), (-1.75000000000000000e+00, -1.52999997138977051e+00), (1.01999998092651367e+00, 1.64999997615814209e+00)], [(6.00000023841857910e-01, 1.50000005960464478e-01), (-6.29999995231628418e-01, -3.89999985694885254e-01), (-1.70000001788139343e-01, 2.02999997138977051e+00)]]]> : tensor<1x4x3xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(1.68999999999999995e+00, 5.10000000000000009e-01), (-4.69999999999999973e-01, -2.60000000000000009e-01), (2.99999999999999989e-02, -2.39999999999999991e-01)], [(4.09999999999999976e-01, -1.44999999999999996e+00), (-7.90000000000000036e-01, 5.50000000000000044e-01), (0.00000000000000000e+00, 1.19999999999999996e-01)], [(0.00000000000000000e+00, 2.70000000000000018e-01), (-1.75000000000000000e+00, -1.53000000000000003e+00), (1.02000000000000002e+00, 1.64999999999999991e+00)], [(5.99999999999999978e-01, 1.49999999999999994e-01), (-6.30000000000000004e-01, -3.90000000000000013e-01), (-1.70000000000000012e-01, 2.02999999999999980e+00)]]]> : tensor<1x4x3xcomplex<f64>>
  %f:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>) -> (tensor<1x4x3xcomplex<f64>>, tensor<1x3xcomplex<f64>>)
  %q = stablehlo.custom_call @lapack_zungqr_ffi(%f#0, %f#1) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<1x4x3xcomplex<f64>>, tensor<1x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  %top = stablehlo.slice %f#0 [0:1, 0:3, 0:3] : (tensor<1x4x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %i = stablehlo.iota dim = 1 : tensor<1x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x3x3xi32>
  %p = stablehlo.compare LE, %i, %j : (tensor<1x3x3xi32>, tensor<1x3x3xi32>) -> tensor<1x3x3xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<1x3x3xcomplex<f64>>
  %r = stablehlo.select %p, %top, %zero : tensor<1x3x3xi1>, tensor<1x3x3xcomplex<f64>>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x4x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x4x3xcomplex<f64>>
  check.expect_almost_eq_const %qr, dense<[[[(1.68999999999999995e+00, 5.10000000000000009e-01), (-4.69999999999999973e-01, -2.60000000000000009e-01), (2.99999999999999989e-02, -2.39999999999999991e-01)], [(4.09999999999999976e-01, -1.44999999999999996e+00), (-7.90000000000000036e-01, 5.50000000000000044e-01), (0.00000000000000000e+00, 1.19999999999999996e-01)], [(0.00000000000000000e+00, 2.70000000000000018e-01), (-1.75000000000000000e+00, -1.53000000000000003e+00), (1.02000000000000002e+00, 1.64999999999999991e+00)], [(5.99999999999999978e-01, 1.49999999999999994e-01), (-6.30000000000000004e-01, -3.90000000000000013e-01), (-1.70000000000000012e-01, 2.02999999999999980e+00)]]]> : tensor<1x4x3xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
