// dynamic_slice clamps starts that are known only at run time
// RUN: shardrun --interpret %s --input="10x7xf32=0.62 0.71 0.81 1.24 -0.28 0.02 -1.79 -0.47 0.49 -1.9 1.39 -1.52 -1.68 0.19 0.06 1.51 1.31 0.1 1.29 0.13 -1.58 -0.65 -0.42 -1.04 0.54 -1.8 -1.2 1.78 1.57 -0.74 -0.03 -1.73 -1.45 -1.52 -1.53 0.2 0.88 -0.05 0.97 -0.11 -1.5 0.8 -1.8 0.97 -1.8 1.63 0.92 -1.57 1 -1.39 1.06 -0.22 -1.57 -0.83 0.82 -1.67 -1.44 0.3 -0.89 1.99 1.2 -0.6 -0.91 1.13 -1.9 1.49 0.2 0.16 0.07 -1.98" --input="i32=3" --input="i32=6" --expected-output="4x7xf32=-0.65 -0.42 -1.04 0.54 -1.8 -1.2 1.78 1.57 -0.74 -0.03 -1.73 -1.45 -1.52 -1.53 0.2 0.88 -0.05 0.97 -0.11 -1.5 0.8 -1.8 0.97 -1.8 1.63 0.92 -1.57 1" --expected-output="10x3xf32=-0.28 0.02 -1.79 -1.52 -1.68 0.19 1.29 0.13 -1.58 -1.8 -1.2 1.78 -1.45 -1.52 -1.53 -0.11 -1.5 0.8 0.92 -1.57 1 -0.83 0.82 -1.67 1.2 -0.6 -0.91 0.16 0.07 -1.98" --expected-output="5x4xf32=0.97 -0.11 -1.5 0.8 1.63 0.92 -1.57 1 -1.57 -0.83 0.82 -1.67 1.99 1.2 -0.6 -0.91 0.2 0.16 0.07 -1.98" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<i32>, %c: tensor<i32>) -> (tensor<4x7xf32>, tensor<10x3xf32>, tensor<5x4xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r0 = stablehlo.dynamic_slice %a, %b, %z, sizes = [4, 7] : (tensor<10x7xf32>, tensor<i32>, tensor<i32>) -> tensor<4x7xf32>
  %r1 = stablehlo.dynamic_slice %a, %z, %c, sizes = [10, 3] : (tensor<10x7xf32>, tensor<i32>, tensor<i32>) -> tensor<10x3xf32>
  %r2 = stablehlo.dynamic_slice %a, %c, %b, sizes = [5, 4] : (tensor<10x7xf32>, tensor<i32>, tensor<i32>) -> tensor<5x4xf32>
  return %r0, %r1, %r2 : tensor<4x7xf32>, tensor<10x3xf32>, tensor<5x4xf32>
}
