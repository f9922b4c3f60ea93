// A result that could share memory with the gradient, a temporary, uses the donated argument declared for it
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%mean: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %square: tensor<64xf32> {tf.aliasing_output = 1 : i32},
                %x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %gradient = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  %0 = stablehlo.add %mean, %gradient : tensor<64xf32>
  %1 = stablehlo.multiply %gradient, %gradient : tensor<64xf32>
  %2 = stablehlo.add %1, %square : tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}
