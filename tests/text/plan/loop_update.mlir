// A loop that writes one row per iteration of a donated argument does so in place
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<64x16xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x16xf32>, %n: tensor<i32>) -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<64x16xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.dynamic_update_slice %x, %row, %i, %zero : (tensor<64x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<64x16xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %u : tensor<i32>, tensor<64x16xf32>
  }
  return %r#1 : tensor<64x16xf32>
}
