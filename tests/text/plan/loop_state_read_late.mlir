// Loop state whose old value is read after the new one is computed is computed in another buffer and copied
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %p: tensor<i1>) -> tensor<16xf32> {
  %r = stablehlo.while(%x = %a) : tensor<16xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.cosine %x : tensor<16xf32>
    %v = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
    %w = stablehlo.add %u, %v : tensor<16xf32>
    %y = stablehlo.reverse %x, dims = [0] : tensor<16xf32>
    %z = stablehlo.add %w, %y : tensor<16xf32>
    stablehlo.return %z : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
