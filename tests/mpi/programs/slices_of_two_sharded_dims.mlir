// Slices and updates at indices along two sharded dimensions, which the devices do not divide: across corners of shards, and beyond the end
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg: tensor<288x132x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %u: tensor<3x2x8xf32>, %i: tensor<i32>)
      -> (tensor<3x2x8xf32>, tensor<3x2x8xf32>, tensor<16x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
          tensor<288x132x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, tensor<288x132x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) {
    %k72 = stablehlo.constant dense<72> : tensor<i32>
    %c72 = stablehlo.clamp %k72, %i, %k72 : tensor<i32>
    %k65 = stablehlo.constant dense<65> : tensor<i32>
    %c65 = stablehlo.clamp %k65, %i, %k65 : tensor<i32>
    %k400 = stablehlo.constant dense<400> : tensor<i32>
    %c400 = stablehlo.clamp %k400, %i, %k400 : tensor<i32>
    %k_3 = stablehlo.constant dense<-3> : tensor<i32>
    %c_3 = stablehlo.clamp %k_3, %i, %k_3 : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.pad %arg, %none, low = [1, 1, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<288x132x8xf32>, tensor<f32>) -> tensor<290x133x8xf32>
    %0 = stablehlo.dynamic_slice %x, %c72, %c65, %zero, sizes = [3, 2, 8] : (tensor<290x133x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x8xf32>
    %1 = stablehlo.dynamic_slice %x, %c400, %c_3, %zero, sizes = [3, 2, 8] : (tensor<290x133x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x8xf32>
    %2 = stablehlo.dynamic_slice %x, %c65, %c65, %zero, sizes = [16, 2, 8] : (tensor<290x133x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x2x8xf32>
    %3 = stablehlo.dynamic_update_slice %x, %u, %c72, %c65, %zero : (tensor<290x133x8xf32>, tensor<3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<290x133x8xf32>
    %4 = stablehlo.dynamic_update_slice %x, %u, %c400, %c_3, %zero : (tensor<290x133x8xf32>, tensor<3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<290x133x8xf32>
    %5 = stablehlo.slice %3 [1:289, 1:133, 0:8] : (tensor<290x133x8xf32>) -> tensor<288x132x8xf32>
    %6 = stablehlo.slice %4 [2:290, 0:132, 0:8] : (tensor<290x133x8xf32>) -> tensor<288x132x8xf32>
    return %0, %1, %2, %5, %6 : tensor<3x2x8xf32>, tensor<3x2x8xf32>, tensor<16x2x8xf32>, tensor<288x132x8xf32>, tensor<288x132x8xf32>
  }
}
