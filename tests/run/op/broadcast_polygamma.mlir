// chlo.broadcast_polygamma gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1" --input="5xf32=0.99 0.59 0.21 2.49 1.63" --expected-output="6x5xf32=1.669304 3.738262 23.9285 0.4927311 0.8378133 1.669304 3.738262 23.9285 0.4927311 0.8378133 1.669304 3.738262 23.9285 0.4927311 0.8378133 1.669304 3.738262 23.9285 0.4927311 0.8378133 1.669304 3.738262 23.9285 0.4927311 0.8378133 1.669304 3.738262 23.9285 0.4927311 0.8378133" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_polygamma %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
