// Branches write their result to one buffer; operands that only one branch uses are dead in the others
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<64xf32>, %b: tensor<4xf32>, %i: tensor<i32>, %p: tensor<i1>) -> tensor<64xf32> {
  %x = stablehlo.tanh %a : tensor<64xf32>
  %r = "stablehlo.if"(%p) ({
    %y = stablehlo.dynamic_update_slice %x, %b, %i : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
    stablehlo.return %y : tensor<64xf32>
  }, {
    stablehlo.return %x : tensor<64xf32>
  }) : (tensor<i1>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
