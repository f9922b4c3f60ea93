// LAPACK syevd: eigenvalues and eigenvectors of symmetric and Hermitian matrices
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
  %a = stablehlo.constant dense<[[[(0.00000000000000000e+00, 0.00000000000000000e+00), (-1.49999991059303284e-01, 6.34999990463256836e-01), (-1.31999993324279785e+00, 8.00000131130218506e-02)], [(-1.49999991059303284e-01, -6.34999990463256836e-01), (-3.79999995231628418e-01, 0.00000000000000000e+00), (-4.85000014305114746e-01, 3.70000004768371582e-01)], [(-1.31999993324279785e+00, -8.00000131130218506e-02), (-4.85000014305114746e-01, -3.70000004768371582e-01), (-2.39999994635581970e-01, 0.00000000000000000e+00)]], [[(-6.49999976158142090e-01, 0.00000000000000000e+00), (4.69999998807907104e-01, -2.10000008344650269e-01), (1.08500003814697266e+00, -5.89999914169311523e-01)], [(4.69999998807907104e-01, 2.10000008344650269e-01), (7.09999978542327881e-01, 0.00000000000000000e+00), (1.68000006675720215e+00, -1.22000002861022949e+00)], [(1.08500003814697266e+00, 5.89999914169311523e-01), (1.68000006675720215e+00, 1.22000002861022949e+00), (-8.99999976158142090e-01, 0.00000000000000000e+00)]]]> : tensor<2x3x3xcomplex<f32>>
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
  %a = stablehlo.constant dense<[[[(0.00000000000000000e+00, 0.00000000000000000e+00), (-1.49999999999999994e-01, 6.35000000000000009e-01), (-1.32000000000000006e+00, 8.00000000000000155e-02)], [(-1.49999999999999994e-01, -6.35000000000000009e-01), (-3.80000000000000004e-01, 0.00000000000000000e+00), (-4.84999999999999987e-01, 3.69999999999999996e-01)], [(-1.32000000000000006e+00, -8.00000000000000155e-02), (-4.84999999999999987e-01, -3.69999999999999996e-01), (-2.39999999999999991e-01, 0.00000000000000000e+00)]], [[(-6.50000000000000022e-01, 0.00000000000000000e+00), (4.69999999999999973e-01, -2.09999999999999992e-01), (1.08499999999999996e+00, -5.89999999999999858e-01)], [(4.69999999999999973e-01, 2.09999999999999992e-01), (7.09999999999999964e-01, 0.00000000000000000e+00), (1.68000000000000016e+00, -1.21999999999999997e+00)], [(1.08499999999999996e+00, 5.89999999999999858e-01), (1.68000000000000016e+00, 1.21999999999999997e+00), (-9.00000000000000022e-01, 0.00000000000000000e+00)]]]> : tensor<2x3x3xcomplex<f64>>
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
