// Convolutions with constant kernels of few non-zero weights: periodic, with reversed rows into another layout, in three dimensions, dilated over two channels, and with the kernel carried by a loop
// RUN: shardrun --interpret %s --input="9x6xf32=3 5 -9 5 -1 0 2 -4 8 -9 -4 -3 1 -2 -7 -9 -9 -9 -7 8 -6 2 4 -5 -4 -2 -5 8 -6 7 5 6 -7 -2 2 -1 2 3 2 -8 8 1 7 -5 -3 6 -6 -8 -3 3 -7 6 -3 -5" --input="4x5x6xf64=0 7 6 6 -4 -9 5 3 4 -9 -9 0 -3 -2 7 -6 0 -4 -4 5 -7 -4 -7 -7 -4 3 1 -1 -6 5 5 -5 -8 -4 -7 5 0 0 -4 0 8 -5 4 -9 -4 7 6 -8 6 6 -1 -3 8 8 3 -2 -6 7 -5 1 3 -5 -4 4 -6 3 8 3 2 -1 8 -6 -3 2 2 -8 -7 3 6 2 7 -3 -4 5 -9 -6 -6 -2 -7 5 6 -3 -9 3 -8 2 -6 7 3 8 2 4 -3 5 -7 -7 -3 3 -1 6 7 -2 -2 0 2 -1 1 8 4 -4" --input="1x7x5x2xf32=-2 -2 -7 -9 5 -2 -3 2 1 7 2 7 1 -4 -4 8 1 -6 5 5 -9 -7 3 -2 -3 -8 -6 6 5 5 1 -7 -4 0 8 -5 0 -1 0 0 3 -8 8 6 4 -4 -2 -1 -4 -8 4 -9 4 -6 2 -3 -5 7 -1 7 -6 -1 -3 -1 -9 3 -3 6 -6 -3" --expected-output="9x6xf32=-4 -32 68 -60 -1 -13 -12 27 -79 26 -33 -21 -43 23 5 10 17 1 15 -60 20 -1 -44 33 36 21 -3 -52 57 -52 -14 -14 39 -20 5 23 23 -15 -26 60 -63 -11 -56 43 -11 -26 27 13 21 -15 10 -20 10 3" --expected-output="7x8xf32=3 2 1 -7 -4 5 2 7 -5 -2 -7 35 -2 -24 17 -30 -27 41 -1 -60 25 -24 7 43 59 -83 33 16 -1 25 -34 7 -48 54 -12 -35 -44 12 44 -54 10 -17 1 -50 61 -23 -47 49 -5 -5 4 8 -56 30 1 18" --expected-output="4x5x6xf64=3.5 -47 -24 -15 39.5 47 -25.5 15 -18.5 79.5 27 -46 35 -1.5 -40 50 -25 23 30.5 -46.5 67 -14.5 40.5 16 20.5 -21.5 -17.5 5 16.5 -61 -29.5 43 37 6.5 14.5 -52 19 3 18 -33 -71.5 66 -40.5 58 2.5 -62 -18 47 -26 -27.5 20.5 19 -47 -43 -20 27 26.5 -71.5 54.5 5 -17.5 26 -8 -39 26.5 -23 -43.5 2 -14.5 40 -49 62 30 -20 -24 51.5 42.5 -61 -27 31.5 -21.5 18 16.5 -33 68 7 26 -0.5 29.5 -44 -28.5 19.5 39.5 -53 50 -37 62.5 -66.5 -2 -26 9 -23 6.5 -32.5 54.5 29.5 -2.5 -16 7 -22.5 -33 7 -8 9 -23.5 18.5 3 -49 -13 41" --expected-output="1x7x5x2xf32=-0.25 -0.5 -4.125 -4.75 3.625 2.25 -1.375 0.5 0 4.5 -0.875 4 -1.75 -5 -0.25 4.25 -0.75 -3.875 3 3 -3.75 -4.375 0.25 -0.625 -0.875 -0.75 -3.125 1 4.25 4.125 0.75 -7 -1.5 -0.875 2 -7.375 -0.125 1.5 1.375 -0.25 3 -7.125 1.875 3.625 3.5 -6.375 -1 -1.5 -0.75 -5 2.125 -6.875 2.375 1 0.625 -2.25 -2.375 3.875 -2.125 1.375 -4.25 -2 -1.25 -0.5 -5 -1.125 -2.25 4 -3 -0.125" --expected-output="9x6xf32=-0.4 -3.2 6.8 -6 -0.1 -1.3 -1.2 2.7 -7.9 2.6 -3.3 -2.1 -4.3 2.3 0.5 1 1.7 0.1 1.5 -6 2 -0.1 -4.4 3.3 3.6 2.1 -0.3 -5.2 5.7 -5.2 -1.4 -1.4 3.9 -2 0.5 2.3 2.3 -1.5 -2.6 6 -6.3 -1.1 -5.6 4.3 -1.1 -2.6 2.7 1.3 2.1 -1.5 1 -2 1 0.3" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%x: tensor<9x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %z: tensor<4x5x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %v: tensor<1x7x5x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}) -> (tensor<9x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<7x8xf32>, tensor<4x5x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, tensor<1x7x5x2xf32>, tensor<9x6xf32>) {
  %star = stablehlo.constant dense<[[0.0, 1.0, 0.0], [2.0, -4.0, 1.0], [0.0, 3.0, 0.0]]> : tensor<3x3xf32>
  %w = stablehlo.reshape %star : (tensor<3x3xf32>) -> tensor<1x1x3x3xf32>
  %first = stablehlo.slice %x [0:1, 0:6] : (tensor<9x6xf32>) -> tensor<1x6xf32>
  %last = stablehlo.slice %x [8:9, 0:6] : (tensor<9x6xf32>) -> tensor<1x6xf32>
  %rows = stablehlo.concatenate %last, %x, %first, dim = 0 : (tensor<1x6xf32>, tensor<9x6xf32>, tensor<1x6xf32>) -> tensor<11x6xf32>
  %left = stablehlo.slice %rows [0:11, 0:1] : (tensor<11x6xf32>) -> tensor<11x1xf32>
  %right = stablehlo.slice %rows [0:11, 5:6] : (tensor<11x6xf32>) -> tensor<11x1xf32>
  %p = stablehlo.concatenate %right, %rows, %left, dim = 1 : (tensor<11x1xf32>, tensor<11x6xf32>, tensor<11x1xf32>) -> tensor<11x8xf32>
  %image = stablehlo.broadcast_in_dim %p, dims = [2, 3] : (tensor<11x8xf32>) -> tensor<1x1x11x8xf32>
  %c0 = stablehlo.convolution(%image, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x11x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x9x6xf32>
  %0 = stablehlo.reshape %c0 : (tensor<1x1x9x6xf32>) -> tensor<9x6xf32>
  %plain = stablehlo.reshape %x : (tensor<9x6xf32>) -> tensor<1x9x6x1xf32>
  %c1 = stablehlo.convolution(%plain, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 1, f, 0], window = {pad = [[1, 0], [2, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x6x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x7x1x8xf32>
  %1 = stablehlo.reshape %c1 : (tensor<1x7x1x8xf32>) -> tensor<7x8xf32>
  %k3 = stablehlo.constant dense<[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 2.0, 0.0], [3.0, -6.0, 0.5], [0.0, -1.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]> : tensor<3x3x3xf64>
  %flipped = stablehlo.constant dense<[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, -1.0, 0.0], [0.5, -6.0, 3.0], [0.0, 2.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]> : tensor<3x3x3xf64>
  %w3 = stablehlo.reverse %flipped, dims = [1, 2] : tensor<3x3x3xf64>
  %w5 = stablehlo.broadcast_in_dim %w3, dims = [2, 3, 4] : (tensor<3x3x3xf64>) -> tensor<1x1x3x3x3xf64>
  %z5 = stablehlo.reshape %z : (tensor<4x5x6xf64>) -> tensor<1x1x4x5x6xf64>
  %c2 = stablehlo.convolution(%z5, %w5) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {pad = [[1, 1], [1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x5x6xf64>, tensor<1x1x3x3x3xf64>) -> tensor<1x1x4x5x6xf64>
  %2 = stablehlo.reshape %c2 : (tensor<1x1x4x5x6xf64>) -> tensor<4x5x6xf64>
  %sum = stablehlo.constant dense<[[1.0, 2.0, 0.0], [0.0, 4.0, 2.0], [1.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<f32>
  %eights = stablehlo.broadcast_in_dim %eight, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %mean = stablehlo.divide %sum, %eights : tensor<3x3xf32>
  %w2 = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<3x3xf32>) -> tensor<3x3x1x2xf32>
  %3 = stablehlo.convolution(%v, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x7x5x2xf32>, tensor<3x3x1x2xf32>) -> tensor<1x7x5x2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %tenth = stablehlo.constant dense<0.1> : tensor<9x6xf32>
  %loop:3 = stablehlo.while(%i = %zero, %k = %w, %u = %x) : tensor<i32>, tensor<1x1x3x3xf32>, tensor<9x6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %c4 = stablehlo.convolution(%image, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x11x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x9x6xf32>
    %r4 = stablehlo.reshape %c4 : (tensor<1x1x9x6xf32>) -> tensor<9x6xf32>
    %t4 = stablehlo.multiply %r4, %tenth : tensor<9x6xf32>
    stablehlo.return %next, %k, %t4 : tensor<i32>, tensor<1x1x3x3xf32>, tensor<9x6xf32>
  }
  return %0, %1, %2, %3, %loop#2 : tensor<9x6xf32>, tensor<7x8xf32>, tensor<4x5x6xf64>, tensor<1x7x5x2xf32>, tensor<9x6xf32>
}
