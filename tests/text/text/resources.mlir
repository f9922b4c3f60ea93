// Resources become constants and are printed as resources, each once.
// RUN: shardopt %s
func.func @f() -> (tensor<4xi32>, tensor<2xf32>, tensor<4xi32>) {
  %0 = stablehlo.constant dense_resource<blob1> : tensor<4xi32>
  %1 = stablehlo.constant dense_resource<"a splat"> : tensor<2xf32>
  %2 = stablehlo.constant dense_resource<blob1> : tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<2xf32>, tensor<4xi32>
}

{-#
  dialect_resources: {
    builtin: {
      "a splat": "0x080000000000803F0000803F",
      not_used: "0x0400000001",
      blob1: "0x0400000001000000020000000300000004000000"
    }
  }
#-}
