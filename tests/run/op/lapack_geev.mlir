// LAPACK geev: eigenvectors of general matrices; those of real ones are unpacked from conjugate pairs
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[0.000000000e+00, 1.000000000e+00, 0.000000000e+00], [-1.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.000000000e+00, 2.000000000e+00, 3.000000000e+00]]]> : tensor<1x3x3xf32>
  %r:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, api_version = 4 : i32} : (tensor<1x3x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>, tensor<1xi32>)
  check.expect_eq_const %r#4, dense<[0]> : tensor<1xi32>
  %w = stablehlo.complex %r#0, %r#1 : tensor<1x3xcomplex<f32>>
  %ac = stablehlo.convert %a : (tensor<1x3x3xf32>) -> tensor<1x3x3xcomplex<f32>>
  %av = stablehlo.dot_general %ac, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %wb = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<1x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %vw = stablehlo.multiply %r#3, %wb : tensor<1x3x3xcomplex<f32>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<1x3x3xcomplex<f32>>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[0.000000000e+00, 1.000000000e+00, 0.000000000e+00], [-1.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.000000000e+00, 2.000000000e+00, 3.000000000e+00]]]> : tensor<1x3x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, api_version = 4 : i32} : (tensor<1x3x3xf64>) -> (tensor<1x3xf64>, tensor<1x3xf64>, tensor<1x3x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>, tensor<1xi32>)
  check.expect_eq_const %r#4, dense<[0]> : tensor<1xi32>
  %w = stablehlo.complex %r#0, %r#1 : tensor<1x3xcomplex<f64>>
  %ac = stablehlo.convert %a : (tensor<1x3x3xf64>) -> tensor<1x3x3xcomplex<f64>>
  %av = stablehlo.dot_general %ac, %r#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %wb = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<1x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %vw = stablehlo.multiply %r#3, %wb : tensor<1x3x3xcomplex<f64>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<1x3x3xcomplex<f64>>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(0.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(-1.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(1.00000000000000000e+00, 0.00000000000000000e+00), (2.00000000000000000e+00, 0.00000000000000000e+00), (3.00000000000000000e+00, 0.00000000000000000e+00)]]]> : tensor<1x3x3xcomplex<f32>>
  %r:4 = stablehlo.custom_call @lapack_cgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, api_version = 4 : i32} : (tensor<1x3x3xcomplex<f32>>) -> (tensor<1x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>, tensor<1xi32>)
  check.expect_eq_const %r#3, dense<[0]> : tensor<1xi32>
  %w = stablehlo.optimization_barrier %r#0 : tensor<1x3xcomplex<f32>>
  %ac = stablehlo.optimization_barrier %a : tensor<1x3x3xcomplex<f32>>
  %av = stablehlo.dot_general %ac, %r#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xcomplex<f32>>, tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %wb = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<1x3xcomplex<f32>>) -> tensor<1x3x3xcomplex<f32>>
  %vw = stablehlo.multiply %r#2, %wb : tensor<1x3x3xcomplex<f32>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<1x3x3xcomplex<f32>>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(0.00000000000000000e+00, 0.00000000000000000e+00), (1.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(-1.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00), (0.00000000000000000e+00, 0.00000000000000000e+00)], [(1.00000000000000000e+00, 0.00000000000000000e+00), (2.00000000000000000e+00, 0.00000000000000000e+00), (3.00000000000000000e+00, 0.00000000000000000e+00)]]]> : tensor<1x3x3xcomplex<f64>>
  %r:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, api_version = 4 : i32} : (tensor<1x3x3xcomplex<f64>>) -> (tensor<1x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>, tensor<1xi32>)
  check.expect_eq_const %r#3, dense<[0]> : tensor<1xi32>
  %w = stablehlo.optimization_barrier %r#0 : tensor<1x3xcomplex<f64>>
  %ac = stablehlo.optimization_barrier %a : tensor<1x3x3xcomplex<f64>>
  %av = stablehlo.dot_general %ac, %r#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xcomplex<f64>>, tensor<1x3x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %wb = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<1x3xcomplex<f64>>) -> tensor<1x3x3xcomplex<f64>>
  %vw = stablehlo.multiply %r#2, %wb : tensor<1x3x3xcomplex<f64>>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<1x3x3xcomplex<f64>>
  return
}
