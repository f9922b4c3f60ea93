// A broadcast to a bounded dimension fills the bound, then takes the size of the value it comes from
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<10>>, %b: tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<10>> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<10>>
  return %0 : tensor<?xf32, #stablehlo.bounds<10>>
}
