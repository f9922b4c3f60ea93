module {
  sdy.mesh @mesh = <["x"=3]>
  func.func @main(%a: tensor<10x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %b: tensor<2x14x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %c: tensor<2x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<7x2xf32>, tensor<13x2xf32>, tensor<10x2xf32>, tensor<20x2xf32>, tensor<4x3x3xf32>, tensor<2x14x3xf32>, tensor<10x2xf32>) {
    %x = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
    %y = sdy.sharding_constraint %b <@mesh, [{}, {"x"}, {}]> : tensor<2x14x3xf32>
    %z = sdy.sharding_constraint %c <@mesh, [{}, {"x"}, {}]> : tensor<2x7x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %five = stablehlo.constant dense<5.0> : tensor<f32>
    %0 = stablehlo.slice %x [3:10, 0:2] : (tensor<10x2xf32>) -> tensor<7x2xf32>
    %1 = stablehlo.pad %x, %five, low = [2, 0], high = [1, 0], interior = [0, 0] : (tensor<10x2xf32>, tensor<f32>) -> tensor<13x2xf32>
    %2 = stablehlo.reverse %x, dims = [0] : tensor<10x2xf32>
    %3 = stablehlo.concatenate %2, %x, dim = 0 : (tensor<10x2xf32>, tensor<10x2xf32>) -> tensor<20x2xf32>
    %4 = stablehlo.convolution(%y, %z) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x3xf32>, tensor<2x7x3xf32>) -> tensor<4x3x3xf32>
    %k = stablehlo.slice %y [0:1, 0:9, 0:3] : (tensor<2x14x3xf32>) -> tensor<1x9x3xf32>
    %w = stablehlo.reshape %k : (tensor<1x9x3xf32>) -> tensor<3x3x3xf32>
    %5 = stablehlo.convolution(%z, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x3xf32>, tensor<3x3x3xf32>) -> tensor<2x14x3xf32>
    %s = stablehlo.slice %x [0:9:2, 0:2] : (tensor<10x2xf32>) -> tensor<5x2xf32>
    %6 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %g = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    }, {
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %g = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %g : tensor<f32>
    }) : (tensor<10x2xf32>, tensor<5x2xf32>, tensor<f32>) -> tensor<10x2xf32>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<7x2xf32>, tensor<13x2xf32>, tensor<10x2xf32>, tensor<20x2xf32>, tensor<4x3x3xf32>, tensor<2x14x3xf32>, tensor<10x2xf32>
  }
}
