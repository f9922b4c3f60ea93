// The estimate counts the nodes of --ranks-per-node, also with several devices on each rank and with more than 4,096 devices
// RUN: sh inputs/estimate_of_nodes.sh %s
sdy.mesh @mesh = <["x"=4, "y"=4]>
func.func @main(%arg0: tensor<65536x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<65536x256xf32>, tensor<f32>) -> tensor<65536xf32>
  return %0 : tensor<65536xf32>
}
