// --split-input-file: parts of a file are separate programs; results are printed in order, and a failure does not stop the others
// RUN: shardrun --interpret --split-input-file '--args=[dense<[5, 6]> : tensor<2xi32>]' %s
// EXIT: 1
func.func @only(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2x1xcomplex<f32>>, tensor<i1>, tensor<0xf32>) {
  %c = stablehlo.constant dense<[[(1.0, 2.0)], [(3.0, -4.0)]]> : tensor<2x1xcomplex<f32>>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %e = stablehlo.constant dense<> : tensor<0xf32>
  interpreter.print %x : tensor<2xi32>
  return %x, %c, %p, %e : tensor<2xi32>, tensor<2x1xcomplex<f32>>, tensor<i1>, tensor<0xf32>
}

// -----

func.func @main(%x: tensor<2xi32>) {
  check.expect_eq_const %x, dense<[5, 7]> : tensor<2xi32>
  return
}

// -----

// nothing
