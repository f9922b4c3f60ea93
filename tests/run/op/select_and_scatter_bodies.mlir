// select_and_scatter executes general bodies: the smallest square is selected, updates replace and are doubled; complex numbers; a window of padding
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %x = stablehlo.constant dense<[3, -1, 2, 4, -5, 1]> : tensor<6xi32>
  %s = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %zero = stablehlo.constant dense<7> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %aa = stablehlo.multiply %a, %a : tensor<i32>
    %bb = stablehlo.multiply %b, %b : tensor<i32>
    %c = stablehlo.compare LE, %aa, %bb : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.multiply %b, %two : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<6xi32>, tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %r, dense<[7, 40, 7, 7, 7, 60]> : tensor<6xi32>
  return
}

// -----

func.func @main() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (3.0, 0.0), (0.0, 4.0)]> : tensor<3xcomplex<f32>>
  %s = stablehlo.constant dense<[(1.0, 1.0), (0.0, 2.0), (5.0, 5.0)]> : tensor<3xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %ar = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %br = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %c = stablehlo.compare GE, %ar, %br : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %c : tensor<complex<f32>>
  }) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 2.0), (0.0, 0.0), (5.0, 5.0)]> : tensor<3xcomplex<f32>>
  return
}
