module @gspmd attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%a: tensor<6x4xi32> {mhlo.sharding = "{devices=[2,2]0,2,1,3}"},
                  %b: tensor<4x5xi32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"})
      -> (tensor<6x5xi32> {mhlo.sharding = "{devices=[4,1]0,1,3,2}"}, tensor<6xi32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<6x4xi32>, tensor<4x5xi32>) -> tensor<6x5xi32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<6x5xi32>) -> tensor<6x5xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x5xi32>, tensor<i32>) -> tensor<6xi32>
    return %1, %2 : tensor<6x5xi32>, tensor<6xi32>
  }
}
