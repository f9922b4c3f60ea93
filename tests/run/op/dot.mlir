// dot gives the products of matrices, and of vectors
// RUN: shardrun --interpret %s --input="6x5xf32=1.86 -0.16 0.17 -1 -1.95 -0.39 -0.55 0.19 -0.95 -1.91 0.99 -1.73 0.63 0.09 -0.34 1.47 0.72 -1.71 -1.49 1.83 0.8 -0.16 -0.49 -1.43 -0.29 -0.88 -1.95 -0.07 -0.4 0.42" --input="5x4xf32=-0.77 0.37 1.53 -1 1.3 -0.53 -1.56 -1.67 0.05 -1.26 1.85 -1.42 0.4 0.83 0.32 -1.13 -1.79 -1.65 0.19 -1.33" --input="9xf32=-1.81 -1.64 -1.12 1.27 1.05 1.22 -1.16 1.71 1.54" --input="9xf32=1.31 1.65 0.12 -0.37 -1.4 1.45 -1.17 0.46 -1.53" --expected-output="6x4xf32=1.4588 2.9463 2.7194 1.8893 2.6337 2.2708 -0.05409998 4.6525 -2.3352 1.1251 5.3432 1.355 -4.1531 -1.9393 -2.1667 -0.9944001 -0.9014001 0.2898 0.0543999 2.1646 -2.7727 -0.2289 1.5179 4.1293" --expected-output="f32=-5.594799" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %c: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x4xf32>, tensor<f32>) {
  %r0 = stablehlo.dot %a, %b : (tensor<6x5xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
  %r1 = stablehlo.dot %c, %d : (tensor<9xf32>, tensor<9xf32>) -> tensor<f32>
  return %r0, %r1 : tensor<6x4xf32>, tensor<f32>
}
