// Data movement of tensors with one element or none, which becomes no loop nest, gives the expected values
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[7]]> : tensor<1x1xi32>
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %o = stablehlo.optimization_barrier %x : tensor<1x1xi32>
  %n = stablehlo.optimization_barrier %p : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<1xi32>
  check.expect_eq_const %i, dense<0> : tensor<1xi32>
  %none = stablehlo.iota dim = 0 : tensor<0xi32>
  %t = stablehlo.transpose %o, dims = [1, 0] : (tensor<1x1xi32>) -> tensor<1x1xi32>
  %r = stablehlo.reverse %t, dims = [0] : tensor<1x1xi32>
  %s = stablehlo.slice %r [0:1, 0:1] : (tensor<1x1xi32>) -> tensor<1x1xi32>
  %d = stablehlo.dynamic_slice %s, %zero, %zero, sizes = [1, 1] : (tensor<1x1xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
  check.expect_eq_const %d, dense<7> : tensor<1x1xi32>
  %away = stablehlo.pad %o, %n, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
  check.expect_eq_const %away, dense<-1> : tensor<1x1xi32>
  %stays = stablehlo.pad %o, %n, low = [0, 0], high = [0, 0], interior = [3, 3] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
  check.expect_eq_const %stays, dense<7> : tensor<1x1xi32>
  %of_nothing = stablehlo.pad %none, %n, low = [2], high = [0], interior = [0] : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %of_nothing, dense<-1> : tensor<2xi32>
  %one = stablehlo.reshape %o : (tensor<1x1xi32>) -> tensor<1xi32>
  %all = stablehlo.concatenate %none, %one, %of_nothing, dim = 0 : (tensor<0xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  check.expect_eq_const %all, dense<[7, -1, -1]> : tensor<3xi32>
  return
}
