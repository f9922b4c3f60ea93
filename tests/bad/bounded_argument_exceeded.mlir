// An argument that exceeds a bound of its type is refused.
// RUN: shardrun -q %s --input=9x6xf32=1
// EXIT: 2
func.func @main(%a: tensor<?x6xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x6xf32, #stablehlo.bounds<8, ?>> {
  return %a : tensor<?x6xf32, #stablehlo.bounds<8, ?>>
}
