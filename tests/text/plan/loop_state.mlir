// Loop state is computed in place, without a copy per iteration
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %n: tensor<i32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<16xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.cosine %x : tensor<16xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %u : tensor<i32>, tensor<16xf32>
  }
  return %r#1 : tensor<16xf32>
}
