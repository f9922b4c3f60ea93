// Slices read only by a concatenation are copied from their source: strided ones, one of a slice, one of a source with other readers, one read twice
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.iota dim = 0 : tensor<12xi32>
  %m = stablehlo.reshape %x : (tensor<12xi32>) -> tensor<3x4xi32>
  %a = stablehlo.slice %m [0:3, 3:4] : (tensor<3x4xi32>) -> tensor<3x1xi32>
  %b = stablehlo.slice %m [0:3, 0:3] : (tensor<3x4xi32>) -> tensor<3x3xi32>
  %roll = stablehlo.concatenate %a, %b, dim = 1 : (tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %roll, dense<[[3, 0, 1, 2], [7, 4, 5, 6], [11, 8, 9, 10]]> : tensor<3x4xi32>
  %c = stablehlo.slice %m [0:3:2, 1:4] : (tensor<3x4xi32>) -> tensor<2x3xi32>
  %d = stablehlo.slice %m [1:2, 0:4:2] : (tensor<3x4xi32>) -> tensor<1x2xi32>
  %e = stablehlo.slice %m [2:3, 1:2] : (tensor<3x4xi32>) -> tensor<1x1xi32>
  %de = stablehlo.concatenate %d, %e, dim = 1 : (tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
  %rows = stablehlo.concatenate %c, %de, %c, dim = 0 : (tensor<2x3xi32>, tensor<1x3xi32>, tensor<2x3xi32>) -> tensor<5x3xi32>
  check.expect_eq_const %rows, dense<[[1, 2, 3], [9, 10, 11], [4, 6, 9], [1, 2, 3], [9, 10, 11]]> : tensor<5x3xi32>
  %f = stablehlo.slice %m [0:1, 0:4] : (tensor<3x4xi32>) -> tensor<1x4xi32>
  %g = stablehlo.add %f, %f : tensor<1x4xi32>
  %h = stablehlo.slice %m [1:3, 0:4] : (tensor<3x4xi32>) -> tensor<2x4xi32>
  %k = stablehlo.slice %h [1:2, 0:4] : (tensor<2x4xi32>) -> tensor<1x4xi32>
  %all = stablehlo.concatenate %f, %g, %k, dim = 0 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %all, dense<[[0, 1, 2, 3], [0, 2, 4, 6], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %z, %s = %m) : tensor<i32>, tensor<3x4xi32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.slice %s [2:3, 0:4] : (tensor<3x4xi32>) -> tensor<1x4xi32>
    %v = stablehlo.slice %s [0:2, 0:4] : (tensor<3x4xi32>) -> tensor<2x4xi32>
    %w = stablehlo.concatenate %u, %v, dim = 0 : (tensor<1x4xi32>, tensor<2x4xi32>) -> tensor<3x4xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<3x4xi32>
  }
  check.expect_eq %loop#1, %m : tensor<3x4xi32>
  return
}
