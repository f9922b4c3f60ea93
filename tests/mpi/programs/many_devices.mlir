// An all_gather, a reduction, a shift by one row and a change of axes on a mesh of 2^30 devices.
sdy.mesh @mesh = <["x"=32768, "y"=32768]>
func.func public @main(%arg0: tensor<1073741824x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<64x32768xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<1073741824x32768xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<f32>, tensor<1073741824x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1073741824x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<1073741824x64xf32>, tensor<64x32768xf32>) -> tensor<1073741824x32768xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<1073741824x32768xf32>, tensor<f32>) -> tensor<f32>
  %p = stablehlo.pad %arg0, %c, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<1073741824x64xf32>, tensor<f32>) -> tensor<1073741825x64xf32>
  %s = stablehlo.slice %p [0:1073741824, 0:64] : (tensor<1073741825x64xf32>) -> tensor<1073741824x64xf32>
  return %0, %1, %s, %arg0 : tensor<1073741824x32768xf32>, tensor<f32>, tensor<1073741824x64xf32>, tensor<1073741824x64xf32>
}
