// A shape that depends on data is an error
// RUN: shardrun --interpret %s
// EXIT: 4
func.func @main(%n: tensor<1xi32>) -> tensor<?xi32> {
  %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
