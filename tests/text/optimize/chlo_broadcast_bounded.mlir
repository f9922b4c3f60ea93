// A broadcast to a bounded dimension is a broadcast to the bound and a set_dimension_size to the source's size.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<10>>, %b: tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<10>> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<10>>
  return %0 : tensor<?xf32, #stablehlo.bounds<10>>
}
