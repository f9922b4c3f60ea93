// stablehlo.exponential gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.5 -0.95 -0.83 1.58 -0.49 1.99 -1.99 -0.9 -1.84 -0.67 0.86 1.04 0.31 0.05 0.21 0.88 0.99 0.6 -0.73 -1.92 -0.7 1 1.29 -0.73 -0.91 0.29 1.39 -1.14 -0.45 -0.43" --input="7xf64=1.149999976 -1.470000029 -1.389999986 1.360000014 -0.5799999833 0.4900000095 1" --expected-output="6x5xf32=1.648721 0.386741 0.4360493 4.854956 0.6126264 7.315534 0.1366954 0.4065697 0.1588174 0.5117086 2.363161 2.829217 1.363425 1.051271 1.233678 2.4109 2.691235 1.822119 0.481909 0.146607 0.4965853 2.718282 3.632787 0.481909 0.4025242 1.336427 4.01485 0.319819 0.6376281 0.6505091" --expected-output="7xf64=3.158192834 0.2299254786 0.2490753082 3.896193358 0.5598983759 1.632316236 2.718281828" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<7xf64>) {
  %r0 = stablehlo.exponential %a : tensor<6x5xf32>
  %r1 = stablehlo.exponential %b : tensor<7xf64>
  return %r0, %r1 : tensor<6x5xf32>, tensor<7xf64>
}
