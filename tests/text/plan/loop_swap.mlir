// A rotation of three carried values needs one more copy than there are values; a delay line needs no additional one
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>, %d: tensor<16xf32>, %p: tensor<i1>)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %r:5 = stablehlo.while(%x = %a, %y = %b, %z = %c, %s = %d, %t = %d) : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %y, %z, %x, %t, %x : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
