// A convolution with a constant kernel becomes a sum of shifts of its image: weights of zero are left out, the order is the window's. Before partition that holds for stars; a window with weights off the axes stays. So do strides, different channels and unknown kernels.
// RUN: shardopt %s -shardrun-simplify=sharded=true -dce
sdy.mesh @mesh = <["x"=2]>
func.func @star(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x1x8x16xf32> {
  %k = sdy.constant dense<[[0.0, 1.0, 0.0], [2.0, -4.0, 3.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %image = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}, {}]>]>} : (tensor<8x16xf32>) -> tensor<1x1x8x16xf32>
  %flipped = stablehlo.reverse %k, dims = [0, 1] : tensor<3x3xf32>
  %w = stablehlo.broadcast_in_dim %flipped, dims = [2, 3] : (tensor<3x3xf32>) -> tensor<1x1x3x3xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}, {}]>]>} : (tensor<1x1x8x16xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x8x16xf32>
  return %0 : tensor<1x1x8x16xf32>
}

// The kernel is carried unchanged by a loop; the result has another layout.
func.func @loop(%x: tensor<1x1x16xf64>) -> tensor<16x1x1xf64> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.constant dense<[[[0.5, 0.0, 0.5]]]> : tensor<1x1x3xf64>
  %r = stablehlo.constant dense<0.0> : tensor<16x1x1xf64>
  %0:3 = stablehlo.while(%j = %i, %k = %w, %u = %r) : tensor<i32>, tensor<1x1x3xf64>, tensor<16x1x1xf64>
  cond {
    %less = stablehlo.compare LT, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[0, b, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x16xf64>, tensor<1x1x3xf64>) -> tensor<16x1x1xf64>
    stablehlo.return %j, %k, %1 : tensor<i32>, tensor<1x1x3xf64>, tensor<16x1x1xf64>
  }
  return %0#2 : tensor<16x1x1xf64>
}

func.func @kept(%x: tensor<1x1x8x16xf32>, %y: tensor<1x16x2xf32>, %v: tensor<1x1x3x3xf32>) -> (tensor<1x1x6x14xf32>, tensor<1x1x6x7xf32>, tensor<1x14x2xf32>, tensor<1x1x6x14xf32>) {
  %dense = stablehlo.constant dense<1.0> : tensor<1x1x3x3xf32>
  %star = stablehlo.constant dense<[[[[0.0, 1.0, 0.0], [2.0, -4.0, 3.0], [0.0, 1.0, 0.0]]]]> : tensor<1x1x3x3xf32>
  %different = stablehlo.constant dense<[[[1.0, 1.0]], [[1.0, 2.0]], [[1.0, 1.0]]]> : tensor<3x1x2xf32>
  %0 = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x8x16xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x14xf32>
  %1 = stablehlo.convolution(%x, %star) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x8x16xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x7xf32>
  %2 = stablehlo.convolution(%y, %different) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x16x2xf32>, tensor<3x1x2xf32>) -> tensor<1x14x2xf32>
  %3 = stablehlo.convolution(%x, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x8x16xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x14xf32>
  return %0, %1, %2, %3 : tensor<1x1x6x14xf32>, tensor<1x1x6x7xf32>, tensor<1x14x2xf32>, tensor<1x1x6x14xf32>
}
