// XLA's custom call Eigh: eigenvectors and eigenvalues from the lower or the upper triangle; the other one is not read
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %symmetric = stablehlo.constant dense<[[[0.000000000e+00, -1.499999911e-01, -1.319999933e+00], [-1.499999911e-01, -3.799999952e-01, -4.850000143e-01], [-1.319999933e+00, -4.850000143e-01, -2.399999946e-01]], [[-6.499999762e-01, 4.699999988e-01, 1.085000038e+00], [4.699999988e-01, 7.099999785e-01, 1.680000067e+00], [1.085000038e+00, 1.680000067e+00, -8.999999762e-01]]]> : tensor<2x3x3xf32>
  %row = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %column = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %kept = stablehlo.compare GE, %row, %column : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %sevens = stablehlo.constant dense<7.0> : tensor<2x3x3xf32>
  %triangle = stablehlo.select %kept, %symmetric, %sevens : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %r:2 = stablehlo.custom_call @Eigh(%triangle) {backend_config = "1,1,100,0.000001"} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.618126988e+00, -2.377491891e-01, 1.235876203e+00], [-2.278021812e+00, -6.871032119e-01, 2.125124931e+00]]> : tensor<2x3xf32>, tolerance = 1.000000e-03
  %av = stablehlo.dot_general %symmetric, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xf32>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xf32>
  return
}

// -----

func.func @main() {
  %symmetric = stablehlo.constant dense<[[[0.000000000e+00, -1.499999911e-01, -1.319999933e+00], [-1.499999911e-01, -3.799999952e-01, -4.850000143e-01], [-1.319999933e+00, -4.850000143e-01, -2.399999946e-01]], [[-6.499999762e-01, 4.699999988e-01, 1.085000038e+00], [4.699999988e-01, 7.099999785e-01, 1.680000067e+00], [1.085000038e+00, 1.680000067e+00, -8.999999762e-01]]]> : tensor<2x3x3xf32>
  %row = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %column = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %kept = stablehlo.compare LE, %row, %column : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %sevens = stablehlo.constant dense<7.0> : tensor<2x3x3xf32>
  %triangle = stablehlo.select %kept, %symmetric, %sevens : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %r:2 = stablehlo.custom_call @Eigh(%triangle) {backend_config = "0,1,100,0.000001"} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>)
  check.expect_almost_eq_const %r#1, dense<[[-1.618126988e+00, -2.377491891e-01, 1.235876203e+00], [-2.278021812e+00, -6.871032119e-01, 2.125124931e+00]]> : tensor<2x3xf32>, tolerance = 1.000000e-03
  %av = stablehlo.dot_general %symmetric, %r#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %w0 = stablehlo.broadcast_in_dim %r#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %w = stablehlo.convert %w0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x3x3xf32>
  check.expect_almost_eq %av, %vw, tolerance = 1.000000e-03 : tensor<2x3x3xf32>
  return
}
