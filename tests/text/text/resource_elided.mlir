// A resource whose bytes are not in the text stays a reference.
// RUN: shardopt %s
func.func @f() -> tensor<4xi32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
