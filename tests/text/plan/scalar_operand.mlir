// A scalar operand, or one with another number of bytes, does not share the result's memory
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %b: tensor<16xi1>) -> (tensor<16xf32>, tensor<16xf64>) {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %one = stablehlo.cosine %half : tensor<f32>
  %s = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %x = stablehlo.tanh %a : tensor<16xf32>
  %y = stablehlo.select %b, %s, %x : tensor<16xi1>, tensor<16xf32>
  %z = stablehlo.convert %y : (tensor<16xf32>) -> tensor<16xf64>
  return %y, %z : tensor<16xf32>, tensor<16xf64>
}
