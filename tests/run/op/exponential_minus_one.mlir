// stablehlo.exponential_minus_one gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.18 -1.54 0.76 -0.88 0.53 0.37 -1.34 -1.94 -0.7 -1.21 -0.89 -1.03 0.9 -0.68 -1.46 -0.77 -0.04 -0.94 -1.33 0.28 -0.72 1.88 -0.09 -0.65 -0.58 1.47 -1.61 -1.27 0.72 0.53" --input="7xf64=1.850000024 -0.7099999785 1.730000019 1.399999976 1 -0.5099999905 0.9900000095" --expected-output="6x5xf32=0.1972174 -0.7856189 1.138276 -0.5852171 0.6989323 0.4477346 -0.7381544 -0.8562961 -0.5034147 -0.7018027 -0.5893443 -0.642993 1.459603 -0.493383 -0.7677637 -0.5369869 -0.03921055 -0.6093721 -0.7355227 0.3231297 -0.5132477 5.553505 -0.0860688 -0.4779542 -0.4401016 3.349235 -0.8001124 -0.7191684 1.054433 0.6989323" --expected-output="7xf64=5.359819674 -0.508355792 4.640654016 3.05519987 1.718281828 -0.3995044155 1.691234498" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<7xf64>) {
  %r0 = stablehlo.exponential_minus_one %a : tensor<6x5xf32>
  %r1 = stablehlo.exponential_minus_one %b : tensor<7xf64>
  return %r0, %r1 : tensor<6x5xf32>, tensor<7xf64>
}
