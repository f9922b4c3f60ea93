// A reverse loop computes the gradients of layers, each device from its part of the batch; a step updates replicated weights.
sdy.mesh @mesh = <["x"=4]>

func.func @main(%w: tensor<3x256x192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %a: tensor<8x256xf32>, %b: tensor<3x8x192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %h: tensor<3x512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<3x256x192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %rate = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x256x192xf32>
  %1 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %2:3 = stablehlo.while(%i = %c, %s = %0, %sum = %1) : tensor<i32>, tensor<3x256x192xf32>, tensor<16x16xf32>
  cond {
    %3 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.subtract %n, %i : tensor<i32>
    %4 = stablehlo.subtract %3, %one : tensor<i32>
    %5 = stablehlo.dynamic_slice %b, %4, %c, %c, sizes = [1, 8, 192] : (tensor<3x8x192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x192xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x8x192xf32>) -> tensor<8x192xf32>
    %7 = stablehlo.dot_general %a, %6, contracting_dims = [0] x [0] : (tensor<8x256xf32>, tensor<8x192xf32>) -> tensor<256x192xf32>
    %8 = stablehlo.reshape %7 : (tensor<256x192xf32>) -> tensor<1x256x192xf32>
    %9 = stablehlo.dynamic_update_slice %s, %8, %4, %c, %c : (tensor<3x256x192xf32>, tensor<1x256x192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x256x192xf32>
    %10 = stablehlo.dynamic_slice %h, %i, %c, %c, sizes = [1, 512, 16] : (tensor<3x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x16xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x512x16xf32>) -> tensor<512x16xf32>
    %12 = stablehlo.dot_general %11, %11, contracting_dims = [0] x [0] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<16x16xf32>
    %13 = stablehlo.add %sum, %12 : tensor<16x16xf32>
    %14 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %14, %9, %13 : tensor<i32>, tensor<3x256x192xf32>, tensor<16x16xf32>
  }
  %15 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<3x256x192xf32>
  %16 = stablehlo.multiply %15, %2#1 : tensor<3x256x192xf32>
  %17 = stablehlo.subtract %w, %16 : tensor<3x256x192xf32>
  return %17, %2#2 : tensor<3x256x192xf32>, tensor<16x16xf32>
}
