// StableHLO's custom forms of dimensions, ranges, windows, precision and comparison are parsed and printed, with types omitted.
// RUN: shardopt %s
func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %i: tensor<i32>, %img: tensor<2x9x9x3xf32>, %k: tensor<3x3x3x8xf32>, %p: tensor<4x8xi1>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant {note} dense<[1, 2]> : tensor<2xui64>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %2 = stablehlo.slice %x [0:2, 1:8:3] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.convolution(%img, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 2]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x5x5x8xf32>
  %4 = stablehlo.compare GE, %x, %x, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %5 = stablehlo.select %p, %x, %x : tensor<4x8xi1>, tensor<4x8xf32>
  %6 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %7 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %8 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %9 = stablehlo.convert %8 : (tensor<4x8xi32>) -> tensor<4x8xf32>
  %10 = stablehlo.complex %x, %x : tensor<4x8xcomplex<f32>>
  %11 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4x8xf32>
  %12 = stablehlo.custom_call @foo(%x) {api_version = 2 : i32, has_side_effect = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %13 = stablehlo.custom_call @"not an id"(%x) {backend_config = ""} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %14 = stablehlo.pad %x, %c, low = [0, 1], high = [2, -1], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  %15:2 = stablehlo.optimization_barrier %x, %y : tensor<4x8xf32>, tensor<8x4xf32>
  %16 = stablehlo.tuple %x, %i : tuple<tensor<4x8xf32>, tensor<i32>>
  %17 = stablehlo.get_tuple_element %16[1] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<i32>
  %18 = stablehlo.fft %10, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  %19 = stablehlo.create_token : !stablehlo.token
  %20 = stablehlo.after_all %19, %19 : !stablehlo.token
  %21, %22 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  %23 = stablehlo.clamp %c, %x, %c : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
