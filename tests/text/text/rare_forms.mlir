// Custom forms that other files do not cover, of CHLO broadcasts and functions and of rare StableHLO ops, are parsed and printed.
// RUN: shardopt %s
func.func @broadcasts(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %i: tensor<4x3xi32>, %j: tensor<3xi32>) {
  %atan2 = chlo.broadcast_atan2 %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %divide = chlo.broadcast_divide %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %maximum = chlo.broadcast_maximum %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %minimum = chlo.broadcast_minimum %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %multiply = chlo.broadcast_multiply %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %next_after = chlo.broadcast_next_after %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %polygamma = chlo.broadcast_polygamma %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %power = chlo.broadcast_power %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %remainder = chlo.broadcast_remainder %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %subtract = chlo.broadcast_subtract %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %and = chlo.broadcast_and %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %or = chlo.broadcast_or %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %xor = chlo.broadcast_xor %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %shift_left = chlo.broadcast_shift_left %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %shift_right_arithmetic = chlo.broadcast_shift_right_arithmetic %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %shift_right_logical = chlo.broadcast_shift_right_logical %i, %j {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  %complex = chlo.broadcast_complex %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xcomplex<f32>>
  return
}
func.func @functions(%a: tensor<4x3xf32>, %i: tensor<4x3xi32>, %c: tensor<4x3xcomplex<f32>>) {
  %bessel_i1e = chlo.bessel_i1e %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %digamma = chlo.digamma %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %erf_inv = chlo.erf_inv %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %erfc = chlo.erfc %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %lgamma = chlo.lgamma %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %tan = chlo.tan %a : tensor<4x3xf32> -> tensor<4x3xf32>
  %is_inf = chlo.is_inf %a : tensor<4x3xf32> -> tensor<4x3xi1>
  %is_neg_inf = chlo.is_neg_inf %a : tensor<4x3xf32> -> tensor<4x3xi1>
  %is_pos_inf = chlo.is_pos_inf %a : tensor<4x3xf32> -> tensor<4x3xi1>
  %polygamma = chlo.polygamma %a, %a : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %zeta = chlo.zeta %a, %a : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %mulhi = chlo.mulhi %i, %i : tensor<4x3xi32>, tensor<4x3xi32> -> tensor<4x3xi32>
  %conj = chlo.conj %c : tensor<4x3xcomplex<f32>> -> tensor<4x3xcomplex<f32>>
  %kernel = chlo._asin_acos_kernel %c : tensor<4x3xcomplex<f32>> -> tensor<4x3xcomplex<f32>>
  return
}
func.func @ragged(%lhs: tensor<5x1xf32>, %rhs: tensor<3x1x2xf32>, %sizes: tensor<3xi32>) {
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]} : (tensor<5x1xf32>, tensor<3x1x2xf32>, tensor<3xi32>) -> tensor<5x2xf32>
  return
}
func.func @rare(%a: tensor<4x3xf32>, %m: tensor<2x3xi32>, %s: tensor<f32>, %t: !stablehlo.token, %images: tensor<1x8x6x3xf32>, %kernel: tensor<3x3x3x4xf32>) {
  %einsum = stablehlo.einsum %a, %a, config = "ij,kj->ik" : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  %unary = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->ji"} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %broadcast = stablehlo.broadcast %a, sizes = [2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
  %select = "stablehlo.torch_index_select"(%a, %m) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4x3xf32>, tensor<2x3xi32>) -> tensor<2x3x3xf32>
  %sum = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %low = stablehlo.constant dense<1> : tensor<2xi32>
  %pad = stablehlo.dynamic_pad %a, %s, %low, %low, %low : (tensor<4x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<9x7xf32>
  %padding = stablehlo.constant dense<1> : tensor<2x2xi32>
  %conv = "stablehlo.dynamic_conv"(%images, %kernel, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x6x3xf32>, tensor<3x3x3x4xf32>, tensor<2x2xi32>) -> tensor<1x8x6x4xf32>
  %start = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %sizes = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %gather = "stablehlo.dynamic_gather"(%a, %start, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  %sent = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4x3xf32>, !stablehlo.token) -> !stablehlo.token
  %got:2 = "stablehlo.recv"(%sent) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x3xf32>, !stablehlo.token)
  %f = func.constant @rare_callee : () -> ()
  return
}
func.func private @rare_callee()
func.func @scan(%x: tensor<2x3xi32>, %z: tensor<2xi32>) {
  %r:2 = chlo.scan(%x) inits(%z) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %s = stablehlo.add %a, %c : tensor<2xi32>
    stablehlo.return %c, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return
}
func.func @collectives(%b: tensor<4xi32>) {
  %started = "stablehlo.async_start"(%b) ({
  ^bb0(%c: tensor<4xi32>):
    %moved = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
    stablehlo.return %moved : tensor<4xi32>
  }) : (tensor<4xi32>) -> !stablehlo.future<tensor<4xi32>>
  %done = "stablehlo.async_done"(%started) : (!stablehlo.future<tensor<4xi32>>) -> tensor<4xi32>
  %first = "stablehlo.collective_reduce"(%b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
