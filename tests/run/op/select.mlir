// select takes elements of two values by a predicate for each element, or for all
// RUN: shardrun --interpret %s --input="6x5xi1=1 1 0 1 0 0 0 0 0 0 0 1 1 1 0 0 1 0 1 1 0 0 1 0 1 0 0 0 1 0" --input="6x5xf32=-1.18 1.34 -1.78 -1.9 1.7 -0.91 -1.27 0.52 0.75 -0.73 -0.71 1.38 1.81 0.04 -0.85 0.09 0.18 1.38 -1.75 -1.03 -0.45 -0.74 0.84 -1.34 1.66 -1.15 0.13 -1.79 0.39 0.94" --input="6x5xf32=1.38 1.41 0.56 1 1.93 1.72 -1.37 -0.57 -1.91 1.38 1.84 0.97 0.82 -0.23 -0.76 -0.3 -0.85 -0.79 0.03 0.57 -1.09 -1.64 -0.86 -0.93 0.8 0.31 -0.78 -0.39 0.43 0.68" --input="i1=1" --expected-output="6x5xf32=-1.18 1.34 0.56 -1.9 1.93 1.72 -1.37 -0.57 -1.91 1.38 1.84 1.38 1.81 0.04 -0.76 -0.3 0.18 -0.79 -1.75 -1.03 -1.09 -1.64 0.84 -0.93 1.66 0.31 -0.78 -0.39 0.39 0.68" --expected-output="6x5xf32=-1.18 1.34 -1.78 -1.9 1.7 -0.91 -1.27 0.52 0.75 -0.73 -0.71 1.38 1.81 0.04 -0.85 0.09 0.18 1.38 -1.75 -1.03 -0.45 -0.74 0.84 -1.34 1.66 -1.15 0.13 -1.79 0.39 0.94" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<i1>) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %r0 = stablehlo.select %a, %b, %c : tensor<6x5xi1>, tensor<6x5xf32>
  %r1 = stablehlo.select %d, %b, %c : tensor<i1>, tensor<6x5xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<6x5xf32>
}
