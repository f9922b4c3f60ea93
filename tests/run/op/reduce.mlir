// reduce gives sums, products, extrema, logic and argmax, and applies the initial value once
// RUN: shardrun --interpret %s --input="10x6xf32=0.96 -1.22 1.69 1.7 -1.95 0.8 -0.79 0.44 -1.95 0.67 -0.38 -1.71 0.43 -1.62 1.06 -0.05 1.67 -1.43 -0.58 0.93 -0.97 0.4 -1.99 -1.81 -0.89 0.81 -0.19 0.71 1.72 -0.51 1.08 0.56 1.98 0.44 1.51 1.05 -1.16 -1.73 -1.04 -1.46 0.82 -1.28 -0.01 0.07 0.72 -1.95 -1.81 1.8 -0.37 -1.07 1.43 -0.86 -0.26 -1.06 -0.63 -0.56 0.38 0.81 0.69 -1.97" --input="10x6xi1=0 1 0 0 1 1 1 0 0 1 1 1 0 1 1 0 1 0 0 0 0 0 0 1 0 1 0 1 1 0 0 1 0 1 1 1 0 0 1 0 1 1 0 1 0 0 0 1 0 0 1 0 1 0 0 1 0 1 1 0" --input="9xi32=0 -1 0 2 1 0 0 -2 0" --input="f32=2" --expected-output="6xf32=-1.96 -3.39 3.11 0.4100003 0.01999992 -6.12" --expected-output="10xf32=1.7 0.67 1.67 0.93 1.72 1.98 0.82 1.8 1.43 0.81" --expected-output="f32=-5.929999" --expected-output="6xi1=1 1 1 1 1 1" --expected-output="i32=2" --expected-output="6xf32=-1.16 -1.73 -1.95 -1.95 -1.99 -1.97" --expected-output="10xf32=10.49836 0.5901996 -0.1763363 1.507663 -0.1706143 1.670805 -6.396524 -0.006403925 -0.268367 -0.2952178" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<10x6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<f32>) -> (tensor<6xf32>, tensor<10xf32>, tensor<f32>, tensor<6xi1>, tensor<i32>, tensor<6xf32>, tensor<10xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %zi = stablehlo.constant dense<0> : tensor<i32>
  %r0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<10x6xf32>, tensor<f32>) -> tensor<6xf32>
  %r1 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<10x6xf32>, tensor<f32>) -> tensor<10xf32>
  %r2 = stablehlo.reduce(%a init: %d) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x6xf32>, tensor<f32>) -> tensor<f32>
  %r3 = stablehlo.reduce(%b init: %no) applies stablehlo.or across dimensions = [0] : (tensor<10x6xi1>, tensor<i1>) -> tensor<6xi1>
  %r4 = stablehlo.reduce(%c init: %zi) applies stablehlo.xor across dimensions = [0] : (tensor<9xi32>, tensor<i32>) -> tensor<i32>
  %r5 = stablehlo.reduce(%a init: %d) applies stablehlo.minimum across dimensions = [0] : (tensor<10x6xf32>, tensor<f32>) -> tensor<6xf32>
  %r6 = stablehlo.reduce(%a init: %d) applies stablehlo.multiply across dimensions = [1] : (tensor<10x6xf32>, tensor<f32>) -> tensor<10xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<6xf32>, tensor<10xf32>, tensor<f32>, tensor<6xi1>, tensor<i32>, tensor<6xf32>, tensor<10xf32>
}
