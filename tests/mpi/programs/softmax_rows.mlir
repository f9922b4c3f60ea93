// Softmax and the logarithm of its sum with sharded rows; both again with 0 in place of a maximum that is not finite. Row 0 is -inf, row 1 is -inf on two of four devices (its shards there have no finite element), row 2 has one +inf, row 3 one
// NaN, row 4 is 500 less on three devices.
module @softmax_rows {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%random: tensor<32x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<32x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<32xf32>,
      tensor<32x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<32xf32>) {
    %row = stablehlo.iota dim = 0 : tensor<32x8192xi32>
    %column = stablehlo.iota dim = 1 : tensor<32x8192xi32>
    %limits = stablehlo.constant dense<[8192, 4096, 0, 0, 6144, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi32>
    %limit = stablehlo.broadcast_in_dim %limits, dims = [0] : (tensor<32xi32>) -> tensor<32x8192xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %lows = stablehlo.constant dense<0xFF800000> : tensor<32x8192xf32>
    %highs = stablehlo.constant dense<0x7F800000> : tensor<32x8192xf32>
    %nans = stablehlo.constant dense<0x7FC00000> : tensor<32x8192xf32>
    %offset = stablehlo.constant dense<500.0> : tensor<32x8192xf32>
    %two = stablehlo.constant dense<2> : tensor<32x8192xi32>
    %three = stablehlo.constant dense<3> : tensor<32x8192xi32>
    %four = stablehlo.constant dense<4> : tensor<32x8192xi32>
    %place = stablehlo.constant dense<3000> : tensor<32x8192xi32>
    %is_below = stablehlo.compare LT, %column, %limit : (tensor<32x8192xi32>, tensor<32x8192xi32>) -> tensor<32x8192xi1>
    %is_two = stablehlo.compare EQ, %row, %two : (tensor<32x8192xi32>, tensor<32x8192xi32>) -> tensor<32x8192xi1>
    %is_three = stablehlo.compare EQ, %row, %three : (tensor<32x8192xi32>, tensor<32x8192xi32>) -> tensor<32x8192xi1>
    %is_four = stablehlo.compare EQ, %row, %four : (tensor<32x8192xi32>, tensor<32x8192xi32>) -> tensor<32x8192xi1>
    %is_place = stablehlo.compare EQ, %column, %place : (tensor<32x8192xi32>, tensor<32x8192xi32>) -> tensor<32x8192xi1>
    %is_high = stablehlo.and %is_two, %is_place : tensor<32x8192xi1>
    %is_nan = stablehlo.and %is_three, %is_place : tensor<32x8192xi1>
    %less = stablehlo.subtract %random, %offset : tensor<32x8192xf32>
    %below = stablehlo.select %is_four, %less, %lows : tensor<32x8192xi1>, tensor<32x8192xf32>
    %x0 = stablehlo.select %is_below, %below, %random : tensor<32x8192xi1>, tensor<32x8192xf32>
    %x1 = stablehlo.select %is_high, %highs, %x0 : tensor<32x8192xi1>, tensor<32x8192xf32>
    %x2 = stablehlo.select %is_nan, %nans, %x1 : tensor<32x8192xi1>, tensor<32x8192xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%x2 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<32x8192xf32>, tensor<f32>) -> tensor<32xf32>
    %b = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<32xf32>) -> tensor<32x8192xf32>
    %s = stablehlo.subtract %x2, %b : tensor<32x8192xf32>
    %e = stablehlo.exponential %s : tensor<32x8192xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x8192xf32>, tensor<f32>) -> tensor<32xf32>
    %sb = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<32xf32>) -> tensor<32x8192xf32>
    %q = stablehlo.divide %e, %sb : tensor<32x8192xf32>
    %log = stablehlo.log %sum : tensor<32xf32>
    %zeros = stablehlo.constant dense<0.0> : tensor<32xf32>
    %is_finite = stablehlo.is_finite %max : (tensor<32xf32>) -> tensor<32xi1>
    %guarded = stablehlo.select %is_finite, %max, %zeros : tensor<32xi1>, tensor<32xf32>
    %gb = stablehlo.broadcast_in_dim %guarded, dims = [0] : (tensor<32xf32>) -> tensor<32x8192xf32>
    %gs = stablehlo.subtract %x2, %gb : tensor<32x8192xf32>
    %ge = stablehlo.exponential %gs : tensor<32x8192xf32>
    %gsum = stablehlo.reduce(%ge init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x8192xf32>, tensor<f32>) -> tensor<32xf32>
    %gsb = stablehlo.broadcast_in_dim %gsum, dims = [0] : (tensor<32xf32>) -> tensor<32x8192xf32>
    %gq = stablehlo.divide %ge, %gsb : tensor<32x8192xf32>
    %glog = stablehlo.log %gsum : tensor<32xf32>
    return %q, %log, %gq, %glog : tensor<32x8192xf32>, tensor<32xf32>, tensor<32x8192xf32>, tensor<32xf32>
  }
}
