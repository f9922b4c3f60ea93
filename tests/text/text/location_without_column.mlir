// A location may lack a column.
// RUN: shardopt %s --mlir-print-debuginfo --mlir-print-local-scope
func.func @f(%a: tensor<4xf32> loc(unknown)) {
  %0 = stablehlo.abs %a : tensor<4xf32> loc("f.py":7)
  return loc(unknown)
} loc(unknown)
