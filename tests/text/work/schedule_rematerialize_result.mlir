// A nest's elementwise result with a distant reader is rematerialized alone, from the nest's sums
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -shardrun-schedule
func.func @shares(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<256xf32>) -> tensor<256x256xf32>
  %p = stablehlo.divide %x, %b : tensor<256x256xf32>
  %1 = stablehlo.dot %p, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.dot %1, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = stablehlo.dot %3, %p : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %5 = stablehlo.dot %4, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %6 = stablehlo.dot %5, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %7 = stablehlo.dot %6, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %8 = stablehlo.dot %7, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %9 = stablehlo.dot %8, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %10 = stablehlo.dot %9, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %11 = stablehlo.dot %10, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %12 = stablehlo.dot %11, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %13 = stablehlo.dot %12, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %14 = stablehlo.dot %13, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %15 = stablehlo.dot %14, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %16 = stablehlo.dot %15, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %17 = stablehlo.dot %16, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %18 = stablehlo.dot %17, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %19 = stablehlo.dot %18, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %20 = stablehlo.dot %19, %b : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %20 : tensor<256x256xf32>
}
