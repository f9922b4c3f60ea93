// tridiagonal systems
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %dl = stablehlo.constant dense<[1.549999952e+00, 7.999999821e-02, 1.700000018e-01, -7.000000030e-02]> : tensor<4xf32>
  %d = stablehlo.constant dense<[3.289999962e+00, 4.750000000e+00, 3.960000038e+00, 4.449999809e+00]> : tensor<4xf32>
  %du = stablehlo.constant dense<[-3.100000024e-01, 3.400000036e-01, -1.599999964e-01, -5.000000000e-01]> : tensor<4xf32>
  %b = stablehlo.constant dense<[[1.299999952e-01, -1.529999971e+00], [-5.899999738e-01, 7.000000030e-02], [-1.240000010e+00, -6.200000048e-01], [-8.899999857e-01, 5.000000000e-01]]> : tensor<4x2xf32>
  %r:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[2.990074083e-02, -4.618883133e-01], [-1.020211577e-01, 3.350781649e-02], [-3.170339167e-01, -1.535619497e-01], [-2.049870491e-01, 1.099439710e-01]]> : tensor<4x2xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %dl = stablehlo.constant dense<[1.550000000e+00, 8.000000000e-02, 1.700000000e-01, -7.000000000e-02]> : tensor<4xf64>
  %d = stablehlo.constant dense<[3.290000000e+00, 4.750000000e+00, 3.960000000e+00, 4.450000000e+00]> : tensor<4xf64>
  %du = stablehlo.constant dense<[-3.100000000e-01, 3.400000000e-01, -1.600000000e-01, -5.000000000e-01]> : tensor<4xf64>
  %b = stablehlo.constant dense<[[1.300000000e-01, -1.530000000e+00], [-5.900000000e-01, 7.000000000e-02], [-1.240000000e+00, -6.200000000e-01], [-8.900000000e-01, 5.000000000e-01]]> : tensor<4x2xf64>
  %r:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4x2xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[2.990074145e-02, -4.618883213e-01], [-1.020211633e-01, 3.350781606e-02], [-3.170339218e-01, -1.535619428e-01], [-2.049870505e-01, 1.099439694e-01]]> : tensor<4x2xf64>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %dl = stablehlo.constant dense<[(1.549999952e+00, -2.000000000e+00), (7.999999821e-02, 1.400000006e-01), (1.700000018e-01, -1.500000000e+00), (-7.000000030e-02, 2.099999934e-01)]> : tensor<4xcomplex<f32>>
  %d = stablehlo.constant dense<[(3.289999962e+00, 1.350000024e+00), (4.750000000e+00, 5.299999714e-01), (3.960000038e+00, 1.350000024e+00), (4.449999809e+00, 8.600000143e-01)]> : tensor<4xcomplex<f32>>
  %du = stablehlo.constant dense<[(-3.100000024e-01, 2.399999946e-01), (3.400000036e-01, -1.759999990e+00), (-1.599999964e-01, -1.100000024e+00), (-5.000000000e-01, -1.090000033e+00)]> : tensor<4xcomplex<f32>>
  %b = stablehlo.constant dense<[[(1.299999952e-01, -7.900000215e-01), (-1.529999971e+00, 1.199999973e-01)], [(-5.899999738e-01, -7.599999905e-01), (7.000000030e-02, 4.900000095e-01)], [(-1.240000010e+00, -8.399999738e-01), (-6.200000048e-01, -1.019999981e+00)], [(-8.899999857e-01, -3.400000036e-01), (5.000000000e-01, 1.879999995e+00)]]> : tensor<4x2xcomplex<f32>>
  %r:5 = stablehlo.custom_call @lapack_cgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4x2xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4x2xcomplex<f32>>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[(-7.695956528e-02, -2.263301015e-01), (-3.810946643e-01, 1.877744794e-01)], [(-6.523595750e-02, -2.392840683e-01), (7.186645269e-02, 1.768416492e-03)], [(-2.867982090e-01, -1.903226227e-01), (-2.865317762e-01, -6.604066491e-02)], [(-2.180768251e-01, -2.371885441e-02), (1.819970906e-01, 3.997823298e-01)]]> : tensor<4x2xcomplex<f32>>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %dl = stablehlo.constant dense<[(1.550000000e+00, -2.000000000e+00), (8.000000000e-02, 1.400000000e-01), (1.700000000e-01, -1.500000000e+00), (-7.000000000e-02, 2.100000000e-01)]> : tensor<4xcomplex<f64>>
  %d = stablehlo.constant dense<[(3.290000000e+00, 1.350000000e+00), (4.750000000e+00, 5.300000000e-01), (3.960000000e+00, 1.350000000e+00), (4.450000000e+00, 8.600000000e-01)]> : tensor<4xcomplex<f64>>
  %du = stablehlo.constant dense<[(-3.100000000e-01, 2.400000000e-01), (3.400000000e-01, -1.760000000e+00), (-1.600000000e-01, -1.100000000e+00), (-5.000000000e-01, -1.090000000e+00)]> : tensor<4xcomplex<f64>>
  %b = stablehlo.constant dense<[[(1.300000000e-01, -7.900000000e-01), (-1.530000000e+00, 1.200000000e-01)], [(-5.900000000e-01, -7.600000000e-01), (7.000000000e-02, 4.900000000e-01)], [(-1.240000000e+00, -8.400000000e-01), (-6.200000000e-01, -1.020000000e+00)], [(-8.900000000e-01, -3.400000000e-01), (5.000000000e-01, 1.880000000e+00)]]> : tensor<4x2xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4x2xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4x2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[(-7.695956140e-02, -2.263300985e-01), (-3.810946589e-01, 1.877744830e-01)], [(-6.523595798e-02, -2.392840709e-01), (7.186645399e-02, 1.768414410e-03)], [(-2.867982007e-01, -1.903226238e-01), (-2.865317810e-01, -6.604067666e-02)], [(-2.180768178e-01, -2.371885354e-02), (1.819970854e-01, 3.997823221e-01)]]> : tensor<4x2xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
