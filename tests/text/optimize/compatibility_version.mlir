// A malformed target version is an error.
// RUN: shardopt %s --stablehlo-compatibility-expander=target=1.x
// EXIT: 1

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
