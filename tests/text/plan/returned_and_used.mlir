// A result that is read later is not overwritten; a result that is returned twice is copied
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %x = stablehlo.tanh %a : tensor<16xf32>
  %y = stablehlo.negate %x : tensor<16xf32>
  %z = stablehlo.cosine %y : tensor<16xf32>
  return %x, %z, %x : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
