// Signed zeros and NaN of many payloads among other floats, ascending and descending; the results are the bits.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%i: tensor<65536xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<65536xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<65536xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %factor = stablehlo.constant dense<2654435761> : tensor<65536xui32>
  %hash = stablehlo.multiply %i, %factor : tensor<65536xui32>
  %three = stablehlo.constant dense<3> : tensor<65536xui32>
  %kind = stablehlo.remainder %hash, %three : tensor<65536xui32>
  %top = stablehlo.constant dense<0x80000000> : tensor<65536xui32>
  %nan = stablehlo.constant dense<0x7F800001> : tensor<65536xui32>
  %sign = stablehlo.and %hash, %top : tensor<65536xui32>
  %nans = stablehlo.or %hash, %nan : tensor<65536xui32>
  %one = stablehlo.constant dense<1> : tensor<65536xui32>
  %is_zero = stablehlo.compare LT, %kind, %one : (tensor<65536xui32>, tensor<65536xui32>) -> tensor<65536xi1>
  %is_nan = stablehlo.compare EQ, %kind, %one : (tensor<65536xui32>, tensor<65536xui32>) -> tensor<65536xi1>
  %some = stablehlo.select %is_nan, %nans, %hash : tensor<65536xi1>, tensor<65536xui32>
  %bits = stablehlo.select %is_zero, %sign, %some : tensor<65536xi1>, tensor<65536xui32>
  %x = stablehlo.bitcast_convert %bits : (tensor<65536xui32>) -> tensor<65536xf32>
  %v = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<65536xf32>
  %up = "stablehlo.sort"(%v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<65536xf32>) -> tensor<65536xf32>
  %down = "stablehlo.sort"(%v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare GT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<65536xf32>) -> tensor<65536xf32>
  %r = stablehlo.bitcast_convert %up : (tensor<65536xf32>) -> tensor<65536xui32>
  %s = stablehlo.bitcast_convert %down : (tensor<65536xf32>) -> tensor<65536xui32>
  return %r, %s : tensor<65536xui32>, tensor<65536xui32>
}
