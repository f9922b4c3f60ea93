// A shape.broadcast without operands is not refined.
// RUN: shardopt %s -stablehlo-refine-shapes -mlir-print-op-generic
func.func @main(%arg0: tensor<4xf32>) -> tensor<0xindex> {
  %0 = "shape.broadcast"() : () -> tensor<0xindex>
  return %0 : tensor<0xindex>
}
