// State of a loop inside a loop uses one buffer in both
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %p: tensor<i1>, %q: tensor<i1>) -> tensor<16xf32> {
  %r = stablehlo.while(%x = %a) : tensor<16xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.tanh %x : tensor<16xf32>
    %s = stablehlo.while(%y = %u) : tensor<16xf32>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %v = stablehlo.cosine %y : tensor<16xf32>
      stablehlo.return %v : tensor<16xf32>
    }
    %w = stablehlo.negate %s : tensor<16xf32>
    stablehlo.return %w : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
