// sort sorts along a sharded dimension, in descending order, and by the first of two operands
// RUN: shardrun --interpret %s --input="10x6xf32=-0.06 1.37 -0.15 1.56 1.4 1.01 1.41 1.65 -1.95 -0.35 -1.41 -1.56 1.59 -0.7 0.84 1.27 0.46 -0.38 -1.25 -1.29 1.56 1.49 1.84 -0.38 -0.37 1.9 1.97 -1 1.38 -1.38 -1.4 -0.11 -1.44 -1.89 0.38 0.64 -1.46 -0.98 -1.82 0.4 -1.99 1.43 -1.25 -0.08 -0.85 -0.18 -1.16 1.49 1.43 1.8 1.38 -1.23 0.53 -0.59 0.91 -1.22 1.56 -0.77 1.71 1.63" --input="9xi32=1 4 0 0 2 2 3 0 1" --input="9xf32=1.33 -1.15 0.92 -1.42 -1.63 -1.63 1.36 -1.21 1.27" --expected-output="10x6xf32=-1.46 -1.29 -1.95 -1.89 -1.99 -1.56 -1.4 -1.22 -1.82 -1.23 -1.41 -1.38 -1.25 -0.98 -1.44 -1 -1.16 -0.59 -1.25 -0.7 -0.85 -0.77 0.38 -0.38 -0.37 -0.11 -0.15 -0.35 0.46 -0.38 -0.06 -0.08 0.84 -0.18 0.53 0.64 0.91 1.37 1.38 0.4 1.38 1.01 1.41 1.65 1.56 1.27 1.4 1.43 1.43 1.8 1.56 1.49 1.71 1.49 1.59 1.9 1.97 1.56 1.84 1.63" --expected-output="10x6xf32=1.56 1.4 1.37 1.01 -0.06 -0.15 1.65 1.41 -0.35 -1.41 -1.56 -1.95 1.59 1.27 0.84 0.46 -0.38 -0.7 1.84 1.56 1.49 -0.38 -1.25 -1.29 1.97 1.9 1.38 -0.37 -1 -1.38 0.64 0.38 -0.11 -1.4 -1.44 -1.89 1.43 0.4 -0.98 -1.46 -1.82 -1.99 1.49 -0.08 -0.18 -0.85 -1.16 -1.25 1.8 1.43 1.38 0.53 -0.59 -1.23 1.71 1.63 1.56 0.91 -0.77 -1.22" --expected-output="9xi32=0 0 0 1 1 2 2 3 4" --expected-output="9xf32=0.92 -1.42 -1.21 1.33 1.27 -1.63 -1.63 1.36 -1.15" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<9xi32>, tensor<9xf32>) {
  %r0 = "stablehlo.sort"(%a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  %r1 = "stablehlo.sort"(%a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  %r2, %r3 = "stablehlo.sort"(%b, %c) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %u: tensor<f32>, %v: tensor<f32>):
  %s = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<9xi32>, tensor<9xf32>) -> (tensor<9xi32>, tensor<9xf32>)
  return %r0, %r1, %r2, %r3 : tensor<10x6xf32>, tensor<10x6xf32>, tensor<9xi32>, tensor<9xf32>
}
