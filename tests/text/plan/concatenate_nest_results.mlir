// A nest writes its results directly into their concatenation, along any dimension, and also into a transposed concatenation. They
// may have different shapes, as the colors of pixels, which are multiplied with their opacity, and the opacity, and
// other results of the nest may be returned. A result of a concatenation that has another reader is copied.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<2048x1xf32>, %b: tensor<2048x1xf32>, %c: tensor<1x2048xf32>, %d: tensor<1x2048xf32>, %e: tensor<4x512xf32>, %f: tensor<4x512xf32>, %pixels: tensor<512x4xf32>) -> (tensor<2048x2xf32>, tensor<2048x3xf32>, tensor<4x1024xf32>, tensor<4x512xf32>, tensor<512x4xf32>, tensor<2048x1xf32>) {
  %0 = stablehlo.multiply %a, %b : tensor<2048x1xf32>
  %1 = stablehlo.subtract %a, %b : tensor<2048x1xf32>
  %sum = stablehlo.add %a, %b : tensor<2048x1xf32>
  %pairs = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2048x1xf32>, tensor<2048x1xf32>) -> tensor<2048x2xf32>
  %2 = stablehlo.multiply %c, %d : tensor<1x2048xf32>
  %3 = stablehlo.subtract %c, %d : tensor<1x2048xf32>
  %4 = stablehlo.add %c, %d : tensor<1x2048xf32>
  %5 = stablehlo.concatenate %2, %3, %4, dim = 0 : (tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>) -> tensor<3x2048xf32>
  %triples = stablehlo.transpose %5, dims = [1, 0] : (tensor<3x2048xf32>) -> tensor<2048x3xf32>
  %6 = stablehlo.multiply %e, %f : tensor<4x512xf32>
  %7 = stablehlo.subtract %e, %f : tensor<4x512xf32>
  %halves = stablehlo.concatenate %6, %7, dim = 1 : (tensor<4x512xf32>, tensor<4x512xf32>) -> tensor<4x1024xf32>
  %colors = stablehlo.slice %pixels [0:512, 0:3] : (tensor<512x4xf32>) -> tensor<512x3xf32>
  %opacity = stablehlo.slice %pixels [0:512, 3:4] : (tensor<512x4xf32>) -> tensor<512x1xf32>
  %8 = stablehlo.broadcast_in_dim %opacity, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x3xf32>
  %9 = stablehlo.multiply %colors, %8 : tensor<512x3xf32>
  %10 = stablehlo.concatenate %9, %opacity, dim = 1 : (tensor<512x3xf32>, tensor<512x1xf32>) -> tensor<512x4xf32>
  return %pairs, %triples, %halves, %7, %10, %sum : tensor<2048x2xf32>, tensor<2048x3xf32>, tensor<4x1024xf32>, tensor<4x512xf32>, tensor<512x4xf32>, tensor<2048x1xf32>
}
