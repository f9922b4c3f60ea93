module @gspmd_bad attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4,1]0,1,2,2}"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
}
