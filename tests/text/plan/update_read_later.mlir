// An update whose operand is read later works on a copy; others are in place
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<64xf32>, %b: tensor<4xf32>, %i: tensor<i32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %x = stablehlo.tanh %a : tensor<64xf32>
  %y = stablehlo.dynamic_update_slice %x, %b, %i : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
  %z = stablehlo.multiply %x, %x : tensor<64xf32>
  %w = stablehlo.dynamic_update_slice %z, %b, %i : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
  return %y, %w : tensor<64xf32>, tensor<64xf32>
}
