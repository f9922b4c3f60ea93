// A concatenation reads one slice twice; the ops after it reuse the memory of the slice, which is not needed any more
// RUN: shardrun --interpret %s --input="4x2xf32=1 2 3 4 5 6 7 8" --expected-output="8x1xf32=3 9 15 21 3 9 15 21" --expected-output="4x1xf32=10 20 30 40" >/dev/null
func.func @main(%a: tensor<4x2xf32>) -> (tensor<8x1xf32>, tensor<4x1xf32>) {
  %s = stablehlo.slice %a [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %c = stablehlo.concatenate %s, %s, dim = 0 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<8x1xf32>
  %d = stablehlo.add %c, %c : tensor<8x1xf32>
  %e = stablehlo.add %c, %d : tensor<8x1xf32>
  %v = stablehlo.slice %a [0:4, 1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %w0 = stablehlo.add %v, %v : tensor<4x1xf32>
  %w1 = stablehlo.add %w0, %v : tensor<4x1xf32>
  %w2 = stablehlo.add %w1, %v : tensor<4x1xf32>
  %w3 = stablehlo.add %w2, %v : tensor<4x1xf32>
  return %e, %w3 : tensor<8x1xf32>, tensor<4x1xf32>
}
