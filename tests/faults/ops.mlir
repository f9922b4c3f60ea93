// One op of each kind, on a mesh of 4 x 2, for injecting a fault into one of them
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %n: tensor<3xi32>) -> (tensor<8x6xf32>, tensor<8xbf16>, tensor<6x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x6xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xf32>) -> tensor<8x6xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<8x6xf32>
  %5 = stablehlo.compare GT, %4, %3 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
  %6 = stablehlo.select %5, %4, %1 : tensor<8x6xi1>, tensor<8x6xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %8 = stablehlo.convert %2 : (tensor<8xf32>) -> tensor<8xbf16>
  %9 = stablehlo.slice %a [0:8, 2:8] : (tensor<8x16xf32>) -> tensor<8x6xf32>
  %10 = stablehlo.concatenate %9, %6, dim = 1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32>
  %11 = "stablehlo.gather"(%10, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 8, 1>}> : (tensor<8x12xf32>, tensor<3xi32>) -> tensor<8x3xf32>
  %12 = stablehlo.pad %11, %zero, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<8x6xf32>
  %w:2 = stablehlo.while(%i = %c0, %v = %12) : tensor<i32>, tensor<8x6xf32>
    cond {
      %p = stablehlo.compare LT, %i, %c4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %k = stablehlo.add %i, %c1 : tensor<i32>
      %s = stablehlo.sine %v : tensor<8x6xf32>
      %m = stablehlo.multiply %s, %6 : tensor<8x6xf32>
      stablehlo.return %k, %m : tensor<i32>, tensor<8x6xf32>
    }
  return %w#1, %8, %7 : tensor<8x6xf32>, tensor<8xbf16>, tensor<6x8xf32>
}
