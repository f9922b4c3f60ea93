// A declared extent that exceeds the inferred bound is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.negate"(%a) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}
