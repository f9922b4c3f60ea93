// A resource with another number of bytes than its type is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f() -> tensor<4xi32> {
  %0 = stablehlo.constant dense_resource<r> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
{-# dialect_resources: { builtin: { r: "0x04000000010000000200" } } #-}
