// convert of 64-bit integers to f32 rounds once, also where a conversion by way of f64 would round twice
// RUN: shardrun --interpret %s --input="6xi64=1152921573326323713 -1152921573326323713 9007199254740993 16777217 16777219 -3" --input="4xui64=9223372586610589697 1152921573326323713 18446744073709551615 3" --expected-output="6xi32=1568669697 -578813951 1509949440 1266679808 1266679810 -1069547520" --expected-output="4xi32=1593835521 1568669697 1602224128 1077936128" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xi32>, tensor<4xi32>) {
  %0 = stablehlo.convert %a : (tensor<6xi64>) -> tensor<6xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<6xf32>) -> tensor<6xi32>
  %2 = stablehlo.convert %b : (tensor<4xui64>) -> tensor<4xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<4xf32>) -> tensor<4xi32>
  return %1, %3 : tensor<6xi32>, tensor<4xi32>
}
