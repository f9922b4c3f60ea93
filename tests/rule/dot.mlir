// The rules of a product of two matrices, and of a matrix and a vector
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>, %v: tensor<32xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.dot %a, %v : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8xf32>
}
