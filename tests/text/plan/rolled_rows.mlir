// Rolls of an array's rows that six elementwise ops read, through reshapes of their concatenations, are read in place by the nest of
// these ops, whose results are written into their stack: no row is copied.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%f: tensor<2x64x128xf32>) -> tensor<2x64x128xf32> {
  %0 = stablehlo.slice %f [0:1, 0:64, 0:128] : (tensor<2x64x128xf32>) -> tensor<1x64x128xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.slice %1 [0:64, 127:128] : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %3 = stablehlo.slice %1 [0:64, 0:127] : (tensor<64x128xf32>) -> tensor<64x127xf32>
  %x = stablehlo.concatenate %2, %3, dim = 1 : (tensor<64x1xf32>, tensor<64x127xf32>) -> tensor<64x128xf32>
  %4 = stablehlo.slice %f [1:2, 0:64, 0:128] : (tensor<2x64x128xf32>) -> tensor<1x64x128xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
  %6 = stablehlo.slice %5 [1:64, 0:128] : (tensor<64x128xf32>) -> tensor<63x128xf32>
  %7 = stablehlo.slice %5 [0:1, 0:128] : (tensor<64x128xf32>) -> tensor<1x128xf32>
  %y = stablehlo.concatenate %6, %7, dim = 0 : (tensor<63x128xf32>, tensor<1x128xf32>) -> tensor<64x128xf32>
  %8 = stablehlo.add %x, %y : tensor<64x128xf32>
  %9 = stablehlo.tanh %x : tensor<64x128xf32>
  %10 = stablehlo.sine %x : tensor<64x128xf32>
  %11 = stablehlo.multiply %x, %8 : tensor<64x128xf32>
  %12 = stablehlo.maximum %x, %9 : tensor<64x128xf32>
  %13 = stablehlo.divide %10, %x : tensor<64x128xf32>
  %14 = stablehlo.add %11, %12 : tensor<64x128xf32>
  %15 = stablehlo.subtract %14, %13 : tensor<64x128xf32>
  %16 = stablehlo.reshape %14 : (tensor<64x128xf32>) -> tensor<1x64x128xf32>
  %17 = stablehlo.reshape %15 : (tensor<64x128xf32>) -> tensor<1x64x128xf32>
  %18 = stablehlo.concatenate %16, %17, dim = 0 : (tensor<1x64x128xf32>, tensor<1x64x128xf32>) -> tensor<2x64x128xf32>
  return %18 : tensor<2x64x128xf32>
}
