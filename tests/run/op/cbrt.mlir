// stablehlo.cbrt gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-1.66 -1.55 -1.35 -1.56 -1.03 1.45 -1.27 0.85 1.37 0.15 1.87 0.33 1.61 0.08 -0.69 0.98 1.76 -1.73 -1.17 -1.39 -1.45 0.18 -1 -1.8 1.76 -0.12 -1.44 1 1.22 -1.95" --input="7xf64=1.620000005 -1.110000014 1.470000029 -1.320000052 0.6200000048 -1.75999999 -1.159999967" --expected-output="6x5xf32=-1.184048 -1.157295 -1.105209 -1.159778 -1.009902 1.131851 -1.082932 0.9472682 1.110641 0.5313293 1.232009 0.6910423 1.172039 0.4308869 -0.8836555 0.9932884 1.207362 -1.200463 -1.053728 -1.116019 -1.131851 0.5646216 -1 -1.21644 1.207362 -0.4932424 -1.129243 1 1.06853 -1.249333" --expected-output="7xf64=1.174460294 -1.03539881 1.137031373 -1.096961325 0.8527019005 -1.207362145 -1.050717564" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<7xf64>) {
  %r0 = stablehlo.cbrt %a : tensor<6x5xf32>
  %r1 = stablehlo.cbrt %b : tensor<7xf64>
  return %r0, %r1 : tensor<6x5xf32>, tensor<7xf64>
}
