// An inlined op gets a callsite location, with its own location as callee and that of the call as caller.
// RUN: shardopt %s -inline --mlir-print-debuginfo --mlir-print-local-scope
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @once(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc("caller":1:2)
  return %0 : tensor<4xf32> loc("caller":2:2)
}
func.func private @once(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32> loc("callee":3:4)
  return %0 : tensor<4xf32>
}
