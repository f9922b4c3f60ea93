// pad adds low, high and interior padding, and removes elements where it is negative
// RUN: shardrun --interpret %s --input="7x5xf32=1.1 1.83 0.69 1.03 -0.39 1.85 -1.51 -1.93 -0.35 -1.74 -1.8 0.64 1.01 -1.31 0.74 -0.79 1.97 -0.56 -1.75 -0.86 -0.19 0.71 0.28 1.09 0.7 -0.69 -0.44 0.39 -1.76 1.94 -1.84 -0.29 0.2 0.06 -1.18" --input="f32=9" --expected-output="10x7xf32=9 9 9 9 9 9 9 1.1 1.83 0.69 1.03 -0.39 9 9 1.85 -1.51 -1.93 -0.35 -1.74 9 9 -1.8 0.64 1.01 -1.31 0.74 9 9 -0.79 1.97 -0.56 -1.75 -0.86 9 9 -0.19 0.71 0.28 1.09 0.7 9 9 -0.69 -0.44 0.39 -1.76 1.94 9 9 -1.84 -0.29 0.2 0.06 -1.18 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9" --expected-output="13x5xf32=1.1 1.83 0.69 1.03 -0.39 9 9 9 9 9 1.85 -1.51 -1.93 -0.35 -1.74 9 9 9 9 9 -1.8 0.64 1.01 -1.31 0.74 9 9 9 9 9 -0.79 1.97 -0.56 -1.75 -0.86 9 9 9 9 9 -0.19 0.71 0.28 1.09 0.7 9 9 9 9 9 -0.69 -0.44 0.39 -1.76 1.94 9 9 9 9 9 -1.84 -0.29 0.2 0.06 -1.18" --expected-output="5x5xf32=1.85 -1.51 -1.93 -0.35 -1.74 -1.8 0.64 1.01 -1.31 0.74 -0.79 1.97 -0.56 -1.75 -0.86 -0.19 0.71 0.28 1.09 0.7 -0.69 -0.44 0.39 -1.76 1.94" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<f32>) -> (tensor<10x7xf32>, tensor<13x5xf32>, tensor<5x5xf32>) {
  %r0 = stablehlo.pad %a, %b, low = [1, 0], high = [2, 2], interior = [0, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<10x7xf32>
  %r1 = stablehlo.pad %a, %b, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<13x5xf32>
  %r2 = stablehlo.pad %a, %b, low = [-1, 0], high = [-1, 0], interior = [0, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<5x5xf32>
  return %r0, %r1, %r2 : tensor<10x7xf32>, tensor<13x5xf32>, tensor<5x5xf32>
}
