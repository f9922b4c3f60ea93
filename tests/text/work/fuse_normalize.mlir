// Readers of a large difference read the minuend instead, and the difference is not written; sums of squares and the normalization
// are nests of their own, since the rows of each column do not fit in cache
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<8192x256xf32>) -> (tensor<256xf32>, tensor<8192x256xf32>, tensor<8192x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.constant dense<8192.0> : tensor<256xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x256xf32>, tensor<f32>) -> tensor<256xf32>
  %mean = stablehlo.divide %sum, %rows : tensor<256xf32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [1] : (tensor<256xf32>) -> tensor<8192x256xf32>
  %difference = stablehlo.subtract %x, %means : tensor<8192x256xf32>
  %square = stablehlo.multiply %difference, %difference : tensor<8192x256xf32>
  %squares = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x256xf32>, tensor<f32>) -> tensor<256xf32>
  %scale = stablehlo.rsqrt %squares : tensor<256xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<256xf32>) -> tensor<8192x256xf32>
  %normal = stablehlo.multiply %difference, %scales : tensor<8192x256xf32>
  %cubic = stablehlo.multiply %square, %difference : tensor<8192x256xf32>
  return %squares, %normal, %cubic : tensor<256xf32>, tensor<8192x256xf32>, tensor<8192x256xf32>
}
