// The difference from the mean has two readers, both of which compute it: it is not a result of the nest that computes the mean,
// though the rows of a column fit in cache
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> (tensor<1024xf32>, tensor<1024x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.constant dense<1024.0> : tensor<1024xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %mean = stablehlo.divide %sum, %rows : tensor<1024xf32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [1] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %difference = stablehlo.subtract %x, %means : tensor<1024x1024xf32>
  %square = stablehlo.multiply %difference, %difference : tensor<1024x1024xf32>
  %squares = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %row = stablehlo.dot_general %squares, %y, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024x1024xf32>) -> tensor<1024xf32>
  %factors = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %product = stablehlo.multiply %difference, %factors : tensor<1024x1024xf32>
  return %squares, %product : tensor<1024xf32>, tensor<1024x1024xf32>
}
