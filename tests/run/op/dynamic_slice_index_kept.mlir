// A start index that is looked up and also returned must not share memory with an index that is still read
// RUN: shardrun --interpret %s --input=ui32=0 --input="6xi32=1 2 3 4 5 6" --input="2xi32=7 8" --input="3x3xf64=1 2 3 4 5 6 7 8 9" --expected-output="6xi32=7 8 1 2 3 4" --expected-output="1x3xf64=7 8 9" >/dev/null
func.func @main(%id: tensor<ui32>, %own: tensor<6xi32>, %got: tensor<2xi32>, %rows: tensor<3x3xf64>) -> (tensor<6xi32>, tensor<1x3xf64>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %first_got = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi32>
  %ends = stablehlo.constant dense<[2, 1, 0]> : tensor<3xi32>
  %first_own = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %0 = stablehlo.pad %own, %zero, low = [2], high = [0], interior = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<8xi32>
  %1 = stablehlo.dynamic_slice %first_own, %id, sizes = [1] : (tensor<3xi32>, tensor<ui32>) -> tensor<1xi32>
  %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
  %3 = stablehlo.dynamic_slice %0, %2, sizes = [6] : (tensor<8xi32>, tensor<i32>) -> tensor<6xi32>
  %4 = stablehlo.pad %got, %zero, low = [0], high = [5], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<7xi32>
  %5 = stablehlo.dynamic_slice %first_got, %id, sizes = [1] : (tensor<3xi32>, tensor<ui32>) -> tensor<1xi32>
  %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
  %7 = stablehlo.dynamic_slice %4, %6, sizes = [6] : (tensor<7xi32>, tensor<i32>) -> tensor<6xi32>
  %8 = stablehlo.iota dim = 0 : tensor<6xi32>
  %9 = stablehlo.dynamic_slice %ends, %id, sizes = [1] : (tensor<3xi32>, tensor<ui32>) -> tensor<1xi32>
  %10 = stablehlo.reshape %9 : (tensor<1xi32>) -> tensor<i32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %12 = stablehlo.compare LT, %8, %11 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %13 = stablehlo.select %12, %7, %3 : tensor<6xi1>, tensor<6xi32>
  %14 = stablehlo.dynamic_slice %rows, %10, %zero, sizes = [1, 3] : (tensor<3x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x3xf64>
  return %13, %14 : tensor<6xi32>, tensor<1x3xf64>
}
