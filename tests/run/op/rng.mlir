// rng: values are in their range, two ops differ, and a normal distribution has its mean and deviation
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<4096> : tensor<1xi64>
  %u = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4096xf32>
  %v = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4096xf32>
  %n = stablehlo.rng %b, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4096xf32>
  %ia = stablehlo.constant dense<-5> : tensor<i8>
  %ib = stablehlo.constant dense<5> : tensor<i8>
  %i = stablehlo.rng %ia, %ib, %shape, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<4096xi8>
  %ha = stablehlo.constant dense<0.0> : tensor<f64>
  %hb = stablehlo.constant dense<1.0> : tensor<f64>
  %h = stablehlo.rng %ha, %hb, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<4096xf64>

  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %most = stablehlo.constant dense<-9.0> : tensor<f32>
  %least = stablehlo.constant dense<9.0> : tensor<f32>
  %sum = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  %max = stablehlo.reduce(%u init: %most) applies stablehlo.maximum across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  %min = stablehlo.reduce(%u init: %least) applies stablehlo.minimum across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.constant dense<4096.0> : tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  check.expect_almost_eq_const %mean, dense<1.0> : tensor<f32>, tolerance = 0.1
  check.expect_almost_eq_const %max, dense<3.0> : tensor<f32>, tolerance = 0.01
  check.expect_almost_eq_const %min, dense<-1.0> : tensor<f32>, tolerance = 0.01

  %nsum = stablehlo.reduce(%n init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  %nmean = stablehlo.divide %nsum, %count : tensor<f32>
  check.expect_almost_eq_const %nmean, dense<3.0> : tensor<f32>, tolerance = 0.2
  %nmeans = stablehlo.broadcast_in_dim %nmean, dims = [] : (tensor<f32>) -> tensor<4096xf32>
  %off = stablehlo.subtract %n, %nmeans : tensor<4096xf32>
  %square = stablehlo.multiply %off, %off : tensor<4096xf32>
  %vsum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  %variance = stablehlo.divide %vsum, %count : tensor<f32>
  check.expect_almost_eq_const %variance, dense<9.0> : tensor<f32>, tolerance = 0.5

  %imost = stablehlo.constant dense<-128> : tensor<i8>
  %ileast = stablehlo.constant dense<127> : tensor<i8>
  %imax = stablehlo.reduce(%i init: %imost) applies stablehlo.maximum across dimensions = [0] : (tensor<4096xi8>, tensor<i8>) -> tensor<i8>
  %imin = stablehlo.reduce(%i init: %ileast) applies stablehlo.minimum across dimensions = [0] : (tensor<4096xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %imax, dense<4> : tensor<i8>
  check.expect_eq_const %imin, dense<-5> : tensor<i8>

  %equal = stablehlo.compare EQ, %u, %v, FLOAT : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xi1>
  %equals = stablehlo.convert %equal : (tensor<4096xi1>) -> tensor<4096xf32>
  %n_equal = stablehlo.reduce(%equals init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  check.expect_almost_eq_const %n_equal, dense<0.0> : tensor<f32>, tolerance = 4.0
  return
}
