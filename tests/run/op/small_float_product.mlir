// a product of f8E4M3FN and f8E5M2 along a sharded dimension, and the conversions around it
// RUN: shardrun --interpret %s --input="6x5xf32=6.12 -7.68 1.26 -1.71 -1.35 -0.66 -6.06 -0.69 -2.61 9.96 0.69 -1.05 -0.84 -2.01 -3.18 -1.17 1.44 -0.72 2.88 -0.6 0.06 4.65 1.65 -1.53 -0.54 1.62 5.82 -0.81 -0.72 3" --input="5x4xf32=-2.67 -0.87 2.64 1.74 0.27 2.01 -8.49 3.06 -2.88 -5.01 0.84 2.1 -1.32 -3.24 0.09 -0.15 4.23 2.25 0.57 3.33" --expected-output="6x5xf32=6 -7.5 1.25 -1.75 -1.375 -0.6875 -6 -0.6875 -2.5 10 0.6875 -1 -0.8125 -2 -3.25 -1.125 1.5 -0.75 3 -0.625 0.05859375 4.5 1.625 -1.5 -0.5625 1.625 6 -0.8125 -0.75 3" --expected-output="5x4xf32=-2.5 -0.875 2.5 1.75 0.25 2 -8 3 -3 -5 0.875 2 -1.25 -3 0.09375 -0.15625 4 2 0.625 3.5" --expected-output="6x4xf32=-23.9375 -24 75.07031 -14.03906 45.40625 19.53906 51.69531 14.8125 -10.03125 0.9609375 6.789062 -14.48438 -0.8125 -2.515625 -15.57812 -1.625 -4.271484 4.19873 -34.92383 15.11816 12.8125 22.89062 -42.84375 29.83594" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<6x5xf32>, tensor<5x4xf32>, tensor<6x4xf32>) {
  %p = stablehlo.convert %a : (tensor<6x5xf32>) -> tensor<6x5xf8E4M3FN>
  %q = stablehlo.convert %b : (tensor<5x4xf32>) -> tensor<5x4xf8E5M2>
  %r0 = stablehlo.convert %p : (tensor<6x5xf8E4M3FN>) -> tensor<6x5xf32>
  %r1 = stablehlo.convert %q : (tensor<5x4xf8E5M2>) -> tensor<5x4xf32>
  %r2 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<6x5xf8E4M3FN>, tensor<5x4xf8E5M2>) -> tensor<6x4xf32>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<5x4xf32>, tensor<6x4xf32>
}
