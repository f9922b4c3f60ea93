// clamp of each element between two bounds
// RUN: shardrun --interpret %s --input="6x5xf32=-0.29 -0.76 -0.99 -0.66 -0.05 -0.39 -0.56 -0.97 -0.22 -0.04 -0.88 -0.97 -0.48 -0.76 -0.02 -0.38 -0.75 -0.7 -0.72 -0 -0.1 -0.71 -0.84 -0.65 -0.53 -0.03 -0.21 -0.03 -0.87 -0.16" --input="6x5xf32=-0.96 1.54 -1.27 0.15 1.93 -1.68 -0.13 -0.16 -0.08 -1.73 0.93 -1.36 1.26 -1.34 1.16 0.03 0.39 1.79 0.48 0.11 -0.36 0.55 -0.85 -1.4 -1.1 1.42 -1.34 1.9 0.56 0.69" --input="f32=1" --expected-output="6x5xf32=-0.29 1 -0.99 0.15 1 -0.39 -0.13 -0.16 -0.08 -0.04 0.93 -0.97 1 -0.76 1 0.03 0.39 1 0.48 0.11 -0.1 0.55 -0.84 -0.65 -0.53 1 -0.21 1 0.56 0.69" --expected-output="6x5xf32=1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<f32>) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %b1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
  %r0 = stablehlo.clamp %a, %b, %b1 : tensor<6x5xf32>
  %r1 = stablehlo.clamp %c, %b, %c : (tensor<f32>, tensor<6x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<6x5xf32>
}
