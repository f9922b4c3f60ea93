// --interpreter-print-dense prints values as dense constants: shaped, splat and complex
// RUN: shardrun --interpret --interpreter-print-dense %s
func.func @main() {
  %0 = stablehlo.constant dense<[[1.5, -2.5], [0.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<7> : tensor<3xi32>
  %2 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  interpreter.print %0 : tensor<2x2xf32>
  interpreter.print %1 : tensor<3xi32>
  interpreter.print %2 : tensor<complex<f32>>
  return
}
