// bitcast_convert reinterprets bits as a type of the same width, as more elements of a narrower type, and as fewer of a wider one
// RUN: shardrun --interpret %s --input="7xf32=-1.15 -1.72 -1.74 2 -1.91 1.34 0.48" --input="6x2xi32=-1 0 -1 1 -2 0 2 0 -1 -1 1 -2" --expected-output="7xi32=-1080872141 -1076090634 -1075922862 1073741824 -1074496799 1068205343 1056293519" --expected-output="6x2x4xui8=255 255 255 255 0 0 0 0 255 255 255 255 1 0 0 0 254 255 255 255 0 0 0 0 2 0 0 0 0 0 0 0 255 255 255 255 255 255 255 255 1 0 0 0 254 255 255 255" --expected-output="6xi64=4294967295 8589934591 4294967294 2 -1 -8589934591" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<7xi32>, tensor<6x2x4xui8>, tensor<6xi64>) {
  %r0 = stablehlo.bitcast_convert %a : (tensor<7xf32>) -> tensor<7xi32>
  %r1 = stablehlo.bitcast_convert %b : (tensor<6x2xi32>) -> tensor<6x2x4xui8>
  %r2 = stablehlo.bitcast_convert %b : (tensor<6x2xi32>) -> tensor<6xi64>
  return %r0, %r1, %r2 : tensor<7xi32>, tensor<6x2x4xui8>, tensor<6xi64>
}
