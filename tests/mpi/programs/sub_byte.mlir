module @sub_byte {
  func.func public @main(%x: tensor<4xi4>) -> (tensor<4xi32>, tensor<4xi4>) {
    %i = stablehlo.convert %x : (tensor<4xi4>) -> tensor<4xi32>
    return %i, %x : tensor<4xi32>, tensor<4xi4>
  }
}
