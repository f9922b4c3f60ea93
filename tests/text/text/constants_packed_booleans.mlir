// Hex constants of i1 with 8 elements per byte, as earlier versions of MLIR print them (PyTorch/XLA), with one byte per element, and splats
// RUN: shardopt %s
func.func @f() {
  %0 = stablehlo.constant dense<"0x010E00000000000000020000000000000008"> : tensor<2x7x2x5xi1>
  %1 = stablehlo.constant dense<"0xFF1F"> : tensor<13xi1>
  %2 = stablehlo.constant dense<"0x0500"> : tensor<9xi1>
  %3 = stablehlo.constant dense<"0x0100"> : tensor<2xi1>
  %4 = stablehlo.constant dense<"0x01"> : tensor<9xi1>
  %5 = stablehlo.constant dense<"0xFF"> : tensor<9xi1>
  return
}
