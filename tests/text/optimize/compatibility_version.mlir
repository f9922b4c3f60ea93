// a version that is none is refused
// RUN: shardopt %s --stablehlo-compatibility-expander=target=1.x
// EXIT: 1

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
