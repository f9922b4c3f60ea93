// Carried values that no iteration changes stay in place, although they are not donated
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %b: tensor<16xf32>, %p: tensor<i1>) -> tensor<16xf32> {
  %r:2 = stablehlo.while(%x = %a, %y = %b) : tensor<16xf32>, tensor<16xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.add %x, %y : tensor<16xf32>
    stablehlo.return %u, %y : tensor<16xf32>, tensor<16xf32>
  }
  %z = stablehlo.multiply %r#0, %r#1 : tensor<16xf32>
  return %z : tensor<16xf32>
}
