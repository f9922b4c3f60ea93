// stablehlo.divide of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-1.19 0.83 -0.14 1.21 -0.36 1.52 1.8 1.54 -1.14 1.26 -1.16 1.61 -0.57 0.55 1.55 -1.4 -0.49 -1.27 -0.75 -0.54 0.84 0.84 0.09 -1.7 0.52 -0.28 -0.76 0.09 -0.56 -1.71" --input="6x5xf32=1.08 0.98 1.14 1.16 1.26 1.1 1.38 2 1.62 0.85 1.82 1.9 0.81 1.06 1.38 1.1 1.54 1.08 0.75 1.55 0.51 1.26 1.16 1.54 1.17 1.57 0.84 1.45 0.7 1.82" --input="9xi32=9 3 4 -5 -2 1 -6 0 -4" --input="9xi32=1 5 1 3 2 1 2 5 3" --expected-output="6x5xf32=-1.101852 0.8469387 -0.122807 1.043103 -0.2857143 1.381818 1.304348 0.77 -0.7037037 1.482353 -0.6373626 0.8473684 -0.7037037 0.518868 1.123188 -1.272727 -0.3181818 -1.175926 -1 -0.3483871 1.647059 0.6666666 0.07758621 -1.103896 0.4444444 -0.1783439 -0.9047619 0.06206897 -0.8 -0.9395604" --expected-output="9xi32=9 0 4 -1 -1 1 -3 0 -1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>) {
  %r0 = stablehlo.divide %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.divide %c, %d : tensor<9xi32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<9xi32>
}
