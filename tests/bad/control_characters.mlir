// Names with newlines and escape sequences are escaped in messages as in MLIR, so that they do not control the terminal.
// RUN: shardopt %s
// EXIT: 1
func.func @main(%arg0: tensor<4xf32> loc("a\0A\1B[31mred")) -> tensor<4xf32> {
  %0 = func.call @"no\0Aerror: such\1B[31m"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
