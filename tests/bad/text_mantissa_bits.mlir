// A number of mantissa bits that exceeds 32 bits is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %a, format = e5m4294967296 : tensor<2xf32>
  return
}
