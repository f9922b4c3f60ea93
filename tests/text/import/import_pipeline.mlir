// The import pipeline applies all its passes to one module.
// RUN: shardopt %s -sdy-import-pipeline
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %a, %c : tensor<8xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}
