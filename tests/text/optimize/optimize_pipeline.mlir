// The optimize pipeline merges common subexpressions and removes unused ops.
// RUN: shardopt %s -shardrun-optimize-pipeline
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %two = stablehlo.add %one, %one : tensor<2xf32>
  %a = stablehlo.multiply %x, %two : tensor<2xf32>
  %b = stablehlo.multiply %x, %two : tensor<2xf32>
  %c = stablehlo.negate %x : tensor<2xf32>
  %d = stablehlo.add %a, %b : tensor<2xf32>
  return %d : tensor<2xf32>
}
