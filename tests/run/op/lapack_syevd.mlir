// eigenvalues and eigenvectors of symmetric and Hermitian matrices
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[0.000000000e+00, -1.499999911e-01, -1.319999933e+00], [-1.499999911e-01, -3.799999952e-01, -4.850000143e-01], [-1.319999933e+00, -4.850000143e-01, -2.399999946e-01]], [[-6.499999762e-01, 4.699999988e-01, 1.085000038e+00], [4.699999988e-01, 7.099999785e-01, 1.680000067e+00], [1.085000038e+00, 1.680000067e+00, -8.999999762e-01]]]> : tensor<2x3x3xf32>
  %r:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2xi32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.618126988e+00, -2.377491891e-01, 1.235876203e+00], [-2.278021812e+00, -6.871032119e-01, 2.125124931e+00]]> : tensor<2x3xf32>, tolerance = 1.000000e-03
  check.expect_eq_const %r#2, dense<[0, 0]> : tensor<2xi32>
  %av = stablehlo.dot_general %a, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xf32>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xf32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[0.000000000e+00, -1.500000000e-01, -1.320000000e+00], [-1.500000000e-01, -3.800000000e-01, -4.850000000e-01], [-1.320000000e+00, -4.850000000e-01, -2.400000000e-01]], [[-6.500000000e-01, 4.700000000e-01, 1.085000000e+00], [4.700000000e-01, 7.100000000e-01, 1.680000000e+00], [1.085000000e+00, 1.680000000e+00, -9.000000000e-01]]]> : tensor<2x3x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.618127060e+00, -2.377492017e-01, 1.235876262e+00], [-2.278021743e+00, -6.871032191e-01, 2.125124962e+00]]> : tensor<2x3xf64>, tolerance = 1.000000e-03
  check.expect_eq_const %r#2, dense<[0, 0]> : tensor<2xi32>
  %av = stablehlo.dot_general %a, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xf64>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xf64>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(0.000000000e+00, 0.000000000e+00), (-1.499999911e-01, 6.349999905e-01), (-1.319999933e+00, 8.000001311e-02)], [(-1.499999911e-01, -6.349999905e-01), (-3.799999952e-01, 0.000000000e+00), (-4.850000143e-01, 3.700000048e-01)], [(-1.319999933e+00, -8.000001311e-02), (-4.850000143e-01, -3.700000048e-01), (-2.399999946e-01, 0.000000000e+00)]], [[(-6.499999762e-01, 0.000000000e+00), (4.699999988e-01, -2.100000083e-01), (1.085000038e+00, -5.899999142e-01)], [(4.699999988e-01, 2.100000083e-01), (7.099999785e-01, 0.000000000e+00), (1.680000067e+00, -1.220000029e+00)], [(1.085000038e+00, 5.899999142e-01), (1.680000067e+00, 1.220000029e+00), (-8.999999762e-01, 0.000000000e+00)]]]> : tensor<2x3x3xcomplex<f32>>
  %r:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2xi32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.679144382e+00, -4.489165843e-01, 1.508060932e+00], [-2.669729471e+00, -6.878578067e-01, 2.517587423e+00]]> : tensor<2x3xf32>, tolerance = 1.000000e-03
  check.expect_eq_const %r#2, dense<[0, 0]> : tensor<2xi32>
  %av = stablehlo.dot_general %a, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xcomplex<f32>>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(0.000000000e+00, 0.000000000e+00), (-1.500000000e-01, 6.350000000e-01), (-1.320000000e+00, 8.000000000e-02)], [(-1.500000000e-01, -6.350000000e-01), (-3.800000000e-01, 0.000000000e+00), (-4.850000000e-01, 3.700000000e-01)], [(-1.320000000e+00, -8.000000000e-02), (-4.850000000e-01, -3.700000000e-01), (-2.400000000e-01, 0.000000000e+00)]], [[(-6.500000000e-01, 0.000000000e+00), (4.700000000e-01, -2.100000000e-01), (1.085000000e+00, -5.900000000e-01)], [(4.700000000e-01, 2.100000000e-01), (7.100000000e-01, 0.000000000e+00), (1.680000000e+00, -1.220000000e+00)], [(1.085000000e+00, 5.900000000e-01), (1.680000000e+00, 1.220000000e+00), (-9.000000000e-01, 0.000000000e+00)]]]> : tensor<2x3x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2xi32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.679144408e+00, -4.489165841e-01, 1.508060992e+00], [-2.669729493e+00, -6.878578477e-01, 2.517587340e+00]]> : tensor<2x3xf64>, tolerance = 1.000000e-03
  check.expect_eq_const %r#2, dense<[0, 0]> : tensor<2xi32>
  %av = stablehlo.dot_general %a, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf64>) -> tensor<2x3x3xcomplex<f64>>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xcomplex<f64>>
  return
}
