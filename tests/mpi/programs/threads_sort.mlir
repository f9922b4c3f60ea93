// Long rows of keys alone, with signed zeros and NaN of many payloads, which workers sort in parts; the results are the bits.
func.func @main(%i: tensor<300007xui32>) -> (tensor<300007xui32>, tensor<300007xi64>) {
  %factor = stablehlo.constant dense<2654435761> : tensor<300007xui32>
  %bits = stablehlo.multiply %i, %factor : tensor<300007xui32>
  %mask = stablehlo.constant dense<0x80000000> : tensor<300007xui32>
  %seven = stablehlo.constant dense<7> : tensor<300007xui32>
  %kind = stablehlo.remainder %bits, %seven : tensor<300007xui32>
  %zero = stablehlo.constant dense<0> : tensor<300007xui32>
  %is_zero = stablehlo.compare EQ, %kind, %zero : (tensor<300007xui32>, tensor<300007xui32>) -> tensor<300007xi1>
  %sign = stablehlo.and %bits, %mask : tensor<300007xui32>
  %some = stablehlo.select %is_zero, %sign, %bits : tensor<300007xi1>, tensor<300007xui32>
  %x = stablehlo.bitcast_convert %some : (tensor<300007xui32>) -> tensor<300007xf32>
  %floats = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %a0 = stablehlo.compare EQ, %a, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a1 = stablehlo.select %a0, %z, %a : tensor<i1>, tensor<f32>
    %a2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a3 = stablehlo.select %a2, %nan, %a1 : tensor<i1>, tensor<f32>
    %b0 = stablehlo.compare EQ, %b, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %b1 = stablehlo.select %b0, %z, %b : tensor<i1>, tensor<f32>
    %b2 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %b3 = stablehlo.select %b2, %nan, %b1 : tensor<i1>, tensor<f32>
    %less = stablehlo.compare LT, %a3, %b3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<300007xf32>) -> tensor<300007xf32>
  %sorted_bits = stablehlo.bitcast_convert %floats : (tensor<300007xf32>) -> tensor<300007xui32>
  %wide = stablehlo.convert %bits : (tensor<300007xui32>) -> tensor<300007xi64>
  %integers = "stablehlo.sort"(%wide) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<300007xi64>) -> tensor<300007xi64>
  return %sorted_bits, %integers : tensor<300007xui32>, tensor<300007xi64>
}
