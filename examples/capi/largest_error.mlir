// The largest error of the weights' predictions, on another mesh of the same devices.
module @largest_error attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["row"=2, "column"=2]>
  func.func @main(%w: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
                  %x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"row"}, {"column"}]>},
                  %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"column"}]>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2xf32>) -> tensor<8xf32>
    %e = stablehlo.subtract %p, %y : tensor<8xf32>
    %a = stablehlo.abs %e : tensor<8xf32>
    %largest = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %largest : tensor<f32>
  }
}
