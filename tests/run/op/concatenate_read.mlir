// Elementwise ops read concatenations operand by operand, with the expected values:
// rolls of rows and columns, a halo on each side, a slice of a concatenation, and a loop whose state is read at other indices than it is written
// RUN: shardrun --interpret %s
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<64x96xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x96xi32>
  %rows = stablehlo.constant dense<64> : tensor<64x96xi32>
  %columns = stablehlo.constant dense<96> : tensor<64x96xi32>
  %one = stablehlo.constant dense<1> : tensor<64x96xi32>
  %last_row = stablehlo.constant dense<63> : tensor<64x96xi32>
  %m = stablehlo.multiply %i, %columns : tensor<64x96xi32>
  %flat = stablehlo.add %m, %j : tensor<64x96xi32>
  %x = stablehlo.optimization_barrier %flat : tensor<64x96xi32>
  // down: row i is row i - 1; left: column j is column j + 1
  %0 = stablehlo.slice %x [63:64, 0:96] : (tensor<64x96xi32>) -> tensor<1x96xi32>
  %1 = stablehlo.slice %x [0:63, 0:96] : (tensor<64x96xi32>) -> tensor<63x96xi32>
  %down = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x96xi32>, tensor<63x96xi32>) -> tensor<64x96xi32>
  %2 = stablehlo.slice %x [0:64, 1:96] : (tensor<64x96xi32>) -> tensor<64x95xi32>
  %3 = stablehlo.slice %x [0:64, 0:1] : (tensor<64x96xi32>) -> tensor<64x1xi32>
  %left = stablehlo.concatenate %2, %3, dim = 1 : (tensor<64x95xi32>, tensor<64x1xi32>) -> tensor<64x96xi32>
  %both = stablehlo.subtract %down, %left : tensor<64x96xi32>
  %4 = stablehlo.add %i, %last_row : tensor<64x96xi32>
  %5 = stablehlo.remainder %4, %rows : tensor<64x96xi32>
  %6 = stablehlo.multiply %5, %columns : tensor<64x96xi32>
  %7 = stablehlo.add %6, %j : tensor<64x96xi32>
  %8 = stablehlo.add %j, %one : tensor<64x96xi32>
  %9 = stablehlo.remainder %8, %columns : tensor<64x96xi32>
  %10 = stablehlo.add %m, %9 : tensor<64x96xi32>
  %11 = stablehlo.subtract %7, %10 : tensor<64x96xi32>
  check.expect_eq %both, %11 : tensor<64x96xi32>
  // an edge on each side of the middle, which is a slice
  %12 = stablehlo.slice %x [2:62, 0:96] : (tensor<64x96xi32>) -> tensor<60x96xi32>
  %13 = stablehlo.slice %x [0:2, 0:96] : (tensor<64x96xi32>) -> tensor<2x96xi32>
  %14 = stablehlo.slice %x [62:64, 0:96] : (tensor<64x96xi32>) -> tensor<2x96xi32>
  %again = stablehlo.concatenate %13, %12, %14, dim = 0 : (tensor<2x96xi32>, tensor<60x96xi32>, tensor<2x96xi32>) -> tensor<64x96xi32>
  %15 = stablehlo.add %again, %one : tensor<64x96xi32>
  %16 = stablehlo.add %x, %one : tensor<64x96xi32>
  check.expect_eq %15, %16 : tensor<64x96xi32>
  // 67 rolls of a row: by 3
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %times = stablehlo.constant dense<67> : tensor<i32>
  %17:2 = stablehlo.while(%k = %zero, %s = %x) : tensor<i32>, tensor<64x96xi32>
  cond {
    %p = stablehlo.compare LT, %k, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.slice %s [63:64, 0:96] : (tensor<64x96xi32>) -> tensor<1x96xi32>
    %b = stablehlo.slice %s [0:63, 0:96] : (tensor<64x96xi32>) -> tensor<63x96xi32>
    %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x96xi32>, tensor<63x96xi32>) -> tensor<64x96xi32>
    %d = stablehlo.add %c, %one : tensor<64x96xi32>
    %n = stablehlo.add %k, %step : tensor<i32>
    stablehlo.return %n, %d : tensor<i32>, tensor<64x96xi32>
  }
  %61 = stablehlo.constant dense<61> : tensor<64x96xi32>
  %67 = stablehlo.constant dense<67> : tensor<64x96xi32>
  %18 = stablehlo.add %i, %61 : tensor<64x96xi32>
  %19 = stablehlo.remainder %18, %rows : tensor<64x96xi32>
  %20 = stablehlo.multiply %19, %columns : tensor<64x96xi32>
  %21 = stablehlo.add %20, %j : tensor<64x96xi32>
  %22 = stablehlo.add %21, %67 : tensor<64x96xi32>
  check.expect_eq %17#1, %22 : tensor<64x96xi32>
  return
}
