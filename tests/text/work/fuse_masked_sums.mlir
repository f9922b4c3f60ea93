// A masked gradient and the sums over rows that read it are one nest, as none of them needs the result of a reduction: the rows of a
// column need not stay in cache. The last nest reads the sums, so it is separate
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<8192x256xf32>, %dy: tensor<8192x256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<8192x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8192x256xf32>
  %is_positive = stablehlo.compare GT, %x, %zeros : (tensor<8192x256xf32>, tensor<8192x256xf32>) -> tensor<8192x256xi1>
  %gradient = stablehlo.select %is_positive, %dy, %zeros : tensor<8192x256xi1>, tensor<8192x256xf32>
  %sum = stablehlo.reduce(%gradient init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x256xf32>, tensor<f32>) -> tensor<256xf32>
  %product = stablehlo.multiply %gradient, %x : tensor<8192x256xf32>
  %product_sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x256xf32>, tensor<f32>) -> tensor<256xf32>
  %product_sums = stablehlo.broadcast_in_dim %product_sum, dims = [1] : (tensor<256xf32>) -> tensor<8192x256xf32>
  %scaled = stablehlo.multiply %gradient, %product_sums : tensor<8192x256xf32>
  return %sum, %product_sum, %scaled : tensor<256xf32>, tensor<256xf32>, tensor<8192x256xf32>
}
