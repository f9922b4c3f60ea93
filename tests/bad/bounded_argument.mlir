// The message on an argument with dynamic dimensions has its bounds.
// RUN: shardrun -q %s
// EXIT: 4
func.func @main(%a: tensor<?x6xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x6xf32, #stablehlo.bounds<8, ?>> {
  return %a : tensor<?x6xf32, #stablehlo.bounds<8, ?>>
}
