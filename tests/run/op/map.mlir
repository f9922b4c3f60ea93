// map executes its body for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-0.92 0.1 1.66 1.36 -1.73 0.51 0.38 -1.72 -0.87 -0.69 -1.42 1.55 -0.21 1.62 -0.09 0.46 0.73 -1.08 1.2 0.67 0.55 -0.98 0.79 -0.19 0.64 1.16 0.89 -0.53 1.09 -0.92" --input="6x5xf32=1.78 0.58 -0.48 -1.75 0.17 -1.55 0.73 -0.14 1.46 1.95 1.1 -1.89 1.24 -1.98 1.62 0.9 -0.98 0.41 -1.47 -1.65 -0.29 -0.74 1.33 1.48 -0.86 1.95 -1.27 -1.26 -1.77 -0.35" --expected-output="6x5xf32=-2.5576 0.158 0.8632 -1.02 -2.0241 -0.2805 0.6574 -1.4792 -2.1402 -2.0355 -2.982 -1.3795 -0.4704 -1.5876 -0.2358 0.874 0.01459999 -1.5228 -0.5640001 -0.4355 0.3905 -0.2548 1.8407 -0.4712 0.08959999 3.422 -0.2403 0.1378 -0.8393 -0.598" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.multiply %p, %q : tensor<f32>
  %t = stablehlo.add %s, %p : tensor<f32>
  stablehlo.return %t : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
