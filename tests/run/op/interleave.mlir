// Tensors interleaved along sharded and other dimensions; -0 becomes 0, as the infinite reciprocals show
// RUN: shardrun --interpret %s --input="4x2xf32=1 2 4 0.5 -0 1 2 -0" --input="3x2xf32=1 2 4 -0 -4 8" --expected-output="7x2xf32=1 0.5 1 0.5 0.25 2 0.25 inf inf 1 -0.25 0.125 0.5 inf" --expected-output="4x4xf32=1 -1 2 -2 4 -4 0.5 -0.5 0 0 1 -1 2 -2 0 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<3x2xf32>) -> (tensor<7x2xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<7x2xf32>
  %0 = stablehlo.pad %a, %zero, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<7x2xf32>
  %1 = stablehlo.pad %b, %zero, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<7x2xf32>
  %2 = stablehlo.add %1, %0 : tensor<7x2xf32>
  %3 = stablehlo.divide %one, %2 : tensor<7x2xf32>
  %4 = stablehlo.negate %a : tensor<4x2xf32>
  %5 = stablehlo.pad %a, %zero, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %6 = stablehlo.pad %4, %zero, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %7 = stablehlo.add %5, %6 : tensor<4x4xf32>
  return %3, %7 : tensor<7x2xf32>, tensor<4x4xf32>
}
