module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %k: tensor<3x1x1xf32>) -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<1x12x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
    %0 = stablehlo.slice %x [7:12] : (tensor<12xf32>) -> tensor<5xf32>
    %1 = stablehlo.slice %x [0:7] : (tensor<12xf32>) -> tensor<7xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5xf32>, tensor<7xf32>) -> tensor<12xf32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = "stablehlo.reduce_window"(%x, %least) <{padding = dense<[[2, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %4 = stablehlo.reshape %x : (tensor<12xf32>) -> tensor<1x12x1xf32>
    %5 = stablehlo.convolution(%4, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x12x1xf32>, tensor<3x1x1xf32>) -> tensor<1x12x1xf32>
    return %2, %3, %5 : tensor<12xf32>, tensor<12xf32>, tensor<1x12x1xf32>
  }
}
