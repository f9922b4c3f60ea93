// An op computed on one device is added to zeros of the others; reshards to that device are removed
// RUN: shardopt %s -sdy-resolve-single-device-sharding
sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @third = <[], device_ids=[2]>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = sdy.reshard %arg0 <@third, []> : tensor<4xf32>
  %1 = stablehlo.sine %0 {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : tensor<4xf32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<4xf32>
  %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}
